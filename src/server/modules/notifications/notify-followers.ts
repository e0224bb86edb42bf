import { FollowTarget } from '#shared/collections.ts'
import type { NotificationKind } from '#shared/notification-kinds.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import type { Db } from '#server/db/open.ts'
import { enqueue, type JobPayload } from '#server/jobs.ts'
import { findTargets } from '#server/modules/comments/comments.targets.ts'
import { findModesOf } from './choices.ts'
import { newsKinds } from './news.ts'
import { findActive, mailTimeOf, type NotificationParams } from './notifications.add.ts'

/** Members in one transaction; the job for the next ones waits until others have had their turn. */
const sliceSize = 500

/** Notifies a slice of the followers of an author, category or collection, and has the next one notified. */
export async function notifyFollowers(
  outer: Ctx,
  { batch, after }: JobPayload<'notifications.followers'>,
): Promise<void> {
  await transaction(outer, async (ctx) => {
    const { db } = ctx
    const news = await db
      .selectFrom('follow_news')
      .select(['kind', 'target_id', 'content_type as type', 'content_id as document_id'])
      .where('batch', '=', batch)
      .execute()
    const [first] = news
    if (!first) return
    const { kind, target_id } = first
    const followers = await db
      .selectFrom('follow')
      .select(['id', 'user_id'])
      .where('kind', '=', kind)
      .where('target_id', '=', target_id)
      .where('id', '>', after)
      .orderBy('id')
      .limit(sliceSize)
      .execute()
    const targetOf = await findTargets(db, news)
    const authors = new Set(news.flatMap((ref) => targetOf(ref)?.user_id ?? []))
    const userIds = followers.map(({ user_id }) => user_id)
    const known = await findKnowing(db, { kind, userIds, authors })
    await addForMembers(ctx, {
      userIds: userIds.filter((id) => !known.has(id)),
      kind: newsKinds[kind],
      eventKey: `news:${batch}`,
      groupKey: `news:${kind}:${target_id}`,
      actorId: kind === FollowTarget.Author ? target_id : 0,
      params: { batch, target: target_id },
    })
    const last = followers.at(-1)
    if (last && followers.length === sliceSize) await enqueue(ctx, 'notifications.followers', { batch, after: last.id })
  })
}

interface Audience {
  kind: FollowTarget
  userIds: readonly number[]
  /** Of all that is new. */
  authors: ReadonlySet<number>
}

/** Members to whom none of it is new: they published it, or, in a category, follow the authors of all of it. */
async function findKnowing(db: Db, { kind, userIds, authors }: Audience): Promise<Set<number>> {
  const followed =
    kind === FollowTarget.Category
      ? await db
          .selectFrom('follow')
          .select(['user_id', 'target_id'])
          .where('kind', '=', FollowTarget.Author)
          .where(inList(db, 'target_id', [...authors]))
          .where(inList(db, 'user_id', userIds))
          .execute()
      : []
  const byUser = Map.groupBy(followed, ({ user_id }) => user_id)
  const isKnown = (userId: number) => {
    const known = new Set([userId, ...(byUser.get(userId) ?? []).map(({ target_id }) => target_id)])
    return [...authors].every((author) => known.has(author))
  }
  return new Set(userIds.filter(isKnown))
}

interface NewNotifications {
  userIds: readonly number[]
  kind: NotificationKind
  eventKey: string
  groupKey: string
  actorId: number
  params: NotificationParams
}

/** As `addNotification`, for many members in a few statements. Call it in a transaction. */
async function addForMembers(
  ctx: Ctx,
  { userIds, kind, eventKey, groupKey, actorId, params }: NewNotifications,
): Promise<void> {
  const { db, settings } = ctx
  const now = ctx.now()
  await lockRows(ctx, 'user', userIds)
  const active = await findActive(db, userIds, now)
  if (active.length === 0) return
  const [modeOf, heads] = await Promise.all([
    findModesOf(db, active, kind),
    db
      .selectFrom('notification')
      .select(['user_id', ({ fn }) => fn.max('id').as('id')])
      .where(inList(db, 'user_id', active))
      .where('group_key', '=', groupKey)
      .where('group_id', 'is', null)
      .where('read_at', 'is', null)
      .where('deleted_at', 'is', null)
      .groupBy('user_id')
      .execute(),
  ])
  const headOf = new Map(heads.map(({ user_id, id }) => [user_id, id]))
  const added = await db
    .insertInto('notification')
    .values(
      active.map((userId) => ({
        user_id: userId,
        kind,
        event_key: `${eventKey}:${userId}`,
        group_key: groupKey,
        group_id: headOf.get(userId) ?? null,
        actor_id: actorId,
        params: JSON.stringify(params),
        latest_at: now,
        mail_at: mailTimeOf(settings, { mode: modeOf(userId), kind, now }),
        created_at: now,
      })),
    )
    .onConflict((conflict) => conflict.column('event_key').doNothing())
    .returning(['user_id', 'group_id'])
    .execute()
  await db
    .updateTable('notification')
    .set({ latest_at: now })
    .where(
      inList(
        db,
        'id',
        added.flatMap(({ group_id }) => group_id ?? []),
      ),
    )
    .execute()
  for (const { user_id: userId } of added) ctx.emit('notifications.changed', { userId })
}
