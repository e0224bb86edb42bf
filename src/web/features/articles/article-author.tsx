import { Link } from 'react-router'
import { FollowTarget } from '#shared/collections.ts'
import type { PublicUser } from '#shared/contract/user.ts'
import { articlePath } from '#web/domain/paths.ts'
import type { ArticleLink } from '#web/features/articles/browse/article-summary.ts'
import { FollowButton } from '#web/features/social/follow/follow-button.tsx'
import { AuthorCard } from '#web/features/users/author-card.tsx'

interface ArticleAuthorProps {
  author: Pick<PublicUser, 'id' | 'username' | 'avatar' | 'signature' | 'is_vip' | 'article_count' | 'doc_count'>
  latest: readonly ArticleLink[]
}

export function ArticleAuthor({ author, latest }: ArticleAuthorProps) {
  const { article_count, doc_count } = author
  return (
    <AuthorCard
      label="作者"
      author={author}
      counts={`${article_count} 篇文章${doc_count > 0 ? ` · ${doc_count} 份文档` : ''}`}
      latestTitle="最近发布"
      action={<FollowButton kind={FollowTarget.Author} id={author.id} ownerId={author.id} />}
    >
      {latest.map((article) => (
        <li key={article.identifier}>
          <Link to={articlePath(article)} className="line-clamp-2 py-1 font-title hover:text-accent">
            {article.title}
          </Link>
        </li>
      ))}
    </AuthorCard>
  )
}
