import { FollowTarget } from '#shared/collections.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import type { DurablePayload } from '#server/durable-events.ts'
import { subtractEach } from '#server/modules/documents/documents.counts.ts'
import type { TargetRef } from './follows.targets.ts'

/** Follows that one transaction ends: a popular author has many. */
const sliceSize = 500
const dayMs = 24 * 60 * 60_000

export async function unfollowCollections({ db }: Ctx, { ids }: DurablePayload<'collections.deleted'>): Promise<void> {
  for (const table of ['follow', 'follow_news'] as const)
    await db
      .deleteFrom(table)
      .where('kind', '=', FollowTarget.Collection)
      .where(inList(db, 'target_id', ids))
      .execute()
}

export async function removePurgedNews({ db }: Ctx, { type, ids }: DurablePayload<'content.purged'>): Promise<void> {
  await db
    .deleteFrom('follow_news')
    .where('content_type', '=', type)
    .where(inList(db, 'content_id', ids))
    .execute()
}

/** What they followed, and the members who followed them: the counters of the others change. */
export async function deleteFollowsOfUsers(ctx: Ctx, { ids }: DurablePayload<'users.deleted'>): Promise<void> {
  const { db } = ctx
  for (;;) {
    const rows = await db
      .selectFrom('follow')
      .select(['id', 'user_id', 'kind', 'target_id'])
      .where(({ or, and, eb }) =>
        or([inList(db, 'user_id', ids), and([eb('kind', '=', FollowTarget.Author), inList(db, 'target_id', ids)])]),
      )
      .orderBy('id')
      .limit(sliceSize)
      .execute()
    if (rows.length === 0) return
    await transaction(ctx, (ctx) => endFollows(ctx, rows))
  }
}

async function endFollows(ctx: Ctx, rows: readonly (TargetRef & { id: number; user_id: number })[]): Promise<void> {
  const { db } = ctx
  await lockRows(ctx, 'collection', idsOf(rows, FollowTarget.Collection))
  const ofAuthors = rows.filter(({ kind }) => kind === FollowTarget.Author)
  await lockRows(ctx, 'user', [...new Set(ofAuthors.flatMap(({ user_id, target_id }) => [user_id, target_id]))])
  const removed = await db
    .deleteFrom('follow')
    .where(
      inList(
        db,
        'id',
        rows.map(({ id }) => id),
      ),
    )
    .returning(['user_id', 'kind', 'target_id'])
    .execute()
  const followers = removed.filter(({ kind }) => kind === FollowTarget.Author).map(({ user_id }) => user_id)
  const collections = idsOf(removed, FollowTarget.Collection)
  await subtractEach(db, { table: 'collection', column: 'follower_count' }, collections)
  await subtractEach(db, { table: 'user', column: 'follow_count' }, followers)
  await subtractEach(db, { table: 'user', column: 'fans_count' }, idsOf(removed, FollowTarget.Author))
}

function idsOf(rows: readonly TargetRef[], kind: FollowTarget): number[] {
  return rows.filter((row) => row.kind === kind).map(({ target_id }) => target_id)
}

/** Notifications that tell of it are gone by then. */
export async function purgeNews({ db, settings, now }: Ctx): Promise<void> {
  const before = now() - settings.security.notification_retention_days * dayMs
  await db.deleteFrom('follow_news').where('created_at', '<', before).execute()
}
