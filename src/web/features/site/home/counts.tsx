import type { Reply } from '#shared/endpoint.ts'
import type { stats } from '#shared/contract/stats.ts'
import { useSite } from '#web/domain/site.ts'
import { cx } from '#web/ui/class-names.ts'

export type SiteCounts = Pick<Reply<typeof stats.get>, 'document_count' | 'article_count' | 'user_count'>

/** A smaller number says that a site is small, which nobody needs to read. */
const minShown = 100

/** The numbers of documents, articles and users in one quiet line, as far as they are large and the settings show them. */
export function Counts({ counts, className }: { counts: SiteCounts; className?: string }) {
  const { show_document_count, show_register_user_count } = useSite().settings.display
  const shown = [
    { title: '份文档', count: counts.document_count, isShown: show_document_count },
    { title: '篇文章', count: counts.article_count, isShown: show_document_count },
    { title: '位用户', count: counts.user_count, isShown: show_register_user_count },
  ].filter(({ count, isShown }) => isShown && count >= minShown)
  if (shown.length === 0) return null
  return (
    <p className={cx('text-sm text-muted tabular-nums', className)}>
      {shown.map(({ title, count }) => `${count.toLocaleString('zh-CN')} ${title}`).join(' · ')}
    </p>
  )
}
