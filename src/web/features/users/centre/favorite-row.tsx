import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { favorites } from '#shared/contract/social.ts'
import { ApiError } from '#shared/errors.ts'
import type { Reply } from '#shared/endpoint.ts'
import { formatTime } from '#shared/format.ts'
import { refreshUser } from '#web/lib/account.ts'
import { api } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { toast } from '#web/ui/toast.tsx'

export type Favorite = Reply<typeof favorites.list>['favorite'][number]

interface FavoriteRowProps {
  favorite: Favorite
  path: string
  picture: ReactNode
  /** What there is to say of it, beside when it was kept. */
  facts: ReactNode
}

/** Something kept. Given up, it stays where it stood, so that one may think better of it. */
export function FavoriteRow({ favorite, path, picture, facts }: FavoriteRowProps) {
  const { entry, busy, turn } = useKept(favorite)
  const { title, created_at } = favorite
  const isKept = entry > 0
  return (
    <li className="flex gap-4 py-4 first:pt-0 last:pb-0">
      <Link to={path} tabIndex={-1} aria-hidden className={cx('w-14 shrink-0', !isKept && 'opacity-40')}>
        {picture}
      </Link>
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-2">
        <div className={cx('min-w-0 flex-1 basis-56', !isKept && 'opacity-60')}>
          <Link to={path} className="line-clamp-2 font-medium hover:text-accent">
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
          onClick={() => void turn()}
          aria-label={`${isKept ? '取消收藏' : '重新收藏'}“${title}”`}
        >
          {isKept ? '取消收藏' : '撤销'}
        </Button>
      </div>
    </li>
  )
}

/** Its number in one's list changes when it is kept anew; 0 while it is given up. */
function useKept({ id, document_id, type }: Favorite) {
  const [entry, setEntry] = useState(id)
  const [busy, setBusy] = useState(false)
  const turn = async () => {
    setBusy(true)
    try {
      if (entry > 0) {
        await api(favorites.delete, { id: [entry] })
        setEntry(0)
        toast('已取消收藏')
      } else {
        const made = await api(favorites.create, { document_id, type })
        setEntry(made.id)
        toast('已重新收藏')
      }
      void refreshUser().catch(() => undefined)
    } catch (error) {
      toast(error instanceof ApiError ? error.message : '没有成功，请稍后重试', 'danger')
    } finally {
      setBusy(false)
    }
  }
  return { entry, busy, turn }
}
