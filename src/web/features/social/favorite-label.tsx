import { Star } from 'lucide-react'
import { cx } from '#web/ui/class-names.ts'

/** Both texts take up space, so that toggling does not change the width. */
export function FavoriteLabel({ isFavorite, count }: { isFavorite: boolean; count: number | undefined }) {
  const countText = count ? ` ${count}` : ''
  return (
    <>
      <FavoriteMark isFavorite={isFavorite} size={16} />
      <span className="grid justify-items-center tabular-nums">
        <span className={cx('col-start-1 row-start-1', isFavorite && 'invisible')}>收藏{countText}</span>
        <span className={cx('col-start-1 row-start-1', !isFavorite && 'invisible')}>已收藏{countText}</span>
      </span>
    </>
  )
}

/** A star: bookmarks are those of pages. */
export function FavoriteMark({ isFavorite, size }: { isFavorite: boolean; size: number }) {
  return <Star size={size} className={isFavorite ? 'fill-current text-accent' : ''} aria-hidden />
}
