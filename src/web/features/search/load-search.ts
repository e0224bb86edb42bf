import { ContentType, type SearchStep } from '#shared/enums.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import type { Call } from '#shared/client.ts'
import { articles } from '#shared/contract/articles.ts'
import { documents } from '#shared/contract/documents.ts'
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
import { articlePath, documentPath } from '#web/domain/paths.ts'
import type { LoadArgs } from '#web/lib/load.ts'

export async function loadSearch({ api, url }: LoadArgs) {
  const query = parseSearch(url.searchParams)
  const now = Date.now()
  const [list, ads] = await Promise.all([
    loadList(fetchHits(api, query, now), noHits),
    loadAds(api, ['search_top', 'search_right', 'search_bottom']),
  ])
  const isEmpty = list.total === 0 && list.problem === ''
  const [hot, others] = isEmpty ? await Promise.all([hotWords(api, query), loadOthers(api, query)]) : [[], noOthers]
  return { query, list, ads, hot, others, now }
}

/** What to look at where a search has found nothing. */
export interface Others {
  popular: OtherLink[]
  newest: OtherLink[]
}

export interface OtherLink {
  path: string
  title: string
  /** Empty for an article. */
  ext: string
}

const noOthers: Others = { popular: [], newest: [] }
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
  /** The typed words that stand in for all of them. */
  used: string[]
  /** The ticket of a page that the server has rendered: the search is recorded once the reader has it. */
  ticket: string
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
  used: [],
  ticket: '',
}

async function fetchHits(api: Call, query: SearchQuery, now: number): Promise<SearchHits> {
  if (query.words === '') return noHits
  if (query.type === ContentType.Article) {
    const { article, facet, facet_more, ...answer } = await api(searches.articles, {
      ...toArticleRequest(query, now),
      extras: true,
      deferred: import.meta.env.SSR,
    })
    const facets = { facets: facet, areFacetsRough: facet_more }
    return { ...answer, ...facets, documents: [], articles: article.map(toArticleHit) }
  }
  const { document, facet, facet_more, ...answer } = await api(searches.documents, {
    ...toDocumentRequest(query, now),
    extras: true,
    deferred: import.meta.env.SSR,
  })
  const facets = { facets: facet, areFacetsRough: facet_more }
  return { ...answer, ...facets, documents: document.map(toDocumentHit), articles: [] }
}

/** Popular and new documents or articles, for a search without hits. */
async function loadOthers(api: Call, { words, type }: SearchQuery): Promise<Others> {
  if (words === '') return noOthers
  const list = type === ContentType.Article ? listArticles(api) : listDocuments(api)
  try {
    const [viewed, newest] = await Promise.all([list('view_count desc'), list('id desc')])
    const popular = viewed.filter(({ views }) => views > 0).slice(0, othersPerList)
    const isPopular = (path: string) => popular.some((other) => other.path === path)
    return {
      popular: popular.map(toLink),
      newest: newest
        .filter(({ path }) => !isPopular(path))
        .slice(0, othersPerList)
        .map(toLink),
    }
  } catch {
    return noOthers
  }
}

type List = (order: string) => Promise<(OtherLink & { views: number })[]>

const firstPage = { size: 2 * othersPerList, page: 1 }

function listDocuments(api: Call): List {
  return async (order) => {
    const { document } = await api(documents.list, { order, status: [DocumentStatus.Converted], ...firstPage })
    return document.map(({ uuid, title, ext, view_count: views }) => ({
      path: documentPath({ uuid }),
      title,
      ext,
      views,
    }))
  }
}

function listArticles(api: Call): List {
  return async (order) => {
    const { article } = await api(articles.list, { order, ...firstPage })
    return article.map(({ identifier, title, view_count: views }) => {
      return { path: articlePath({ identifier }), title, ext: '', views }
    })
  }
}

function toLink({ path, title, ext }: OtherLink): OtherLink {
  return { path, title, ext }
}

async function hotWords(api: Call, { type }: SearchQuery): Promise<string[]> {
  const { word } = await api(searches.hot, { type }).catch(() => ({ word: [] }))
  return word
}
