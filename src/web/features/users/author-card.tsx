import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { VipBadge } from '#web/features/users/vip-badge.tsx'
import { Avatar } from '#web/ui/avatar.tsx'

interface AuthorCardProps {
  label: string
  author: { id: number; username: string; avatar: string; signature: string; is_vip: boolean }
  /** How much the author has published. */
  counts: string
  latestTitle: string
  /** Beside the name. */
  action?: ReactNode
  /** List items with the author's latest works. */
  children: readonly ReactNode[]
}

/** The author of a document or an article, with their latest works. */
export function AuthorCard({ label, author, counts, latestTitle, action, children }: AuthorCardProps) {
  const { id, username, avatar, signature, is_vip } = author
  // A deleted account has no page.
  if (id === 0) return null
  return (
    <section aria-label={label} className="rounded-lg border border-line bg-surface p-4">
      <div className="flex items-center gap-2">
        <Link to={`/user/${id}`} className="flex min-w-0 flex-1 items-center gap-3 hover:text-accent">
          <Avatar src={avatar} size={44} />
          <span className="min-w-0">
            <span className="flex items-center gap-1.5 font-medium">
              <span className="truncate">{username}</span>
              <VipBadge isVip={is_vip} />
            </span>
            <span className="block text-sm text-muted tabular-nums">{counts}</span>
          </span>
        </Link>
        {action}
      </div>
      {signature && <p className="mt-3 line-clamp-2 text-sm text-muted">{signature}</p>}
      {children.length > 0 && (
        <>
          <h2 className="mt-4 mb-1 text-sm font-medium text-muted">{latestTitle}</h2>
          <ul className="text-sm">{children}</ul>
        </>
      )}
    </section>
  )
}
