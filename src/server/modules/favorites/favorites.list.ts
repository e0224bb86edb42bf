import { ContentType, ReviewStatus } from '#shared/enums.ts'
import type { favorites } from '#shared/contract/favorites.ts'
import { publicStatuses } from '#shared/document-status.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import type { MemberCtx } from '#server/context.ts'
import { listRows } from '#server/db/list.ts'
import { seesUnpublished } from '#server/modules/articles/articles.policy.ts'
import { findArticles } from '#server/modules/articles/articles.queries.ts'
import { presentDocuments } from '#server/modules/documents/documents.present.ts'
import { isOpenTo } from '#server/modules/documents/visibility/visibility.policy.ts'
import { documentColumns } from '#server/db/tables/documents.ts'

type ListReply = Reply<typeof favorites.list>
type Paging = Omit<Input<typeof favorites.list>, 'type'>

const sizes = { min: 1, max: 100, default: 20 }
const order = [['favorite.id', 'desc']] as const

/** The caller's favorites that still exist and that they may see. */
export function listFavorites(ctx: MemberCtx, { type, ...paging }: Input<typeof favorites.list>): Promise<ListReply> {
  return type === ContentType.Article ? listArticles(ctx, paging) : listDocuments(ctx, paging)
}

async function listDocuments(ctx: MemberCtx, paging: Paging): Promise<ListReply> {
  const { db, viewer } = ctx
  const query = db
    .selectFrom('favorite')
    .innerJoin('document', 'document.id', 'favorite.document_id')
    .selectAll('favorite')
    .where('favorite.user_id', '=', viewer.id)
    .where('favorite.type', '=', ContentType.Document)
    .where('document.deleted_at', 'is', null)
  const visible = viewer.can('DocumentAPI/ListDocument')
    ? query
    : query
        .where(isOpenTo(viewer))
        .where((where) =>
          where.or([where('document.status', 'in', [...publicStatuses]), where('document.user_id', '=', viewer.id)]),
        )
  const { total, rows } = await listRows(visible, paging, { search: ['document.title'], order, sizes })
  const ids = rows.map(({ document_id }) => document_id)
  const documents =
    ids.length > 0 ? await db.selectFrom('document').select(documentColumns).where('id', 'in', ids).execute() : []
  const byId = new Map((await presentDocuments(ctx, documents)).map((document) => [document.id, document]))
  const favorite = rows.flatMap((row) => {
    const document = byId.get(row.document_id)
    if (!document) return []
    const { title, uuid, ext, score, size, pages, cover } = document
    return [{ ...row, title, document_uuid: uuid, ext, score, size, pages, cover }]
  })
  return { total, favorite }
}

async function listArticles(ctx: MemberCtx, paging: Paging): Promise<ListReply> {
  const { db, viewer } = ctx
  const query = db
    .selectFrom('favorite')
    .innerJoin('article', 'article.id', 'favorite.document_id')
    .selectAll('favorite')
    .where('favorite.user_id', '=', viewer.id)
    .where('favorite.type', '=', ContentType.Article)
    .where('article.deleted_at', 'is', null)
  const visible = seesUnpublished(viewer)
    ? query
    : query.where((where) =>
        where.or([where('article.status', '=', ReviewStatus.Approved), where('article.user_id', '=', viewer.id)]),
      )
  const { total, rows } = await listRows(visible, paging, { search: ['article.title'], order, sizes })
  const articles = await findArticles(
    db,
    rows.map(({ document_id }) => document_id),
  )
  const byId = new Map(articles.map((article) => [article.id, article]))
  const favorite = rows.flatMap((row) => {
    const article = byId.get(row.document_id)
    if (!article) return []
    const { title, identifier, cover } = article
    return [{ ...row, title, document_uuid: identifier, ext: '', score: 0, size: 0, pages: 0, cover }]
  })
  return { total, favorite }
}
