import type { Ctx } from '#server/context.ts'
import type { DurablePayload } from '#server/durable-events.ts'
import type { ExportRow } from './export.ts'

const dayMs = 86_400_000
/** An expired one is remembered, so that the member sees what became of it. */
const rememberedMs = 30 * dayMs
const batch = 100

/** Removes archives that have expired, gives up those that no job writes any more, and forgets old ones. */
export async function purgeExports(ctx: Ctx): Promise<void> {
  const { db, now } = ctx
  await db
    .updateTable('data_export')
    .set({ state: 'failed', pending_key: '', updated_at: now() })
    .where('pending_key', '<>', '')
    .where('updated_at', '<', now() - dayMs)
    .execute()
  for (;;) {
    const rows = await db
      .selectFrom('data_export')
      .select(['id', 'storage_key'])
      .where('storage_key', '<>', '')
      .where((eb) =>
        eb.or([eb('state', '=', 'failed'), eb.and([eb('state', '=', 'ready'), eb('expires_at', '<=', now())])]),
      )
      .orderBy('id')
      .limit(batch)
      .execute()
    await removeArchives(ctx, rows)
    if (rows.length < batch) break
  }
  await db
    .deleteFrom('data_export')
    .where('storage_key', '=', '')
    .where('pending_key', '=', '')
    .where('created_at', '<', now() - rememberedMs)
    .execute()
}

/** Listens to `users.deleted`. */
export async function removeExportsOfUsers(ctx: Ctx, { ids }: DurablePayload<'users.deleted'>): Promise<void> {
  const rows = await ctx.db
    .selectFrom('data_export')
    .select(['id', 'storage_key'])
    .where('user_id', 'in', [0, ...ids])
    .execute()
  await ctx.storage.remove(rows.flatMap(({ storage_key }) => storage_key || []))
  await ctx.db
    .deleteFrom('data_export')
    .where('user_id', 'in', [0, ...ids])
    .execute()
}

/** The archive first: a row without it is purged again. */
async function removeArchives(ctx: Ctx, rows: readonly Pick<ExportRow, 'id' | 'storage_key'>[]): Promise<void> {
  if (rows.length === 0) return
  await ctx.storage.remove(rows.map(({ storage_key }) => storage_key))
  await ctx.db
    .updateTable('data_export')
    .set((eb) => ({
      state: eb
        .case()
        .when('state', '=', 'ready')
        .then(eb.val('expired' as const))
        .else(eb.ref('state'))
        .end(),
      storage_key: '',
      updated_at: ctx.now(),
    }))
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute()
}
