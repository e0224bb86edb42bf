import { Bookmark } from 'lucide-react'
import { cx } from '#web/ui/class-names.ts'

/** Both words have their place from the first, so that nothing moves when one takes the other's. */
export function FavoriteFace({ isKept, count }: { isKept: boolean; count: number | undefined }) {
  const figure = count ? ` ${count}` : ''
  return (
    <>
      <Bookmark size={16} className={isKept ? 'fill-current text-accent' : ''} aria-hidden />
      <span className="grid justify-items-center tabular-nums">
        <span className={cx('col-start-1 row-start-1', isKept && 'invisible')}>收藏{figure}</span>
        <span className={cx('col-start-1 row-start-1', !isKept && 'invisible')}>已收藏{figure}</span>
      </span>
    </>
  )
}
