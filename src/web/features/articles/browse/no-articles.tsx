import { useInvitations } from '#web/domain/contributions.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { articleListPath, type ArticleQuery } from '#web/features/articles/browse/article-query.ts'

interface NoArticlesProps {
  query: ArticleQuery
  category: { title: string } | undefined
  total: number
}

export function NoArticles({ query, category, total }: NoArticlesProps) {
  const { publish } = useInvitations()
  if (total > 0) {
    return (
      <EmptyState title="没有这一页" action={<ButtonLink to={articleListPath(query)}>回到第一页</ButtonLink>}>
        这里一共有 {total} 篇文章。
      </EmptyState>
    )
  }
  return (
    <EmptyState title="还没有文章" action={publish && <ButtonLink to="/post">发布文章</ButtonLink>}>
      {category ? `“${category.title}”下还没有文章。` : '发布的文章会按时间排在这里。'}
    </EmptyState>
  )
}
