import { AttachmentType, ContentType, ActivityType, Visibility } from '#shared/enums.ts'
import type { Insertable, Selectable } from 'kysely'
import type { documents } from '#shared/contract/documents.ts'
import { toTitle } from '#shared/document-kinds.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { bit } from '#server/db/tables/column.ts'
import type { Tables } from '#server/db/tables.ts'
import { JobPriority } from '#server/jobs/queue.ts'
import { assertCanUpload } from '#server/modules/attachments/attachments.policy.ts'
import { assertNotBanned } from '#server/modules/attachments/attachments.store.ts'
import { rewardUpload } from '#server/modules/credits/credits.rewards.ts'
import { recordActivity } from '#server/modules/users/activity.ts'
import { resolveCategories } from '#server/modules/catalog/categories.service.ts'
import { resolveLanguage } from '#server/modules/catalog/languages.service.ts'
import { linkCategories } from './categories.ts'
import { getOwner } from './owner.ts'
import { countDocuments } from '../documents.counts.ts'
import { cleanKeywords, extractKeywords } from '#server/modules/catalog/keywords.ts'
import { isPublic, isReviewed } from '../documents.policy.ts'
import { requestRendition } from '#server/modules/renditions/request.ts'
import { linkGroups, resolveGroups } from '../visibility/change-audience.ts'

type CreateInput = Input<typeof documents.create>
type Item = CreateInput['document'][number]
type UploadedFile = Selectable<Tables['attachment']>

const maxTitleLength = 255
const maxDescriptionLength = 512

export function createDocuments(ctx: MemberCtx, input: CreateInput): Promise<Reply<typeof documents.create>> {
  return publish(ctx, input, { id: ctx.viewer.id, isRewarded: true })
}

/** The owner gets no reward for what staff have uploaded. Whether it is reviewed depends on the uploader's groups. */
export async function createDocumentsFor(
  ctx: MemberCtx,
  { user_id, ...input }: Input<typeof documents.createFor>,
): Promise<Reply<typeof documents.createFor>> {
  const { id, username } = await getOwner(ctx.db, user_id)
  return transaction(ctx, async (ctx) => {
    const reply = await publish(ctx, input, { id, isRewarded: id === ctx.viewer.id })
    ctx.audit?.({ ids: reply.document.map((document) => document.id), change: `上传者: ${username}` })
    return reply
  })
}

interface Owner {
  id: number
  isRewarded: boolean
}

/** Publishes files that the caller has uploaded: all of them, or none. */
async function publish(
  ctx: MemberCtx,
  { document: items, category_id, visibility, group_id, downloadable }: CreateInput,
  owner: Owner,
): Promise<Reply<typeof documents.create>> {
  assertCanUpload(ctx)
  const files = await findOwnFiles(ctx, items)
  const drafts = await Promise.all(files.map(({ item, file }) => toDraft(ctx, item, file)))
  return transaction(ctx, async (ctx) => {
    const categories = await categoriesFor(ctx, category_id)
    const groups = await resolveGroups(ctx, { visibility, group_id })
    const shared = { user_id: owner.id, visibility, downloadable: bit(downloadable) }
    const position = { priority: JobPriority.Upload, owner: ctx.viewer.id }
    const renditions = new Map<string, Rendition>()
    // Sorted by hash, so that two members who publish the same files cannot deadlock.
    for (const draft of drafts.toSorted((a, b) => (a.hash < b.hash ? -1 : 1))) {
      if (renditions.has(draft.hash)) continue
      await assertNotBanned(ctx, draft.hash)
      renditions.set(draft.hash, await requestRendition(ctx, draft, position))
    }
    const rows = []
    for (const draft of drafts)
      rows.push(await insertDocument(ctx, { ...draft, ...shared }, renditions.get(draft.hash)))
    const ids = rows.map(({ id }) => id)
    await linkCategories(ctx.db, ids, categories)
    await linkGroups(ctx.db, ids, groups)
    await countDocuments(
      ctx.db,
      rows.filter((row) => isPublic({ ...row, deleted_at: null })).map(({ id }) => id),
      1,
    )
    // A reward is for what everyone can read.
    const isRewarded = owner.isRewarded && visibility === Visibility.Public
    const rewards = isRewarded ? await rewardUpload(ctx, owner.id, ids) : new Map<number, number>()
    for (const { id, uuid, title } of rows)
      await recordUpload(ctx, { userId: owner.id, title, uuid, reward: rewards.get(id) })
    ctx.emit('document.changed', { ids })
    return { document: rows }
  })
}

