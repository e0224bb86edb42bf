import { ChevronRight } from 'lucide-react'
import { cx } from '#web/ui/class-names.ts'
import { controlClass } from '#web/ui/forms/input.tsx'

export interface PathNode {
  id: number
  title: string
  children: PathNode[]
}

interface PathSelectProps {
  nodes: readonly PathNode[]
  /** From the root down. */
  value: readonly number[]
  onChange: (path: number[]) => void
  /** Texts: of the first select without a choice, of the others, and their label. */
  labels: { none: string; noFurther: string; below: string }
  control: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean | undefined }
}

/** Selects a node of a tree level by level. */
export function PathSelect({ nodes, value, onChange, labels, control }: PathSelectProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-1.5 gap-y-2">
      {findLevels(nodes, value).map((choices, depth) => (
        <div key={value[depth - 1] ?? 0} className="flex min-w-0 grow basis-36 items-center gap-1.5">
          {depth > 0 && <ChevronRight size={16} className="shrink-0 text-muted" aria-hidden />}
          <select
            {...(depth === 0 ? control : { 'aria-label': `${labels.below}（第 ${depth + 1} 级）` })}
            value={value[depth] ?? ''}
            onChange={({ target }) => {
              const above = value.slice(0, depth)
              onChange(target.value ? [...above, Number(target.value)] : above)
            }}
            className={cx(controlClass, 'h-11 min-w-0')}
          >
            <option value="">{depth === 0 ? labels.none : labels.noFurther}</option>
            {choices.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        </div>
      ))}
    </div>
  )
}

/** The options on each level along the path, and those below its end. */
function findLevels(nodes: readonly PathNode[], path: readonly number[]): (readonly PathNode[])[] {
  const levels = [nodes]
  for (const id of path) {
    const below = levels.at(-1)?.find((node) => node.id === id)?.children ?? []
    if (below.length === 0) break
    levels.push(below)
  }
  return levels
}
