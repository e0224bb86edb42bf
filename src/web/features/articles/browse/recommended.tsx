import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { isBuiltInPage } from '#shared/contract/articles.ts'
import { articlePath } from '#web/domain/paths.ts'
import type { Batch } from '#web/features/articles/browse/load-recommended.ts'
import { cx } from '#web/ui/class-names.ts'
import { toast } from '#web/ui/overlay/toast.tsx'

/** Articles that the staff recommends, a batch at a time. */
export function Recommended({ first }: { first: Batch }) {
  const [batch, setBatch] = useState(first)
  const [busy, setBusy] = useState(false)
  if (first.articles.length === 0) return null
  const showNext = async () => {
    setBusy(true)
    try {
      const { nextBatch } = await import('#web/features/articles/browse/load-recommended.ts')
      setBatch(await nextBatch(batch))
    } catch {
      toast('没有取到，请稍后重试', 'danger')
    } finally {
      setBusy(false)
    }
  }
  return (
    <section aria-label="推荐文章" className="rounded-lg border border-line bg-surface p-4">
      <div className="mb-2 flex min-h-8 items-center justify-between gap-3">
        <h2 className="text-base">推荐文章</h2>
        {first.pages > 1 && (
          <button
            type="button"
            aria-disabled={busy || undefined}
            onClick={busy ? undefined : () => void showNext()}
            className="-mr-2 inline-flex h-8 items-center gap-1.5 rounded-md px-2 text-sm text-muted hover:bg-sunken hover:text-ink"
          >
            <RefreshCw size={14} className={cx(busy && 'animate-spin')} aria-hidden />
            换一批
          </button>
        )}
      </div>
      <ul aria-live="polite" className={cx('text-sm transition-opacity', busy && 'opacity-50')}>
        {batch.articles.map((article) => (
          <li key={article.identifier}>
            <Link to={articlePath(article)} className="group flex items-baseline gap-3 py-1.5">
              <span className="line-clamp-2 min-w-0 flex-1 font-title group-hover:text-accent">{article.title}</span>
              {!isBuiltInPage(article.identifier) && (
                <span className="shrink-0 text-xs text-muted tabular-nums">{article.view_count} 浏览</span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
