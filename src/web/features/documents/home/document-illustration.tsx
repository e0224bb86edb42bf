import { cx } from '#web/ui/class-names.ts'

/** Drawn pages on a shelf, one for each kind of document. A narrow screen shows four. */
export function DocumentIllustration() {
  return (
    <div aria-hidden className="mx-auto w-full max-w-2xl text-left">
      <div className="flex items-end justify-center gap-3 px-3 sm:gap-5 sm:px-4">
        {kinds.map(({ label, color }, index) => (
          <div
            key={label}
            className={cx(
              'w-20 rounded-t-sm border border-b-0 border-line bg-surface p-2.5 sm:w-24 sm:p-3',
              index % 2 === 0 ? 'h-28 sm:h-33' : 'h-24 sm:h-31',
              index > 3 && 'hidden sm:block',
            )}
          >
            <span style={{ color }} className="block text-xs leading-none font-bold whitespace-nowrap">
              {label}
            </span>
            <span style={{ background: color }} className="mt-2.5 block h-1 w-3/5 rounded-full opacity-80" />
            <span className="mt-2.5 block h-1 rounded-full bg-line" />
            <span className="mt-2 block h-1 rounded-full bg-line" />
            <span className="mt-2 block h-1 w-4/5 rounded-full bg-line" />
          </div>
        ))}
      </div>
      <div className="h-1.5 rounded-full bg-line" />
    </div>
  )
}

const kinds = [
  { label: 'PDF', color: 'var(--kind-pdf)' },
  { label: 'Word', color: 'var(--kind-word)' },
  { label: 'PPT', color: 'var(--kind-ppt)' },
  { label: 'Excel', color: 'var(--kind-excel)' },
  { label: 'TXT', color: 'var(--kind-text)' },
  { label: 'EPUB', color: 'var(--kind-ebook)' },
]
