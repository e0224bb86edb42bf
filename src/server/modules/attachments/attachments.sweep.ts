import { AttachmentType, ContentType } from '#shared/enums.ts'
import { SpiderDocumentStatus } from '#shared/spider.ts'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { sql, type SqlBool } from 'kysely'
import { type Ctx, transaction } from '#server/context.ts'
import { enqueue } from '#server/jobs.ts'
import { contentKey } from './storage-keys.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** Writing an article may take weeks. */
const draftMs = 30 * dayMs
/** Longer than it takes to store a file and to record it. */
const uploadGraceMs = 2 * 60 * minuteMs
/** Longer than a deletion takes; an interrupted one is continued after it. */
const deletionMs = 10 * minuteMs
const batchSize = 500

/** Of what the crawler has, and staff have not published. */
const waitingForPublication = [
  SpiderDocumentStatus.Downloaded,
  SpiderDocumentStatus.PublishQueue,
  SpiderDocumentStatus.Publishing,
  SpiderDocumentStatus.PublishFailed,
]

const isNeeded = sql<SqlBool>`exists (
  select 1 from attachment
  where attachment.hash = stored_file.hash and (attachment.deleted_at is null or attachment.enable = 1)
)`

/** A picture in a draft of the member who has uploaded it. */
const isInDraft = sql<SqlBool>`exists (
  select 1 from article_draft where article_draft.user_id = attachment.user_id
    and (article_draft.cover = attachment.path or article_draft.content like '%' || attachment.path || '%')
)`

/** A picture in an earlier version of the article that it belongs to. */
const isInVersion = sql<SqlBool>`exists (
  select 1 from article_version where article_version.article_id = attachment.type_id
    and (article_version.cover = attachment.path or article_version.content like '%' || attachment.path || '%')
)`

/** Soft-deletes uploads that were never used, and images that are no longer used. */
export async function retireUnused(ctx: Ctx): Promise<void> {
  const now = ctx.now()
  const present = ctx.db.updateTable('attachment').set({ deleted_at: now }).where('deleted_at', 'is', null)
  const idle = present.where('created_at', '<', now - dayMs)
  await idle
    .where('type', 'in', [AttachmentType.Unknown, AttachmentType.Document, AttachmentType.Comment])
    .where('type_id', '=', 0)
    .execute()
  // What the crawler has stored may wait for weeks until staff publish it.
  await idle
    .where('type', '=', AttachmentType.CrawledDocument)
    .where('type_id', '=', 0)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('spider_document')
            .select('spider_document.id')
            .whereRef('spider_document.attachment_id', '=', 'attachment.id'),
        ),
      ),
    )
    .execute()
  await present
    .where('created_at', '<', now - draftMs)
    .where('type', '=', AttachmentType.Article)
    .where('type_id', '=', 0)
    .where(({ not }) => not(isInDraft))
    // So may a crawled article, which has its pictures already. Whose they are is enough: texts are long to search.
    .where(({ eb, or, selectFrom }) =>
      or([
        eb('ip', '<>', ''),
        eb(
          'user_id',
          'not in',
          selectFrom('spider_document')
            .select('spider_document.user_id')
            .where('spider_document.status', 'in', waitingForPublication)
            .where('spider_document.target', '=', ContentType.Article),
        ),
      ]),
    )
    .execute()
  await idle
    .where('type', '=', AttachmentType.Avatar)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('user')
            .select('user.id')
            .whereRef('user.id', '=', 'attachment.type_id')
            .whereRef('user.avatar', '=', 'attachment.path'),
        ),
      ),
    )
    .execute()
  await idle
    .where('type', '=', AttachmentType.ReportProof)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('report').select('report.id').whereRef('report.id', '=', 'attachment.type_id'))),
    )
    .execute()
  await idle
    .where('type', '=', AttachmentType.PaymentProof)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('order').select('order.id').whereRef('order.claim_picture', '=', 'attachment.path'))),
    )
    .execute()
  // Images of the site may be used in a text as well as in a column.
  const pathPattern = sql<string>`'%' || attachment.path || '%'`
  await idle
    .where('type', 'in', [AttachmentType.Banner, AttachmentType.CategoryCover, AttachmentType.Setting])
    .where('type_id', '=', 0)
    .where(({ not, or, exists, selectFrom }) =>
      not(
        or([
          exists(selectFrom('setting').select('setting.name').where('setting.value', 'like', pathPattern)),
          exists(
            selectFrom('advertisement').select('advertisement.id').where('advertisement.content', 'like', pathPattern),
          ),
          exists(selectFrom('banner').select('banner.id').whereRef('banner.path', '=', 'attachment.path')),
          exists(selectFrom('topic').select('topic.id').whereRef('topic.cover', '=', 'attachment.path')),
          exists(
            selectFrom('category')
              .select('category.id')
              .where(({ eb, ref }) =>
                eb.or([
                  eb('category.cover', '=', ref('attachment.path')),
                  eb('category.icon', '=', ref('attachment.path')),
                  eb('category.description', 'like', pathPattern),
                ]),
              ),
          ),
        ]),
      ),
    )
    .execute()
}

