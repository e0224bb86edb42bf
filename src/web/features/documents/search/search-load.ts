import type { Call } from '#shared/client.ts'
import { documents } from '#shared/contract/documents.ts'
import { searches } from '#shared/contract/search.ts'
import { keywordsOf } from '#web/features/documents/browse/keywords.ts'
import { readList } from '#web/features/documents/browse/read-list.ts'
import { found, type Found } from '#web/features/documents/search/found.ts'
import { askOf, readSearch, type SearchQuery } from '#web/features/documents/search/search-query.ts'
import { loadAds } from '#web/lib/load-site.ts'
import type { Given } from '#web/lib/load.ts'

export async function loadSearch({ api, url }: Given) {
  const query = readSearch(url.searchParams)
  const now = Date.now()
  const [list, ads] = await Promise.all([
    readList(foundBy(api, query, now), none),
    loadAds(api, ['search_top', 'search_right', 'search_bottom']),
  ])
  const hot = list.total === 0 && list.problem === '' ? await hotWords(api) : []
  return { query, list, ads, hot, now }
}

interface FoundList {
  total: number
  more: boolean
  /** In seconds. */
  spend: string
  documents: Found[]
  keywords: string[]
}

const none: FoundList = { total: 0, more: false, spend: '', documents: [], keywords: [] }

async function foundBy(api: Call, query: SearchQuery, now: number): Promise<FoundList> {
  if (query.words === '' || query.type === 1) return none
  const { total, more, spend, document } = await api(documents.search, askOf(query, now))
  const own = query.words.toLowerCase()
  const keywords = keywordsOf(document).filter((word) => word.toLowerCase() !== own)
  return { total, more, spend, documents: document.map(found), keywords }
}

async function hotWords(api: Call): Promise<string[]> {
  const { word } = await api(searches.hot).catch(() => ({ word: [] }))
  return word
}
