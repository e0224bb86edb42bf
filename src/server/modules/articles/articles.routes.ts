import type { articleRecycle, articles } from '#shared/contract/articles.ts'
import type { Handlers } from '#server/http/api/mount.ts'
import { createArticle } from './articles.create.ts'
import { deleteArticles } from './articles.delete.ts'
import { setCategory, updateArticle } from './articles.edit.ts'
import { getArticle } from './articles.get.ts'
import { listArticles, listRecycled } from './articles.list.ts'
import { emptyRecycled, purgeArticles, restoreArticles } from './articles.recycle-bin.ts'
import { relatedArticles } from './articles.related.ts'
import { checkArticles, recommendArticles } from './articles.review.ts'
import { searchArticles } from '#server/modules/search/articles.ts'

export const articleRoutes: Handlers<typeof articles> = {
  list: listArticles,
  search: searchArticles,
  get: getArticle,
  related: relatedArticles,
  create: createArticle,
  update: done(updateArticle),
  delete: done(deleteArticles),
  setCategory: done(setCategory),
  recommend: done(recommendArticles),
  check: done(checkArticles),
}

export const articleRecycleRoutes: Handlers<typeof articleRecycle> = {
  list: listRecycled,
  restore: done(restoreArticles),
  delete: done(purgeArticles),
  empty: done(emptyRecycled),
}

function done<C, I>(rule: (ctx: C, input: I) => Promise<void>): (ctx: C, input: I) => Promise<Record<string, never>> {
  return async (ctx, input) => {
    await rule(ctx, input)
    return {}
  }
}
