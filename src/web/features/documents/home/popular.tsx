import { Link } from 'react-router'
import type { CoverTile } from '#web/features/documents/browse/document-summary.ts'
import { Cover } from '#web/features/documents/cover.tsx'
import { documentPath } from '#web/domain/paths.ts'
import { cx } from '#web/ui/class-names.ts'
import { displayFont } from '#web/ui/display-font.ts'

/** What others read: the week's ranking, and what is being read. */

export interface PopularDocument extends CoverTile {
  /** How often it was read or by how many; empty where the site does not tell. */
  note: string
}

/** The most read documents of the week, for a narrow column. */
export function RankingColumn({ documents }: { documents: PopularDocument[] }) {
  if (documents.length === 0) return null
  return (
    <section aria-label="本周排行" className="rounded-lg border border-line bg-surface p-5">
      <div className="flex items-center justify-between gap-4">
        <h2 className={cx('text-xl', displayFont('本周排行'))}>本周排行</h2>
        <Link discover="none" to="/ranking" aria-label="更多排行" className="text-sm text-muted hover:text-accent">
          更多
        </Link>
      </div>
      <ol className={cx('mt-2 grid gap-x-8 sm:grid-cols-2 lg:grid-cols-1', lineClass, placeClass)}>
        <Lines documents={documents} />
      </ol>
    </section>
  )
}

const title = '大家在读'
/** The shortest list that is shown: one document alone is none. */
const minRead = 2

/** What several members are reading; a phone shows four. */
export function BeingRead({ documents }: { documents: PopularDocument[] }) {
  if (documents.length < minRead) return null
  return (
    <section aria-label={title}>
      <h2 className={cx('text-xl', displayFont(title))}>{title}</h2>
      <ul
        className={cx(
          'mt-2 grid gap-x-6 sm:grid-cols-2 xl:grid-cols-3',
          lineClass,
          '[&>li]:border-b [&>li]:border-line [&>li:nth-child(n+5)]:max-sm:hidden',
        )}
      >
        <Lines documents={documents} />
      </ul>
    </section>
  )
}

function Lines({ documents }: { documents: PopularDocument[] }) {
  return documents.map((document) => (
    <li key={document.uuid}>
      <Link discover="none" to={documentPath(document)}>
        {/* A slide's margin is a part of the width around its cover. */}
        <span>
          <Cover document={document} />
        </span>
        <div>
          <b className="font-title">{document.title}</b>
          {document.note && <small>{document.note}</small>}
        </div>
      </Link>
    </li>
  ))
}

/** The look of the lines, on the list rather than on each item, which keeps the HTML small. */
const lineClass = cx(
  '[&>li]:flex [&>li]:min-w-0 [&>li]:items-center [&>li]:gap-3 [&>li]:py-2.5',
  '[&_a]:flex [&_a]:min-w-0 [&_a]:flex-1 [&_a]:items-center [&_a]:gap-3 [&_a]:hover:text-accent [&_a>:first-child]:w-11 [&_a>:first-child]:shrink-0 [&_a>div]:min-w-0',
  '[&_div>b]:line-clamp-2 [&_div>b]:text-sm [&_div>b]:leading-snug [&_div>b]:font-medium [&_small]:mt-1 [&_small]:block [&_small]:text-xs [&_small]:text-muted [&_small]:tabular-nums',
)

/** The places are counted by the style sheet. */
const placeClass = cx(
  '[counter-reset:place] [&>li]:[counter-increment:place] [&>li:last-child]:pb-0',
  '[&>li]:before:w-4 [&>li]:before:shrink-0 [&>li]:before:text-center [&>li]:before:text-sm [&>li]:before:text-muted [&>li]:before:content-[counter(place)] [&>li:nth-child(-n+3)]:before:font-semibold [&>li:nth-child(-n+3)]:before:text-accent',
)
