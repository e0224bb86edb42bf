import type { codeSignIn } from '#shared/contract/code-sign-in.ts'
import { emptyReply, type Handlers } from '#server/http/api/mount.ts'
import { loginByEmail, loginByMobile } from './code-login.ts'
import { registerByMobile } from './code-register.ts'
import { resetByEmail, resetByMobile } from './code-reset.ts'
import type { OnRegistered } from './register.ts'

export const codeSignInRoutes = ({ onRegistered }: { onRegistered: OnRegistered }): Handlers<typeof codeSignIn> => ({
  registerByMobile: (ctx, input) => registerByMobile(ctx, input, onRegistered),
  loginByMobile: (ctx, input) => loginByMobile(ctx, input, onRegistered),
  loginByEmail,
  resetByMobile: emptyReply(resetByMobile),
  resetByEmail: emptyReply(resetByEmail),
})
