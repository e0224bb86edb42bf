import { type RawBuilder, sql } from 'kysely'
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
    findNews(ctx, heads),
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
  return [{ head: head.id, kind, target, first: batch, last: until }]
}

/** By notification: without what the member published, or cannot see. */
async function findNews(ctx: Ctx, heads: readonly Head[]): Promise<Map<number, News>> {
  const newsHeads = heads.filter(({ kind }) => targetKinds.has(kind))
  if (newsHeads.length === 0) return new Map()
  const announced = [...newsHeads, ...(await findGrouped(ctx.db, newsHeads))].flatMap(toAnnounced)
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

/** The other notifications of groups, as if they were the first: each batch had one of its own once. */
async function findGrouped(db: Db, heads: readonly Head[]): Promise<Head[]> {
  const ids = heads.map(({ id }) => id)
  const rows = await db
    .selectFrom('notification')
    .select(['group_id', 'kind', 'params'])
    .where(inList(db, 'group_id', ids))
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(maxCounted)
    .execute()
  return rows.flatMap(({ group_id: id, ...row }) => (id === null ? [] : [{ id, ...row }]))
}

/** The documents and articles of each head that are named, each with the numbers of all of them. */
function findLatest({ db, viewer }: Ctx, announced: readonly Announced[]) {
  const isArticle = sql`follow_news.content_type = ${sql.lit(ContentType.Article)}`
  const author = sql<number>`case when ${isArticle}
    then (select article.user_id from article where article.id = follow_news.content_id)
    else (select document.user_id from document where document.id = follow_news.content_id) end`
  const ranked = db
    // Without this SQLite looks for the limit again with each row.
    .with(
      (cte) => cte('announced').materialized(),
      () => toCounted(db, announced),
    )
    .selectFrom('follow_news')
    .innerJoin('announced', (join) =>
      join
        .onRef('follow_news.kind', '=', 'announced.kind')
        .onRef('follow_news.target_id', '=', 'announced.target')
        .onRef('follow_news.batch', '>=', 'announced.first')
        .onRef('follow_news.batch', '<=', 'announced.last')
        .on(({ or, eb, ref }) =>
          or([eb('follow_news.batch', '>', ref('announced.first')), eb('follow_news.id', '>', ref('announced.after'))]),
        ),
    )
    .select(['announced.head', 'follow_news.content_type as type', 'follow_news.content_id as document_id'])
    .select([
      sql<number>`row_number() over (partition by announced.head order by follow_news.id desc)`.as('position'),
      sql<number>`count(*) over (partition by announced.head)`.as('total'),
      sql<number>`count(case when ${isArticle} then 1 end) over (partition by announced.head)`.as('articles'),
    ])
    .where(hasVisibleContent(viewer, 'follow_news'))
    .where(author, '<>', viewer.id)
    // A category does not tell of the authors whom the member already followed.
    .where(({ or, not, eb, exists, selectFrom }) =>
      or([
        eb('follow_news.kind', '<>', FollowTarget.Category),
        not(
          exists(
            selectFrom('follow')
              .select('follow.id')
              .where('follow.user_id', '=', viewer.id)
              .where('follow.kind', '=', FollowTarget.Author)
              .where('follow.target_id', '=', author)
              .whereRef('follow.created_at', '<=', 'follow_news.created_at'),
          ),
        ),
      ]),
    )
  return db.selectFrom(ranked.as('ranked')).selectAll().where('position', '<=', maxTitles).orderBy('position').execute()
}

/** As a table. If there are too many news, `first` and `after` name the batch and the id of the latest that is not counted. */
function toCounted(db: Db, announced: readonly Announced[]) {
  const limited = db
    .selectFrom(announcedTable(db, announced).as('told'))
    .selectAll('told')
    .select(({ selectFrom }) =>
      selectFrom('follow_news')
        .select('follow_news.id')
        .whereRef('follow_news.kind', '=', 'told.kind')
        .whereRef('follow_news.target_id', '=', 'told.target')
        .whereRef('follow_news.batch', '>=', 'told.first')
        .whereRef('follow_news.batch', '<=', 'told.last')
        .orderBy('follow_news.batch', 'desc')
        .orderBy('follow_news.id', 'desc')
        .limit(1)
        .offset(maxCounted)
        .as('after'),
    )
  return db
    .selectFrom(limited.as('limited'))
    .leftJoin('follow_news as uncounted', 'uncounted.id', 'limited.after')
    .select(({ fn }) => [
      'limited.head',
      'limited.kind',
      'limited.target',
      'limited.last',
      fn.coalesce('uncounted.batch', 'limited.first').as('first'),
      fn.coalesce('uncounted.id', sql<number>`0`).as('after'),
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
