import type { documentRecycle, documents } from '#shared/contract/documents.ts'
import type { Handlers } from '#server/http/mount.ts'
import { enqueueCheck } from '#server/search/filing.ts'
import { createDocuments } from './documents.create.ts'
import { deleteDocuments } from './documents.delete.ts'
import { downloadDocument, downloadForReview } from './documents.download.ts'
import { setCategory, setLanguage, updateDocument } from './documents.edit.ts'
import { findInDocument } from './documents.find.ts'
import { getDocument } from './documents.get.ts'
import { homeDocuments } from './documents.home.ts'
import { listDocuments, listRecycled } from './documents.list.ts'
import { planOf } from './documents.plan.ts'
import { progressOf } from './documents.progress.ts'
import { reconvert } from './documents.reconvert.ts'
import { clearRecycled, purgeDocuments, recoverDocuments } from './documents.recycle.ts'
import { relatedDocuments } from './documents.related.ts'
import { checkDocuments, recommendDocuments } from './documents.review.ts'
import { addScore, ownScore } from './documents.score.ts'
import { searchDocuments } from './documents.search.ts'
import { termsOf } from './documents.terms.ts'

export const documentRoutes: Handlers<typeof documents> = {
  home: homeDocuments,
  list: listDocuments,
  search: searchDocuments,
  find: findInDocument,
  reindex: done((ctx) => enqueueCheck(ctx, { all: true })),
  get: getDocument,
  plan: planOf,
  progress: progressOf,
  related: relatedDocuments,
  create: createDocuments,
  update: done(updateDocument),
  delete: done(deleteDocuments),
  terms: termsOf,
  download: downloadDocument,
  downloadForReview,
  check: done(checkDocuments),
  recommend: done(recommendDocuments),
  reconvert,
  setCategory: done(setCategory),
  setLanguage: done(setLanguage),
  addScore: done(addScore),
  getScore: ownScore,
}

export const documentRecycleRoutes: Handlers<typeof documentRecycle> = {
  list: listRecycled,
  recover: done(recoverDocuments),
  delete: done(purgeDocuments),
  clear: done(clearRecycled),
}

function done<C, I>(rule: (ctx: C, input: I) => Promise<void>): (ctx: C, input: I) => Promise<Record<string, never>> {
  return async (ctx, input) => {
    await rule(ctx, input)
    return {}
  }
}
