import { ThumbsUp } from 'lucide-react'
import { cx } from '#web/ui/class-names.ts'

/** Both texts take up space, so that a click does not change the width. */
export function LikeLabel({ isLiked, count }: { isLiked: boolean; count: number }) {
  const countText = count > 0 ? ` ${count}` : ''
  return (
    <>
      <ThumbsUp size={16} className={isLiked ? 'fill-current text-accent' : ''} aria-hidden />
      <span className="grid justify-items-center tabular-nums">
        <span className={cx('col-start-1 row-start-1', isLiked && 'invisible')}>赞{countText}</span>
        <span className={cx('col-start-1 row-start-1', !isLiked && 'invisible')}>已赞{countText}</span>
      </span>
    </>
  )
}
