import type { Selectable } from 'kysely'
import type { documents } from '#shared/contract/documents.ts'
import { titleOf } from '#shared/document-kinds.ts'
import type { DocumentStatus } from '#shared/document-status.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import type { Tables } from '#server/db/tables.ts'
import { refuseUploader } from '#server/modules/attachments/attachments.policy.ts'
import { refuseBanned } from '#server/modules/attachments/attachments.store.ts'
import { rewardUpload } from '#server/modules/credits/credits.rewards.ts'
import { recordDynamic } from '#server/modules/users/activity.ts'
import { resolveCategories } from '#server/modules/catalog/categories.service.ts'
import { resolveLanguage } from '#server/modules/catalog/languages.service.ts'
import { putInto } from './categories.ts'
import { countDocuments } from '../documents.counts.ts'
import { cleanKeywords, keywordsIn } from '#server/modules/catalog/keywords.ts'
import { isPublic, isReviewed } from '../documents.policy.ts'
import { requestRendition } from '#server/modules/renditions/renditions.queries.ts'

type Given = Input<typeof documents.create>
type Item = Given['document'][number]
type File = Selectable<Tables['attachment']>

const longestTitle = 255
const longestDescription = 512

/** Publishes files that the caller has uploaded: all of them, or none. */
export async function createDocuments(
  ctx: MemberCtx,
  { document: items, category_id }: Given,
): Promise<Reply<typeof documents.create>> {
  refuseUploader(ctx)
  const named = await ownFiles(ctx, items)
  const drafts = await Promise.all(named.map(({ item, file }) => draftOf(ctx, item, file)))
  return transaction(ctx, async (ctx) => {
    const categories = await categoriesFor(ctx, category_id)
    const made = new Map<string, Rendition>()
    // In one order whoever publishes what, so that two who publish the same files cannot wait for each other.
    for (const draft of drafts.toSorted((a, b) => (a.hash < b.hash ? -1 : 1))) {
      if (made.has(draft.hash)) continue
      await refuseBanned(ctx, draft.hash)
      made.set(draft.hash, await requestRendition(ctx, draft))
    }
    const rows = []
    for (const draft of drafts) rows.push(await publish(ctx, draft, made.get(draft.hash)))
    const ids = rows.map(({ id }) => id)
    await putInto(ctx.db, ids, categories)
    await countDocuments(
      ctx.db,
      rows.filter((row) => isPublic({ ...row, deleted_at: null })).map(({ id }) => id),
      1,
    )
    const rewards = await rewardUpload(ctx, ctx.viewer.id, ids)
    for (const { id, uuid, title } of rows) await tell(ctx, { title, uuid, reward: rewards.get(id) })
    ctx.emit('document.changed', { ids })
    return { document: rows }
  })
}

type Rendition = Awaited<ReturnType<typeof requestRendition>>
type Draft = Awaited<ReturnType<typeof draftOf>>

/** The files the items name. One that is not the caller's, or has been published before, stops the whole request. */
async function ownFiles({ db, viewer }: MemberCtx, items: readonly Item[]): Promise<{ item: Item; file: File }[]> {
  const ids = items.map(({ attachment_id }) => attachment_id)
  const rows = await db
    .selectFrom('attachment')
    .selectAll()
    .where('id', 'in', ids)
    .where('user_id', '=', viewer.id)
    .where('type', '=', 2)
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

async function draftOf(ctx: MemberCtx, item: Item, file: File) {
  const title = (item.title || titleOf(file.name)).slice(0, longestTitle).toWellFormed()
  return {
    attachment_id: file.id,
    hash: file.hash,
    ext: file.ext,
    size: file.size,
    title,
    keywords: cleanKeywords(item.keywords) || keywordsIn(title),
    description: item.description.slice(0, longestDescription).toWellFormed(),
    language: await resolveLanguage(ctx.db, item.language),
    price: item.price,
  }
}

/** A site without categories takes documents all the same. */
async function categoriesFor(ctx: MemberCtx, ids: readonly number[]): Promise<number[]> {
  if (ids.length > 0) return resolveCategories(ctx, ids, 0)
  const offered = await ctx.db
    .selectFrom('category')
    .select('id')
    .where('type', '=', 0)
    .where('enable', '=', 1)
    .limit(1)
    .executeTakeFirst()
  if (offered) throw errors.documents.categoryNeeded()
  return []
}

async function publish(ctx: MemberCtx, draft: Draft, rendition: Rendition | undefined) {
  const { pages = 0, width = 0, height = 0 } = rendition ?? {}
  const stamps = { created_at: ctx.now(), updated_at: ctx.now() }
  const row = await ctx.db
    .insertInto('document')
    .values({
      ...draft,
      uuid: Buffer.from(ctx.id(), 'base64url').toString('hex').slice(0, 16),
      user_id: ctx.viewer.id,
      status: isReviewed(ctx.viewer) ? 6 : statusBy[rendition?.state ?? 'waiting'],
      ...(rendition?.state === 'done' && { pages, width, height }),
      recommend_at: null,
      deleted_at: null,
      ...stamps,
    })
    .returning(['id', 'uuid', 'status', 'attachment_id', 'title'])
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

function tell(ctx: MemberCtx, { title, uuid, reward }: { title: string; uuid: string; reward?: number }) {
  const about = { subject: title, href: `/document/${uuid}` }
  return recordDynamic(ctx, { userId: ctx.viewer.id, type: 3, ...about, amount: reward })
}

const statusBy: Record<Rendition['state'], DocumentStatus> = { waiting: 0, working: 1, done: 2, failed: 3 }