/** Deletes rows after the retention time. Rows that ban their content stay, and pictures that an author can still restore. */
export async function purgeRetired(ctx: Ctx): Promise<void> {
  const before = ctx.now() - ctx.settings.security.attachment_retention_minute * minuteMs
  await ctx.db
    .deleteFrom('attachment')
    .where('deleted_at', '<=', before)
    .where('enable', '=', 1)
    .where(({ eb, or, and, not }) =>
      or([eb('type', '<>', AttachmentType.Article), and([not(isInDraft), not(isInVersion)])]),
    )
    .execute()
}

/**
 * Deletes content that no attachment refers to, with its rendition. In batches, as one statement over the whole table would
 * block the site.
 */
export async function removeUnneeded(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  for (let last = ''; ; await yieldToEventLoop()) {
    if (signal?.aborted) return
    const rows = await ctx.db
      .selectFrom('stored_file')
      .select('hash')
      .select(({ eb, or, and, not }) =>
        eb
          .case()
          .when(and([eb('last_used_at', '<', ctx.now() - deletionMs), or([eb('deleting', '=', 1), not(isNeeded)])]))
          .then(1)
          .else(0)
          .end()
          .as('unneeded'),
      )
      .where('hash', '>', last)
      .orderBy('hash')
      .limit(batchSize)
      .execute()
    for (const { hash, unneeded } of rows)
      if (unneeded && (await markDeleting(ctx, hash))) await deleteContent(ctx, hash)
    if (rows.length < batchSize) return
    last = rows.at(-1)?.hash ?? ''
  }
}

/**
 * Deletes the content of attachments that were deleted just now, unless another one has it. Another user may be uploading the
 * same content again: what was touched after its attachment was created is left to the sweep.
 */
export async function removeReplaced(
  ctx: Ctx,
  attachments: readonly { hash: string; created_at: number }[],
): Promise<void> {
  for (const { hash, created_at } of attachments) {
    const { numUpdatedRows } = await ctx.db
      .updateTable('stored_file')
      .set({ deleting: 1, last_used_at: ctx.now() })
      .where('hash', '=', hash)
      .where('deleting', '=', 0)
      .where('last_used_at', '<=', created_at)
      .where(({ not }) => not(isNeeded))
      .executeTakeFirstOrThrow()
    if (numUpdatedRows > 0) await deleteContent(ctx, hash)
  }
}

/** Deletes stored objects without a row, which interrupted operations have left. */
export async function removeOrphans(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  let hashes: string[] = []
  const check = async () => {
    const rows = await ctx.db.selectFrom('stored_file').select('hash').where('hash', 'in', hashes).execute()
    const knownHashes = new Set(rows.map(({ hash }) => hash))
    for (const hash of hashes)
      if (!knownHashes.has(hash) && (await registerDeleting(ctx, hash))) await deleteContent(ctx, hash)
    hashes = []
  }
  for await (const { key, modifiedAt } of ctx.storage.list('files/')) {
    if (signal?.aborted) return
    if (modifiedAt > ctx.now() - dayMs) continue
    hashes.push(key.split('/').at(-1) ?? '')
    if (hashes.length === batchSize) await check()
  }
  if (hashes.length > 0) await check()
}

/** Uploads of the same content then wait for the deletion. The conditions are checked in the same statement. */
async function markDeleting(ctx: Ctx, hash: string): Promise<boolean> {
  const now = ctx.now()
  const { numUpdatedRows } = await ctx.db
    .updateTable('stored_file')
    .set({ deleting: 1, last_used_at: now })
    .where('hash', '=', hash)
    .where(({ eb, or, and, not }) =>
      or([
        and([eb('deleting', '=', 1), eb('last_used_at', '<', now - deletionMs)]),
        and([eb('deleting', '=', 0), eb('last_used_at', '<', now - uploadGraceMs), not(isNeeded)]),
      ]),
    )
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0
}

async function registerDeleting(ctx: Ctx, hash: string): Promise<boolean> {
  const now = ctx.now()
  const { numInsertedOrUpdatedRows } = await ctx.db
    .insertInto('stored_file')
    .values({ hash, size: 0, deleting: 1, last_used_at: now, created_at: now })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows ?? 0) > 0
}

async function deleteContent(ctx: Ctx, hash: string): Promise<void> {
  await ctx.storage.remove([contentKey(hash)])
  await transaction(ctx, async (ctx) => {
    await ctx.db.deleteFrom('stored_file').where('hash', '=', hash).where('deleting', '=', 1).execute()
    await enqueue(ctx, 'renditions.remove', { hash })
  })
}
