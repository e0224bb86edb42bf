import { OrderStatus, ReviewStatus, Visibility } from '#shared/enums.ts'
import { publicStatuses } from '#shared/document-status.ts'
import type { Db } from '#server/db/open.ts'

/** What a member owns on the site, as far as a deletion has to do with it. */
export async function countOwned(db: Db, userId: number) {
  const documents = db.selectFrom('document').where('document.user_id', '=', userId)
  const articles = db.selectFrom('article').where('user_id', '=', userId)
  const [all, open, sold, written, approved, orders] = await Promise.all([
    documents.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
    documents
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('deleted_at', 'is', null)
      .where('status', 'in', publicStatuses)
      .where('visibility', '=', Visibility.Public)
      .executeTakeFirstOrThrow(),
    documents
      .innerJoin('document_grant', 'document_grant.document_id', 'document.id')
      .select(({ fn }) => fn.count<number>('document.id').distinct().as('count'))
      .where('document_grant.revoked_at', 'is', null)
      .executeTakeFirstOrThrow(),
    articles.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
    articles
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('deleted_at', 'is', null)
      .where('status', '=', ReviewStatus.Approved)
      .executeTakeFirstOrThrow(),
    selectOpenOrders(db, userId)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  ])
  return {
    document_count: all.count,
    public_document_count: open.count,
    sold_document_count: sold.count,
    article_count: written.count,
    public_article_count: approved.count,
    open_order_count: orders.count,
  }
}

/** Money may still come or go: each of them ends by itself or by staff, and the deletion waits for that. */
export function selectOpenOrders(db: Db, userId: number) {
  return db
    .selectFrom('order')
    .where('order.user_id', '=', userId)
    .where((eb) =>
      eb.or([
        eb('order.status', '=', OrderStatus.Pending),
        eb('order.has_surplus', '=', 1),
        eb.exists(
          eb
            .selectFrom('refund')
            .select('refund.id')
            .whereRef('refund.order_id', '=', 'order.id')
            .where('refund.state', '=', 'processing'),
        ),
      ]),
    )
}
