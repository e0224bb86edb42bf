import { ReviewStatus } from '#shared/enums.ts'
import { sql } from 'kysely'
import { publicStatuses } from '#shared/document-status.ts'
import type { Ctx } from '#server/context.ts'
import { presentArticles } from '#server/modules/articles/articles.present.ts'
import { findPublicArticles } from '#server/modules/articles/articles.queries.ts'
import { presentDocuments } from '#server/modules/documents/documents.present.ts'
import { findListedDocuments } from '#server/modules/documents/documents.queries.ts'
import { isListedFor } from '#server/modules/documents/visibility/visibility.policy.ts'
import type { Entry } from './atom.ts'

const maxEntries = 30

/** Ids; 0 for all. */
export interface FeedFilter {
  category: number
  user: number
}

export async function findNewestDocuments(ctx: Ctx, { category, user }: FeedFilter): Promise<Entry[]> {
  // Ordered by an index over the ids; the unary plus keeps SQLite from starting at the index over the status.
  const published = ctx.db
    .selectFrom('document')
    .select('document.id')
    .where('deleted_at', 'is', null)
    .where(sql<number>`+status`, 'in', [...publicStatuses])
    .where(isListedFor(ctx.viewer))
    .limit(maxEntries)
  const query = user > 0 ? published.where('user_id', '=', user) : published
  const rows = await (
    category > 0
      ? query
          .innerJoin('document_category', 'document_category.document_id', 'document.id')
          .where('document_category.category_id', '=', category)
          .orderBy('document_category.document_id', 'desc')
      : query.orderBy('document.id', 'desc')
  ).execute()
  const documents = await findListedDocuments(
    ctx,
    rows.map(({ id }) => id),
  )
  return (await presentDocuments(ctx, documents)).map((document) => ({
    ...toEntry(document),
    path: `/document/${document.uuid}`,
    author: toAuthor(ctx, document.user_id, document.username),
  }))
}

export async function findNewestArticles(ctx: Ctx, { category, user }: FeedFilter): Promise<Entry[]> {
  const published = ctx.db
    .selectFrom('article')
    .select('article.id')
    .where('deleted_at', 'is', null)
    .where('status', '=', ReviewStatus.Approved)
    .limit(maxEntries)
  const query = user > 0 ? published.where('user_id', '=', user) : published
  const rows = await (
    category > 0
      ? query
          .innerJoin('article_category', 'article_category.article_id', 'article.id')
          .where('article_category.category_id', '=', category)
          .orderBy('article_category.article_id', 'desc')
      : query.orderBy('article.id', 'desc')
  ).execute()
  const articles = await findPublicArticles(
    ctx.db,
    rows.map(({ id }) => id),
  )
  return (await presentArticles(ctx, articles)).map((article) => ({
    ...toEntry(article),
    path: `/article/${encodeURIComponent(article.identifier)}`,
    author: toAuthor(ctx, article.user.id, article.user.username),
  }))
}

interface FeedItem {
  title: string
  description: string
  category: readonly { title: string }[]
  created_at: number | null
  updated_at: number | null
}

function toEntry({ title, description, category, created_at, updated_at }: FeedItem) {
  return {
    title,
    summary: description || title,
    categories: category.map(({ title }) => title),
    published: created_at ?? 0,
    updated: updated_at ?? created_at ?? 0,
  }
}

/** An author whose account is deleted has no page, and may have no name. */
function toAuthor({ settings }: Ctx, id: number, name: string): Entry['author'] {
  return { name: name || settings.system.sitename || '文豆', path: name && id > 0 ? `/user/${id}` : '' }
}
