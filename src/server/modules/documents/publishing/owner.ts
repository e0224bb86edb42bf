import type { documents } from '#shared/contract/documents.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import type { Db } from '#server/db/open.ts'
import { assertNoOwnGain } from '#server/modules/access/access.policy.ts'
import { findUser, findUsernames, type UserRow } from '#server/modules/users/users.queries.ts'
import { addToCounter } from '../documents.counts.ts'
import { isPublic } from '../documents.policy.ts'

/** Documents in the recycle bin stay whose they are. What was earned with a document stays with the member who earned it. */
export async function setOwner(
  ctx: MemberCtx,
  { document_id: ids, user_id }: Input<typeof documents.setOwner>,
): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const owner = await getOwner(ctx.db, user_id)
    await lockRows(ctx, 'document', ids)
    const rows = await ctx.db
      .selectFrom('document')
      .select(['id', 'user_id', 'status', 'visibility', 'deleted_at'])
      .where('id', 'in', ids)
      .where('deleted_at', 'is', null)
      .where('user_id', '<>', user_id)
      .orderBy('id')
      .execute()
    const movedIds = rows.map(({ id }) => id)
    ctx.audit?.({ ids: movedIds, change: `上传者: ${await describeOwners(ctx.db, rows)} → ${owner.username}` })
    if (rows.length === 0) return
    // Whatever they are sold for from now on would be the new owner's.
    await assertNoOwnGain(ctx, [user_id])
    await ctx.db.updateTable('document').set({ user_id, updated_at: ctx.now() }).where('id', 'in', movedIds).execute()
    await moveCounts(ctx, rows.filter(isPublic), user_id)
    ctx.emit('document.changed', { ids: movedIds })
  })
}

/** The member that documents are to belong to. */
export async function getOwner(db: Db, id: number): Promise<UserRow> {
  const owner = await findUser(db, id)
  if (!owner) throw errors.users.notFound()
  return owner
}

async function moveCounts(ctx: MemberCtx, rows: readonly { user_id: number }[], ownerId: number): Promise<void> {
  const changes = new Map([[ownerId, rows.length]])
  for (const { user_id } of rows) changes.set(user_id, (changes.get(user_id) ?? 0) - 1)
  // In id order to prevent deadlocks.
  for (const [id, change] of [...changes].toSorted(([a], [b]) => a - b)) {
    await ctx.db
      .updateTable('user')
      .set({ doc_count: addToCounter('doc_count', change) })
      .where('id', '=', id)
      .execute()
  }
}

async function describeOwners(db: Db, rows: readonly { user_id: number }[]): Promise<string> {
  const names = await findUsernames(
    db,
    rows.map(({ user_id }) => user_id),
  )
  return [...names.values()].join('、') || '（没有变化）'
}
