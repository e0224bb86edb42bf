import { ActivityType, ContentType, Visibility } from '#shared/enums.ts'
import type { documents } from '#shared/contract/documents.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { JobPriority } from '#server/jobs/queue.ts'
import { assertCanUpload } from '#server/modules/attachments/attachments.policy.ts'
import { rewardUpload } from '#server/modules/credits/credits.rewards.ts'
import { recordActivity } from '#server/modules/users/activity.ts'
import { resolveCategories } from '#server/modules/catalog/categories.service.ts'
import { getOwner } from './owner.ts'
import { findUnusedFiles, insertDocuments, type StoredDocumentFile, toDraft } from './insert.ts'
import { isReviewed } from '../documents.policy.ts'
import { resolveGroups } from '../visibility/change-audience.ts'

type CreateInput = Input<typeof documents.create>
type Item = CreateInput['document'][number]

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
  { document: items, category_id, visibility, group_id, downloadable, again }: CreateInput,
  owner: Owner,
): Promise<Reply<typeof documents.create>> {
  assertCanUpload(ctx)
  const files = await findOwnFiles(ctx, items)
  const duplicate = again ? [] : await findPublishedBefore(ctx, owner, files)
  if (duplicate.length > 0) return { document: [], duplicate }
  const drafts = await Promise.all(files.map(({ item, file }) => toDraft(ctx, item, file)))
  return transaction(ctx, async (ctx) => {
    const rows = await insertDocuments(ctx, drafts, {
      ownerId: owner.id,
      categories: await categoriesFor(ctx, category_id),
      groups: await resolveGroups(ctx, { visibility, group_id }),
      visibility,
      downloadable,
      isReviewed: isReviewed(ctx.viewer),
      position: { priority: JobPriority.Upload, owner: ctx.viewer.id },
    })
    // A reward is for what everyone can read.
    const isRewarded = owner.isRewarded && visibility === Visibility.Public
    const ids = rows.map(({ id }) => id)
    const rewards = isRewarded ? await rewardUpload(ctx, owner.id, ids) : new Map<number, number>()
    for (const { id, uuid, title } of rows)
      await recordUpload(ctx, { userId: owner.id, title, uuid, reward: rewards.get(id) })
    return { document: rows, duplicate: [] }
  })
}

/** Documents of the owner's with the content of these files: whether it is to be there twice is for the owner to say. */
async function findPublishedBefore(
  { db }: MemberCtx,
  owner: Owner,
  files: readonly { file: StoredDocumentFile }[],
): Promise<Reply<typeof documents.create>['duplicate']> {
  const rows = await db
    .selectFrom('document')
    .select(['id', 'uuid', 'title', 'hash'])
    .where(
      'hash',
      'in',
      files.map(({ file }) => file.hash),
    )
    .where('user_id', '=', owner.id)
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .execute()
  // The first of several documents with the same content is the one named.
  const byHash = new Map(rows.map(({ hash, ...row }) => [hash, row]))
  return files.flatMap(({ file }) => {
    const row = byHash.get(file.hash)
    return row ? [{ ...row, attachment_id: file.id }] : []
  })
}

/** The files the items name. One that is not the caller's, or has been published before, stops the whole request. */
async function findOwnFiles(
  ctx: MemberCtx,
  items: readonly Item[],
): Promise<{ item: Item; file: StoredDocumentFile }[]> {
  const ids = items.map(({ attachment_id }) => attachment_id)
  const rows = await findUnusedFiles(ctx, ids)
  if (rows.length === 0) throw errors.documents.noFiles()
  if (rows.length < ids.length) throw errors.documents.filesUnusable()
  const files = new Map(rows.map((row) => [row.id, row]))
  return items.flatMap((item) => {
    const file = files.get(item.attachment_id)
    return file ? [{ item, file }] : []
  })
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
