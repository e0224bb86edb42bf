import type { Call } from '#shared/client.ts'
import { documents } from '#shared/contract/documents.ts'
import { keywordsOf } from '#web/features/documents/browse/keywords.ts'
import { askOf, readQuery, type ListQuery } from '#web/features/documents/browse/list-query.ts'
import { listed, type Listed } from '#web/features/documents/browse/listed.ts'
import { readList } from '#web/features/documents/browse/read-list.ts'
import { lastSite } from '#web/lib/gate.ts'
import { loadAds, loadSite } from '#web/lib/load-site.ts'
import { notFound, type Given } from '#web/lib/load.ts'
import type { CategoryNode } from '#web/lib/site.ts'
import { unpack } from '#web/lib/packed-categories.ts'
import { pathTo } from '#web/lib/tree.ts'

export async function loadCategory({ api, params, url }: Given) {
  const query = readQuery(url.searchParams)
  const path = params.id === undefined ? [] : await pathOf(api, params.id)
  if (path === undefined) throw notFound('没有这个分类')
  const [list, ads] = await Promise.all([
    readList(listOf(api, query, path.at(-1)?.id), none),
    loadAds(api, ['list_nav_bottom', 'list_document_top', 'list_document_bottom']),
  ])
  return { path, query, list, ads, now: Date.now() }
}

/** The browser knows the categories already; one that is new is worth a question. */
async function pathOf(api: Call, id: string): Promise<CategoryNode[] | undefined> {
  if (!/^[1-9]\d{0,15}$/.test(id)) return undefined
  const known = pathTo(unpack(lastSite()?.categories ?? '').documentCategories, Number(id))
  const path =
    known.length > 0 ? known : pathTo(unpack((await loadSite(api)).categories).documentCategories, Number(id))
  return path.length > 0 ? path : undefined
}

interface List {
  total: number
  documents: Listed[]
  keywords: string[]
}

const none: List = { total: 0, documents: [], keywords: [] }

async function listOf(api: Call, query: ListQuery, category: number | undefined): Promise<List> {
  const { total, document } = await api(documents.list, askOf(query, category))
  return { total, documents: document.map(listed), keywords: keywordsOf(document) }
}
