import type { articleRecycle, articles } from '#shared/contract/articles.ts'
import { emptyReply, type Handlers } from '#server/http/api/mount.ts'
import type { ViewCounter } from '#server/modules/stats/view-counter.ts'
import { createArticle } from './publishing/create.ts'
import { deleteArticles } from './publishing/delete.ts'
import { setCategory, updateArticle } from './publishing/edit.ts'
import { getArticle } from './articles.get.ts'
import { listArticles, listRecycled } from './articles.list.ts'
import { emptyRecycled, purgeArticles, restoreArticles } from './publishing/recycle-bin.ts'
import type { Sanitizer } from './articles.sanitizer.ts'
import { getRelated } from './articles.related.ts'
import { checkArticles, recommendArticles } from './publishing/review.ts'
import { getArticleForReview, listPendingArticles } from './publishing/review-queue.ts'

interface Deps {
  viewCounter: ViewCounter
  sanitizer: Sanitizer
}

export function articleRoutes({ viewCounter, sanitizer }: Deps): Handlers<typeof articles> {
  return {
    list: listArticles,
    get: (ctx, input) => getArticle(ctx, input, viewCounter),
    related: getRelated,
    create: (ctx, form) => createArticle(ctx, form, sanitizer),
    update: emptyReply((ctx, form) => updateArticle(ctx, form, sanitizer)),
    delete: emptyReply(deleteArticles),
    setCategory: emptyReply(setCategory),
    recommend: emptyReply(recommendArticles),
    review: emptyReply(checkArticles),
    reviewQueue: listPendingArticles,
    reviewItem: getArticleForReview,
  }
}

export const articleRecycleRoutes: Handlers<typeof articleRecycle> = {
  list: listRecycled,
  restore: emptyReply(restoreArticles),
  delete: emptyReply(purgeArticles),
  empty: emptyReply(emptyRecycled),
}
