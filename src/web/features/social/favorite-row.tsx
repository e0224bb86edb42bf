import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { favorites } from '#shared/contract/favorites.ts'
import type { Reply } from '#shared/endpoint.ts'
import { formatTime } from '#shared/format.ts'
import { refreshUser } from '#web/domain/account.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { toast } from '#web/ui/overlay/toast.tsx'

export type Favorite = Reply<typeof favorites.list>['favorite'][number]

interface FavoriteRowProps {
  favorite: Favorite
  path: string
  picture: ReactNode
  /** Shown before the time it was added. */
  facts: ReactNode
}

/** An entry of the member's favorites. A removed one stays in place, with an undo button. */
export function FavoriteRow({ favorite, path, picture, facts }: FavoriteRowProps) {
  const { entry, busy, toggle } = useEntry(favorite)
  const { title, created_at } = favorite
  const isFavorite = entry > 0
  return (
    <li className="flex gap-4 py-4 first:pt-0 last:pb-0">
      <Link to={path} tabIndex={-1} aria-hidden className={cx('w-14 shrink-0', !isFavorite && 'opacity-40')}>
        {picture}
      </Link>
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-2">
        <div className={cx('min-w-0 flex-1 basis-56', !isFavorite && 'opacity-60')}>
          <Link to={path} className="line-clamp-2 font-title font-medium hover:text-accent">
            {title}
          </Link>
          <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted tabular-nums">
            {facts}
            {created_at !== null && <span>收藏于 {formatTime(created_at)}</span>}
          </p>
        </div>
        <Button
          size="sm"
          busy={busy}
          onClick={() => void toggle()}
          aria-label={`${isFavorite ? '取消收藏' : '重新收藏'}“${title}”`}
        >
          {isFavorite ? '取消收藏' : '撤销'}
        </Button>
      </div>
    </li>
  )
}

/** The id of the entry, which changes when it is added again; 0 while it is removed. */
function useEntry({ id, document_id, type }: Favorite) {
  const [entry, setEntry] = useState(id)
  const [busy, setBusy] = useState(false)
  const toggle = async () => {
    setBusy(true)
    try {
      if (entry > 0) {
        await api(favorites.delete, { id: [entry] })
        setEntry(0)
        toast('已取消收藏')
      } else {
        const created = await api(favorites.create, { document_id, type })
        setEntry(created.id)
        toast('已重新收藏')
      }
      void refreshUser().catch(() => undefined)
    } catch (error) {
      toast(errorMessage(error, '没有成功，请稍后重试'), 'danger')
    } finally {
      setBusy(false)
    }
  }
  return { entry, busy, toggle }
}
