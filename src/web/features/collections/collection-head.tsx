import { Link2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { CollectionVisibility, FollowTarget } from '#shared/collections.ts'
import { ReviewStatus } from '#shared/enums.ts'
import { collectionPath } from '#web/domain/paths.ts'
import type { ShownCollection } from '#web/features/collections/collection-summary.ts'
import { StatusLabels } from '#web/features/collections/status-labels.tsx'
import { FollowButton } from '#web/features/social/follow/follow-button.tsx'
import { copyText } from '#web/lib/browser/copy-text.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

interface CollectionHeadProps {
  collection: ShownCollection
  total: number
  isOwn: boolean
  /** For the owner. */
  actions: ReactNode
}

/** Title, owner and description, with what readers do with it. */
export function CollectionHead({ collection, total, isOwn, actions }: CollectionHeadProps) {
  const { title, description, user, visibility, status, follower_count } = collection
  const isOpen = visibility === CollectionVisibility.Public && status === ReviewStatus.Approved
  return (
    <header>
      <h1 className="font-title text-2xl leading-snug md:text-3xl">
        {title}
        {!isOpen && (
          <span className="ml-2.5 align-[0.25em] font-sans">
            <StatusLabels collection={collection} />
          </span>
        )}
      </h1>
      {description && <p className="mt-3 max-w-2xl leading-relaxed whitespace-pre-line text-muted">{description}</p>}
      <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-3">
        {user.id > 0 && (
          <Link to={`/user/${user.id}`} className="flex items-center gap-2 text-sm hover:text-accent">
            <Avatar src={user.avatar} size={28} />
            {user.username}
          </Link>
        )}
        <span className="text-sm text-muted tabular-nums">共 {total} 项</span>
        <span className="flex flex-wrap items-center gap-2 sm:ml-auto">
          {actions}
          <Button size="sm" onClick={() => void share(collection)}>
            <Link2 size={15} aria-hidden />
            复制链接
          </Button>
          {isOpen && !isOwn && (
            <FollowButton kind={FollowTarget.Collection} id={collection.id} count={follower_count} size="sm" />
          )}
        </span>
      </div>
    </header>
  )
}

async function share(collection: ShownCollection): Promise<void> {
  const isCopied = await copyText(new URL(collectionPath(collection), location.origin).href)
  toast(isCopied ? '链接已复制' : '没有复制成功，请从地址栏复制', isCopied ? 'success' : 'danger')
}
