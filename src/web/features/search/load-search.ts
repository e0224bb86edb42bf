import { ContentType } from '#shared/enums.ts'
import type { Call } from '#shared/client.ts'
import { searches } from '#shared/contract/search.ts'
import { collectKeywords } from '#web/features/documents/browse/collect-keywords.ts'
import { loadList } from '#web/features/lists/load-list.ts'
import { toDocumentHit, toArticleHit, type DocumentHitItem, type ArticleHitItem } from '#web/features/search/hits.ts'
import {
  toArticleRequest,
  toDocumentRequest,
  parseSearch,
  type SearchQuery,
} from '#web/features/search/search-query.ts'
import { loadAds } from '#web/domain/load-site.ts'
import type { LoadArgs } from '#web/lib/load.ts'

export async function loadSearch({ api, url }: LoadArgs) {
  const query = parseSearch(url.searchParams)
  const now = Date.now()
  const [list, ads] = await Promise.all([
    loadList(fetchHits(api, query, now), noHits),
    loadAds(api, ['search_top', 'search_right', 'search_bottom']),
  ])
  // Popular searches are recorded for documents only.
  const hot = query.type === ContentType.Document && list.total === 0 && list.problem === '' ? await hotWords(api) : []
  return { query, list, ads, hot, now }
}

export interface SearchHits {
  total: number
  more: boolean
  /** Seconds. */
  spend: string
  /** Hits of one content type: the other list is empty. */
  documents: DocumentHitItem[]
  articles: ArticleHitItem[]
  keywords: string[]
}

const noHits: SearchHits = { total: 0, more: false, spend: '', documents: [], articles: [], keywords: [] }

async function fetchHits(api: Call, query: SearchQuery, now: number): Promise<SearchHits> {
  if (query.words === '') return noHits
  if (query.type === ContentType.Article) {
    const { article, ...counts } = await api(searches.articles, toArticleRequest(query, now))
    return { ...counts, documents: [], articles: article.map(toArticleHit), keywords: relatedWords(query, article) }
  }
  const { document, ...counts } = await api(searches.documents, toDocumentRequest(query, now))
  return { ...counts, documents: document.map(toDocumentHit), articles: [], keywords: relatedWords(query, document) }
}

function relatedWords({ words }: SearchQuery, hits: readonly { keywords: string }[]): string[] {
  const own = words.toLowerCase()
  return collectKeywords(hits).filter((word) => word.toLowerCase() !== own)
}

async function hotWords(api: Call): Promise<string[]> {
  const { word } = await api(searches.hot).catch(() => ({ word: [] }))
  return word
}
