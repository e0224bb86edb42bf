import { DocumentStatus } from '#shared/document-status.ts'
import { AttachmentType } from '#shared/enums.ts'
import { createHash } from 'node:crypto'
import type { Site } from './site.ts'
import { contentKey } from '#server/modules/attachments/storage-keys.ts'

interface StoredDocumentInput {
  owner: { id: number }
  price?: number
  status?: DocumentStatus
  title?: string
  /** The file's name when it was uploaded. */
  name?: string
  content?: string
  categories?: readonly number[]
}

let count = 0

/** A document as upload and conversion leave it, with its file in the storage. */
export async function storeDocument(
  site: Site,
  input: StoredDocumentInput,
): Promise<{ id: number; uuid: string; hash: string }> {
  const number = (count += 1)
  const { owner, price = 0, status = DocumentStatus.Converted, title = `文档 ${number}`, categories = [] } = input
  const { name = `${title}.pdf`, content = `content of ${number}` } = input
  const bytes = Buffer.from(content)
  const hash = createHash('sha256').update(bytes).digest('hex')
  const { storage, now } = await site.app.context()
  await storage.put(contentKey(hash), bytes)
  const file = { user_id: owner.id, hash, ext: '.pdf', size: bytes.length, created_at: now(), updated_at: now() }
  const attachment = await site.db
    .insertInto('attachment')
    .values({ ...file, type: AttachmentType.Document, name, deleted_at: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  const uuid = `document${String(number).padStart(8, '0')}`
  const { id } = await site.db
    .insertInto('document')
    .values({ ...file, uuid, title, price, status, attachment_id: attachment.id, recommend_at: null, deleted_at: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (categories.length > 0) {
    const links = categories.map((category_id) => ({ document_id: id, category_id }))
    await site.db.insertInto('document_category').values(links).execute()
  }
  return { id, uuid, hash }
}
