import type { searches, searchRecords } from '#shared/contract/search.ts'
import type { Handlers } from '#server/http/api/mount.ts'
import { deleteRecords, listRecords, missedWords } from './records.ts'
import { hotWords, suggest } from './suggest.ts'

export const searchRoutes: Handlers<typeof searches> = { suggest, hot: hotWords }

export const searchRecordRoutes: Handlers<typeof searchRecords> = {
  list: listRecords,
  missed: missedWords,
  delete: async (ctx, input) => {
    await deleteRecords(ctx, input)
    return {}
  },
}
