import { Link } from 'react-router'
import type { Article } from '#shared/contract/articles.ts'
import { formatTime } from '#shared/format.ts'
import { ReviewLabel } from '#web/features/users/centre/review-label.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'

interface OwnArticleRowProps {
  article: Article
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
  onDelete: () => void
}

/** A row of a table; on a narrow screen, a card. */
export function OwnArticleRow({ article, isChosen, onChoose, onDelete }: OwnArticleRowProps) {
  const { identifier, title, status, reject_reason, category, created_at } = article
  return (
    <tr className="border-b border-line align-top last:border-0 max-md:relative max-md:block max-md:py-4 max-md:pl-9">
      <td className="py-3 pr-2 max-md:absolute max-md:top-1 max-md:left-0">
        <input
          type="checkbox"
          checked={isChosen}
          onChange={(event) => onChoose(event.target.checked)}
          aria-label={`选择“${title}”`}
          className="mt-0.5 size-4.5 accent-accent"
        />
      </td>
      <td className="min-w-0 py-3 pr-4 max-md:block max-md:p-0">
        <Link to={`/article/${identifier}`} className="line-clamp-2 font-medium hover:text-accent">
          {title}
        </Link>
        <p className="mt-1.5 flex flex-wrap gap-x-2 text-muted">
          <ReviewLabel status={status} />
          {category.map((one) => one.title).join(' / ')}
        </p>
        {status === 2 && reject_reason !== '' && <p className="mt-1.5 text-danger">{reject_reason}</p>}
      </td>
      <Fact name="浏览">{article.view_count}</Fact>
      <Fact name="评论">{article.comment_count}</Fact>
      <Fact name="收藏">{article.favorite_count}</Fact>
      <Fact name="发布">{created_at === null ? '' : formatTime(created_at).slice(0, dayLength)}</Fact>
      <td className="py-2 whitespace-nowrap max-md:mt-1.5 max-md:-ml-3 max-md:block max-md:py-0">
        <ButtonLink to={`/post?identifier=${encodeURIComponent(identifier)}`} look="quiet" size="sm">
          编辑<span className="sr-only">“{title}”</span>
        </ButtonLink>
        <Button look="quiet" size="sm" onClick={onDelete} aria-label={`删除“${title}”`}>
          删除
        </Button>
      </td>
    </tr>
  )
}

/** Of `yyyy-MM-dd HH:mm`, the day. */
const dayLength = 10

function Fact({ name, children }: { name: string; children: string | number }) {
  return (
    <td className="py-3 pr-4 whitespace-nowrap text-muted tabular-nums max-md:mt-1.5 max-md:inline-block max-md:py-0">
      <span className="mr-1 md:hidden">{name}</span>
      {children}
    </td>
  )
}
