import type { Call } from '#shared/client.ts'
import { articles } from '#shared/contract/articles.ts'
import { documents } from '#shared/contract/documents.ts'
import { searches } from '#shared/contract/search.ts'
import { keywordsOf } from '#web/features/documents/browse/keywords.ts'
import { readList } from '#web/features/documents/browse/read-list.ts'
import { found, foundArticle, type Found, type FoundArticle } from '#web/features/documents/search/found.ts'
import { askForArticles, askOf, readSearch, type SearchQuery } from '#web/features/documents/search/search-query.ts'
import { loadAds } from '#web/lib/load-site.ts'
import type { Given } from '#web/lib/load.ts'

export async function loadSearch({ api, url }: Given) {
  const query = readSearch(url.searchParams)
  const now = Date.now()
  const [list, ads] = await Promise.all([
    readList(foundBy(api, query, now), none),
    loadAds(api, ['search_top', 'search_right', 'search_bottom']),
  ])
  // What many look for is found among documents.
  const hot = query.type === 0 && list.total === 0 && list.problem === '' ? await hotWords(api) : []
  return { query, list, ads, hot, now }
}

export interface FoundList {
  total: number
  more: boolean
  /** In seconds. */
  spend: string
  /** One of the two is empty. */
  documents: Found[]
  articles: FoundArticle[]
  keywords: string[]
}

const none: FoundList = { total: 0, more: false, spend: '', documents: [], articles: [], keywords: [] }

async function foundBy(api: Call, query: SearchQuery, now: number): Promise<FoundList> {
  if (query.words === '') return none
  if (query.type === 1) {
    const { article, ...counted } = await api(articles.search, askForArticles(query, now))
    return { ...counted, documents: [], articles: article.map(foundArticle), keywords: otherWords(query, article) }
  }
  const { document, ...counted } = await api(documents.search, askOf(query, now))
  return { ...counted, documents: document.map(found), articles: [], keywords: otherWords(query, document) }
}

function otherWords({ words }: SearchQuery, hits: readonly { keywords: string }[]): string[] {
  const own = words.toLowerCase()
  return keywordsOf(hits).filter((word) => word.toLowerCase() !== own)
}

async function hotWords(api: Call): Promise<string[]> {
  const { word } = await api(searches.hot).catch(() => ({ word: [] }))
  return word
}
