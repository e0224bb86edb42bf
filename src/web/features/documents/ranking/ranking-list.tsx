import { Link } from 'react-router'
import { documentKinds, getDocumentKind } from '#shared/document-kinds.ts'
import { Cover } from '#web/features/documents/cover.tsx'
import type { RankedDocument } from '#web/features/documents/ranking/load-ranking.ts'
import { documentPath } from '#web/domain/paths.ts'
import { cx } from '#web/ui/class-names.ts'

/** Documents with their places. */
export function RankingList({ documents, verb }: { documents: RankedDocument[]; verb: string }) {
  return (
    <ol className={cx('grid gap-x-10 md:grid-cols-2', rankClass)}>
      {documents.map((document, index) => (
        <li key={document.uuid}>
          <b aria-label={`第 ${index + 1} 名`}>{index + 1}</b>
          <Link to={documentPath(document)}>
            <Cover document={document} isFirst={index < 8} />
            <span>
              <strong className="font-title">{document.title}</strong>
              <small>{describe(document)}</small>
            </span>
          </Link>
          {document.count > 0 && (
            <em>
              {document.count.toLocaleString('zh-CN')}
              <small>次{verb}</small>
            </em>
          )}
        </li>
      ))}
    </ol>
  )
}

/** On the list rather than on each item, which keeps the HTML small. */
const rankClass = cx(
  '[&>li]:flex [&>li]:min-w-0 [&>li]:items-center [&>li]:gap-4 [&>li]:border-b [&>li]:border-line [&>li]:py-3',
  '[&>li>b]:w-7 [&>li>b]:shrink-0 [&>li>b]:text-center [&>li>b]:font-display [&>li>b]:text-lg [&>li>b]:font-normal [&>li>b]:text-muted [&>li:nth-child(-n+3)>b]:text-2xl [&>li:nth-child(-n+3)>b]:text-accent',
  '[&>li>a]:flex [&>li>a]:min-w-0 [&>li>a]:flex-1 [&>li>a]:items-center [&>li>a]:gap-4 [&>li>a]:hover:text-accent [&_.cover]:w-12 [&_.cover]:shrink-0 [&_a>span:last-child]:min-w-0',
  '[&_strong]:line-clamp-2 [&_strong]:leading-snug [&_strong]:font-medium [&_a_small]:mt-1 [&_a_small]:block [&_a_small]:truncate [&_a_small]:text-sm [&_a_small]:text-muted',
  '[&>li>em]:shrink-0 [&>li>em]:text-right [&>li>em]:font-medium [&>li>em]:tabular-nums [&>li>em]:not-italic [&_em>small]:block [&_em>small]:text-xs [&_em>small]:font-normal [&_em>small]:text-muted',
)

function describe({ ext, pages, username }: RankedDocument): string {
  return [documentKinds[getDocumentKind(ext)].label, pages > 0 && `${pages} 页`, username].filter(Boolean).join(' · ')
}
