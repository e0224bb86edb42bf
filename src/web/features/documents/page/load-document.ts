import type { Call } from '#shared/client.ts'
import { documents } from '#shared/contract/documents.ts'
import { maxQueryLength } from '#shared/contract/marked-text.ts'
import { DocumentStatus, isConverting } from '#shared/document-status.ts'
import { toCoverTile } from '#web/features/documents/browse/document-summary.ts'
import { orderFromRoot } from '#web/features/documents/category-order.ts'
import { parseDocumentKey } from '#web/features/documents/page/document-key.ts'
import { parsePageNumber } from '#web/features/documents/reader/pages/page-steps.ts'
import { parseView } from '#web/features/documents/reader/view/view-memory.ts'
import { loadAds } from '#web/domain/load-site.ts'
import { notFound, type LoadArgs } from '#web/lib/load.ts'

const maxWaitMs = 1000
const excerptLength = 3000
/** A longer outline is loaded by the panel that shows it. */
const maxOutlineInPage = 200
const maxRelated = 6
const maxLatest = 5

export async function loadDocument({ api, freshApi = api, params, url }: LoadArgs) {
  const key = parseDocumentKey(params['id'] ?? '')
  if (!key) throw notFound('文档不存在或已被删除')
  const fetchDocument = (api: Call) =>
    Promise.all([api(documents.get, { ...key, with_author: true }), api(documents.layout, key)])
  const [first, ads] = await Promise.all([
    fetchDocument(api),
    loadAds(api, ['document_top', 'document_bottom', 'document_between']),
  ])
  const fetchWithFirstPage = async () => {
    const isReady = import.meta.env.SSR && isConverting(first[0]) && (await waitForFirstPage(freshApi, first[0].id))
    return isReady ? fetchDocument(freshApi) : first
  }
  // The rest is loaded while the first page of a new document is being drawn.
  const [[document, plan], related, latest] = await Promise.all([
    fetchWithFirstPage(),
    loadRelated(api, first[0].id),
    loadLatest(api, first[0]),
  ])
  const category = orderFromRoot(document.category)
  const content = document.content.slice(0, excerptLength).toWellFormed()
  return {
    document: { ...document, category, content },
    plan: { ...plan, outline: plan.outline.length > maxOutlineInPage ? undefined : plan.outline },
    related,
    latest,
    ads,
    start: parsePageNumber(url.searchParams.get('page'), plan.preview) ?? 1,
    find: url.searchParams.get('find')?.trim().slice(0, maxQueryLength).toWellFormed() ?? '',
    view: parseView(url.searchParams.get('view'), plan.views),
    renderedAnonymously: import.meta.env.SSR,
  }
}

/** The first page of a new document is often ready within a second: worth waiting for while rendering. */
async function waitForFirstPage(api: Call, id: number): Promise<boolean> {
  const deadline = Date.now() + maxWaitMs
  let known = ''
  while (Date.now() < deadline) {
    const reply = await api(documents.progress, { id: [id], wait: known === '' ? 0 : 1, known })
    if (!reply.document.some((progress) => isConverting(progress) && progress.first === 0)) return true
    known = reply.known
  }
  return false
}

async function loadRelated(api: Call, id: number) {
  const reply = await api(documents.related, { id }).catch(() => ({ document: [] }))
  return reply.document.slice(0, maxRelated).map((document) => ({
    ...toCoverTile(document),
    id: document.id,
    price: document.price,
    user_id: document.user_id,
  }))
}

async function loadLatest(api: Call, { id, user_id }: { id: number; user_id: number }) {
  const reply = await api(documents.list, {
    user_id: [user_id],
    status: [DocumentStatus.Converted],
    page: 1,
    size: maxLatest + 1,
    order: 'id desc',
  }).catch(() => ({ document: [] }))
  return reply.document
    .filter((document) => document.id !== id)
    .slice(0, maxLatest)
    .map(({ id, uuid, title, ext }) => ({ id, uuid, title, ext }))
}
