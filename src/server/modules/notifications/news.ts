import { FollowTarget } from '#shared/collections.ts'
import { ContentType } from '#shared/enums.ts'
import { NotificationKind } from '#shared/notification-kinds.ts'
import type { Ctx } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'
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
  if (headIds.length === 0) return new Map()
  const { db, viewer } = ctx
  const rows = await db
    .selectFrom('notification')
    .select(['id', 'group_id', 'params'])
    .where(({ or }) => or([inList(db, 'id', headIds), inList(db, 'group_id', headIds)]))
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(headIds.length * maxBatches)
    .execute()
  const headOf = new Map(rows.map((row) => [toParams(row).batch ?? '', row.group_id ?? row.id]))
  const contents = await db
    .selectFrom('follow_news')
    .select(['batch', 'content_type as type', 'content_id as document_id'])
    .where('batch', 'in', [...headOf.keys()])
    .where('batch', '<>', '')
    .where(hasVisibleContent(viewer, 'follow_news'))
    .orderBy('id', 'desc')
    .execute()
  const targetOf = await findTargets(db, contents)
  const byHead = Map.groupBy(contents, ({ batch }) => headOf.get(batch) ?? 0)
  return new Map(
    [...byHead].map(([head, items]) => {
      const targets = items.flatMap((item) => targetOf(item) ?? []).filter(({ user_id }) => user_id !== viewer.id)
      const articles = targets.filter(({ type }) => type === ContentType.Article).length
      const titles = targets.slice(0, maxTitles).map(({ title }) => title)
      const href = targets.length === 1 ? (targets[0]?.href ?? '') : ''
      return [head, { documents: targets.length - articles, articles, titles, href }]
    }),
  )
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
