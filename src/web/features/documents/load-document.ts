import type { Call } from '#shared/client.ts'
import { documents } from '#shared/contract/documents.ts'
import { longestQuestion } from '#shared/contract/search.ts'
import { isConverting } from '#shared/document-status.ts'
import { categoryLine } from '#web/features/documents/category-line.ts'
import { documentKey } from '#web/features/documents/document-key.ts'
import { pageAsked } from '#web/features/documents/reader/page-steps.ts'
import { api as ownApi } from '#web/lib/api.ts'
import { loadAds } from '#web/lib/load-site.ts'
import { notFound, type Given } from '#web/lib/load.ts'

const patienceMs = 1000
const openingLength = 3000
const mostRelated = 6
const mostLatest = 5

/** Everything the reading page shows. */
export async function loadDocument({ api, params, url }: Given) {
  const key = documentKey(params['id'] ?? '')
  if (!key) throw notFound('文档不存在或已被删除')
  const ask = () => Promise.all([api(documents.get, { ...key, with_author: true }), api(documents.plan, key)])
  const [asked, ads] = await Promise.all([ask(), loadAds(api, ['document_top', 'document_bottom', 'document_between'])])
  const ready = import.meta.env.SSR && isConverting(asked[0]) && (await soonReady(api, asked[0].id))
  const [document, plan] = ready ? await ask() : asked
  const [related, latest] = await Promise.all([relatedTo(api, document.id), latestOf(api, document)])
  const category = categoryLine(document.category)
  const content = document.content.slice(0, openingLength).toWellFormed()
  return {
    document: { ...document, category, content },
    plan,
    related,
    latest,
    ads,
    start: pageAsked(url.searchParams.get('page'), plan.preview) ?? 1,
    find: url.searchParams.get('find')?.trim().slice(0, longestQuestion).toWellFormed() ?? '',
    forStranger: import.meta.env.SSR,
  }
}

/** A new document's first page is often there in a moment: better to wait for it than to say that it is coming. */
async function soonReady(api: Call, id: number): Promise<boolean> {
  const until = Date.now() + patienceMs
  let known = ''
  while (Date.now() < until) {
    const reply = await api(documents.progress, { id: [id], wait: known === '' ? 0 : 1, known })
    if (!reply.document.some((one) => isConverting(one) && one.first === 0)) return true
    known = reply.known
  }
  return false
}

/** Rendering counts no readers: the browser says that there is one. */
export async function countReader(id: number): Promise<void> {
  await ownApi(documents.get, { id, with_author: true }).catch(() => undefined)
}

async function relatedTo(api: Call, id: number) {
  const reply = await api(documents.related, { id }).catch(() => ({ document: [] }))
  return reply.document
    .slice(0, mostRelated)
    .map(({ id, uuid, title, ext, cover, pages, price }) => ({ id, uuid, title, ext, cover, pages, price }))
}

async function latestOf(api: Call, { id, user_id }: { id: number; user_id: number }) {
  const ask = { user_id: [user_id], status: [2], page: 1, size: mostLatest + 1, order: 'id desc' }
  const reply = await api(documents.list, ask).catch(() => ({ document: [] }))
  return reply.document
    .filter((one) => one.id !== id)
    .slice(0, mostLatest)
    .map(({ id, uuid, title, ext }) => ({ id, uuid, title, ext }))
}
