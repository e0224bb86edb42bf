import type { Selectable } from 'kysely'
import { AttachmentType, ContentType, type Visibility } from '#shared/enums.ts'
import { toTitle } from '#shared/document-kinds.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx, MemberCtx } from '#server/context.ts'
import { bit } from '#server/db/tables/column.ts'
import type { Tables } from '#server/db/tables.ts'
import { assertNotBanned } from '#server/modules/attachments/attachments.store.ts'
import { cleanKeywords, extractKeywords } from '#server/modules/catalog/keywords.ts'
import { recordPublications } from '#server/modules/catalog/publications.ts'
import { resolveLanguage } from '#server/modules/catalog/languages.service.ts'
import { type QueuePosition, requestRendition } from '#server/modules/renditions/request.ts'
import { linkCategories } from './categories.ts'
import { countDocuments } from '../documents.counts.ts'
import { isPublic } from '../documents.policy.ts'
import { linkGroups } from '../visibility/change-audience.ts'

/** What every new document has in common, whether a member has uploaded its file or the site has crawled it. */

export type StoredDocumentFile = Selectable<Tables['attachment']>
type Draft = Awaited<ReturnType<typeof toDraft>>
type Rendition = Awaited<ReturnType<typeof requestRendition>>

export interface Facts {
  /** Empty for the name of the file. */
  title: string
  keywords: string
  description: string
  /** A code, or the name that clients show for it; empty for none. */
  language: string
  price: number
}

const maxTitleLength = 255
const maxDescriptionLength = 512

export async function toDraft(ctx: Ctx, facts: Facts, file: StoredDocumentFile) {
  const fileTitle = toTitle(file.name)
  const title = (facts.title || fileTitle).slice(0, maxTitleLength).toWellFormed()
  return {
    attachment_id: file.id,
    hash: file.hash,
    ext: file.ext,
    size: file.size,
    title,
    ...keywordsOf(facts, title === fileTitle ? '' : title),
    description: facts.description.slice(0, maxDescriptionLength).toWellFormed(),
    language: await resolveLanguage(ctx.db, facts.language),
    price: facts.price,
    is_vip: bit(facts.price > 0 && ctx.settings.vip.mark_charged),
  }
}

/** A file's name says how it was saved, not what is in it: its text gives the keywords, as soon as it is known. */
function keywordsOf({ keywords }: Pick<Facts, 'keywords'>, title: string) {
  const chosen = cleanKeywords(keywords) || extractKeywords(title)
  // Empty keywords count as compared: the owner has not chosen to have none.
  return { keywords: chosen, keywords_compared: bit(chosen === '') }
}

interface Publication {
  ownerId: number
  /** With their ancestors. */
  categories: readonly number[]
  groups: readonly number[]
  visibility: Visibility
  downloadable: boolean
  /** They wait for approval. */
  isReviewed: boolean
  /** Of their conversion. */
  position: QueuePosition
  source?: { source_name: string; source_url: string }
}

/** Creates documents of stored files and has them converted. Call it in a transaction. */
export async function insertDocuments(ctx: Ctx, drafts: readonly Draft[], publication: Publication) {
  const renditions = new Map<string, Rendition>()
  // Sorted by hash, so that two members who publish the same files cannot deadlock.
  for (const draft of drafts.toSorted((a, b) => (a.hash < b.hash ? -1 : 1))) {
    if (renditions.has(draft.hash)) continue
    await assertNotBanned(ctx, draft.hash)
    renditions.set(draft.hash, await requestRendition(ctx, draft, publication.position))
  }
  const rows = []
  for (const draft of drafts) rows.push(await insertDocument(ctx, draft, publication, renditions.get(draft.hash)))
  const ids = rows.map(({ id }) => id)
  await linkCategories(ctx.db, ids, publication.categories)
  await linkGroups(ctx.db, ids, publication.groups)
  const publicIds = rows.filter((row) => isPublic({ ...row, deleted_at: null })).map(({ id }) => id)
  await countDocuments(ctx.db, publicIds, 1)
  await recordPublications(ctx, ContentType.Document, publicIds)
  ctx.emit('document.changed', { ids })
  return rows
}

async function insertDocument(
  ctx: Ctx,
  draft: Draft,
  { ownerId, visibility, downloadable, isReviewed, source }: Publication,
  rendition: Rendition | undefined,
) {
  const { pages = 0, width = 0, height = 0 } = rendition ?? {}
  const stamps = { created_at: ctx.now(), updated_at: ctx.now() }
  const row = await ctx.db
    .insertInto('document')
    .values({
      ...draft,
      ...source,
      user_id: ownerId,
      visibility,
      downloadable: bit(downloadable),
      uuid: Buffer.from(ctx.id(), 'base64url').toString('hex').slice(0, 16),
      status: isReviewed ? DocumentStatus.InReview : statusByState[rendition?.state ?? 'waiting'],
      ...(rendition?.state === 'done' && { pages, width, height }),
      recommend_at: null,
      deleted_at: null,
      ...stamps,
    })
    .returning(['id', 'uuid', 'status', 'visibility', 'attachment_id', 'title'])
    .executeTakeFirstOrThrow()
  await claimFile(ctx, { attachmentId: draft.attachment_id, documentId: row.id })
  return row
}

/** Those of these files that the member has uploaded and not published. */
export function findUnusedFiles({ db, viewer }: MemberCtx, ids: readonly number[]): Promise<StoredDocumentFile[]> {
  return db
    .selectFrom('attachment')
    .selectAll()
    .where('id', 'in', ids)
    .where('user_id', '=', viewer.id)
    .where('type', '=', AttachmentType.Document)
    .where('type_id', '=', 0)
    .where('deleted_at', 'is', null)
    .execute()
}

/** From here on the file is the document's. Call it in a transaction. */
export async function claimFile(
  ctx: Ctx,
  { attachmentId, documentId }: { attachmentId: number; documentId: number },
): Promise<void> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('attachment')
    .set({ type_id: documentId, updated_at: ctx.now() })
    .where('id', '=', attachmentId)
    .where('type_id', '=', 0)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  // Published by another request a moment ago, or given up as abandoned.
  if (!numUpdatedRows) throw errors.documents.filesUnusable()
}

const statusByState: Record<Rendition['state'], DocumentStatus> = {
  waiting: DocumentStatus.Pending,
  working: DocumentStatus.Converting,
  done: DocumentStatus.Converted,
  failed: DocumentStatus.Failed,
}
