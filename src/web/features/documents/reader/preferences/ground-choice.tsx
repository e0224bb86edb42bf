import { useId } from 'react'
import type { Ground } from '#shared/grounds.ts'
import { setPreferences, usePreferences } from '#web/features/documents/reader/preferences/preferences.ts'
import { cx } from '#web/ui/class-names.ts'

const options: readonly { ground: Ground | undefined; name: string; mark: string }[] = [
  { ground: undefined, name: '跟随网站', mark: 'bg-[linear-gradient(90deg,#fff_50%,#181b1a_50%)]' },
  { ground: 'day', name: '日间', mark: 'bg-[#fff]' },
  { ground: 'sepia', name: '护眼', mark: 'bg-[#f5ecd9]' },
  { ground: 'night', name: '夜间', mark: 'bg-[#181b1a]' },
]

/** What pages and text are shown on. */
export function GroundChoice() {
  const { ground } = usePreferences()
  const name = useId()
  return (
    <fieldset>
      <legend className="mb-1.5 text-muted">底色</legend>
      <div className="grid grid-cols-4 gap-1.5">
        {options.map((option) => (
          <label
            key={option.name}
            className="flex min-h-14 cursor-pointer flex-col items-center justify-center gap-1 rounded-md border border-line hover:border-edge has-checked:border-accent has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={name}
              checked={option.ground === ground}
              onChange={() => setPreferences({ ground: option.ground })}
              className="sr-only"
            />
            <span aria-hidden className={cx('size-4 rounded-full border border-edge', option.mark)} />
            {option.name}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
