import type { Call } from '#shared/client.ts'
import { documents } from '#shared/contract/documents.ts'
import { collectKeywords } from '#web/features/documents/browse/collect-keywords.ts'
import { toRequest, parseListQuery, type ListQuery } from '#web/features/documents/browse/list-query.ts'
import { toDocumentSummary, type DocumentSummary } from '#web/features/documents/browse/document-summary.ts'
import { loadList } from '#web/features/lists/load-list.ts'
import { guard } from '#web/domain/route-guard.ts'
import { loadAds, loadSite } from '#web/domain/load-site.ts'
import { notFound, type LoadArgs } from '#web/lib/load.ts'
import type { CategoryNode } from '#web/domain/site.ts'
import { unpackCategories } from '#web/domain/packed-categories.ts'
import { pathTo } from '#web/lib/tree.ts'

export async function loadCategory({ api, params, url }: LoadArgs) {
  const query = parseListQuery(url.searchParams)
  const path = params.id === undefined ? [] : await loadPath(api, params.id)
  if (path === undefined) throw notFound('没有这个分类')
  const [list, ads] = await Promise.all([
    loadList(fetchList(api, query, path.at(-1)?.id), empty),
    loadAds(api, ['list_nav_bottom', 'list_document_top', 'list_document_bottom']),
  ])
  return { path, query, list, ads, now: Date.now() }
}

/** The browser has the categories already; one that it does not know may be new. */
async function loadPath(api: Call, id: string): Promise<CategoryNode[] | undefined> {
  if (!/^[1-9]\d{0,15}$/.test(id)) return undefined
  const cached = pathTo(unpackCategories(guard.site()?.categories ?? '').documentCategories, Number(id))
  const path =
    cached.length > 0
      ? cached
      : pathTo(unpackCategories((await loadSite(api)).categories).documentCategories, Number(id))
  return path.length > 0 ? path : undefined
}

interface List {
  total: number
  documents: DocumentSummary[]
  keywords: string[]
}

const empty: List = { total: 0, documents: [], keywords: [] }

async function fetchList(api: Call, query: ListQuery, category: number | undefined): Promise<List> {
  const { total, document } = await api(documents.list, toRequest(query, category))
  return { total, documents: document.map(toDocumentSummary), keywords: collectKeywords(document) }
}
