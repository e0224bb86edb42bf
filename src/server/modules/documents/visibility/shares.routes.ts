import type { documentShares } from '#shared/contract/document-shares.ts'
import { emptyReply, type Handlers } from '#server/http/api/mount.ts'
import { openShare } from './open-share.ts'
import { createShare, endShares, listShares } from './shares.ts'

export const shareRoutes: Handlers<typeof documentShares> = {
  list: listShares,
  create: createShare,
  end: emptyReply(endShares),
  open: openShare,
}
