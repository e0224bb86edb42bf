import { Link } from 'react-router'
import type { PublicUser } from '#shared/contract/users.ts'
import { articlePath } from '#web/lib/paths.ts'
import type { ArticleLine } from '#web/features/articles/browse/listed.ts'
import { Avatar } from '#web/ui/avatar.tsx'

interface AuthorCardProps {
  author: Pick<PublicUser, 'id' | 'username' | 'avatar' | 'signature' | 'article_count' | 'doc_count'>
  latest: readonly ArticleLine[]
}

/** Who wrote the article, and what else they have written lately. */
export function AuthorCard({ author, latest }: AuthorCardProps) {
  const { id, username, avatar, signature, article_count, doc_count } = author
  // Who has left has no page.
  if (id === 0) return null
  return (
    <section aria-label="作者" className="rounded-lg border border-line bg-surface p-4">
      <Link to={`/user/${id}`} className="flex items-center gap-3 hover:text-accent">
        <Avatar src={avatar} name={username} size={44} />
        <span className="min-w-0">
          <span className="block truncate font-medium">{username}</span>
          <span className="block text-sm text-muted tabular-nums">
            {article_count} 篇文章{doc_count > 0 && ` · ${doc_count} 份文档`}
          </span>
        </span>
      </Link>
      {signature && <p className="mt-3 line-clamp-2 text-sm text-muted">{signature}</p>}
      {latest.length > 0 && (
        <>
          <h2 className="mt-4 mb-1 text-sm font-medium text-muted">最近发布</h2>
          <ul className="text-sm">
            {latest.map((article) => (
              <li key={article.identifier}>
                <Link to={articlePath(article)} className="line-clamp-2 py-1 hover:text-accent">
                  {article.title}
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
