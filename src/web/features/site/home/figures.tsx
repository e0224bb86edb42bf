import type { Reply } from '#shared/endpoint.ts'
import type { stats } from '#shared/contract/system.ts'
import { useSite } from '#web/lib/site.ts'
import { cx } from '#web/ui/class-names.ts'

export type Counted = Pick<Reply<typeof stats.get>, 'document_count' | 'article_count' | 'user_count'>

/** How much there is, as far as the owner wants it told. The size of the figures is that of the text around. */
export function Figures({ figures, className }: { figures: Counted; className: string }) {
  const { show_document_count, show_register_user_count } = useSite().settings.display
  const shown = [
    { title: '份文档', count: figures.document_count, shown: show_document_count },
    { title: '篇文章', count: figures.article_count, shown: show_document_count },
    { title: '位用户', count: figures.user_count, shown: show_register_user_count },
  ].filter((figure) => figure.shown)
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
