import { DocumentStatus } from '#shared/document-status.ts'
import { ContentType, AttachmentType, Visibility } from '#shared/enums.ts'
import { createHash, randomBytes } from 'node:crypto'
import { groups } from '#shared/contract/access.ts'
import { users } from '#shared/contract/users.ts'
import { getExt } from '#shared/document-kinds.ts'
import { contentKey } from '#server/modules/attachments/storage-keys.ts'
import { linkCategories } from '#server/modules/documents/publishing/categories.ts'
import { countDocuments } from '#server/modules/documents/documents.counts.ts'
import { pagesPerSlice, textSliceKey } from '#server/modules/renditions/storage-keys.ts'
import { isPublic } from '#server/modules/documents/documents.policy.ts'
import { linkGroups } from '#server/modules/documents/visibility/change-audience.ts'
import { writeSlice } from '#server/modules/renditions/page-text.ts'
import { openSite, type Person, type Site } from './site.ts'

/** Published and converted unless it says otherwise. */
export interface DocumentFixture {
  title?: string
  owner?: Person
  status?: DocumentStatus
  visibility?: Visibility
  /** With `Visibility.Groups`. */
  groups?: number[]
  downloadable?: 0 | 1
  ext?: string
  price?: number
  is_vip?: 0 | 1
  size?: number
  language?: string
  keywords?: string
  description?: string
  category?: number[]
  pages?: number
  /** The text of each page; sets the number of pages. */
  texts?: string[]
  hash?: string
  recommend_at?: number
  deleted_at?: number
  created_at?: number
  view_count?: number
  download_count?: number
  favorite_count?: number
  cover?: boolean
  /** Why the conversion failed, with the output of the converter. */
  failure?: { reason: string; detail: string }
}

/** A site with documents on it. */
export interface DocumentSite extends Site {
  /** Inserts documents without uploading or converting anything. */
  addDocuments(...fixtures: DocumentFixture[]): Promise<number[]>
  /** A new category. */
  category(
    title: string,
    options?: { parent?: number; type?: ContentType; enable?: 0 | 1; sort?: number },
  ): Promise<number>
  /** A new member who may upload; `reviewed` documents wait for approval. */
  author(options?: { reviewed?: boolean }): Promise<Person>
  /** A file that a member has uploaded and not published yet. */
  upload(
    owner: Person,
    options?: { name?: string; content?: string | Uint8Array; type?: AttachmentType },
  ): Promise<{ id: number; hash: string }>
}

export async function openDocumentSite(...options: Parameters<typeof openSite>): Promise<DocumentSite> {
  const site = await openSite(...options)
  const ctx = await site.app.context()
  let count = 0

  const addDocument = async (fixture: DocumentFixture): Promise<number> => {
    count += 1
    const now = fixture.created_at ?? ctx.now()
    const stamps = { created_at: now, updated_at: now }
    const {
      status = DocumentStatus.Converted,
      visibility = Visibility.Public,
      groups = [],
      ext = '.pdf',
      title = `文档 ${count}`,
      texts = [],
      failure,
      category = [],
    } = fixture
    const hash = fixture.hash ?? randomBytes(32).toString('hex')
    const { Pending, Converting, Failed } = DocumentStatus
    const converted = status !== Pending && status !== Converting && status !== Failed
    const pages = fixture.pages ?? (texts.length || (converted ? 3 : 0))
    await site.db
      .insertInto('rendition')
      .values({
        hash,
        ext,
        state: failure ? 'failed' : pages > 0 ? 'done' : 'waiting',
        revision: 1,
        source_type: 'pdf',
        pages,
        width: pages && 612,
        height: pages && 792,
        text_pages: texts.length,
        excerpt: texts.join('\n').slice(0, 8192),
        has_cover: (fixture.cover ?? pages > 0) ? 1 : 0,
        ...failure,
        ...stamps,
      })
      .onConflict((conflict) => conflict.column('hash').doNothing())
      .execute()
    await storeTexts(hash, texts)
    const {
      failure: _failure,
      owner,
      category: _category,
      cover: _cover,
      texts: _texts,
      groups: _groups,
      ...columns
    } = fixture
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
    await linkCategories(site.db, [id], category)
    await linkGroups(site.db, [id], groups)
    if (isPublic({ status, visibility, deleted_at: fixture.deleted_at ?? null })) await countDocuments(site.db, [id], 1)
    return id
  }

  const storeTexts = async (hash: string, texts: readonly string[]) => {
    for (let first = 0; first < texts.length; first += pagesPerSlice) {
      const slice = texts.slice(first, first + pagesPerSlice).map((text, index) => ({
        page: first + index + 1,
        width: 612,
        height: 792,
        lines: text.split('\n').map((line, row) => [0, row * 10, 100, 10, line] as const),
      }))
      await writeSlice(ctx, textSliceKey(hash, 1, first + 1), slice)
    }
  }

  return {
    ...site,
    async addDocuments(...fixtures) {
      const ids: number[] = []
      for (const fixture of fixtures) ids.push(await addDocument(fixture))
      return ids
    },
    async category(title, { parent = 0, type = ContentType.Document, enable = 1, sort = 0 } = {}) {
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
    async upload(
      owner,
      { name = '报告.pdf', content = randomBytes(20).toString('hex'), type = AttachmentType.Document } = {},
    ) {
      const bytes = Buffer.from(content)
      const hash = createHash('sha256').update(bytes).digest('hex')
      const now = ctx.now()
      await ctx.storage.put(contentKey(hash), bytes)
      await site.db
        .insertInto('stored_file')
        .values({ hash, size: bytes.length, last_used_at: now, created_at: now })
        .onConflict((conflict) => conflict.column('hash').doNothing())
        .execute()
      const { id } = await site.db
        .insertInto('attachment')
        .values({
          hash,
          name,
          type,
          user_id: owner.id,
          ext: getExt(name),
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
