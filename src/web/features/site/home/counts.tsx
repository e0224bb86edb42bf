import type { Reply } from '#shared/endpoint.ts'
import type { stats } from '#shared/contract/stats.ts'
import { useSite } from '#web/domain/site.ts'
import { cx } from '#web/ui/class-names.ts'

export type SiteCounts = Pick<Reply<typeof stats.get>, 'document_count' | 'article_count' | 'user_count'>

/** The numbers of documents, articles and users, as far as the settings show them. */
export function Counts({ counts, className }: { counts: SiteCounts; className: string }) {
  const { show_document_count, show_register_user_count } = useSite().settings.display
  const shown = [
    { title: '份文档', count: counts.document_count, isShown: show_document_count },
    { title: '篇文章', count: counts.article_count, isShown: show_document_count },
    { title: '位用户', count: counts.user_count, isShown: show_register_user_count },
  ].filter(({ isShown }) => isShown)
  if (shown.length === 0) return null
  return (
    <dl className={cx('flex', className)}>
      {shown.map(({ title, count }) => (
        <div key={title} className="flex flex-col-reverse">
          <dt className="text-sm text-muted">{title}</dt>
          <dd className="font-semibold tabular-nums">{count.toLocaleString('zh-CN')}</dd>
        </div>
      ))}
    </dl>
  )
}
