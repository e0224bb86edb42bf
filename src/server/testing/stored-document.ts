import { createHash } from 'node:crypto'
import type { Site } from './site.ts'
import { contentKey } from '#server/modules/attachments/storage-keys.ts'

interface Given {
  owner: { id: number }
  price?: number
  status?: number
  title?: string
  /** What the file was called when it was uploaded. */
  name?: string
  content?: string
  categories?: readonly number[]
}

let made = 0

/** A document as it stands after it was uploaded and converted, with its file in the storage. */
export async function storeDocument(site: Site, given: Given): Promise<{ id: number; uuid: string; hash: string }> {
  const number = (made += 1)
  const { owner, price = 0, status = 2, title = `文档 ${number}`, categories = [] } = given
  const { name = `${title}.pdf`, content = `content of ${number}` } = given
  const bytes = Buffer.from(content)
  const hash = createHash('sha256').update(bytes).digest('hex')
  const { storage, now } = await site.app.context()
  await storage.put(contentKey(hash), bytes)
  const file = { user_id: owner.id, hash, ext: '.pdf', size: bytes.length, created_at: now(), updated_at: now() }
  const attachment = await site.db
    .insertInto('attachment')
    .values({ ...file, type: 2, name, deleted_at: null })
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
