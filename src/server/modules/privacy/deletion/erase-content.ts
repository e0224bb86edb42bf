import { deletedUserName } from '#shared/names.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { isPublic as isPublicArticle } from '#server/modules/articles/articles.policy.ts'
import { recycleArticles } from '#server/modules/articles/publishing/delete.ts'
import { purgeArticles } from '#server/modules/articles/publishing/recycle-bin.ts'
import { isPublic as isPublicDocument } from '#server/modules/documents/documents.policy.ts'
import { recycleDocuments } from '#server/modules/documents/publishing/delete.ts'
import { purgeDocuments } from '#server/modules/documents/publishing/recycle-bin.ts'

/** Content of a deleted account. Every step may be repeated. */

interface Options {
  /** What is public stays, under the name of all deleted accounts. */
  keepsPublic: boolean
  /** Aborted when the worker stops. */
  signal: AbortSignal
}

const batch = 100

export async function deleteDocuments(ctx: Ctx, userId: number, { keepsPublic, signal }: Options): Promise<void> {
  const read = (after: number) =>
    ctx.db
      .selectFrom('document')
      .select(['id', 'status', 'visibility', 'deleted_at'])
      .where('user_id', '=', userId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(batch)
      .execute()
  for await (const rows of inBatches(read, signal)) {
    const ids = rows.filter((row) => !keepsPublic || !isPublicDocument(row)).map(({ id }) => id)
    if (ids.length === 0) continue
    await transaction(ctx, async (ctx) => {
      await recycleDocuments(ctx, ids, userId)
      await purgeDocuments(ctx, { id: ids })
    })
  }
}

export async function deleteArticles(ctx: Ctx, userId: number, { keepsPublic, signal }: Options): Promise<void> {
  const read = (after: number) =>
    ctx.db
      .selectFrom('article')
      .select(['id', 'status', 'deleted_at'])
      .where('user_id', '=', userId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(batch)
      .execute()
  for await (const rows of inBatches(read, signal)) {
    const ids = rows.filter((row) => !keepsPublic || !isPublicArticle(row)).map(({ id }) => id)
    if (ids.length === 0) continue
    await transaction(ctx, async (ctx) => {
      await recycleArticles(ctx, ids, userId)
      await purgeArticles(ctx, { id: ids })
    })
  }
}

/** What stays does not say from where it came. */
export async function clearAddresses(ctx: Ctx, userId: number, signal: AbortSignal): Promise<void> {
  for (const table of ['comment', 'order', 'download', 'attachment'] as const) {
    const read = (after: number) =>
      ctx.db
        .selectFrom(table)
        .select('id')
        .where('user_id', '=', userId)
        .where('ip', '<>', '')
        .where('id', '>', after)
        .orderBy('id')
        .limit(batch)
        .execute()
    for await (const rows of inBatches(read, signal)) {
      const ids = rows.map(({ id }) => id)
      await ctx.db.updateTable(table).set({ ip: '' }).where('id', 'in', ids).execute()
    }
  }
  await ctx.db
    .updateTable('payment')
    .set({ ip: '' })
    .where('order_id', 'in', (eb) => eb.selectFrom('order').select('id').where('user_id', '=', userId))
    .execute()
  await ctx.db
    .updateTable('report')
    .set({ username: deletedUserName, contact: '' })
    .where('user_id', '=', userId)
    .execute()
  await ctx.db
    .updateTable('search_record')
    .set({ user_id: 0, ip: '', network: '', user_agent: '' })
    .where('user_id', '=', userId)
    .execute()
}

async function* inBatches<R extends { id: number }>(
  read: (after: number) => Promise<R[]>,
  signal: AbortSignal,
): AsyncGenerator<R[]> {
  let last = 0
  for (;;) {
    signal.throwIfAborted()
    const rows = await read(last)
    if (rows.length === 0) return
    yield rows
    last = rows.at(-1)?.id ?? 0
  }
}
