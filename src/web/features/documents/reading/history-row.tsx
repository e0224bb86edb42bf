import { Check } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { reading, type HistoryItem } from '#shared/contract/reading.ts'
import { formatRelative, formatTime } from '#shared/format.ts'
import { Cover } from '#web/features/documents/cover.tsx'
import { ReadingBar } from '#web/features/documents/reading/reading-bar.tsx'
import { pagePath } from '#web/features/documents/reading/reading-path.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { toast } from '#web/ui/overlay/toast.tsx'

/** A document of the member's history. A removed one stays in place, with an undo button. */
export function HistoryRow({ item, now }: { item: HistoryItem; now: number }) {
  const { title, is_gone, page, pages, read_at } = item
  const { isRemoved, finishedAt, busy, remove, restore, toggleFinished } = useHistoryRow(item)
  // A document that was read to its last page is read again from the first.
  const path = pagePath(finishedAt !== null && page >= pages ? { ...item, page: 1 } : item)
  return (
    <li className="flex gap-4 py-4 first:pt-0 last:pb-0">
      <div className={cx('w-14 shrink-0', isRemoved && 'opacity-40')}>
        {is_gone ? (
          <Cover document={{ cover: '', title, ext: '' }} />
        ) : (
          <Link to={path} tabIndex={-1} aria-hidden>
            <Cover document={item} />
          </Link>
        )}
      </div>
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-2">
        <div className={cx('min-w-0 flex-1 basis-56', isRemoved && 'opacity-60')}>
          {is_gone ? (
            <p className="line-clamp-2 font-title font-medium text-muted">{title}</p>
          ) : (
            <Link to={path} className="line-clamp-2 font-title font-medium hover:text-accent">
              {title}
            </Link>
          )}
          {!is_gone && pages > 0 && (
            <div className="mt-2 max-w-60">
              <ReadingBar page={finishedAt === null ? page : pages} pages={pages} title={title} />
            </div>
          )}
          <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted tabular-nums">
            {is_gone ? (
              <span>已不可见</span>
            ) : (
              <>
                {finishedAt !== null && <FinishedMark at={finishedAt} />}
                <span>{pages > 0 ? `读到 ${page}/${pages} 页` : `读到第 ${page} 页`}</span>
              </>
            )}
            <time dateTime={new Date(read_at).toISOString()} title={formatTime(read_at)}>
              {formatRelative(read_at, now)}
            </time>
          </p>
        </div>
        <div className="flex items-center gap-1">
          {isRemoved ? (
            <Button size="sm" busy={busy} onClick={() => void restore()} aria-label={`撤销移除“${title}”`}>
              撤销
            </Button>
          ) : (
            <>
              {!is_gone && (
                <>
                  <ButtonLink to={path} size="sm">
                    {finishedAt === null ? '继续' : '再读'}
                  </ButtonLink>
                  <Button
                    variant="quiet"
                    size="sm"
                    busy={busy}
                    onClick={() => void toggleFinished()}
                    aria-label={`${finishedAt === null ? '标为已读完' : '取消已读完'}：${title}`}
                  >
                    {finishedAt === null ? '标为已读完' : '取消已读完'}
                  </Button>
                </>
              )}
              <Button variant="quiet" size="sm" busy={busy} onClick={() => void remove()} aria-label={`移除“${title}”`}>
                移除
              </Button>
            </>
          )}
        </div>
      </div>
    </li>
  )
}

function FinishedMark({ at }: { at: number }) {
  return (
    <span title={`读完于 ${formatTime(at)}`} className="inline-flex items-center gap-1 text-success">
      <Check size={14} aria-hidden />
      已读完
    </span>
  )
}

function useHistoryRow(item: HistoryItem) {
  const { id, document_id, document_uuid: uuid, page, page_offset, furthest_page, read_at } = item
  const [isRemoved, setIsRemoved] = useState(false)
  const [finishedAt, setFinishedAt] = useState(item.finished_at)
  const [busy, setBusy] = useState(false)
  const run = async (action: () => Promise<void>) => {
    setBusy(true)
    try {
      await action()
    } catch (error) {
      toast(errorMessage(error, '没有成功，请稍后重试'), 'danger')
    } finally {
      setBusy(false)
    }
  }
  return {
    isRemoved,
    finishedAt,
    busy,
    remove: () =>
      run(async () => {
        await api(reading.delete, { id: [id] })
        setIsRemoved(true)
      }),
    restore: () =>
      run(async () => {
        await api(reading.save, { place: [{ uuid, page, page_offset, furthest_page, read_at }] })
        await api(reading.finish, { document_id, is_finished: finishedAt !== null })
        setIsRemoved(false)
      }),
    toggleFinished: () =>
      run(async () => {
        const is_finished = finishedAt === null
        await api(reading.finish, { document_id, is_finished })
        setFinishedAt(is_finished ? Date.now() : null)
        toast(is_finished ? '已读完，真不错' : '已取消')
      }),
  }
}
