import { ReviewStatus } from '#shared/enums.ts'
import { Link, useRevalidator } from 'react-router'
import { articles, type Article } from '#shared/contract/articles.ts'
import { formatTime } from '#shared/format.ts'
import { ReviewLabel } from '#web/features/articles/own/review-label.tsx'
import { refreshUser } from '#web/domain/account.ts'
import { api } from '#web/lib/api.ts'
import { articlePath } from '#web/domain/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { DeletableRows } from '#web/ui/deletable-rows.tsx'

/** The member's own articles. */
export function OwnArticles({ rows }: { rows: Article[] }) {
  const { revalidate } = useRevalidator()
  const remove = async (id: number[]) => {
    await api(articles.delete, { id })
    void refreshUser().catch(() => undefined)
  }
  return (
    <DeletableRows
      rows={rows}
      renderHead={(article) => <Head article={article} />}
      facts={facts}
      renderActions={({ identifier, title }) => (
        <ButtonLink to={`/post?identifier=${encodeURIComponent(identifier)}`} variant="quiet" size="sm">
          编辑<span className="sr-only">“{title}”</span>
        </ButtonLink>
      )}
      labels={{
        noun: '文章',
        measure: '篇',
        effect: '会移到回收站，其他人不能再看到；需要恢复时请联系管理员。',
        done: '已移到回收站',
      }}
      remove={remove}
      onRemoved={() => void revalidate()}
    />
  )
}

/** The date of `yyyy-MM-dd HH:mm`. */
const dateLength = 10

const facts: Record<string, (article: Article) => string | number> = {
  浏览: ({ view_count }) => view_count,
  评论: ({ comment_count }) => comment_count,
  收藏: ({ favorite_count }) => favorite_count,
  点赞: ({ like_count }) => like_count,
  发布: ({ created_at }) => (created_at === null ? '' : formatTime(created_at).slice(0, dateLength)),
}

function Head({ article }: { article: Article }) {
  const { title, status, reject_reason, category } = article
  return (
    <>
      <Link to={articlePath(article)} className="line-clamp-2 font-title font-medium hover:text-accent">
        {title}
      </Link>
      <p className="mt-1.5 flex flex-wrap gap-x-2 text-muted">
        <ReviewLabel status={status} />
        {category.map((item) => item.title).join(' / ')}
      </p>
      {status === ReviewStatus.Rejected && reject_reason !== '' && (
        <p className="mt-1.5 text-danger">{reject_reason}</p>
      )}
    </>
  )
}
