import { useEffect } from 'react'
import { Link, useLocation } from 'react-router'
import type { Route } from './+types/search.ts'
import { allCodes } from '#shared/codes.ts'
import { searches } from '#shared/contract/search.ts'
import { ContentType, contentTypeLabels } from '#shared/enums.ts'
import { KeywordCard } from '#web/features/documents/browse/keyword-card.tsx'
import { EmptySearch } from '#web/features/search/nothing-found.tsx'
import { SearchFilters } from '#web/features/search/search-filters.tsx'
import { searchQueryKeys, searchUrl, type SearchQuery } from '#web/features/search/search-query.ts'
import { SearchResults } from '#web/features/search/search-results.tsx'
import { AdSlot } from '#web/features/ads/ad-slot.tsx'
import { describeError } from '#web/features/site/error-page.tsx'
import { Page } from '#web/ui/page.tsx'
import { SearchBox } from '#web/features/search/box/search-box.tsx'
import { addRecentSearch } from '#web/features/search/box/recent-searches.ts'
import { api } from '#web/lib/api.ts'
import { load } from '#web/lib/load.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { cx } from '#web/ui/class-names.ts'

// Loaded by the server with the first page: the browser needs this code only for the next one.
const page = load(async (args) => (await import('#web/features/search/load-search.ts')).loadSearch(args))
export const loader = page.server
export const clientLoader = page.client
export const handle = { queryKeys: searchQueryKeys }

export default function Search({ loaderData }: Route.ComponentProps) {
  const { query, list, ads } = loaderData
  const { words, type } = query
  const { state } = useLocation()
  useRecentSearch(query, list)
  useRecord(list)
  return (
    <Page>
      <h1 className="sr-only">搜索{contentTypeLabels[type]}</h1>
      <AdSlot position="search_top" ads={ads} />
      <div className={cx('max-w-2xl', words === '' && 'mx-auto')}>
        <ContentTypeTabs query={query} />
        <SearchBox size="lg" words={words} type={type} takesFocus={state === 'typing'} />
      </div>
      <Results {...loaderData} />
      <AdSlot position="search_bottom" ads={ads} />
    </Page>
  )
}

/** Words are offered again if they have found something. */
function useRecentSearch({ words, type }: SearchQuery, { total }: { total: number }): void {
  const hasFound = total > 0
  useEffect(() => {
    if (hasFound) addRecentSearch(words, type)
  }, [words, type, hasFound])
}

/** The server renders a page for all: who has it before them, it is told by this. */
function useRecord({ ticket }: { ticket: string }): void {
  useEffect(() => {
    if (ticket) void api(searches.shown, { ticket }).catch(() => undefined)
  }, [ticket])
}

export function meta({ matches, loaderData, error }: Route.MetaArgs) {
  const site = matches[0].loaderData
  if (!loaderData) return pageMeta(site, error ? { title: describeError(error).message } : {})
  const { words } = loaderData.query
  return pageMeta(site, { title: words ? `${words} 的搜索结果` : '搜索' })
}

function ContentTypeTabs({ query }: { query: SearchQuery }) {
  return (
    <nav aria-label="搜索范围" className="mb-3 flex gap-1 text-sm">
      {allCodes(ContentType).map((type) => (
        <Link
          key={type}
          to={searchUrl({ ...query, ...noFilters }, { type })}
          aria-current={query.type === type ? 'page' : undefined}
          className={cx(
            'rounded-md px-3 py-1.5',
            query.type === type ? 'bg-accent-soft font-medium text-accent' : 'text-muted hover:text-ink',
          )}
        >
          {contentTypeLabels[type]}
        </Link>
      ))}
    </nav>
  )
}

/** Documents and articles have different filters. */
const noFilters = { ext: '', fee: '', category: 0, language: '', sort: 'default', duration: 'all' } as const

function Results({ query, list, ads, hot, others, now }: Route.ComponentProps['loaderData']) {
  if (query.words === '') return <EmptySearch hot={hot} type={query.type} />
  return (
    <div className="mt-5 grid gap-x-8 gap-y-6 md:mt-6 md:grid-cols-[10rem_minmax(0,1fr)] xl:grid-cols-[11rem_minmax(0,1fr)_15rem]">
      <aside
        aria-label="筛选"
        className="sticky top-20 max-h-[calc(100dvh-6rem)] self-start overflow-y-auto max-md:hidden"
      >
        <SearchFilters query={query} facets={list.facets} areFacetsRough={list.areFacetsRough} />
      </aside>
      <div className="min-w-0">
        <SearchResults query={query} list={list} hot={hot} others={others} now={now} />
      </div>
      <aside
        aria-label="相关搜索"
        className="space-y-4 empty:hidden md:col-start-2 xl:sticky xl:top-20 xl:col-start-3 xl:self-start"
      >
        {list.total > 0 && list.related.length > 0 && (
          <KeywordCard title="相关搜索" words={list.related} type={query.type} />
        )}
        <AdSlot position="search_right" ads={ads} />
      </aside>
    </div>
  )
}
