import { LibraryBig } from 'lucide-react'
import { cx } from '#web/ui/class-names.ts'

/** The first covers of a collection, one behind the other; without any, a drawn one. */
export function CoverStack({ covers, className }: { covers: readonly string[]; className?: string }) {
  const shown = covers.slice(0, offsets.length)
  return (
    <span
      aria-hidden
      className={cx('relative block aspect-4/3 w-full overflow-hidden rounded-md bg-sunken', className)}
    >
      {shown.length === 0 && (
        <span className="flex size-full items-center justify-center text-muted">
          <LibraryBig size={32} strokeWidth={1.25} />
        </span>
      )}
      {shown.map((cover, index) => (
        <img
          key={cover}
          src={cover}
          alt=""
          width={210}
          height={297}
          loading="lazy"
          decoding="async"
          className={cx(
            'dim-in-dark absolute bottom-0 h-[88%] w-auto rounded-t-sm border border-line bg-[#fff] object-cover shadow-soft',
            shown.length === 1 ? 'left-1/2 -translate-x-1/2' : offsets[index],
          )}
        />
      ))}
    </span>
  )
}

/** From the front to the back. */
const offsets = ['left-[8%] z-30', 'left-[28%] z-20 h-[80%]', 'left-[48%] z-10 h-[72%]', 'left-[66%] z-0 h-[64%]']
