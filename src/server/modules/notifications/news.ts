import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { FollowTarget } from '#shared/collections.ts'
import { ContentType } from '#shared/enums.ts'
import { NotificationKind } from '#shared/notification-kinds.ts'
import type { Ctx } from '#server/context.ts'
import { getEngine } from '#server/db/engine.ts'
import { inList } from '#server/db/in-list.ts'
import type { Db } from '#server/db/open.ts'
import { canSee } from '#server/modules/collections/collections.policy.ts'
import { hasVisibleContent } from '#server/modules/collections/visible-content.ts'
import { findTargets } from '#server/modules/comments/comments.targets.ts'
import { categoryPath } from '#server/modules/follows/follows.list.ts'
import { toParams } from './notifications.add.ts'
import type { Facts, News } from './sentences.ts'

/** The kind of notification that tells of what is new for followers of a target. */
export const newsKinds: Record<FollowTarget, NotificationKind> = {
  [FollowTarget.Author]: NotificationKind.NewByAuthor,
  [FollowTarget.Category]: NotificationKind.NewInCategory,
  [FollowTarget.Collection]: NotificationKind.NewInCollection,
}

/** Titles that are named, and announcements that are counted: a member who never reads has one a day for years. */
const maxTitles = 3
const maxBatches = 100

interface Head {
  id: number
  kind: NotificationKind
  params: string
}

type Followed = Pick<Facts, 'news' | 'place'>

/** A lookup for what the viewer may see of the news, and of the place where they are. */
export async function findFollowed(ctx: Ctx, heads: readonly Head[]): Promise<(head: Head) => Followed> {
  const news = heads.filter(({ kind }) => Object.values(newsKinds).includes(kind))
  const [newsOf, categories, collections] = await Promise.all([
    findNews(
      ctx,
      news.map(({ id }) => id),
    ),
    findCategories(ctx, idsOf(heads, NotificationKind.NewInCategory)),
    findCollections(ctx, [
      ...idsOf(heads, NotificationKind.NewInCollection),
      ...idsOf(heads, NotificationKind.CollectionReview),
    ]),
  ])
  return (head) => {
    const place = (head.kind === NotificationKind.NewInCategory ? categories : collections).get(placeOf(head))
    const found = newsOf.get(head.id)
    return { ...(found && { news: found }), ...(place && { place }) }
  }
}

function placeOf(head: Head): number {
  const { target, collection } = toParams(head)
  return collection ?? target ?? 0
}

function idsOf(heads: readonly Head[], kind: NotificationKind): number[] {
  return heads.filter((head) => head.kind === kind).map(placeOf)
}

/** Of groups with these first rows: without what the member published, or cannot see. */
async function findNews(ctx: Ctx, headIds: readonly number[]): Promise<Map<number, News>> {
  const batches = await findBatches(ctx.db, headIds)
  if (batches.length === 0) return new Map()
  const latest = await findLatest(ctx, batches)
  const targetOf = await findTargets(ctx.db, latest)
  const byHead = Map.groupBy(latest, ({ head }) => head)
  return new Map(
    [...byHead].map(([head, items]) => {
      const { total = 0, articles = 0 } = items[0] ?? {}
      const targets = items.flatMap((item) => targetOf(item) ?? [])
      const titles = targets.map(({ title }) => title)
      const href = total === 1 ? (targets[0]?.href ?? '') : ''
      return [head, { documents: total - articles, articles, titles, href }]
    }),
  )
}

interface Batch {
  head: number
  batch: string
}

/** The latest of each group. */
async function findBatches(db: Db, headIds: readonly number[]): Promise<Batch[]> {
  if (headIds.length === 0) return []
  const ranked = db
    .selectFrom('notification')
    .select(['params', sql<number>`coalesce(group_id, id)`.as('head')])
    .select(sql<number>`row_number() over (partition by coalesce(group_id, id) order by id desc)`.as('position'))
    .where(({ or }) => or([inList(db, 'id', headIds), inList(db, 'group_id', headIds)]))
    .where('deleted_at', 'is', null)
  const rows = await db
    .selectFrom(ranked.as('ranked'))
    .select(['head', 'params'])
    .where('position', '<=', maxBatches)
    .execute()
  return rows.flatMap((row) => {
    const { batch } = toParams(row)
    return batch ? [{ head: row.head, batch }] : []
  })
}

/** The documents and articles of each head that are named, each with the numbers of all of them. */
function findLatest({ db, viewer }: Ctx, batches: readonly Batch[]) {
  const isArticle = sql`follow_news.content_type = ${sql.lit(ContentType.Article)}`
  const ofOthers = sql<SqlBool>`case when ${isArticle}
    then exists (select 1 from article where article.id = follow_news.content_id and article.user_id <> ${viewer.id})
    else exists (select 1 from document where document.id = follow_news.content_id and document.user_id <> ${viewer.id})
    end`
  const ranked = db
    .selectFrom('follow_news')
    .innerJoin(batchTable(db, batches).as('announced'), 'announced.batch', 'follow_news.batch')
    .select(['announced.head', 'follow_news.content_type as type', 'follow_news.content_id as document_id'])
    .select([
      sql<number>`row_number() over (partition by announced.head order by follow_news.id desc)`.as('position'),
      sql<number>`count(*) over (partition by announced.head)`.as('total'),
      sql<number>`count(case when ${isArticle} then 1 end) over (partition by announced.head)`.as('articles'),
    ])
    .where(hasVisibleContent(viewer, 'follow_news'))
    .where(ofOthers)
  return db.selectFrom(ranked.as('ranked')).selectAll().where('position', '<=', maxTitles).orderBy('position').execute()
}

/** As a table, in a single parameter. */
function batchTable(db: Db, batches: readonly Batch[]): RawBuilder<Batch> {
  const rows = JSON.stringify(batches.map(({ head, batch }) => [head, batch]))
  return getEngine(db) === 'sqlite'
    ? sql<Batch>`(select value ->> 0 as head, value ->> 1 as batch from json_each(${rows}))`
    : sql<Batch>`(select (value ->> 0)::bigint as head, value ->> 1 as batch from json_array_elements(${rows}::json))`
}

async function findCategories({ db }: Ctx, ids: readonly number[]): Promise<Map<number, Facts['place']>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('category')
    .select(['id', 'title', 'type'])
    .where(inList(db, 'id', ids))
    .where('enable', '=', 1)
    .execute()
  return new Map(rows.map(({ id, title, type }) => [id, { title, href: categoryPath(id, type) }]))
}

async function findCollections({ db, viewer }: Ctx, ids: readonly number[]): Promise<Map<number, Facts['place']>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('collection')
    .select(['id', 'uuid', 'title', 'user_id', 'visibility', 'status'])
    .where(inList(db, 'id', ids))
    .execute()
  const visible = rows.filter((row) => canSee(viewer, row))
  return new Map(visible.map(({ id, uuid, title }) => [id, { title, href: `/collection/${uuid}` }]))
}
