import { useRevalidator } from 'react-router'
import { PagedList } from '#web/features/documents/browse/paged-list.tsx'
import { FoundArticleItem } from '#web/features/documents/search/found-article.tsx'
import { countText } from '#web/features/documents/search/found.ts'
import { FoundItem, FoundItemSkeleton } from '#web/features/documents/search/found-item.tsx'
import { NothingFound } from '#web/features/documents/search/nothing-found.tsx'
import { SearchBar } from '#web/features/documents/search/search-bar.tsx'
import type { FoundList } from '#web/features/documents/search/search-load.ts'
import { foundPerPage, type SearchQuery } from '#web/features/documents/search/search-query.ts'
import { ErrorState } from '#web/ui/error-state.tsx'

interface SearchResultsProps {
  query: SearchQuery
  list: FoundList & { problem: string }
  hot: string[]
  now: number
}

export function SearchResults({ query, list, hot, now }: SearchResultsProps) {
  const { revalidate, state } = useRevalidator()
  const { total, more, spend, documents, articles, problem } = list
  const found = countText({ total, more, type: query.type })
  return (
    <>
      <div className="flex items-center justify-between gap-4 max-md:flex-row-reverse md:block">
        <SearchBar query={query} found={found} />
        <output className="block text-sm text-muted tabular-nums md:mt-3">
          {problem === '' && `找到 ${found}，用时 ${spend} 秒`}
        </output>
      </div>
      <div className="pt-5">
        {problem === '' ? (
          <PagedList
            total={total}
            page={query.page}
            size={foundPerPage}
            rows={documents.length + articles.length}
            skeleton={<FoundItemSkeleton />}
            empty={<NothingFound query={query} total={total} hot={hot} />}
          >
            {documents.map((document) => (
              <FoundItem key={document.uuid} document={document} words={query.words} now={now} />
            ))}
            {articles.map((article) => (
              <FoundArticleItem key={article.identifier} article={article} now={now} />
            ))}
          </PagedList>
        ) : (
          <ErrorState message={problem} retry={() => void revalidate()} busy={state === 'loading'} />
        )}
      </div>
    </>
  )
}
