import type { searches, searchRecords } from '#shared/contract/search.ts'
import { inTransaction } from '#server/context.ts'
import { emptyReply, type Handlers } from '#server/http/api/mount.ts'
import { recordShown } from './answered.ts'
import { searchArticles } from './articles.ts'
import { searchDocuments } from './documents.ts'
import { enqueueIndexCheck } from './indexing.ts'
import { openPopularWords } from './popular-words.ts'
import { deleteRecords, listMissedWords, listRecords } from './records.ts'
import { openHotWords, suggest } from './suggest.ts'

export function searchRoutes(): Handlers<typeof searches> {
  const popularWords = openPopularWords()
  const hotWords = openHotWords(popularWords)
  return {
    documents: (ctx, input) => searchDocuments(ctx, input, popularWords),
    articles: (ctx, input) => searchArticles(ctx, input, popularWords),
    shown: emptyReply(recordShown),
    reindex: emptyReply(inTransaction((ctx) => enqueueIndexCheck(ctx, { all: true }))),
    suggest: (ctx, input) => suggest(ctx, input, popularWords),
    hot: (ctx, { type }) => hotWords(ctx, type),
  }
}

export const searchRecordRoutes: Handlers<typeof searchRecords> = {
  list: listRecords,
  missed: listMissedWords,
  delete: emptyReply(inTransaction(deleteRecords)),
}
