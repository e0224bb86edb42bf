import type { articleDrafts } from '#shared/contract/article-drafts.ts'
import { emptyReply, type Handlers } from '#server/http/api/mount.ts'
import { deleteDrafts, getDraft, listDrafts, saveDraft } from './drafts.ts'

export const articleDraftRoutes: Handlers<typeof articleDrafts> = {
  list: listDrafts,
  get: getDraft,
  save: saveDraft,
  delete: emptyReply(deleteDrafts),
}
