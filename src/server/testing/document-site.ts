import { createHash, randomBytes } from 'node:crypto'
import { groups } from '#shared/contract/access.ts'
import { users } from '#shared/contract/users.ts'
import { extOf } from '#shared/document-kinds.ts'
import { contentKey } from '#server/modules/attachments/storage-keys.ts'
import { putInto } from '#server/modules/documents/publishing/categories.ts'
import { countDocuments } from '#server/modules/documents/documents.counts.ts'
import { linesKey, pagesPerSlice } from '#server/modules/renditions/storage-keys.ts'
import { isPublic } from '#server/modules/documents/documents.policy.ts'
import { writeSlice } from '#server/modules/renditions/page-text.ts'
import { openSite, type Person, type Site } from './site.ts'

/** A document as it stands on the shelf: published and converted, unless told otherwise. */
export interface Volume {
  title?: string
  owner?: Person
  status?: number
  ext?: string
  price?: number
  size?: number
  language?: string
  keywords?: string
  description?: string
  category?: number[]
  pages?: number
  /** What stands on each page; there are as many pages, then. */
  texts?: string[]
  hash?: string
  recommend_at?: number
  deleted_at?: number
  created_at?: number
  view_count?: number
  download_count?: number
  favorite_count?: number
  cover?: boolean
  /** Why it could not be converted, and what the programs said. */
  failure?: { reason: string; detail: string }
}

/** A site with documents on it. */
export interface Library extends Site {
  /** Puts documents on the shelf without uploading or converting anything. */
  shelve(...volumes: Volume[]): Promise<number[]>
  /** A category, under another if that is given. */
  category(title: string, given?: { parent?: number; type?: number; enable?: 0 | 1; sort?: number }): Promise<number>
  /** A member who may upload. What they upload is reviewed if `reviewed`. */
  author(given?: { reviewed?: boolean }): Promise<Person>
  /** A file that a person has uploaded and not published yet. */
  upload(
    owner: Person,
    given?: { name?: string; content?: string | Uint8Array; type?: number },
  ): Promise<{ id: number; hash: string }>
}

export async function openLibrary(...given: Parameters<typeof openSite>): Promise<Library> {
  const site = await openSite(...given)
  const ctx = await site.app.context()
  let shelved = 0

  const shelve = async (volume: Volume): Promise<number> => {
    shelved += 1
    const now = volume.created_at ?? ctx.now()
    const stamps = { created_at: now, updated_at: now }
    const { status = 2, ext = '.pdf', title = `文档 ${shelved}`, texts = [], failure, category = [] } = volume
    const hash = volume.hash ?? randomBytes(32).toString('hex')
    const converted = ![0, 1, 3].includes(status)
    const pages = volume.pages ?? (texts.length || (converted ? 3 : 0))
    await site.db
      .insertInto('rendition')
      .values({
        hash,
        ext,
        state: failure ? 'failed' : pages > 0 ? 'done' : 'waiting',
        revision: 1,
        type: 'pdf',
        pages,
        width: pages && 612,
        height: pages && 792,
        read_pages: texts.length,
        excerpt: texts.join('\n').slice(0, 8192),
        has_cover: (volume.cover ?? pages > 0) ? 1 : 0,
        ...failure,
        ...stamps,
      })
      .onConflict((conflict) => conflict.column('hash').doNothing())
      .execute()
    await keepTexts(hash, texts)
    const { failure: _failure, owner, category: _category, cover: _cover, texts: _texts, ...columns } = volume
    const { id } = await site.db
      .insertInto('document')
      .values({
        recommend_at: null,
        deleted_at: null,
        size: 1000,
        ...columns,
        hash,
        ext,
        title,
        status,
        pages,
        uuid: randomBytes(8).toString('hex'),
        user_id: owner?.id ?? site.root.id,
        attachment_id: 0,
        width: pages && 612,
        height: pages && 792,
        ...stamps,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await putInto(site.db, [id], category)
    if (isPublic({ status, deleted_at: volume.deleted_at ?? null })) await countDocuments(site.db, [id], 1)
    return id
  }

  const keepTexts = async (hash: string, texts: readonly string[]) => {
    for (let first = 0; first < texts.length; first += pagesPerSlice) {
      const slice = texts.slice(first, first + pagesPerSlice).map((text, index) => ({
        page: first + index + 1,
        width: 612,
        height: 792,
        lines: text.split('\n').map((line, row) => [0, row * 10, 100, 10, line] as const),
      }))
      await writeSlice(ctx, linesKey(hash, 1, first + 1), slice)
    }
  }

  return {
    ...site,
    async shelve(...volumes) {
      const ids: number[] = []
      for (const volume of volumes) ids.push(await shelve(volume))
      return ids
    },
    async category(title, { parent = 0, type = 0, enable = 1, sort = 0 } = {}) {
      const stamps = { created_at: ctx.now(), updated_at: ctx.now() }
      const { id } = await site.db
        .insertInto('category')
        .values({ title, parent_id: parent, type, enable, sort, ...stamps })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },
    async author({ reviewed = false } = {}) {
      const title = `group ${randomBytes(6).toString('hex')}`
      const group = await site.root.call(groups.create, {
        title,
        enable_upload: true,
        enable_document_review: reviewed,
      })
      const person = await site.member()
      await site.root.call(users.set, { id: person.id, group_id: [group.id] })
      return person
    },
    async upload(owner, { name = '报告.pdf', content = randomBytes(20).toString('hex'), type = 2 } = {}) {
      const bytes = Buffer.from(content)
      const hash = createHash('sha256').update(bytes).digest('hex')
      const now = ctx.now()
      await ctx.storage.put(contentKey(hash), bytes)
      await site.db
        .insertInto('stored_file')
        .values({ hash, size: bytes.length, seen_at: now, created_at: now })
        .onConflict((conflict) => conflict.column('hash').doNothing())
        .execute()
      const { id } = await site.db
        .insertInto('attachment')
        .values({
          hash,
          name,
          type,
          user_id: owner.id,
          ext: extOf(name),
          size: bytes.length,
          deleted_at: null,
          created_at: now,
          updated_at: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return { id, hash }
    },
  }
}
