import { ContentType } from '#shared/enums.ts'
import type { Ctx } from '#server/context.ts'
import { publicArticleFilter } from '#server/modules/articles/articles.visibility.ts'
import { listedDocumentFilter } from '#server/modules/documents/visibility/search-filter.ts'

/** Whether the viewer finds anything by these words: what they found once may not be public any more. */
export async function findsSomething(ctx: Ctx, words: string, type: ContentType): Promise<boolean> {
  const isArticle = type === ContentType.Article
  const { total } = await ctx.search.search({
    kind: isArticle ? 'article' : 'document',
    words,
    visibility: isArticle ? publicArticleFilter(ctx) : listedDocumentFilter(ctx),
    ...(!ctx.settings.search.enable_content && { within: 'metadata' as const }),
    offset: 0,
    limit: 0,
    maxTotal: 1,
  })
  return total > 0
}
