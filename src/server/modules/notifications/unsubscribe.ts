import { Hono } from 'hono'
import { jwtVerify, SignJWT } from 'jose'
import * as z from 'zod/mini'
import { allCodes } from '#shared/codes.ts'
import type { notifications } from '#shared/contract/notifications.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { NotificationKind, NotificationMail } from '#shared/notification-kinds.ts'
import { AppError, errors } from '#shared/errors.ts'
import { code } from '#shared/fields.ts'
import type { Ctx } from '#server/context.ts'
import { setModes } from './choices.ts'

const purpose = { issuer: 'wendou', audience: 'unsubscribe' }
const Claims = z.object({ user: z.int(), kinds: z.array(code(NotificationKind)) })

/** The address that ends mails of these kinds. It does not expire: all it can do is to end mails. */
export async function createUnsubscribeLink(
  { keys, settings }: Pick<Ctx, 'keys' | 'settings'>,
  { userId, kinds }: { userId: number; kinds: readonly NotificationKind[] },
): Promise<string> {
  const { domain } = settings.system
  if (!domain) return ''
  const token = await new SignJWT({ user: userId, kinds: [...kinds] })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(purpose.issuer)
    .setAudience(purpose.audience)
    .sign(keys.links)
  return `${new URL('/unsubscribe', domain).href}?token=${token}`
}

/** What the page of the link says before the recipient confirms. */
export async function getSubscription(
  ctx: Ctx,
  { token }: Input<typeof notifications.subscription>,
): Promise<Reply<typeof notifications.subscription>> {
  const { username, kinds } = await readLink(ctx, token)
  return { username, kind: kinds }
}

export async function unsubscribe(ctx: Ctx, { token, all }: Input<typeof notifications.unsubscribe>): Promise<void> {
  const { userId, kinds } = await readLink(ctx, token)
  const ended = all ? allCodes(NotificationKind) : kinds
  await setModes(
    ctx,
    userId,
    ended.map((kind) => ({ kind, mail: NotificationMail.Off })),
  )
}

/** Mail programs post to the address of the link (RFC 8058). A GET shows the page, as link scanners open every address. */
export function unsubscribeRoutes({ contextOf }: { contextOf: () => Promise<Ctx> }): Hono {
  const routes = new Hono()
  routes.post('/unsubscribe', async (context) => {
    try {
      await unsubscribe(await contextOf(), { token: context.req.query('token') ?? '', all: false })
    } catch (error) {
      if (error instanceof AppError) return context.text(error.message, 400)
      throw error
    }
    return context.text('已退订')
  })
  return routes
}

async function readLink(
  { db, keys }: Ctx,
  token: string,
): Promise<{ userId: number; username: string; kinds: NotificationKind[] }> {
  const claims = await parseToken(keys.links, token)
  const user =
    claims && (await db.selectFrom('user').select('username').where('id', '=', claims.user).executeTakeFirst())
  if (!user) throw errors.notifications.badToken()
  return { userId: claims.user, username: user.username, kinds: claims.kinds }
}

async function parseToken(key: Uint8Array, token: string): Promise<z.output<typeof Claims> | undefined> {
  try {
    const { payload } = await jwtVerify(token, key, { ...purpose, algorithms: ['HS256'] })
    return z.safeParse(Claims, payload).data
  } catch {
    return undefined
  }
}
