import { FollowTarget } from '#shared/collections.ts'
import { isConverting, publicStatuses } from '#shared/document-status.ts'
import { ContentType, ReviewStatus, Visibility } from '#shared/enums.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'
import type { Db } from '#server/db/open.ts'
import type { DurablePayload } from '#server/durable-events.ts'
import { enqueue, type JobPayload } from '#server/jobs.ts'
import { isPublic as isPublicCollection } from '#server/modules/collections/collections.policy.ts'
import type { TargetRef } from './follows.targets.ts'

/** Fifty files that are uploaded together are one piece of news. */
const gatherMs = 60_000
/** A category that something is published in all day is announced this often. */
const intervalMs = 30 * 60_000
/** A document that is still being converted is announced when it can be read, but not a day later. */
const conversionMs = 5 * 60_000
const patienceMs = 24 * 60 * 60_000

interface NewContent extends TargetRef {
  content_type: ContentType
  content_id: number
}

/** Followers of their authors and categories are to know of them. */
export async function gatherPublications(ctx: Ctx, { type, ids }: DurablePayload<'content.published'>): Promise<void> {
  const isArticle = type === ContentType.Article
  const [authors, categories] = await Promise.all([
    ctx.db
      .selectFrom(isArticle ? 'article' : 'document')
      .select(['id as content_id', 'user_id as target_id'])
      .where(inList(ctx.db, 'id', ids))
      .execute(),
    isArticle
      ? ctx.db
          .selectFrom('article_category')
          .select(['article_id as content_id', 'category_id as target_id'])
          .where(inList(ctx.db, 'article_id', ids))
          .execute()
      : ctx.db
          .selectFrom('document_category')
          .select(['document_id as content_id', 'category_id as target_id'])
          .where(inList(ctx.db, 'document_id', ids))
          .execute(),
  ])
  await gather(ctx, [
    ...authors.map((row) => ({ ...row, kind: FollowTarget.Author, content_type: type })),
    ...categories.map((row) => ({ ...row, kind: FollowTarget.Category, content_type: type })),
  ])
}