type Rendition = Awaited<ReturnType<typeof requestRendition>>
type Draft = Awaited<ReturnType<typeof toDraft>>

/** The files the items name. One that is not the caller's, or has been published before, stops the whole request. */
async function findOwnFiles(
  { db, viewer }: MemberCtx,
  items: readonly Item[],
): Promise<{ item: Item; file: UploadedFile }[]> {
  const ids = items.map(({ attachment_id }) => attachment_id)
  const rows = await db
    .selectFrom('attachment')
    .selectAll()
    .where('id', 'in', ids)
    .where('user_id', '=', viewer.id)
    .where('type', '=', AttachmentType.Document)
    .where('type_id', '=', 0)
    .where('deleted_at', 'is', null)
    .execute()
  if (rows.length === 0) throw errors.documents.noFiles()
  if (rows.length < ids.length) throw errors.documents.filesUnusable()
  const files = new Map(rows.map((row) => [row.id, row]))
  return items.flatMap((item) => {
    const file = files.get(item.attachment_id)
    return file ? [{ item, file }] : []
  })
}

async function toDraft(ctx: MemberCtx, item: Item, file: UploadedFile) {
  const title = (item.title || toTitle(file.name)).slice(0, maxTitleLength).toWellFormed()
  return {
    attachment_id: file.id,
    hash: file.hash,
    ext: file.ext,
    size: file.size,
    title,
    keywords: cleanKeywords(item.keywords) || extractKeywords(title),
    description: item.description.slice(0, maxDescriptionLength).toWellFormed(),
    language: await resolveLanguage(ctx.db, item.language),
    price: item.price,
    is_vip: bit(item.price > 0 && ctx.settings.vip.mark_charged),
  }
}

/** A site without categories takes documents all the same. */
async function categoriesFor(ctx: MemberCtx, ids: readonly number[]): Promise<number[]> {
  if (ids.length > 0) return resolveCategories(ctx, ids, ContentType.Document)
  const available = await ctx.db
    .selectFrom('category')
    .select('id')
    .where('type', '=', ContentType.Document)
    .where('enable', '=', 1)
    .limit(1)
    .executeTakeFirst()
  if (available) throw errors.documents.categoryNeeded()
  return []
}

async function insertDocument(
  ctx: MemberCtx,
  draft: Draft & Pick<Insertable<Tables['document']>, 'user_id' | 'visibility' | 'downloadable'>,
  rendition: Rendition | undefined,
) {
  const { pages = 0, width = 0, height = 0 } = rendition ?? {}
  const stamps = { created_at: ctx.now(), updated_at: ctx.now() }
  const row = await ctx.db
    .insertInto('document')
    .values({
      ...draft,
      uuid: Buffer.from(ctx.id(), 'base64url').toString('hex').slice(0, 16),
      status: isReviewed(ctx.viewer) ? DocumentStatus.InReview : statusByState[rendition?.state ?? 'waiting'],
      ...(rendition?.state === 'done' && { pages, width, height }),
      recommend_at: null,
      deleted_at: null,
      ...stamps,
    })
    .returning(['id', 'uuid', 'status', 'visibility', 'attachment_id', 'title'])
    .executeTakeFirstOrThrow()
  const { numUpdatedRows } = await ctx.db
    .updateTable('attachment')
    .set({ type_id: row.id, updated_at: ctx.now() })
    .where('id', '=', draft.attachment_id)
    .where('type_id', '=', 0)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  // Published by another request a moment ago, or given up as abandoned.
  if (!numUpdatedRows) throw errors.documents.filesUnusable()
  return row
}

interface PublishedUpload {
  userId: number
  title: string
  uuid: string
  reward?: number
}

function recordUpload(ctx: MemberCtx, { userId, title, uuid, reward }: PublishedUpload) {
  const document = { subject: title, href: `/document/${uuid}` }
  return recordActivity(ctx, { userId, type: ActivityType.Upload, ...document, amount: reward })
}

const statusByState: Record<Rendition['state'], DocumentStatus> = {
  waiting: DocumentStatus.Pending,
  working: DocumentStatus.Converting,
  done: DocumentStatus.Converted,
  failed: DocumentStatus.Failed,
}
