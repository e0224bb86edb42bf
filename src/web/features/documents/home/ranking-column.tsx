import { Link } from 'react-router'
import { documentPath } from '#web/domain/paths.ts'
import { cx } from '#web/ui/class-names.ts'

/** The most read documents of the week, for a narrow column. */
export function RankingColumn({ documents }: { documents: { uuid: string; title: string }[] }) {
  if (documents.length === 0) return null
  return (
    <section aria-label="本周排行" className="rounded-lg border border-line bg-surface p-5">
      <div className="flex items-center justify-between gap-4">
        <h2 className="text-base">本周排行</h2>
        <Link discover="none" to="/ranking" aria-label="更多排行" className="text-sm text-muted hover:text-accent">
          更多
        </Link>
      </div>
      <ol className={cx('mt-2', lineClass)}>
        {documents.map(({ uuid, title }) => (
          <li key={uuid}>
            <Link discover="none" to={documentPath({ uuid })}>
              {title}
            </Link>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** On the list rather than on each item, which keeps the HTML small. The places are counted by the style sheet. */
const lineClass = cx(
  '[counter-reset:place] [&>li]:flex [&>li]:gap-3 [&>li]:py-1.5 [&>li]:text-sm [&>li]:leading-snug [&>li]:[counter-increment:place]',
  '[&>li]:before:w-4 [&>li]:before:shrink-0 [&>li]:before:text-center [&>li]:before:text-muted [&>li]:before:content-[counter(place)] [&>li:nth-child(-n+3)]:before:font-semibold [&>li:nth-child(-n+3)]:before:text-accent',
  '[&_a]:line-clamp-2 [&_a]:font-title [&_a]:hover:text-accent',
)
