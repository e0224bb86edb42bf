import type { documentRecycle, documents } from '#shared/contract/documents.ts'
import { emptyReply, type Handlers } from '#server/http/api/mount.ts'
import type { ViewCounter } from '#server/modules/stats/view-counter.ts'
import { openActiveAuthors } from './browsing/active-authors.ts'
import { getHome } from './browsing/home.ts'
import { listDocuments, listRecycled } from './browsing/list.ts'
import { openBeingRead } from './browsing/being-read.ts'
import { openRanking } from './browsing/ranking.ts'
import { getRelated } from './browsing/related.ts'
import { getDocument, tellWhetherExists } from './documents.get.ts'
import { getProgress } from './documents.progress.ts'
import type { ProgressWatcher } from './documents.watcher.ts'
import { getUploadAllowance } from './publishing/allowance.ts'
import { createDocuments, createDocumentsFor } from './publishing/create.ts'
import { deleteDocuments } from './publishing/delete.ts'
import { setCategory, setLanguage, setPrice, setVip, updateDocument } from './publishing/edit.ts'
import { setOwner } from './publishing/owner.ts'
import { addScore, getOwnScore } from './publishing/rating.ts'
import { reconvert } from './publishing/reconvert.ts'
import { clearRecycled, purgeDocuments, recoverDocuments } from './publishing/recycle-bin.ts'
import { checkDocuments, recommendDocuments } from './publishing/review.ts'
import { getDocumentForReview, listPendingDocuments } from './publishing/review-queue.ts'
import { findCells } from './reader/table/find-cells.ts'
import type { TableCache } from './reader/table/table-cache.ts'
import { findInDocument } from './reader/find.ts'
import { getLayout } from './reader/layout.ts'
import { getMiniProgramCode } from './reader/mini-program-code.ts'
import { setVisibility } from './visibility/change-audience.ts'

interface Deps {
  viewCounter: ViewCounter
  progressWatcher: ProgressWatcher
  tables: TableCache
}

export function documentRoutes({ viewCounter, progressWatcher, tables }: Deps): Handlers<typeof documents> {
  return {
    home: getHome,
    list: listDocuments,
    find: findInDocument,
    findCells: (ctx, input) => findCells(ctx, input, tables),
    get: (ctx, input) => getDocument(ctx, input, viewCounter),
    exists: tellWhetherExists,
    layout: (ctx, input) => getLayout(ctx, input, tables),
    miniProgramCode: getMiniProgramCode,
    progress: (ctx, input) => getProgress(ctx, input, progressWatcher),
    related: getRelated,
    ranking: openRanking(),
    beingRead: openBeingRead(),
    activeAuthors: openActiveAuthors(),
    create: createDocuments,
    createFor: createDocumentsFor,
    uploadAllowance: getUploadAllowance,
    update: emptyReply(updateDocument),
    setVisibility: emptyReply(setVisibility),
    delete: emptyReply(deleteDocuments),
    review: emptyReply(checkDocuments),
    reviewQueue: listPendingDocuments,
    reviewItem: getDocumentForReview,
    recommend: emptyReply(recommendDocuments),
    reconvert,
    setCategory: emptyReply(setCategory),
    setLanguage: emptyReply(setLanguage),
    setPrice: emptyReply(setPrice),
    setVip: emptyReply(setVip),
    setOwner: emptyReply(setOwner),
    rate: emptyReply(addScore),
    ownRating: getOwnScore,
  }
}

export const documentRecycleRoutes: Handlers<typeof documentRecycle> = {
  list: listRecycled,
  restore: emptyReply(recoverDocuments),
  delete: emptyReply(purgeDocuments),
  empty: emptyReply(clearRecycled),
}
