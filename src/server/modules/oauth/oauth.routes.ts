import type { oauth } from '#shared/contract/oauth.ts'
import { emptyReply, type Handlers } from '#server/http/api/mount.ts'
import type { OnRegistered } from '#server/modules/users/sign-in/register.ts'
import { beginAuthorization } from './begin.ts'
import { bindTicket } from './bind.ts'
import { listOwnBindings, unbind } from './bindings.ts'
import { listConfigs } from './configs.ts'
import { loginWithOauth } from './login.ts'
import { loginInMiniProgram, setPhoneNumber } from './mini-program.ts'
import { beginScan, pollScan } from './scan.ts'

interface Deps {
  onRegistered: OnRegistered
}

export const oauthRoutes = ({ onRegistered }: Deps): Handlers<typeof oauth> => ({
  configs: listConfigs,
  authorize: async (ctx, input) => ({ authorize_url: await beginAuthorization(ctx, { ...input, intent: 'bind' }) }),
  login: loginWithOauth,
  bind: (ctx, input) => bindTicket(ctx, input, onRegistered),
  own: listOwnBindings,
  unbind: emptyReply(unbind),
  miniProgramLogin: loginInMiniProgram,
  miniProgramPhone: setPhoneNumber,
  beginScan,
  pollScan,
})
