import { errors } from '#shared/errors.ts'
import type { Ctx, MemberCtx } from '#server/context.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import { canSee } from './collections.policy.ts'
import type { CollectionRow } from './collections.present.ts'

/** By its address; for viewers who may not read it, it does not exist. */
export async function getReadable({ db, viewer }: Ctx, uuid: string): Promise<CollectionRow> {
  const row = await db.selectFrom('collection').selectAll().where('uuid', '=', uuid).executeTakeFirst()
  if (!row || !canSee(viewer, row)) throw errors.collections.notFound()
  return row
}

/** Locks it until the transaction ends. Collections of others are refused as missing ones, so that ids cannot be probed. */
export async function lockOwn(ctx: MemberCtx, id: number): Promise<CollectionRow> {
  await lockRows(ctx, 'collection', [id])
  const row = await ctx.db
    .selectFrom('collection')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', ctx.viewer.id)
    .executeTakeFirst()
  if (!row) throw errors.collections.notFound()
  return row
}
