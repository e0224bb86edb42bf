import { useState } from 'react'
import type { UploadItem } from '#web/features/documents/upload/row.ts'
import { queue } from '#web/features/documents/upload/window-queue.ts'
import { cx } from '#web/ui/class-names.ts'
import { controlClass } from '#web/ui/forms/input.tsx'
import type { PathNode } from '#web/ui/forms/path-select.tsx'

/** A category with the ids from the root down to it. */
export interface CategoryChoice {
  path: readonly number[]
  label: string
}

interface CategorySelectProps {
  row: Pick<UploadItem, 'id' | 'file' | 'ownCategory'>
  choices: readonly CategoryChoice[]
  /** The category of all files without their own. */
  shared: readonly number[]
}

/** The category of one file. As a list may have hundreds of rows, the options are rendered when a select is focused. */
export function CategorySelect({ row: { id, file, ownCategory }, choices, shared }: CategorySelectProps) {
  const [isActive, setIsActive] = useState(false)
  if (choices.length === 0) return null
  const value = (ownCategory ?? []).join('/')
  const shown = isActive ? choices : choices.filter(({ path }) => path.join('/') === value)
  return (
    <select
      aria-label={`${file.name} 的分类`}
      value={value}
      onPointerDown={() => setIsActive(true)}
      onFocus={() => setIsActive(true)}
      onChange={({ target }) =>
        queue.edit(id, { ownCategory: target.value === '' ? undefined : target.value.split('/').map(Number) })
      }
      className={cx(
        controlClass,
        'h-9 min-w-0 basis-full px-2 text-sm md:flex-2 lg:col-start-3 lg:col-end-5 lg:row-start-2',
      )}
    >
      <option value="">{shared.length > 0 ? `同上面的分类：${pathLabel(choices, shared)}` : '同上面的分类'}</option>
      {shown.map(({ path, label }) => (
        <option key={path.join('/')} value={path.join('/')}>
          {label}
        </option>
      ))}
    </select>
  )
}

/** Parents before their children. */
export function listPaths(
  nodes: readonly PathNode[],
  above: CategoryChoice = { path: [], label: '' },
): CategoryChoice[] {
  return nodes.flatMap(({ id, title, children }) => {
    const choice = { path: [...above.path, id], label: above.label ? `${above.label} / ${title}` : title }
    return [choice, ...listPaths(children, choice)]
  })
}

export function pathLabel(choices: readonly CategoryChoice[], path: readonly number[]): string {
  return choices.find((choice) => choice.path.join('/') === path.join('/'))?.label ?? ''
}
