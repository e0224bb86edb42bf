import { Link } from 'react-router'
import { formatRelative } from '#shared/format.ts'
import { Section } from '#web/features/documents/home/section.tsx'
import { lineClass, TitleLines } from '#web/features/documents/home/title-lines.tsx'
import { documentPath } from '#web/domain/paths.ts'
import { cx } from '#web/ui/class-names.ts'

export interface RecentDocument {
  uuid: string
  title: string
  ext: string
  created_at: number | null
}

interface NewestProps {
  documents: RecentDocument[]
  /** When the page was rendered: relative times must be the same in the server's HTML and in the browser. */
  now: number
}

/** A phone shows six. */
export function Newest({ documents, now }: NewestProps) {
  return (
    <Section title="最新文档" more="/category?sort=latest" className={lineClass}>
      <TitleLines
        className="gap-x-10 rounded-lg border border-line bg-surface px-5 py-3 md:grid md:grid-cols-2 [&>li:nth-child(n+7)]:max-md:hidden"
        lines={documents.map(({ created_at, ...line }) => ({ ...line, aside: ageOf(created_at, now) }))}
      />
    </Section>
  )
}

/** The same as a timeline, for a narrow column. */
export function LatestUpdates({ documents, now }: NewestProps) {
  if (documents.length === 0) return null
  return (
    <section aria-label="最近更新" className="rounded-lg border border-line bg-surface p-5">
      <div className="flex items-center justify-between gap-4">
        <h2 className="text-base">最近更新</h2>
        <Link
          discover="none"
          to="/category?sort=latest"
          aria-label="更多最近更新"
          className="text-sm text-muted hover:text-accent"
        >
          更多
        </Link>
      </div>
      <ol className={cx('mt-3 ml-1 border-l border-line', timeClass)}>
        {documents.map(({ uuid, title, created_at }) => (
          <li key={uuid}>
            <small>{ageOf(created_at, now)}</small>
            <Link discover="none" to={documentPath({ uuid })}>
              {title}
            </Link>
          </li>
        ))}
      </ol>
    </section>
  )
}

const timeClass = cx(
  '[&>li]:relative [&>li]:pb-3 [&>li]:pl-4 [&>li:last-child]:pb-0',
  '[&>li]:before:absolute [&>li]:before:top-1.5 [&>li]:before:-left-[4.5px] [&>li]:before:size-2 [&>li]:before:rounded-full [&>li]:before:bg-edge [&>li:first-child]:before:bg-accent',
  '[&_small]:block [&_small]:text-xs [&_small]:text-muted [&_a]:line-clamp-2 [&_a]:font-title [&_a]:text-sm [&_a]:leading-snug [&_a]:hover:text-accent',
)

function ageOf(at: number | null, now: number): string {
  return at === null ? '' : formatRelative(at, now)
}
