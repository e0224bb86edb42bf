import { ChevronRight } from 'lucide-react'
import { cx } from '#web/ui/class-names.ts'
import { controlClass } from '#web/ui/input.tsx'

export interface PickableCategory {
  id: number
  title: string
  children: PickableCategory[]
}

interface CategoryPickerProps {
  categories: readonly PickableCategory[]
  /** From the root down. */
  value: readonly number[]
  onChange: (path: number[]) => void
  control: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean | undefined }
}

/** A category by its path: each choice opens the level below it. */
export function CategoryPicker({ categories, value, onChange, control }: CategoryPickerProps) {
  const levels = levelsOf(categories, value)
  return (
    <div className="flex flex-wrap items-center gap-x-1.5 gap-y-2">
      {levels.map((nodes, depth) => (
        <div key={value[depth - 1] ?? 0} className="flex min-w-0 grow basis-36 items-center gap-1.5">
          {depth > 0 && <ChevronRight size={16} className="shrink-0 text-muted" aria-hidden />}
          <select
            {...(depth === 0 ? control : { 'aria-label': `下级分类（第 ${depth + 1} 级）` })}
            value={value[depth] ?? ''}
            onChange={({ target }) => {
              const above = value.slice(0, depth)
              onChange(target.value ? [...above, Number(target.value)] : above)
            }}
            className={cx(controlClass, 'h-11 min-w-0')}
          >
            <option value="">{depth === 0 ? '请选择分类' : '不再细分'}</option>
            {nodes.map(({ id, title }) => (
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

/** The choices on each level along the path, and those below its end. */
function levelsOf(categories: readonly PickableCategory[], path: readonly number[]): (readonly PickableCategory[])[] {
  const levels = [categories]
  for (const id of path) {
    const below = levels.at(-1)?.find((node) => node.id === id)?.children ?? []
    if (below.length === 0) break
    levels.push(below)
  }
  return levels
}
