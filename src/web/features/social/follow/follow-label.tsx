import { Check, Plus } from 'lucide-react'
import { cx } from '#web/ui/class-names.ts'

/** Both texts take up space, so that toggling does not change the width. */
export function FollowLabel({ isFollowing, count }: { isFollowing: boolean; count: number | undefined }) {
  const Icon = isFollowing ? Check : Plus
  const countText = count ? ` ${count}` : ''
  return (
    <>
      <Icon size={15} aria-hidden />
      <span className="grid justify-items-center tabular-nums">
        <span className={cx('col-start-1 row-start-1', isFollowing && 'invisible')}>关注{countText}</span>
        <span className={cx('col-start-1 row-start-1', !isFollowing && 'invisible')}>已关注{countText}</span>
      </span>
    </>
  )
}
