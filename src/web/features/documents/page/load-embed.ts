import { documents } from '#shared/contract/documents.ts'
import { settings } from '#shared/contract/settings.ts'
import { Visibility } from '#shared/enums.ts'
import { parseDocumentKey } from '#web/features/documents/page/document-key.ts'
import { pageSizes } from '#web/features/documents/reader/pages/page-layout.ts'
import { notFound, type LoadArgs } from '#web/lib/load.ts'

/** A frame in a foreign page is for a look, not for a book. */
const maxPages = 20

export async function loadEmbed({ api, params }: LoadArgs) {
  const { display, system } = await api(settings.get)
  const key = parseDocumentKey(params['id'] ?? '')
  if (!key || !display.enable_embed) throw notFound('文档不存在，或网站不允许嵌入')
  const [document, plan] = await Promise.all([api(documents.get, key), api(documents.layout, key)])
  if (document.visibility !== Visibility.Public) throw notFound('文档不存在，或网站不允许嵌入')
  const shown = Math.min(plan.preview, maxPages)
  const sizeOf = pageSizes(plan.size, shown)
  const { uuid, title, attachment } = document
  return {
    uuid,
    title,
    hash: attachment.hash,
    sitename: system.sitename || '文豆',
    total: plan.pages,
    pages: Array.from({ length: shown }, (_, index) => ({ page: index + 1, ...sizeOf(index + 1) })),
  }
}
