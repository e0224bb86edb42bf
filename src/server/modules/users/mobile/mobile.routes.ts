import type { ownMobile } from '#shared/contract/code-sign-in.ts'
import { emptyReply, type Handlers } from '#server/http/api/mount.ts'
import { bindMobile, describeMobile, sendOwnCode, unbindMobile } from './own-mobile.ts'

export const ownMobileRoutes: Handlers<typeof ownMobile> = {
  get: describeMobile,
  sendCode: emptyReply(sendOwnCode),
  bind: emptyReply(bindMobile),
  unbind: emptyReply(unbindMobile),
}
