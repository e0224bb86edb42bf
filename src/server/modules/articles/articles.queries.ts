import type { Selectable } from 'kysely'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import { isPublic } from './articles.policy.ts'
import { type CategoryOf, rootFirst } from '#server/modules/catalog/categories.path.ts'

export type ArticleRow = Selectable<Tables['article']>
export type ListedArticle = Omit<ArticleRow, 'content'>

/** Everything but the text, which may be long. */
const listedColumns = [
  'id',
  'identifier',
  'user_id',
  'title',
  'keywords',
  'description',
  'cover',
  'status',
  'reject_reason',
  'view_count',
  'favorite_count',
  'comment_count',
  'recommend_at',
  'deleted_at',
  'deleted_user_id',
  'created_at',
  'updated_at',
] as const satisfies (keyof ListedArticle)[]

/** So many at once as both databases take. */
const atOnce = 5000

/** By its id if that is given, else by its identifier; whatever its state. */
export function findArticle(db: Db, { id, identifier = '' }: { id: number; identifier?: string }) {
  const query = db.selectFrom('article').selectAll()
  return (id > 0 ? query.where('id', '=', id) : query.where('identifier', '=', identifier)).executeTakeFirst()
}

/** Who may see it, without reading it. */
export function findStanding(db: Db, identifier: string) {
  return db
    .selectFrom('article')
    .select(['id', 'user_id', 'status', 'deleted_at'])
    .where('identifier', '=', identifier)
    .executeTakeFirst()
}

/** Of these articles, those that everybody may see, in the order given. */
export async function publicArticles(db: Db, ids: readonly number[]): Promise<ListedArticle[]> {
  const rows = await articlesOf(db, ids)
  return rows.filter(isPublic)
}

/** Whatever their state, in the order given. */
export async function articlesOf(db: Db, ids: readonly number[]): Promise<ListedArticle[]> {
  const found = new Map<number, ListedArticle>()
  for (let start = 0; start < ids.length; start += atOnce) {
    const some = ids.slice(start, start + atOnce)
    for (const row of await db.selectFrom('article').select(listedColumns).where('id', 'in', some).execute())
      found.set(row.id, row)
  }
  return ids.flatMap((id) => found.get(id) ?? [])
}

/** The categories of articles, each after the one above it. */
export async function categoriesOf(db: Db, articleIds: readonly number[]): Promise<Map<number, CategoryOf[]>> {
  if (articleIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('article_category')
    .innerJoin('category', 'category.id', 'article_category.category_id')
    .select(['article_category.article_id', 'category.id', 'category.title', 'category.parent_id'])
    .where('article_category.article_id', 'in', articleIds)
    .orderBy('category.id')
    .execute()
  const grouped = Map.groupBy(rows, ({ article_id }) => article_id)
  return new Map([...grouped].map(([articleId, found]) => [articleId, rootFirst(found)]))
}
