import { Link } from 'react-router'
import type { CoverTile } from '#web/features/documents/browse/document-summary.ts'
import { Cover } from '#web/features/documents/cover.tsx'
import { documentPath } from '#web/domain/paths.ts'
import { cx } from '#web/ui/class-names.ts'

interface CoverGridProps {
  documents: CoverTile[]
  className: string
  /** Shows the full title on hover. */
  hasTips?: boolean
  /** It is in the first screen of the page. */
  isFirst?: boolean
}

/** Covers with their titles. Their classes are on a container (`coverClass`), which keeps the HTML of many covers small. */
export function CoverGrid({ documents, className, hasTips = false, isFirst = false }: CoverGridProps) {
  return (
    <ul className={cx('grid gap-x-3 gap-y-5 sm:gap-x-5', className)}>
      {documents.map((document) => (
        <li key={document.uuid}>
          <Link discover="none" to={documentPath(document)} title={hasTips ? document.title : undefined}>
            <Cover document={document} withFacts isFirst={isFirst} />
            <b>{document.title}</b>
          </Link>
        </li>
      ))}
    </ul>
  )
}

export const coverClass = cx(
  '[&_li>a]:block [&_li>a]:text-sm [&_li>a]:hover:text-accent',
  '[&_a>b]:mt-2 [&_a>b]:line-clamp-2 [&_a>b]:font-title [&_a>b]:leading-snug [&_a>b]:font-normal',
)
