import type { follows } from '#shared/contract/follows.ts'
import { emptyReply, type Handlers } from '#server/http/api/mount.ts'
import { listFollows } from './follows.list.ts'
import { follow, getState, unfollow } from './follows.service.ts'

export const followRoutes: Handlers<typeof follows> = {
  create: follow,
  delete: emptyReply(unfollow),
  state: getState,
  list: listFollows,
}
