import { sql } from 'kysely'
import { publicStatuses } from '#shared/document-status.ts'
import type { Ctx } from '#server/context.ts'
import { presentArticles } from '#server/modules/articles/articles.present.ts'
import { publicArticles } from '#server/modules/articles/articles.queries.ts'
import { presentDocuments } from '#server/modules/documents/documents.present.ts'
import { publicDocuments } from '#server/modules/documents/documents.queries.ts'
import type { Entry } from './atom.ts'

const most = 30

/** 0 for all. */
export interface Narrowing {
  category: number
  user: number
}

export async function newestDocuments(ctx: Ctx, { category, user }: Narrowing): Promise<Entry[]> {
  // Along the ids of all, or of those in the category: the sign keeps SQLite from beginning at the states.
  const shown = ctx.db
    .selectFrom('document')
    .select('document.id')
    .where('deleted_at', 'is', null)
    .where(sql<number>`+status`, 'in', [...publicStatuses])
    .limit(most)
  const some = user > 0 ? shown.where('user_id', '=', user) : shown
  const rows = await (
    category > 0
      ? some
          .innerJoin('document_category', 'document_category.document_id', 'document.id')
          .where('document_category.category_id', '=', category)
          .orderBy('document_category.document_id', 'desc')
      : some.orderBy('document.id', 'desc')
  ).execute()
  const documents = await publicDocuments(
    ctx.db,
    rows.map(({ id }) => id),
  )
  return (await presentDocuments(ctx, documents)).map((document) => ({
    ...entryOf(document),
    path: `/document/${document.uuid}`,
    author: authorOf(ctx, document.user_id, document.username),
  }))
}

export async function newestArticles(ctx: Ctx, { category, user }: Narrowing): Promise<Entry[]> {
  const shown = ctx.db
    .selectFrom('article')
    .select('article.id')
    .where('deleted_at', 'is', null)
    .where('status', '=', 1)
    .limit(most)
  const some = user > 0 ? shown.where('user_id', '=', user) : shown
  const rows = await (
    category > 0
      ? some
          .innerJoin('article_category', 'article_category.article_id', 'article.id')
          .where('article_category.category_id', '=', category)
          .orderBy('article_category.article_id', 'desc')
      : some.orderBy('article.id', 'desc')
  ).execute()
  const articles = await publicArticles(
    ctx.db,
    rows.map(({ id }) => id),
  )
  return (await presentArticles(ctx, articles)).map((article) => ({
    ...entryOf(article),
    path: `/article/${encodeURIComponent(article.identifier)}`,
    author: authorOf(ctx, article.user.id, article.user.username),
  }))
}

interface Listed {
  title: string
  description: string
  category: readonly { title: string }[]
  created_at: number | null
  updated_at: number | null
}

function entryOf({ title, description, category, created_at, updated_at }: Listed) {
  return {
    title,
    summary: description || title,
    categories: category.map((one) => one.title),
    published: created_at ?? 0,
    updated: updated_at ?? created_at ?? 0,
  }
}

/** Whose account is gone has no page, and may have left no name. */
function authorOf({ settings }: Ctx, id: number, name: string): Entry['author'] {
  return { name: name || settings.system.sitename || '文豆', path: name && id > 0 ? `/user/${id}` : '' }
}
