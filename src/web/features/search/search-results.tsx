import { useRevalidator } from 'react-router'
import { PagedList } from '#web/features/lists/paged-list.tsx'
import { ArticleHitRow } from '#web/features/search/article-hit.tsx'
import { countLabel } from '#web/features/search/hits.ts'
import { DocumentHitRow, HitRowSkeleton } from '#web/features/search/document-hit.tsx'
import { NothingFound } from '#web/features/search/nothing-found.tsx'
import { SearchBar } from '#web/features/search/search-bar.tsx'
import type { Others, SearchHits } from '#web/features/search/load-search.ts'
import { StepNote } from '#web/features/search/step-note.tsx'
import { hitsPerPage, type SearchQuery } from '#web/features/search/search-query.ts'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { HoldFirstPaint } from '#web/ui/hold-first-paint.tsx'

interface SearchResultsProps {
  query: SearchQuery
  list: SearchHits & { problem: string }
  hot: string[]
  others: Others
  now: number
}

export function SearchResults({ query, list, hot, others, now }: SearchResultsProps) {
  const { revalidate, state } = useRevalidator()
  const { total, more, spend, documents, articles, related, facets, problem } = list
  const label = countLabel({ total, more, type: query.type })
  return (
    <>
      <div className="flex items-center justify-between gap-4 max-md:flex-row-reverse md:block">
        <SearchBar query={query} facets={facets} countLabel={label} />
        <output className="block text-sm text-muted tabular-nums md:mt-3">
          {problem === '' && `找到 ${label}，用时 ${spend} 秒`}
        </output>
        <HoldFirstPaint id="search-bar-end" />
      </div>
      <StepNote query={query} answer={list} />
      <div className="pt-5">
        {problem === '' ? (
          <PagedList
            total={total}
            page={query.page}
            size={hitsPerPage}
            rows={documents.length + articles.length}
            skeleton={<HitRowSkeleton />}
            empty={<NothingFound query={query} total={total} related={related} hot={hot} others={others} />}
          >
            {documents.map((document) => (
              <DocumentHitRow key={document.uuid} document={document} words={query.words} now={now} />
            ))}
            {articles.map((article) => (
              <ArticleHitRow key={article.identifier} article={article} now={now} />
            ))}
          </PagedList>
        ) : (
          <ErrorState message={problem} retry={() => void revalidate()} busy={state === 'loading'} />
        )}
      </div>
    </>
  )
}
