import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import { ContentType } from '#shared/enums.ts'
import type { Ctx } from '#server/context.ts'

/** The thing that an entry is about: its name as it was, and its page if it has one. */
export interface Target {
  id: string
  name: string
  href: string
}

const storedTargets = z.array(z.object({ id: z.string(), name: z.string(), href: z.string() }))

export function parseTargets(json: string): Target[] {
  return z.parse(storedTargets, JSON.parse(json))
}

/** A kind of thing: its table, the expression of its name, and of its page or else the list where its name finds it. */
interface Kind {
  table: string
  key?: string
  name: RawBuilder<string>
  href?: RawBuilder<string>
  list?: `/admin/${string}`
}

const none = sql<string>`''`
const title = sql<string>`title`
const documentTitle = sql<string>`(select d.title from document d where d.id = document_id)`
const documentHref = sql<string>`'/document/' || document_id`
const orderHref = sql<string>`'/admin/order?wd=' || order_no`
/** A comment has the id of what it is about in the column of documents, of an article too. */
const commentHref = sql<string>`case type when ${ContentType.Article}
  then '/article/' || (select a.identifier from article a where a.id = document_id)
  else '/document/' || document_id end || '#comment-' || id`
const username = sql<string>`(select u.username from "user" u where u.id = user_id)`
const userHref = sql<string>`'/user/' || user_id`

const kinds = {
  user: { table: 'user', name: sql<string>`username`, href: sql<string>`'/user/' || id` },
  group: { table: 'group', name: title, href: sql<string>`'/admin/user/group'` },
  permission: { table: 'permission', name: title, list: '/admin/user/permission' },
  document: { table: 'document', name: title, href: sql<string>`'/document/' || uuid` },
  article: { table: 'article', name: title, href: sql<string>`'/article/' || identifier` },
  category: { table: 'category', name: title, href: sql<string>`'/category/' || id` },
  attachment: { table: 'attachment', name: sql<string>`name`, list: '/admin/attachment' },
  collection: { table: 'collection', name: title, href: sql<string>`'/collection/' || uuid` },
  topic: { table: 'topic', name: title, href: sql<string>`'/topic/' || id` },
  announcement: { table: 'announcement', name: title, href: sql<string>`'/announcement/' || id` },
  order: { table: 'order', name: sql<string>`product_name`, href: orderHref },
  orderNumber: { table: 'order', key: 'order_no', name: sql<string>`product_name`, href: orderHref },
} satisfies Record<string, Kind>

export type TargetKind = keyof typeof kinds

/** The kind of thing that the ids of an area's endpoints name; an endpoint about another kind stands beside its area. */
export const areaKinds: Record<string, Kind | undefined> = {
  users: kinds.user,
  privacy: kinds.user,
  groups: kinds.group,
  permissions: kinds.permission,
  punishments: { table: 'punishment', name: username, href: userHref },
  documents: kinds.document,
  documentRecycle: kinds.document,
  documentShares: { table: 'document_share', name: documentTitle, href: documentHref },
  replacements: { table: 'document_replacement', name: documentTitle, href: documentHref },
  'replacements.create': kinds.document,
  articles: kinds.article,
  articleRecycle: kinds.article,
  articleVersions: {
    table: 'article_version',
    name: title,
    href: sql<string>`'/article/' || (select a.identifier from article a where a.id = article_id)`,
  },
  categories: kinds.category,
  attachments: kinds.attachment,
  collections: kinds.collection,
  topics: kinds.topic,
  announcements: kinds.announcement,
  navigations: { table: 'navigation', name: title, list: '/admin/navigation' },
  friendlinks: { table: 'friendlink', name: title, list: '/admin/friendlink' },
  banners: { table: 'banner', name: title, list: '/admin/banner' },
  advertisements: {
    table: 'advertisement',
    name: sql<string>`coalesce(nullif(title, ''), position)`,
    list: '/admin/advertisement',
  },
  languages: { table: 'language', name: sql<string>`language`, list: '/admin/document/language' },
  comments: { table: 'comment', name: sql<string>`content`, href: commentHref },
  reports: { table: 'report', name: sql<string>`document_title`, href: documentHref },
  orders: kinds.order,
  'orders.handleDifference': {
    table: 'bill_difference',
    name: sql<string>`coalesce(nullif(order_no, ''), attempt_no)`,
    list: '/admin/order/difference',
  },
  outlays: { table: 'outlay', name: title, list: '/admin/outlay' },
  vip: { table: 'user_vip', name: username, href: userHref },
  'vip.grant': kinds.user,
  codes: { table: 'download_code_batch', name: sql<string>`note`, list: '/admin/downloadcode' },
  invitations: { table: 'invitation', name: sql<string>`email`, list: '/admin/user/invitation' },
  mails: { table: 'mail', name: sql<string>`recipient`, list: '/admin/user/mail' },
  sms: { table: 'sms', name: sql<string>`mobile`, list: '/admin/user/sms' },
  searchRecords: { table: 'search_record', name: sql<string>`keywords` },
  spiderSources: { table: 'spider_source', name: sql<string>`name`, list: '/admin/spider/source' },
  spiderUrls: { table: 'spider_url', name: sql<string>`url`, list: '/admin/spider/url' },
  spiderDocuments: { table: 'spider_document', name: title, list: '/admin/spider/document' },
  backups: { table: 'backup', name: sql<string>`name` },
  credits: kinds.user,
}

/** Keys of requests that hold ids. */
export const idKinds: Record<string, TargetKind | undefined> = {
  user_id: 'user',
  group_id: 'group',
  permission_id: 'permission',
  document_id: 'document',
  article_id: 'article',
  category_id: 'category',
  attachment_id: 'attachment',
}

const maxTargets = 20
const maxNameLength = 60

/** Where ids are found: those of a kind, or those that an endpoint of the area is called with. */
export type Where = { kind: TargetKind } | { area: string; action: string }

export function findTargets(ctx: Ctx, where: Where, ids: readonly (number | string)[]): Promise<Target[]> {
  return load(ctx, kindOf(where, ids), ids.slice(0, maxTargets))
}

/** The same object for the same kind of thing. */
export function kindOf(where: Where, ids: readonly (number | string)[]): Kind | undefined {
  if ('kind' in where) return kinds[where.kind]
  const { area, action } = where
  if (area === 'orders' && ids.some((id) => typeof id === 'string')) return kinds.orderNumber
  return areaKinds[`${area}.${action}`] ?? areaKinds[area]
}

/** Targets come in the order of the ids; one that is not there has no name. */
async function load({ db }: Ctx, kind: Kind | undefined, ids: readonly (number | string)[]): Promise<Target[]> {
  const nameless = ids.map((id) => ({ id: String(id), name: '', href: '' }))
  if (!kind || ids.length === 0) return nameless
  const { table, key = 'id', name, href = none, list } = kind
  const { rows } = await sql<{ id: number | string; name: string | null; href: string | null }>`
    select ${sql.ref(key)} as id, ${name} as name, ${href} as href
    from ${sql.table(table)} where ${sql.ref(key)} in (${sql.join(ids)})`.execute(db)
  const byId = new Map(rows.map((row) => [String(row.id), row]))
  return nameless.map(({ id }) => {
    const { name: found, href } = byId.get(id) ?? {}
    const name = found ?? ''
    const inList = list && name ? `${list}?${new URLSearchParams({ wd: name.toWellFormed() })}` : ''
    return { id, name: shorten(name), href: href || inList }
  })
}

function shorten(text: string): string {
  return (text.length > maxNameLength ? `${text.slice(0, maxNameLength)}…` : text).toWellFormed()
}
