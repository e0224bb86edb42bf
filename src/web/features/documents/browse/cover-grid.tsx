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
}

/** Covers with their titles. Their classes are on a container (`coverClass`), which keeps the HTML of many covers small. */
export function CoverGrid({ documents, className, hasTips = false }: CoverGridProps) {
  return (
    <ul className={cx('grid gap-x-3 gap-y-5 sm:gap-x-5', className)}>
      {documents.map((document) => (
        <li key={document.uuid}>
          <Link discover="none" to={documentPath(document)} title={hasTips ? document.title : undefined}>
            {document.cover === '' ? (
              <Cover document={document} />
            ) : (
              <img src={document.cover} alt="" width={210} height={297} loading="lazy" />
            )}
            <b>{document.title}</b>
            {document.pages > 0 && <small>{`${document.pages} 页`}</small>}
          </Link>
        </li>
      ))}
    </ul>
  )
}

export const coverClass = cx(
  '[&_li>a]:block [&_li>a]:text-sm [&_li>a]:hover:text-accent',
  '[&_li_img]:aspect-210/297 [&_li_img]:w-full [&_li_img]:rounded-sm [&_li_img]:border [&_li_img]:border-line [&_li_img]:bg-[#fff] [&_li_img]:object-contain',
  '[&_li_b]:mt-2 [&_li_b]:line-clamp-2 [&_li_b]:leading-snug [&_li_b]:font-normal',
  '[&_li_small]:mt-1 [&_li_small]:block [&_li_small]:text-xs [&_li_small]:text-muted',
)
