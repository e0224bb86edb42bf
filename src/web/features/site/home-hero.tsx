import { Link, useRouteLoaderData } from 'react-router'
import type { Reply } from '#shared/endpoint.ts'
import type { stats } from '#shared/contract/system.ts'
import { frame } from '#web/features/site/page.tsx'
import { SearchBox } from '#web/features/site/search-box.tsx'
import { PersonCard } from '#web/features/site/person-card.tsx'
import { searchPath } from '#web/lib/search-path.ts'
import { useSite } from '#web/lib/site.ts'
import { cx } from '#web/ui/class-names.ts'

type Stats = Reply<typeof stats.get>

/** The search, as large as what people come for. */
export function HomeHero({ figures }: { figures: Stats }) {
  const { system } = useSite().settings
  const hot = useHotWords(system.recommend_words)
  return (
    <section aria-label="搜索" className="border-b border-line bg-surface">
      <div className={cx(frame, 'grid gap-10 py-10 md:py-16 lg:grid-cols-[1fr_19rem] lg:gap-16')}>
        <div className="min-w-0">
          <h1 className="text-3xl leading-tight font-bold tracking-tight md:text-5xl md:leading-tight">
            找一份文档，
            <br className="sm:hidden" />
            安静地读完。
          </h1>
          {system.description && <p className="mt-4 max-w-xl text-base text-muted md:text-lg">{system.description}</p>}
          <div className="mt-7 max-w-2xl md:mt-9">
            <SearchBox size="lg" type={0} />
          </div>
          {hot.length > 0 && (
            <p className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-1.5 text-sm">
              <span className="text-muted">热门搜索</span>
              {hot.map((word) => (
                <Link key={word} to={searchPath(word)} className="text-accent hover:underline">
                  {word}
                </Link>
              ))}
            </p>
          )}
          <Figures figures={figures} />
        </div>
        <PersonCard />
      </div>
    </section>
  )
}

/** The owner's choice, or what people look for. */
function useHotWords(chosen: string[]): string[] {
  const home = useRouteLoaderData<() => Promise<{ hot: string[] }>>('routes/public/home')
  return chosen.length > 0 ? chosen : (home?.hot ?? [])
}

function Figures({ figures }: { figures: Stats }) {
  const { show_document_count, show_register_user_count } = useSite().settings.display
  const shown = [
    { title: '份文档', count: figures.document_count, shown: show_document_count },
    { title: '篇文章', count: figures.article_count, shown: show_document_count },
    { title: '位用户', count: figures.user_count, shown: show_register_user_count },
  ].filter((figure) => figure.shown)
  if (shown.length === 0) return null
  return (
    <dl className="mt-8 flex gap-8 md:mt-10 md:gap-12">
      {shown.map(({ title, count }) => (
        <div key={title} className="flex flex-col-reverse">
          <dt className="text-sm text-muted">{title}</dt>
          <dd className="text-2xl font-semibold tabular-nums">{count.toLocaleString('zh-CN')}</dd>
        </div>
      ))}
    </dl>
  )
}
