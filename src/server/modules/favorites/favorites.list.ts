import type { favorites } from '#shared/contract/social.ts'
import { publicStatuses } from '#shared/document-status.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import type { MemberCtx } from '#server/context.ts'
import { listRows } from '#server/db/list.ts'
import { judges } from '#server/modules/articles/articles.policy.ts'
import { articlesOf } from '#server/modules/articles/articles.queries.ts'
import { presentDocuments } from '#server/modules/documents/documents.present.ts'
import { listedColumns } from '#server/modules/documents/documents.queries.ts'

type Listed = Reply<typeof favorites.list>
type Paging = Omit<Input<typeof favorites.list>, 'type'>

const sizes = { min: 1, max: 100, default: 20 }
const order = [['favorite.id', 'desc']] as const

/** One's own, as far as it is still there and may be seen. */
export function listFavorites(ctx: MemberCtx, { type, ...paging }: Input<typeof favorites.list>): Promise<Listed> {
  return type === 1 ? listArticles(ctx, paging) : listDocuments(ctx, paging)
}

async function listDocuments(ctx: MemberCtx, paging: Paging): Promise<Listed> {
  const { db, viewer } = ctx
  const kept = db
    .selectFrom('favorite')
    .innerJoin('document', 'document.id', 'favorite.document_id')
    .selectAll('favorite')
    .where('favorite.user_id', '=', viewer.id)
    .where('favorite.type', '=', 0)
    .where('document.deleted_at', 'is', null)
  const seen = viewer.can('DocumentAPI/ListDocument')
    ? kept
    : kept.where((where) =>
        where.or([where('document.status', 'in', [...publicStatuses]), where('document.user_id', '=', viewer.id)]),
      )
  const { total, rows } = await listRows(seen, paging, { search: ['document.title'], order, sizes })
  const ids = rows.map(({ document_id }) => document_id)
  const found =
    ids.length > 0 ? await db.selectFrom('document').select(listedColumns).where('id', 'in', ids).execute() : []
  const shown = new Map((await presentDocuments(ctx, found)).map((document) => [document.id, document]))
  const favorite = rows.flatMap((row) => {
    const document = shown.get(row.document_id)
    if (!document) return []
    const { title, uuid, ext, score, size, pages, cover } = document
    return [{ ...row, title, document_uuid: uuid, ext, score, size, pages, cover }]
  })
  return { total, favorite }
}

async function listArticles(ctx: MemberCtx, paging: Paging): Promise<Listed> {
  const { db, viewer } = ctx
  const kept = db
    .selectFrom('favorite')
    .innerJoin('article', 'article.id', 'favorite.document_id')
    .selectAll('favorite')
    .where('favorite.user_id', '=', viewer.id)
    .where('favorite.type', '=', 1)
    .where('article.deleted_at', 'is', null)
  const seen = judges(viewer)
    ? kept
    : kept.where((where) => where.or([where('article.status', '=', 1), where('article.user_id', '=', viewer.id)]))
  const { total, rows } = await listRows(seen, paging, { search: ['article.title'], order, sizes })
  const found = await articlesOf(
    db,
    rows.map(({ document_id }) => document_id),
  )
  const shown = new Map(found.map((article) => [article.id, article]))
  const favorite = rows.flatMap((row) => {
    const article = shown.get(row.document_id)
    if (!article) return []
    const { title, identifier, cover } = article
    return [{ ...row, title, document_uuid: identifier, ext: '', score: 0, size: 0, pages: 0, cover }]
  })
  return { total, favorite }
}
