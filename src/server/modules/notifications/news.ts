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

const targetKinds = new Map(Object.entries(newsKinds).map(([target, kind]) => [kind, Number(target)]))

/** Titles that are named, and news that are counted: a member who never reads has some every day for years. */
const maxTitles = 3
const maxCounted = 1000

interface Head {
  id: number
  kind: NotificationKind
  params: string
}

type Followed = Pick<Facts, 'news' | 'place'>

/** A lookup for what the viewer may see of the news, and of the place where they are. */
export async function findFollowed(ctx: Ctx, heads: readonly Head[]): Promise<(head: Head) => Followed> {
  const [newsOf, categories, collections] = await Promise.all([
    findNews(ctx, heads.flatMap(toAnnounced)),
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

/** The news that a notification tells of. */
interface Announced {
  head: number
  kind: number
  target: number
  first: string
  last: string
}

/** None for a notification of another kind, or one that does not say. */
function toAnnounced(head: Head): Announced[] {
  const kind = targetKinds.get(head.kind)
  const { batch, until = batch, target } = toParams(head)
  if (kind === undefined || !batch || !until || !target) return []
  // The clock of the machine may have been set back.
  const [first, last] = batch < until ? [batch, until] : [until, batch]
  return [{ head: head.id, kind, target, first, last }]
}

/** By notification: without what the member published, or cannot see. */
async function findNews(ctx: Ctx, announced: readonly Announced[]): Promise<Map<number, News>> {
  if (announced.length === 0) return new Map()
  const latest = await findLatest(ctx, announced)
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

/** The documents and articles of each head that are named, each with the numbers of all of them. */
function findLatest({ db, viewer }: Ctx, announced: readonly Announced[]) {
  const isArticle = sql`follow_news.content_type = ${sql.lit(ContentType.Article)}`
  const ofOthers = sql<SqlBool>`case when ${isArticle}
    then exists (select 1 from article where article.id = follow_news.content_id and article.user_id <> ${viewer.id})
    else exists (select 1 from document where document.id = follow_news.content_id and document.user_id <> ${viewer.id})
    end`
  const ranked = db
    .selectFrom('follow_news')
    .innerJoin(toCounted(db, announced).as('announced'), (join) =>
      join
        .onRef('follow_news.kind', '=', 'announced.kind')
        .onRef('follow_news.target_id', '=', 'announced.target')
        .onRef('follow_news.id', '>', 'announced.after')
        .onRef('follow_news.batch', '>=', 'announced.first')
        .onRef('follow_news.batch', '<=', 'announced.last'),
    )
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

/** As a table, with the news that are too old to be counted. */
function toCounted(db: Db, announced: readonly Announced[]) {
  return db
    .selectFrom(announcedTable(db, announced).as('told'))
    .select(({ selectFrom, fn }) => [
      'told.head',
      'told.kind',
      'told.target',
      'told.first',
      'told.last',
      fn
        .coalesce(
          selectFrom('follow_news')
            .select('follow_news.id')
            .whereRef('follow_news.kind', '=', 'told.kind')
            .whereRef('follow_news.target_id', '=', 'told.target')
            .orderBy('follow_news.id', 'desc')
            .limit(1)
            .offset(maxCounted),
          sql<number>`0`,
        )
        .as('after'),
    ])
}

/** In a single parameter. */
function announcedTable(db: Db, announced: readonly Announced[]): RawBuilder<Announced> {
  const rows = JSON.stringify(announced)
  return getEngine(db) === 'sqlite'
    ? sql<Announced>`(select value ->> 'head' as head, value ->> 'kind' as kind, value ->> 'target' as target,
        value ->> 'first' as first, value ->> 'last' as last from json_each(${rows}))`
    : sql<Announced>`(select * from json_to_recordset(${rows}::json)
        as told (head bigint, kind bigint, target bigint, first text, last text))`
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