/** Followers of a public collection are to know of what was added to it. */
export async function gatherItems(
  ctx: Ctx,
  { collection: id, items }: DurablePayload<'collections.extended'>,
): Promise<void> {
  const collection = await ctx.db
    .selectFrom('collection')
    .select(['visibility', 'status'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!collection || !isPublicCollection(collection)) return
  const rows = await ctx.db
    .selectFrom('collection_item')
    .select(['content_type', 'content_id'])
    .where('collection_id', '=', id)
    .where(inList(ctx.db, 'id', items))
    .execute()
  await gather(
    ctx,
    rows.map((row) => ({ ...row, kind: FollowTarget.Collection, target_id: id })),
  )
}

/** Only what has followers is written down. An event that is delivered twice adds nothing. */
async function gather(ctx: Ctx, contents: readonly NewContent[]): Promise<void> {
  const followed = await findFollowed(ctx.db, contents)
  const byTarget = Map.groupBy(contents, ({ kind, target_id }) => toKey(kind, target_id))
  for (const { kind, target_id } of followed) {
    const rows = byTarget.get(toKey(kind, target_id)) ?? []
    await transaction(ctx, async (ctx) => {
      const added = await ctx.db
        .insertInto('follow_news')
        .values(rows.map((row) => ({ ...row, batch: '', created_at: ctx.now() })))
        .onConflict((conflict) => conflict.columns(['kind', 'target_id', 'content_type', 'content_id']).doNothing())
        .returning('id')
        .execute()
      if (added.length === 0) return
      const last = await findLastAnnounced(ctx.db, { kind, target_id })
      const runAt = Math.max(ctx.now() + gatherMs, last + intervalMs)
      await enqueue(ctx, 'follows.announce', { kind, target: target_id }, { runAt })
    })
  }
}

/** What waits for this target becomes one notification for each follower. */
export async function announce(outer: Ctx, payload: JobPayload<'follows.announce'>): Promise<void> {
  const kind = payload.kind as FollowTarget
  const target_id = payload.target
  await transaction(outer, async (ctx) => {
    const { db, now } = ctx
    const waiting = await db
      .selectFrom('follow_news')
      .select(['id', 'content_type', 'content_id', 'created_at'])
      .where('batch', '=', '')
      .where('kind', '=', kind)
      .where('target_id', '=', target_id)
      .execute()
    const stateOf = await findStates(db, waiting)
    const idsOf = (state: State) => waiting.filter((row) => stateOf(row) === state).map(({ id }) => id)
    const [ready, converting] = [idsOf('ready'), waiting.filter((row) => stateOf(row) === 'converting')]
    const expired = converting.filter(({ created_at }) => created_at < now() - patienceMs).map(({ id }) => id)
    await db
      .deleteFrom('follow_news')
      .where(inList(db, 'id', [...idsOf('hidden'), ...expired]))
      .execute()
    if (converting.length > expired.length)
      await enqueue(ctx, 'follows.announce', payload, { runAt: now() + conversionMs })
    if (ready.length === 0 || !(await isAnnounceable(db, { kind, target_id }))) return
    const batch = newBatch(ctx)
    await db
      .updateTable('follow_news')
      .set({ batch })
      .where(inList(db, 'id', ready))
      .execute()
    await enqueue(ctx, 'notifications.followers', { batch })
  })
}

/** In the order of time, so that a notification names the first and the last of those that it tells of. */
function newBatch(ctx: Ctx): string {
  return `${String(ctx.now()).padStart(14, '0')}-${ctx.id()}`
}

type State = 'ready' | 'converting' | 'hidden'

/** Whether everyone may see it by now. */
async function findStates(db: Db, rows: readonly { content_type: ContentType; content_id: number }[]) {
  const idsOf = (type: ContentType) => rows.filter((row) => row.content_type === type).map((row) => row.content_id)
  const documents = await db
    .selectFrom('document')
    .select(['id', 'status'])
    .where(inList(db, 'id', idsOf(ContentType.Document)))
    .where('deleted_at', 'is', null)
    .where('visibility', '=', Visibility.Public)
    .where('status', 'in', [...publicStatuses])
    .execute()
  const articles = await db
    .selectFrom('article')
    .select('id')
    .where(inList(db, 'id', idsOf(ContentType.Article)))
    .where('deleted_at', 'is', null)
    .where('status', '=', ReviewStatus.Approved)
    .execute()
  const states = new Map<string, State>([
    ...documents.map((row): [string, State] => [
      toKey(ContentType.Document, row.id),
      isConverting(row) ? 'converting' : 'ready',
    ]),
    ...articles.map((row): [string, State] => [toKey(ContentType.Article, row.id), 'ready']),
  ])
  return (row: { content_type: ContentType; content_id: number }): State =>
    states.get(toKey(row.content_type, row.content_id)) ?? 'hidden'
}

/** A collection may have been hidden since. */
async function isAnnounceable(db: Db, { kind, target_id }: TargetRef): Promise<boolean> {
  if (kind !== FollowTarget.Collection) return true
  const row = await db
    .selectFrom('collection')
    .select(['visibility', 'status'])
    .where('id', '=', target_id)
    .executeTakeFirst()
  return row !== undefined && isPublicCollection(row)
}

/** Those of the targets that have followers. */
async function findFollowed(db: Db, contents: readonly NewContent[]): Promise<TargetRef[]> {
  const byKind = Map.groupBy(contents, ({ kind }) => kind)
  const found: TargetRef[] = []
  for (const [kind, rows] of byKind) {
    const followed = await db
      .selectFrom('follow')
      .select('target_id')
      .distinct()
      .where('kind', '=', kind)
      .where(
        inList(
          db,
          'target_id',
          rows.map(({ target_id }) => target_id),
        ),
      )
      .execute()
    found.push(...followed.map(({ target_id }) => ({ kind, target_id })))
  }
  return found
}

/** 0 if nothing was announced yet. */
async function findLastAnnounced(db: Db, { kind, target_id }: TargetRef): Promise<number> {
  const row = await db
    .selectFrom('follow_news')
    .select('created_at')
    .where('kind', '=', kind)
    .where('target_id', '=', target_id)
    .where('batch', '<>', '')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.created_at ?? 0
}

function toKey(kind: number, id: number): string {
  return `${kind}:${id}`
}
