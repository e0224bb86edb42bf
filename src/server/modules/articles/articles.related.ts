import { ReviewStatus } from '#shared/enums.ts'
import type { articles } from '#shared/contract/articles.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'
import type { Db } from '#server/db/open.ts'
import { parseCached } from '#server/modules/documents/browsing/related.ts'
import { canSee } from './articles.policy.ts'
import { presentArticles } from './articles.present.ts'
import { findAccess, findPublicArticles } from './articles.queries.ts'
import { publicArticleFilter } from './articles.visibility.ts'

const maxRelated = 10
const hourMs = 3_600_000

/** Similar articles. Which ones they are is cached in the database; whether they are public is checked each time. */
export async function getRelated(
  ctx: Ctx,
  { identifier }: Input<typeof articles.related>,
): Promise<Reply<typeof articles.related>> {
  const article = await findAccess(ctx.db, identifier)
  if (!article || !canSee(ctx.viewer, article)) throw errors.articles.notFound()
  const days = ctx.settings.security.document_related_duration
  if (days <= 0) return { article: [] }
  const ids = (await findCached(ctx, article.id, days * 24 * hourMs)) ?? (await computeRelated(ctx, article.id))
  return { article: await presentArticles(ctx, await findPublicArticles(ctx.db, ids)) }
}

async function findCached({ db, now }: Ctx, id: number, ttlMs: number): Promise<number[] | undefined> {
  const row = await db.selectFrom('article_relate').selectAll().where('article_id', '=', id).executeTakeFirst()
  return row && parseCached(row, now(), ttlMs)
}

/** By text; where that gives too few, from the narrowest category and the newest. */
async function computeRelated(ctx: Ctx, id: number): Promise<number[]> {
  const visibility = publicArticleFilter(ctx, { exceptId: id })
  const similar = await ctx.search.similar({ kind: 'article', id, visibility, limit: maxRelated })
  const nearby = similar.length < maxRelated ? await findNearby(ctx.db, id) : []
  const ids = (await excludeUncategorized(ctx.db, id, [...new Set([...similar, ...nearby])])).slice(0, maxRelated)
  const row = { related: ids.join(','), updated_at: ctx.now() }
  await ctx.db
    .insertInto('article_relate')
    .values({ article_id: id, ...row })
    .onConflict((conflict) => conflict.column('article_id').doUpdateSet(row))
    .execute()
  return ids
}

/** Built-in pages are in no category: they are not related to articles that are in one. */
async function excludeUncategorized(db: Db, id: number, ids: readonly number[]): Promise<number[]> {
  const rows = await db
    .selectFrom('article_category')
    .select('article_id')
    .distinct()
    .where(inList(db, 'article_id', [id, ...ids]))
    .execute()
  const categorized = new Set(rows.map(({ article_id }) => article_id))
  return categorized.has(id) ? ids.filter((relatedId) => categorized.has(relatedId)) : [...ids]
}

async function findNearby(db: Db, id: number): Promise<number[]> {
  const narrowest = await db
    .selectFrom('article_category')
    .innerJoin('category', 'category.id', 'article_category.category_id')
    .select('category.id')
    .where('article_category.article_id', '=', id)
    .orderBy('category.doc_count')
    .orderBy('category.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const [inCategory, newest] = await Promise.all([
    selectReadable(db, id)
      .innerJoin('article_category', 'article_category.article_id', 'article.id')
      .where('article_category.category_id', '=', narrowest?.id ?? 0)
      .orderBy('article_category.article_id', 'desc')
      .limit(maxRelated)
      .execute(),
    selectReadable(db, id).orderBy('article.id', 'desc').limit(maxRelated).execute(),
  ])
  return [...inCategory, ...newest].map((row) => row.id)
}

function selectReadable(db: Db, exceptId: number) {
  return db
    .selectFrom('article')
    .select('article.id')
    .where('article.status', '=', ReviewStatus.Approved)
    .where('article.deleted_at', 'is', null)
    .where('article.id', '<>', exceptId)
}
