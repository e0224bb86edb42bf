import type { oauth } from '#shared/contract/oauth.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { mobile as mobileField } from '#shared/fields.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import { isTaken } from '#server/db/conflicts.ts'
import { OauthError } from '#server/gateways/oauth/oauth-provider.ts'
import type { WeChatApp } from '#server/gateways/wechat/api.ts'
import { decryptProfile } from '#server/gateways/wechat/decrypt-profile.ts'
import { fetchPhoneNumber } from '#server/gateways/wechat/mini-program.ts'
import { exchangeMiniProgramCode } from '#server/gateways/wechat/openid.ts'
import { countAttempt } from '#server/modules/auth/attempts.ts'
import { signIn } from '#server/modules/users/sign-in/sign-in.ts'
import { findUser } from '#server/modules/users/users.queries.ts'
import * as z from 'zod/mini'
import { askProvider } from './ask-provider.ts'
import { bindPerson } from './bindings.ts'
import { findMember } from './login.ts'
import { getMiniProgram } from './mini-program-app.ts'
import { confirmScan, getWaitingScan } from './scan.ts'
import { issueTicket, type NewPerson } from './tickets.ts'

type LoginInput = Input<typeof oauth.miniProgramLogin>
type LoginReply = Reply<typeof oauth.miniProgramLogin>

/** Logs in inside the mini program, and with `scene` also the web page that shows it. */
export async function loginInMiniProgram(ctx: Ctx, input: LoginInput): Promise<LoginReply> {
  const app = getMiniProgram(ctx)
  await countAttempt(ctx, `oauth:${ctx.origin.network}`, { free: 100, maxDelayMs: 60_000 })
  const scan = input.scene ? await getWaitingScan(ctx, input.scene) : undefined
  const person = await askProvider(ctx, 'wechatmp', () => identify(app, input))
  if (scan?.intent === 'bind') return bindScanned(ctx, input.scene, scan.user_id, person)
  const user = await findMember(ctx, person)
  if (!user) return { oauth: await issueTicket(ctx, person, input.scene) }
  return transaction(ctx, async (ctx) => {
    if (input.scene) await confirmScan(ctx, input.scene, user.id)
    return signIn(ctx, user, { way: 'oauth' })
  })
}

/** The page that shows the code belongs to a member, who binds this person's account. */
function bindScanned(ctx: Ctx, scene: string, userId: number, person: NewPerson): Promise<LoginReply> {
  return transaction(ctx, async (ctx) => {
    await confirmScan(ctx, scene, userId)
    await bindPerson(ctx, userId, person)
    const user = await findUser(ctx.db, userId)
    if (!user) throw errors.oauth.scanOver()
    return signIn(ctx, user, { way: 'oauth' })
  })
}

async function identify(app: WeChatApp, { code, iv, encrypted_data }: LoginInput): Promise<NewPerson> {
  const { sessionKey, openid, unionid } = await exchangeMiniProgramCode(app, code)
  const isGiven = iv !== '' && encrypted_data !== ''
  const profile = isGiven ? decryptProfile(sessionKey, { iv, encryptedData: encrypted_data }) : undefined
  const isForeign = profile && (profile.watermark.appid !== app.appId || (profile.openId && profile.openId !== openid))
  if (isForeign) throw new OauthError('failed', '微信：加密的资料属于另一个小程序或另一个人')
  return {
    type: 'wechatmp',
    issuer: '',
    openid,
    unionid: unionid || (profile?.unionId ?? ''),
    name: profile?.nickName ?? '',
    avatar: profile?.avatarUrl ?? '',
    email: '',
  }
}

/** The number that WeChat has verified, for a member who has none yet. */
export async function setPhoneNumber(
  ctx: MemberCtx,
  { code }: Input<typeof oauth.miniProgramPhone>,
): Promise<Reply<typeof oauth.miniProgramPhone>> {
  const app = getMiniProgram(ctx)
  // WeChat charges for each.
  await countAttempt(ctx, `wechat-phone:${ctx.viewer.id}`, { free: 5, maxDelayMs: 60 * 60_000 })
  const { number, countryCode } = await askProvider(ctx, 'wechatmp', () => fetchPhoneNumber(app, code))
  const { success, data: mobile } = z.safeParse(mobileField, number)
  if (countryCode !== '86' || !success) throw errors.oauth.phoneForeign()
  try {
    const { numUpdatedRows } = await ctx.db
      .updateTable('user')
      .set({ mobile, mobile_verified_at: ctx.now(), updated_at: ctx.now() })
      .where('id', '=', ctx.viewer.id)
      .where('mobile', 'in', ['', mobile])
      .executeTakeFirst()
    if (!numUpdatedRows) throw errors.oauth.phoneKept()
  } catch (error) {
    throw isTaken(error) ? errors.users.mobileTaken() : error
  }
  return { mobile }
}
