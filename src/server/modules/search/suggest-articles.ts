import type { Suggestion } from '#shared/contract/search.ts'
import type { Ctx } from '#server/context.ts'
import { publicArticles } from '#server/modules/articles/articles.queries.ts'
import { acceptFor } from './articles.ts'

/** Whether there is anything that everybody may see. */
export async function findsArticle(ctx: Ctx, words: string): Promise<boolean> {
  const accept = acceptFor(ctx)
  const { total } = await ctx.search.search({ kind: 'article', words, accept, offset: 0, limit: 0, most: 1 })
  return total > 0
}

/** Titles with these words, or spelled with these letters. */
export async function suggestArticles(ctx: Ctx, words: string, limit: number): Promise<Suggestion[]> {
  const found = await ctx.search.suggest({ kind: 'article', words, accept: acceptFor(ctx), limit })
  const rows = await publicArticles(
    ctx.db,
    found.map(({ id }) => id),
  )
  const ranges = new Map(found.map((one) => [one.id, one.title]))
  // What opens an article is its identifier, in the place of a document's uuid.
  return rows.map(({ id, identifier, title }) => ({
    text: title,
    ranges: ranges.get(id) ?? [],
    uuid: identifier,
    ext: '',
  }))
}
