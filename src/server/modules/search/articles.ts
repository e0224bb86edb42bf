import { sql } from 'kysely'
import type { ArticleHit, articles } from '#shared/contract/articles.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import type { Ctx } from '#server/context.ts'
import { among } from '#server/db/in-list.ts'
import { accepting } from '#server/fulltext/engine/visibility.ts'
import type { Accept, Found } from '#server/fulltext/fulltext.ts'
import { filtersOf } from '#server/modules/documents/browsing/filters.ts'
import { answerSearch } from './answer.ts'
import { presentArticles } from '#server/modules/articles/articles.present.ts'
import { publicArticles } from '#server/modules/articles/articles.queries.ts'

type Asked = Input<typeof articles.search>
type Narrowing = Pick<Asked, 'category_id' | 'user_id' | 'created_at'>

const sorts = ['view_count', 'favorite_count', 'comment_count', 'created_at'] as const
const everything: Narrowing = { category_id: [], user_id: [], created_at: [] }

/** What everybody may see of what fits the words, the best first or in the order asked for. */
export async function searchArticles(ctx: Ctx, input: Asked): Promise<Reply<typeof articles.search>> {
  const question = {
    kind: 'article' as const,
    wd: input.wd,
    page: input.page,
    accept: acceptFor(ctx, input),
    ...arrangeBy(ctx, input.sort),
  }
  const { hits, ...answer } = await answerSearch(ctx, question, (found) => present(ctx, found))
  return { ...answer, article: hits }
}

/** Of these articles, those that everybody may see and that fit. */
export function acceptFor({ db, now }: Pick<Ctx, 'db' | 'now'>, narrowing = everything): Accept {
  const { owner, categories, from, to } = filtersOf({ ...narrowing, ext: '', language: [] }, now())
  let query = db.selectFrom('article').select('id').where('deleted_at', 'is', null).where('status', '=', 1)
  if (owner > 0) query = query.where('user_id', '=', owner)
  if (from !== undefined) query = query.where('created_at', '>=', from).where('created_at', '<=', to)
  if (categories.length > 0)
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('article_category')
          .select(sql.lit(1).as('one'))
          .whereRef('article_id', '=', 'article.id')
          .where('category_id', 'in', categories),
      ),
    )
  return accepting(db, 'article.id', query)
}

function arrangeBy({ db }: Ctx, sort: string) {
  if (sort === 'latest') return { arrange: async (ids: number[]) => ids.toSorted((a, b) => b - a) }
  const column = sorts.find((name) => name === sort)
  if (!column) return {}
  return {
    arrange: async (ids: number[]): Promise<number[]> => {
      const query = db
        .selectFrom('article')
        .select('id')
        .where(among(db, 'id', ids))
      const rows = await query.orderBy(column, 'desc').orderBy('id', 'desc').execute()
      return rows.map(({ id }) => id)
    },
  }
}

async function present(ctx: Ctx, found: readonly Found[]): Promise<ArticleHit[]> {
  const rows = await publicArticles(
    ctx.db,
    found.map(({ id }) => id),
  )
  const shown = new Map((await presentArticles(ctx, rows)).map((article) => [article.id, article]))
  return found.flatMap(({ id, title, excerpt }) => {
    const article = shown.get(id)
    return article ? { ...article, title_ranges: title, excerpt: excerpt ?? { text: '', ranges: [] } } : []
  })
}
