import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { formatRelative } from '#shared/format.ts'
import { CoverGrid, coverLooks } from '#web/features/documents/browse/cover-grid.tsx'
import type { Tile } from '#web/features/documents/browse/listed.ts'
import { lineLooks, TitleLines } from '#web/features/documents/browse/title-lines.tsx'
import { Cover } from '#web/features/documents/cover.tsx'
import { documentPath } from '#web/lib/paths.ts'
import { cx } from '#web/ui/class-names.ts'

/** The parts of the home page that show documents. */

export interface Fresh {
  uuid: string
  title: string
  ext: string
  created_at: number | null
}

export interface Shelf {
  id: number
  name: string
  cover: string
  documents: Tile[]
}

export function Recommended({ documents }: { documents: Tile[] }) {
  if (documents.length === 0) return null
  return (
    <Section title="推荐阅读" more="/category?sort=recommend" looks={coverLooks}>
      <CoverGrid documents={documents} className={sixInRow} />
    </Section>
  )
}

export function Newest({ documents, now, columns }: { documents: Fresh[]; now: number; columns: 1 | 2 }) {
  if (documents.length === 0) return null
  return (
    <Section title="最新文档" more="/category?sort=latest" looks={lineLooks}>
      <TitleLines
        className={cx(
          'rounded-lg border border-line bg-surface px-5 py-3',
          columns === 2 && 'gap-x-10 md:grid md:grid-cols-2',
        )}
        lines={documents.map(({ created_at, ...line }) => ({
          ...line,
          aside: created_at === null ? '' : formatRelative(created_at, now),
        }))}
      />
    </Section>
  )
}

/** A picture and a few titles of each category, two in a row. */
export function ShelfCards({ shelves }: { shelves: Shelf[] }) {
  if (shelves.length === 0) return null
  return (
    <div className={cx('mt-10 grid grid-cols-1 gap-4 md:grid-cols-2 md:gap-6', lineLooks)}>
      {shelves.map((shelf) => (
        <section key={shelf.id} aria-label={shelf.name} className="rounded-lg border border-line bg-surface p-5">
          <Heading title={shelf.name} more={`/category/${shelf.id}`} />
          <div className="mt-3 flex gap-5">
            <ShelfPicture shelf={shelf} />
            <TitleLines className="min-w-0 flex-1" lines={shelf.documents} />
          </div>
        </section>
      ))}
    </div>
  )
}

/** The covers of what is new in each category. */
export function ShelfRows({ shelves }: { shelves: Shelf[] }) {
  if (shelves.length === 0) return null
  return (
    <div className={cx('mt-10', coverLooks)}>
      {shelves.map((shelf) => (
        <Section key={shelf.id} title={shelf.name} more={`/category/${shelf.id}`}>
          <CoverGrid documents={shelf.documents} className={eightInRow} />
        </Section>
      ))}
    </div>
  )
}

/** A category without a picture borrows its newest cover. */
function ShelfPicture({ shelf: { id, cover, documents } }: { shelf: Shelf }) {
  const [newest] = documents
  if (cover !== '') {
    return (
      <Link to={`/category/${id}`} tabIndex={-1} aria-hidden className={pictureClass}>
        <img src={cover} alt="" width={210} height={297} loading="lazy" className="w-full rounded-sm object-cover" />
      </Link>
    )
  }
  if (!newest) return null
  return (
    <Link to={documentPath(newest)} tabIndex={-1} aria-hidden className={pictureClass}>
      <Cover document={newest} />
    </Link>
  )
}

interface SectionProps {
  title: string
  more: string
  looks?: string
  children: ReactNode
}

function Section({ title, more, looks, children }: SectionProps) {
  return (
    <section aria-label={title} className={cx('mt-10 first:mt-0', looks)}>
      <Heading title={title} more={more} />
      <div className="mt-4">{children}</div>
    </section>
  )
}

function Heading({ title, more }: { title: string; more: string }) {
  return (
    <div className="flex items-baseline justify-between gap-4">
      <h2 className="text-xl">{title}</h2>
      <Link to={more} aria-label={`更多${title}`} className="shrink-0 text-sm text-muted hover:text-accent">
        更多
      </Link>
    </div>
  )
}

const pictureClass = 'w-28 shrink-0 self-start max-sm:hidden'
const sixInRow = 'grid-cols-3 md:grid-cols-4 lg:grid-cols-6'
const eightInRow = 'grid-cols-3 sm:grid-cols-4 lg:grid-cols-8'
