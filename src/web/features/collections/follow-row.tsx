import { FolderOpen, LibraryBig } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { FollowTarget } from '#shared/collections.ts'
import type { Follow } from '#shared/contract/follows.ts'
import { FollowButton } from '#web/features/social/follow/follow-button.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { cx } from '#web/ui/class-names.ts'

/** An author, category or collection that the member follows. An unfollowed one stays in place, to be followed again. */
export function FollowRow({ follow }: { follow: Follow }) {
  const { kind, target_id, title, description, href, follower_count } = follow
  return (
    <li className="flex items-center gap-4 py-4 first:pt-0 last:pb-0">
      <span aria-hidden className="flex w-12 shrink-0 justify-center text-muted">
        {pictures[kind](follow)}
      </span>
      <div className="min-w-0 flex-1">
        {href ? (
          <Link
            to={href}
            className={cx(
              'line-clamp-1 font-medium hover:text-accent',
              kind === FollowTarget.Collection && 'font-title',
            )}
          >
            {title}
          </Link>
        ) : (
          <span className="text-muted">已删除或不再公开</span>
        )}
        <p className="mt-1 line-clamp-1 text-sm text-muted tabular-nums">
          {[follower_count > 0 && `${follower_count} 人关注`, description].filter(Boolean).join(' · ')}
        </p>
      </div>
      <FollowButton kind={kind} id={target_id} />
    </li>
  )
}

const pictures: Record<FollowTarget, (follow: Follow) => ReactNode> = {
  [FollowTarget.Author]: ({ picture }) => <Avatar src={picture} size={44} />,
  [FollowTarget.Category]: () => <FolderOpen size={26} strokeWidth={1.5} />,
  [FollowTarget.Collection]: ({ picture }) =>
    picture ? (
      <img src={picture} alt="" loading="lazy" className="h-14 w-10 rounded-sm border border-line object-cover" />
    ) : (
      <LibraryBig size={26} strokeWidth={1.5} />
    ),
}
