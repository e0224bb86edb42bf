import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { oauth } from '#shared/contract/oauth.ts'
import { AppError } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { beginAuthorization } from './begin.ts'
import { authorizePath } from './configs.ts'

/**
 * Where a plain link leads: the browser gets its cookie and goes on to the provider. To bind an account takes a request with a
 * token, which a link does not have.
 */
export function oauthRedirectRoute({ contextOf }: { contextOf: (request: Context) => Promise<Ctx> }): Hono {
  const routes = new Hono()
  routes.get(authorizePath, async (request) => {
    const { success, data } = z.safeParse(oauth.authorize.input, request.req.query())
    if (!success) return request.redirect('/login')
    request.header('cache-control', 'no-store')
    try {
      const ctx = await contextOf(request)
      return request.redirect(await beginAuthorization(ctx, { ...data, intent: 'login' }))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      // The page tells what is wrong, in words of its own: an address could be made to say anything.
      return request.redirect(`/oauth/${data.type}?error=${error.reason.replace('.', '_')}`)
    }
  })
  return routes
}
