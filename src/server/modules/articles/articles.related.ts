import type { articles } from '#shared/contract/articles.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { among } from '#server/db/in-list.ts'
import type { Db } from '#server/db/open.ts'
import { stillAlike } from '#server/modules/documents/browsing/related.ts'
import { canSee } from './articles.policy.ts'
import { presentArticles } from './articles.present.ts'
import { findStanding, publicArticles } from './articles.queries.ts'
import { acceptFor } from '#server/modules/search/articles.ts'

const most = 10
const hourMs = 3_600_000

/** Articles like this one. Which ones is found out now and then; whether they may be seen, each time. */
export async function relatedArticles(
  ctx: Ctx,
  { identifier }: Input<typeof articles.related>,
): Promise<Reply<typeof articles.related>> {
  const article = await findStanding(ctx.db, identifier)
  if (!article || !canSee(ctx.viewer, article)) throw errors.articles.notFound()
  const days = ctx.settings.security.document_related_duration
  if (days <= 0) return { article: [] }
  const ids = (await remembered(ctx, article.id, days * 24 * hourMs)) ?? (await findOut(ctx, article.id))
  return { article: await presentArticles(ctx, await publicArticles(ctx.db, ids)) }
}

async function remembered({ db, now }: Ctx, id: number, forMs: number): Promise<number[] | undefined> {
  const row = await db.selectFrom('article_relate').selectAll().where('article_id', '=', id).executeTakeFirst()
  return row && stillAlike(row, now(), forMs)
}

/** By what is written in them; where that says too little, by what is near: the narrowest category, the newest. */
async function findOut(ctx: Ctx, id: number): Promise<number[]> {
  const fits = acceptFor(ctx)
  const accept = async (ids: number[]) => (await fits(ids)).filter((other) => other !== id)
  const alike = await ctx.search.similar({ kind: 'article', id, accept, limit: most })
  const near = alike.length < most ? await nearOnes(ctx.db, id) : []
  const ids = (await ofItsKind(ctx.db, id, [...new Set([...alike, ...near])])).slice(0, most)
  const row = { related: ids.join(','), updated_at: ctx.now() }
  await ctx.db
    .insertInto('article_relate')
    .values({ article_id: id, ...row })
    .onConflict((conflict) => conflict.column('article_id').doUpdateSet(row))
    .execute()
  return ids
}

/** An article in a category does not lead to the site's own pages, which are in none. */
async function ofItsKind(db: Db, id: number, ids: readonly number[]): Promise<number[]> {
  const rows = await db
    .selectFrom('article_category')
    .select('article_id')
    .distinct()
    .where(among(db, 'article_id', [id, ...ids]))
    .execute()
  const filed = new Set(rows.map(({ article_id }) => article_id))
  return filed.has(id) ? ids.filter((other) => filed.has(other)) : [...ids]
}

async function nearOnes(db: Db, id: number): Promise<number[]> {
  const narrowest = await db
    .selectFrom('article_category')
    .innerJoin('category', 'category.id', 'article_category.category_id')
    .select('category.id')
    .where('article_category.article_id', '=', id)
    .orderBy('category.doc_count')
    .orderBy('category.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const [near, newest] = await Promise.all([
    readable(db, id)
      .innerJoin('article_category', 'article_category.article_id', 'article.id')
      .where('article_category.category_id', '=', narrowest?.id ?? 0)
      .orderBy('article_category.article_id', 'desc')
      .limit(most)
      .execute(),
    readable(db, id).orderBy('article.id', 'desc').limit(most).execute(),
  ])
  return [...near, ...newest].map((row) => row.id)
}

function readable(db: Db, besides: number) {
  return db
    .selectFrom('article')
    .select('article.id')
    .where('article.status', '=', 1)
    .where('article.deleted_at', 'is', null)
    .where('article.id', '<>', besides)
}
