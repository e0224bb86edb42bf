import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { publicStatuses } from '#shared/document-status.ts'
import { ContentType, ReviewStatus } from '#shared/enums.ts'
import type { Viewer } from '#server/context.ts'
import { seesUnpublished as seesAllArticles } from '#server/modules/articles/articles.policy.ts'
import { seesUnpublished as seesAllDocuments } from '#server/modules/documents/documents.policy.ts'
import { isOpenTo } from '#server/modules/documents/visibility/visibility.policy.ts'

/**
 * Whether the viewer may see the document or article that a row of this table is about: the rules of documents and
 * articles, as a condition for lists.
 */
export function hasVisibleContent(viewer: Viewer, table: 'collection_item' | 'follow_news'): RawBuilder<SqlBool> {
  const id = sql.ref(`${table}.content_id`)
  const own = viewer.id || -1
  const statuses = sql.join(publicStatuses.map((status) => sql.lit(status)))
  const documents = seesAllDocuments(viewer)
    ? sql`1 = 1`
    : sql`${isOpenTo(viewer)} and (document.status in (${statuses}) or document.user_id = ${own})`
  const articles = seesAllArticles(viewer)
    ? sql`1 = 1`
    : sql`(article.status = ${sql.lit(ReviewStatus.Approved)} or article.user_id = ${own})`
  return sql<SqlBool>`case when ${sql.ref(`${table}.content_type`)} = ${sql.lit(ContentType.Article)}
    then exists (select 1 from article where article.id = ${id} and article.deleted_at is null and ${articles})
    else exists (select 1 from document where document.id = ${id} and document.deleted_at is null and ${documents}) end`
}
