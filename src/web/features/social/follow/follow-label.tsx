import { Check, Plus } from 'lucide-react'
import { cx } from '#web/ui/class-names.ts'

/** Both texts take up space, so that toggling does not change the width. */
export function FollowLabel({ isFollowing, count }: { isFollowing: boolean; count: number | undefined }) {
  const countText = count ? ` ${count}` : ''
  return (
    <span className="grid justify-items-center tabular-nums">
      <span className={cx(stateClass, isFollowing && 'invisible')}>
        <Plus size={15} aria-hidden />
        关注{countText}
      </span>
      <span className={cx(stateClass, !isFollowing && 'invisible')}>
        <Check size={15} aria-hidden />
        已关注{countText}
      </span>
    </span>
  )
}

const stateClass = 'col-start-1 row-start-1 flex items-center gap-1.5'
