import { randomBytes } from 'node:crypto'
import type { oauth } from '#shared/contract/oauth.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import type { OauthIntent } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { fetchMiniProgramCode } from '#server/gateways/wechat/mini-program.ts'
import { fingerprint } from '#server/keys.ts'
import { countAttempt } from '#server/modules/auth/attempts.ts'
import { signIn } from '#server/modules/users/sign-in/sign-in.ts'
import { findUser } from '#server/modules/users/users.queries.ts'
import { askProvider } from './ask-provider.ts'
import { getMiniProgram } from './mini-program-app.ts'

/**
 * Log-in on the web by scanning a code with the mini program. The code shows the scene, which anyone may see; the page that
 * shows it polls with a secret of its own.
 */

const lifeMs = 5 * 60_000

/** Tells the mini program that the scan binds instead of logging in. */
const bindSuffix = '.1'

export async function beginScan(
  ctx: Ctx,
  { intent }: Input<typeof oauth.beginScan>,
): Promise<Reply<typeof oauth.beginScan>> {
  const { miniprogram, security } = ctx.settings
  const app = getMiniProgram(ctx)
  if (!miniprogram.enable_scan_login) throw errors.oauth.off()
  if (security.is_close && !ctx.viewer.isStaff) throw errors.access.siteClosed()
  if (intent === 'bind' && ctx.viewer.id === 0) throw errors.access.loginNeeded()
  await countAttempt(ctx, `scan:${ctx.origin.network}`, { free: 30, maxDelayMs: 60_000 })
  const scene = randomBytes(12).toString('hex') + (intent === 'bind' ? bindSuffix : '')
  const secret = randomBytes(32).toString('base64url')
  const picture = await askProvider(ctx, 'wechatmp', () =>
    fetchMiniProgramCode(app, { scene, page: miniprogram.scan_page }),
  )
  const expired_at = ctx.now() + lifeMs
  await ctx.db
    .insertInto('scan_login')
    .values({
      scene,
      secret_hash: fingerprint(secret),
      intent,
      status: 'waiting',
      user_id: intent === 'bind' ? ctx.viewer.id : 0,
      expires_at: expired_at,
    })
    .execute()
  const type = picture[0] === 0xff ? 'jpeg' : 'png'
  return { scene, secret, expired_at, picture: `data:image/${type};base64,${picture.toString('base64')}` }
}

/** What the page that shows the code learns. Once confirmed, it logs in, once. */
export function pollScan(
  ctx: Ctx,
  { scene, secret }: Input<typeof oauth.pollScan>,
): Promise<Reply<typeof oauth.pollScan>> {
  return transaction(ctx, async (ctx) => {
    const scan = await ctx.db
      .selectFrom('scan_login')
      .select(['status', 'intent', 'user_id'])
      .where('scene', '=', scene)
      .where('secret_hash', '=', fingerprint(secret))
      .where('expires_at', '>', ctx.now())
      .executeTakeFirst()
    if (!scan || scan.status === 'used') throw errors.oauth.scanOver()
    if (scan.status === 'waiting') return { status: 'waiting' }
    const { numUpdatedRows } = await ctx.db
      .updateTable('scan_login')
      .set({ status: 'used' })
      .where('scene', '=', scene)
      .where('status', '=', 'confirmed')
      .executeTakeFirst()
    const user = numUpdatedRows ? await findUser(ctx.db, scan.user_id) : undefined
    if (!user) throw errors.oauth.scanOver()
    return { status: 'confirmed', ...(scan.intent === 'login' && (await signIn(ctx, user, { way: 'oauth' }))) }
  })
}

/** The scan that still waits. */
export async function getWaitingScan(ctx: Ctx, scene: string): Promise<{ intent: OauthIntent; user_id: number }> {
  const scan = await ctx.db
    .selectFrom('scan_login')
    .select(['intent', 'user_id'])
    .where('scene', '=', scene)
    .where('status', '=', 'waiting')
    .where('expires_at', '>', ctx.now())
    .executeTakeFirst()
  if (!scan) throw errors.oauth.scanOver()
  return scan
}

/** Of two phones that scan one code, the first counts. */
export async function confirmScan(ctx: Ctx, scene: string, userId: number): Promise<void> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('scan_login')
    .set({ status: 'confirmed', user_id: userId })
    .where('scene', '=', scene)
    .where('status', '=', 'waiting')
    .where('expires_at', '>', ctx.now())
    .executeTakeFirst()
  if (!numUpdatedRows) throw errors.oauth.scanOver()
}
