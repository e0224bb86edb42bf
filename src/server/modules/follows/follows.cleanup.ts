import { FollowTarget } from '#shared/collections.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'
import type { DurablePayload } from '#server/durable-events.ts'
import { countFollow } from './follows.targets.ts'

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
  await transaction(ctx, async (ctx) => {
    const { db } = ctx
    const removed = await db
      .deleteFrom('follow')
      .where(({ or, and, eb }) =>
        or([inList(db, 'user_id', ids), and([eb('kind', '=', FollowTarget.Author), inList(db, 'target_id', ids)])]),
      )
      .returning(['user_id', 'kind', 'target_id'])
      .execute()
    for (const { user_id, ...target } of removed.toSorted((a, b) => a.target_id - b.target_id))
      await countFollow(ctx, user_id, target, -1)
  })
}

/** Notifications that tell of it are gone by then. */
export async function purgeNews({ db, settings, now }: Ctx): Promise<void> {
  const before = now() - settings.security.notification_retention_days * dayMs
  await db.deleteFrom('follow_news').where('created_at', '<', before).execute()
}
