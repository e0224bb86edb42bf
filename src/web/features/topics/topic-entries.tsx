import { FileText } from 'lucide-react'
import { Link } from 'react-router'
import { documentKinds, getDocumentKind } from '#shared/document-kinds.ts'
import { Cover } from '#web/features/documents/cover.tsx'
import type { CoverTile } from '#web/features/documents/browse/document-summary.ts'
import { articlePath, documentPath } from '#web/domain/paths.ts'
import { cx } from '#web/ui/class-names.ts'

export interface EntryItem {
  /** What the editor says about it. */
  note: string
  by: string
  document?: CoverTile
  article?: { identifier: string; title: string; cover: string; description: string }
}

/** The documents and articles of a topic, in the editor's order. */
export function TopicEntries({ entries }: { entries: EntryItem[] }) {
  return (
    <ol className={cx('divide-y divide-line', entryClass)}>
      {entries.map((entry, index) => {
        const { to, title, facts } = describe(entry)
        return (
          <li key={to}>
            <Link to={to} tabIndex={-1} aria-hidden className="w-16 shrink-0 sm:w-20">
              <EntryCover entry={entry} isFirst={index < 4} />
            </Link>
            <div>
              <h2 className="font-title">
                <Link to={to}>{title}</Link>
              </h2>
              <small>{facts}</small>
              {entry.note && <p>{entry.note}</p>}
            </div>
          </li>
        )
      })}
    </ol>
  )
}

/** On the list rather than on each item, which keeps the HTML small. */
const entryClass = cx(
  '[&>li]:flex [&>li]:gap-4 [&>li]:py-5 sm:[&>li]:gap-6 [&>li>div]:min-w-0 [&_h2]:text-base [&_h2]:leading-snug [&_h2]:font-semibold md:[&_h2]:text-lg [&_h2]:wrap-anywhere [&_h2_a]:hover:text-accent',
  '[&_div>small]:mt-1 [&_div>small]:block [&_div>small]:text-sm [&_div>small]:text-muted',
  '[&_p]:mt-2.5 [&_p]:border-l-2 [&_p]:border-edge [&_p]:pl-3 [&_p]:text-sm [&_p]:leading-relaxed [&_p]:whitespace-pre-line',
)

function describe({ document, article, by }: EntryItem): { to: string; title: string; facts: string } {
  if (document) {
    const pages = document.pages > 0 && `${document.pages} 页`
    const facts = [documentKinds[getDocumentKind(document.ext)].label, pages, by].filter(Boolean).join(' · ')
    return { to: documentPath(document), title: document.title, facts }
  }
  const { identifier = '', title = '' } = article ?? {}
  return { to: articlePath({ identifier }), title, facts: ['文章', by].filter(Boolean).join(' · ') }
}

function EntryCover({ entry: { document, article }, isFirst }: { entry: EntryItem; isFirst: boolean }) {
  if (document) return <Cover document={document} isFirst={isFirst} />
  if (article?.cover)
    return (
      <img
        src={article.cover}
        alt=""
        width={80}
        height={80}
        loading={isFirst ? undefined : 'lazy'}
        className="aspect-square w-full rounded-md bg-sunken object-cover"
      />
    )
  return (
    <span className="flex aspect-square w-full items-center justify-center rounded-md bg-sunken text-muted">
      <FileText size={28} />
    </span>
  )
}
