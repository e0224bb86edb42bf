import { ContentType, type SearchStep } from '#shared/enums.ts'
import type { Call } from '#shared/client.ts'
import { type Document, documents } from '#shared/contract/documents.ts'
import { type Facet, searches } from '#shared/contract/search.ts'
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
  const isEmpty = query.type === ContentType.Document && list.total === 0 && list.problem === ''
  const [hot, others] = isEmpty ? await Promise.all([hotWords(api), otherDocuments(api, query)]) : [[], noOthers]
  return { query, list, ads, hot, others, now }
}

/** Documents to look at where a search has found nothing. */
export interface OtherDocuments {
  popular: DocumentLink[]
  newest: DocumentLink[]
}

export interface DocumentLink {
  uuid: string
  title: string
  ext: string
}

const noOthers: OtherDocuments = { popular: [], newest: [] }
const othersPerList = 5

export interface SearchHits {
  total: number
  more: boolean
  /** Seconds. */
  spend: string
  /** Hits of one content type: the other list is empty. */
  documents: DocumentHitItem[]
  articles: ArticleHitItem[]
  step: SearchStep | ''
  /** How many of the hits have all words as typed. */
  exact: number
  /** Words that the visitor may have meant. */
  suggestion: string
  /** Other searches; without hits, those of the typed words that find something. */
  related: string[]
  facets: Facet[]
  /** Only the best hits are counted in the facets. */
  areFacetsRough: boolean
}

const noHits: SearchHits = {
  total: 0,
  more: false,
  spend: '',
  documents: [],
  articles: [],
  step: '',
  exact: 0,
  suggestion: '',
  related: [],
  facets: [],
  areFacetsRough: false,
}

async function fetchHits(api: Call, query: SearchQuery, now: number): Promise<SearchHits> {
  if (query.words === '') return noHits
  if (query.type === ContentType.Article) {
    const { article, facet, facet_more, ...answer } = await api(searches.articles, {
      ...toArticleRequest(query, now),
      extras: true,
    })
    const facets = { facets: facet, areFacetsRough: facet_more }
    return { ...answer, ...facets, documents: [], articles: article.map(toArticleHit) }
  }
  const { document, facet, facet_more, ...answer } = await api(searches.documents, {
    ...toDocumentRequest(query, now),
    extras: true,
  })
  const facets = { facets: facet, areFacetsRough: facet_more }
  return { ...answer, ...facets, documents: document.map(toDocumentHit), articles: [] }
}

/** Popular and new documents, for a search without hits. */
async function otherDocuments(api: Call, { words }: SearchQuery): Promise<OtherDocuments> {
  if (words === '') return noOthers
  const list = async (order: string) => {
    const { document } = await api(documents.list, { order, size: 2 * othersPerList, page: 1 })
    return document
  }
  const toLinks = (listed: Document[]) =>
    listed.slice(0, othersPerList).map(({ uuid, title, ext }) => ({ uuid, title, ext }))
  try {
    const [viewed, newest] = await Promise.all([list('view_count desc'), list('id desc')])
    const popular = toLinks(viewed.filter(({ view_count }) => view_count > 0))
    const isPopular = (uuid: string) => popular.some((document) => document.uuid === uuid)
    return { popular, newest: toLinks(newest.filter(({ uuid }) => !isPopular(uuid))) }
  } catch {
    return noOthers
  }
}

async function hotWords(api: Call): Promise<string[]> {
  const { word } = await api(searches.hot).catch(() => ({ word: [] }))
  return word
}
