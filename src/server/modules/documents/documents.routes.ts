import type { documentRecycle, documents } from '#shared/contract/documents.ts'
import type { Handlers } from '#server/http/api/mount.ts'
import { enqueueCheck } from '#server/modules/search/indexing.ts'
import { createDocuments } from './publishing/create.ts'
import { deleteDocuments } from './publishing/delete.ts'
import { downloadDocument, downloadForReview } from '#server/modules/downloads/download.ts'
import { setCategory, setLanguage, updateDocument } from './publishing/edit.ts'
import { findInDocument } from './reader/find.ts'
import { getDocument } from './documents.get.ts'
import { homeDocuments } from './browsing/home.ts'
import { listDocuments, listRecycled } from './browsing/list.ts'
import { planOf } from './reader/layout.ts'
import { progressOf } from './documents.progress.ts'
import { reconvert } from './publishing/reconvert.ts'
import { clearRecycled, purgeDocuments, recoverDocuments } from './publishing/recycle-bin.ts'
import { relatedDocuments } from './browsing/related.ts'
import { checkDocuments, recommendDocuments } from './publishing/review.ts'
import { addScore, ownScore } from './publishing/rating.ts'
import { searchDocuments } from '#server/modules/search/documents.ts'
import { termsOf } from '#server/modules/downloads/terms.ts'

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
