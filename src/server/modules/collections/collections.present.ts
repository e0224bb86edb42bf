import { type Selectable, sql } from 'kysely'
import type { Collection, CollectionItem } from '#shared/contract/collections.ts'
import { ContentType } from '#shared/enums.ts'
import type { Ctx } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'
import type { Tables } from '#server/db/tables.ts'
import { documentColumns } from '#server/db/tables/documents.ts'
import { isPublic as isPublicArticle } from '#server/modules/articles/articles.policy.ts'
import { presentArticles } from '#server/modules/articles/articles.present.ts'
import { findArticles } from '#server/modules/articles/articles.queries.ts'
import { isPublic as isPublicDocument } from '#server/modules/documents/documents.policy.ts'
import { presentDocuments } from '#server/modules/documents/documents.present.ts'
import { loadAuthors } from '#server/modules/users/authors.ts'
import { owns, seesAll } from './collections.policy.ts'
import { hasVisibleContent } from './visible-content.ts'

export type CollectionRow = Selectable<Tables['collection']>
export type ItemRow = Selectable<Tables['collection_item']>

/** Covers of a collection. */
const maxCovers = 4

/** Rows as the viewer may see them; a constant number of queries however many there are. */
export async function presentCollections(ctx: Ctx, rows: readonly CollectionRow[]): Promise<Collection[]> {
  if (rows.length === 0) return []
  const [authorOf, beginnings] = await Promise.all([
    loadAuthors(
      ctx,
      rows.map(({ user_id }) => user_id),
    ),
    findBeginnings(
      ctx,
      rows.map(({ id }) => id),
    ),
  ])
  const contentOf = await describeContents(
    ctx,
    beginnings.map(({ content_type, content_id }) => ({ content_type, content_id })),
  )
  const byCollection = Map.groupBy(beginnings, ({ collection_id }) => collection_id)
  return rows.map(({ ip: _ip, ...row }) => {
    const first = byCollection.get(row.id) ?? []
    return {
      ...row,
      reject_reason: owns(ctx.viewer, row) || seesAll(ctx.viewer) ? row.reject_reason : '',
      user: authorOf(row.user_id),
      item_count: first[0]?.total ?? 0,
      cover: first.flatMap((item) => contentOf(item)?.cover || []),
    }
  })
}

/** The items with their content; those whose content is gone are left out. */
export async function presentItems(ctx: Ctx, rows: readonly ItemRow[]): Promise<CollectionItem[]> {
  const contentOf = await describeContents(ctx, rows)
  return rows.flatMap((row) => {
    const content = contentOf(row)
    const { id, content_type: type, content_id, note, created_at } = row
    return content ? [{ id, type, content_id, note, created_at, ...content }] : []
  })
}

/** The first items of collections that the viewer may see, and how many each has. */
async function findBeginnings({ db, viewer }: Ctx, collectionIds: readonly number[]) {
  const visible = db
    .selectFrom('collection_item')
    .select(['collection_id', 'content_type', 'content_id'])
    .select(sql<number>`row_number() over (partition by collection_id order by sort desc, id)`.as('place'))
    .select(sql<number>`count(*) over (partition by collection_id)`.as('total'))
    .where(inList(db, 'collection_id', collectionIds))
    .where(hasVisibleContent(viewer, 'collection_item'))
  return db
    .selectFrom(visible.as('visible'))
    .selectAll()
    .where('place', '<=', maxCovers)
    .orderBy('collection_id')
    .orderBy('place')
    .execute()
}

interface ContentRef {
  content_type: ContentType
  content_id: number
}

type Content = Omit<CollectionItem, 'id' | 'type' | 'content_id' | 'note' | 'created_at'>

/** A lookup for what collections show of documents and articles. The caller has checked that the viewer may see them. */
async function describeContents(
  ctx: Ctx,
  refs: readonly ContentRef[],
): Promise<(ref: ContentRef) => Content | undefined> {
  const idsOf = (type: ContentType) => [
    ...new Set(refs.filter((ref) => ref.content_type === type).map(({ content_id }) => content_id)),
  ]
  const [documents, articles] = await Promise.all([
    describeDocuments(ctx, idsOf(ContentType.Document)),
    describeArticles(ctx, idsOf(ContentType.Article)),
  ])
  return ({ content_type, content_id }) => (content_type === ContentType.Article ? articles : documents).get(content_id)
}

async function describeDocuments(ctx: Ctx, ids: readonly number[]): Promise<Map<number, Content>> {
  if (ids.length === 0) return new Map()
  const rows = await ctx.db
    .selectFrom('document')
    .select(documentColumns)
    .where(inList(ctx.db, 'id', ids))
    .execute()
  return new Map(
    (await presentDocuments(ctx, rows)).map((document) => {
      const { id, title, uuid, description, ext, pages, cover, username: author, user_id } = document
      const is_public = isPublicDocument(document)
      return [id, { title, uuid, description, ext, pages, cover, author, user_id, is_public }]
    }),
  )
}

async function describeArticles(ctx: Ctx, ids: readonly number[]): Promise<Map<number, Content>> {
  if (ids.length === 0) return new Map()
  const rows = await findArticles(ctx.db, ids)
  return new Map(
    (await presentArticles(ctx, rows)).map((article) => {
      const { id, title, identifier: uuid, description, cover, author, user_id } = article
      const is_public = isPublicArticle(article)
      return [id, { title, uuid, description, ext: '', pages: 0, cover, author, user_id, is_public }]
    }),
  )
}
