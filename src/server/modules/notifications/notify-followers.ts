import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { FollowTarget } from '#shared/collections.ts'
import type { NotificationKind } from '#shared/notification-kinds.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { getEngine } from '#server/db/engine.ts'
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
      groupKey: `news:${kind}:${target_id}`,
      actorId: kind === FollowTarget.Author ? target_id : 0,
      batch,
      target: target_id,
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

interface News {
  userIds: readonly number[]
  kind: NotificationKind
  /** Of the target: a member has at most one unread notification with it. */
  groupKey: string
  actorId: number
  batch: string
  target: number
}

/**
 * Members with an unread notification of the target get no other: it tells of this batch too. So there are at most as many
 * unread ones as followers, however often something is published. A batch that is delivered again changes nothing, also
 * after a newer one. Call it in a transaction.
 */
async function addForMembers(ctx: Ctx, news: News): Promise<void> {
  const { db, settings } = ctx
  const { kind, groupKey, actorId, batch, target } = news
  const now = ctx.now()
  await lockRows(ctx, 'user', news.userIds)
  const userIds = await findActive(db, await findUntold(db, news), now)
  if (userIds.length === 0) return
  const modeOf = await findModesOf(db, userIds, kind)
  const mailTime = (userId: number) => mailTimeOf(settings, { mode: modeOf(userId), kind, now })
  const told = new Set<number>()
  const isTimed = timedBatch.test(batch)
  for (const [mailAt, ids] of isTimed ? Map.groupBy(userIds, mailTime) : []) {
    const updated = await db
      .updateTable('notification')
      .set({
        params: withBatch(db, batch),
        latest_at: now,
        mail_at: sql<number | null>`coalesce(mail_at, ${mailAt})`,
      })
      .where(inList(db, 'user_id', ids))
      .where('group_key', '=', groupKey)
      .where('group_id', 'is', null)
      .where('read_at', 'is', null)
      .where('deleted_at', 'is', null)
      .where(hasTimedBatch(db))
      .returning('user_id')
      .execute()
    for (const { user_id: userId } of updated) told.add(userId)
  }
  const untold = userIds.filter((id) => !told.has(id))
  if (untold.length > 0)
    await db
      .insertInto('notification')
      .values(
        untold.map((userId) => ({
          user_id: userId,
          kind,
          event_key: `news:${batch}:${userId}`,
          group_key: groupKey,
          actor_id: actorId,
          params: JSON.stringify({ batch, target } satisfies NotificationParams),
          latest_at: now,
          mail_at: mailTime(userId),
          created_at: now,
        })),
      )
      .execute()
  for (const userId of untold) ctx.emit('notifications.changed', { userId })
}

/** Those whom no notification has told of the batch: read, unread or deleted. */
async function findUntold(db: Db, { userIds, groupKey, batch }: News): Promise<number[]> {
  const first = paramOf(db, 'batch')
  const last = sql<string>`coalesce(${paramOf(db, 'until')}, ${first})`
  const rows = await db
    .selectFrom('notification')
    .select('user_id')
    .where(inList(db, 'user_id', userIds))
    .where('group_key', '=', groupKey)
    .where(first, '<=', batch)
    .where(last, '>=', batch)
    .execute()
  const told = new Set(rows.map(({ user_id }) => user_id))
  return userIds.filter((id) => !told.has(id))
}

/** Batches were named without a time once. Those have no order, so each has a notification of its own. */
const timedBatch = /^\d{14}-/

function hasTimedBatch(db: Db): RawBuilder<SqlBool> {
  return getEngine(db) === 'sqlite'
    ? sql<SqlBool>`${paramOf(db, 'batch')} glob ${`${'[0-9]'.repeat(14)}-*`}`
    : sql<SqlBool>`${paramOf(db, 'batch')} ~ '^[0-9]{14}-'`
}

/** The parameters of a notification that tells of the batch too: it may be older than the others. */
function withBatch(db: Db, batch: string): RawBuilder<string> {
  const first = paramOf(db, 'batch')
  const last = sql`coalesce(${paramOf(db, 'until')}, ${first})`
  return getEngine(db) === 'sqlite'
    ? sql<string>`json_set(params, '$.batch', min(${first}, ${batch}), '$.until', max(${last}, ${batch}))`
    : sql<string>`(params::jsonb || jsonb_build_object(
        'batch', least(${first}, ${batch}::text), 'until', greatest(${last}, ${batch}::text)))::text`
}

function paramOf(db: Db, name: 'batch' | 'until'): RawBuilder<string> {
  const params = getEngine(db) === 'sqlite' ? sql`params` : sql`params::jsonb`
  return sql<string>`(${params} ->> ${sql.lit(name)})`
}
