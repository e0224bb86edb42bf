import type { Selectable } from 'kysely'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import { isPublic } from './articles.policy.ts'
import { type LinkedCategory, sortRootFirst } from '#server/modules/catalog/categories.path.ts'

export type ArticleRow = Selectable<Tables['article']>
export type ListedArticle = Omit<ArticleRow, 'content' | 'text_keywords' | 'keywords_compared'>

/** All columns but the text, which may be long. */
const listedColumns = [
  'id',
  'identifier',
  'user_id',
  'title',
  'keywords',
  'description',
  'cover',
  'source_name',
  'source_url',
  'status',
  'reject_reason',
  'view_count',
  'favorite_count',
  'comment_count',
  'like_count',
  'recommend_at',
  'deleted_at',
  'deleted_user_id',
  'created_at',
  'updated_at',
] as const satisfies (keyof ListedArticle)[]

/** Both databases take this many parameters in one statement. */
const parameterBatch = 5000

/** By its id if that is given, else by its identifier; whatever its status. */
export function findArticle(db: Db, { id, identifier = '' }: { id: number; identifier?: string }) {
  const query = db.selectFrom('article').selectAll()
  return (id > 0 ? query.where('id', '=', id) : query.where('identifier', '=', identifier)).executeTakeFirst()
}

/** The columns that decide on access, without the text. */
export function findAccess(db: Db, identifier: string) {
  return db
    .selectFrom('article')
    .select(['id', 'user_id', 'status', 'deleted_at'])
    .where('identifier', '=', identifier)
    .executeTakeFirst()
}

/** The public ones of these articles, in the order given. */
export async function findPublicArticles(db: Db, ids: readonly number[]): Promise<ListedArticle[]> {
  const rows = await findArticles(db, ids)
  return rows.filter(isPublic)
}

/** Whatever their status, in the order given. */
export async function findArticles(db: Db, ids: readonly number[]): Promise<ListedArticle[]> {
  const byId = new Map<number, ListedArticle>()
  for (let start = 0; start < ids.length; start += parameterBatch) {
    const batch = ids.slice(start, start + parameterBatch)
    for (const row of await db.selectFrom('article').select(listedColumns).where('id', 'in', batch).execute())
      byId.set(row.id, row)
  }
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** The categories of articles, each after its parent. */
export async function findCategories(db: Db, articleIds: readonly number[]): Promise<Map<number, LinkedCategory[]>> {
  if (articleIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('article_category')
    .innerJoin('category', 'category.id', 'article_category.category_id')
    .select(['article_category.article_id', 'category.id', 'category.title', 'category.parent_id'])
    .where('article_category.article_id', 'in', articleIds)
    .orderBy('category.id')
    .execute()
  const byArticle = Map.groupBy(rows, ({ article_id }) => article_id)
  return new Map([...byArticle].map(([articleId, categories]) => [articleId, sortRootFirst(categories)]))
}
