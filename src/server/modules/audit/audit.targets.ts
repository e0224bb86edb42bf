import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
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

/** A kind of thing: its table, the expression of its name, and of its address. */
interface Kind {
  table: string
  key?: string
  name: RawBuilder<string>
  href?: RawBuilder<string>
}

const none = sql<string>`''`
const title = sql<string>`title`
const documentTitle = sql<string>`(select d.title from document d where d.id = document_id)`
const documentHref = sql<string>`'/document/' || document_id`
const username = sql<string>`(select u.username from "user" u where u.id = user_id)`
const userHref = sql<string>`'/user/' || user_id`

const kinds = {
  user: { table: 'user', name: sql<string>`username`, href: sql<string>`'/user/' || id` },
  group: { table: 'group', name: title, href: sql<string>`'/admin/user/group'` },
  permission: { table: 'permission', name: title },
  document: { table: 'document', name: title, href: sql<string>`'/document/' || uuid` },
  article: { table: 'article', name: title, href: sql<string>`'/article/' || identifier` },
  category: { table: 'category', name: title, href: sql<string>`'/category/' || id` },
  attachment: { table: 'attachment', name: sql<string>`name` },
  collection: { table: 'collection', name: title, href: sql<string>`'/collection/' || uuid` },
  topic: { table: 'topic', name: title, href: sql<string>`'/topic/' || id` },
  announcement: { table: 'announcement', name: title, href: sql<string>`'/announcement/' || id` },
  order: { table: 'order', name: sql<string>`product_name` },
  orderNumber: { table: 'order', key: 'order_no', name: sql<string>`product_name` },
} satisfies Record<string, Kind>

export type TargetKind = keyof typeof kinds

/** The kind of thing that the ids of an area's endpoints name. */
const areaKinds: Record<string, Kind | undefined> = {
  users: kinds.user,
  privacy: kinds.user,
  groups: kinds.group,
  permissions: kinds.permission,
  punishments: { table: 'punishment', name: username, href: userHref },
  documents: kinds.document,
  documentRecycle: kinds.document,
  documentShares: { table: 'document_share', name: documentTitle, href: documentHref },
  replacements: { table: 'document_replacement', name: documentTitle, href: documentHref },
  articles: kinds.article,
  articleRecycle: kinds.article,
  articleVersions: { table: 'article_version', name: title },
  categories: kinds.category,
  attachments: kinds.attachment,
  collections: kinds.collection,
  topics: kinds.topic,
  announcements: kinds.announcement,
  navigations: { table: 'navigation', name: title },
  friendlinks: { table: 'friendlink', name: title },
  banners: { table: 'banner', name: title },
  advertisements: { table: 'advertisement', name: sql<string>`coalesce(nullif(title, ''), position)` },
  languages: { table: 'language', name: sql<string>`language` },
  comments: { table: 'comment', name: sql<string>`content` },
  reports: { table: 'report', name: sql<string>`document_title`, href: documentHref },
  orders: kinds.order,
  vip: { table: 'user_vip', name: username, href: userHref },
  codes: { table: 'download_code_batch', name: sql<string>`note` },
  invitations: { table: 'invitation', name: sql<string>`email` },
  mails: { table: 'mail', name: sql<string>`recipient` },
  searchRecords: { table: 'search_record', name: sql<string>`keywords` },
  spiderSources: { table: 'spider_source', name: sql<string>`name` },
  spiderUrls: { table: 'spider_url', name: sql<string>`url` },
  spiderDocuments: { table: 'spider_document', name: title },
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

export function findTargets(
  ctx: Ctx,
  area: string,
  ids: readonly (number | string)[],
  kind?: TargetKind,
): Promise<Target[]> {
  const isNumber = area === 'orders' && ids.some((id) => typeof id === 'string')
  return load(ctx, kind ? kinds[kind] : isNumber ? kinds.orderNumber : areaKinds[area], ids.slice(0, maxTargets))
}

/** Targets come in the order of the ids; one that is not there has no name. */
async function load({ db }: Ctx, kind: Kind | undefined, ids: readonly (number | string)[]): Promise<Target[]> {
  const nameless = ids.map((id) => ({ id: String(id), name: '', href: '' }))
  if (!kind || ids.length === 0) return nameless
  const { table, key = 'id', name, href = none } = kind
  const { rows } = await sql<{ id: number | string; name: string | null; href: string | null }>`
    select ${sql.ref(key)} as id, ${name} as name, ${href} as href
    from ${sql.table(table)} where ${sql.ref(key)} in (${sql.join(ids)})`.execute(db)
  const byId = new Map(rows.map((row) => [String(row.id), row]))
  return nameless.map(({ id }) => {
    const row = byId.get(id)
    return { id, name: shorten(row?.name ?? ''), href: row?.href ?? '' }
  })
}

function shorten(text: string): string {
  return (text.length > maxNameLength ? `${text.slice(0, maxNameLength)}…` : text).toWellFormed()
}
