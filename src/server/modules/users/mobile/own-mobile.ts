import type { ownMobile } from '#shared/contract/code-sign-in.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { CodeScene } from '#shared/enums.ts'
import { AppError, errors } from '#shared/errors.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { isTaken } from '#server/db/conflicts.ts'
import { assertProven } from '#server/proof.ts'
import { checkCaptchaForCode } from '#server/modules/auth/captcha.ts'
import { type ProvenCode, proveCode, spendCode } from '#server/modules/auth/verification-codes.ts'
import { assertSmsEnabled, mobileTarget, sendSmsCode } from '#server/modules/sms/send-sms.ts'
import { hasOtherWayIn } from '../sign-in/ways-in.ts'
import { assertOwnPassword } from '../users.policy.ts'
import { findUser, findUserByMobile, type UserRow } from '../users.queries.ts'

export async function describeMobile(ctx: MemberCtx): Promise<Reply<typeof ownMobile.get>> {
  const user = await findOwn(ctx)
  const bound = boundMobile(user)
  return {
    mobile: bound,
    suggested: bound ? '' : user.mobile,
    has_password: user.password !== '',
    can_unbind: bound !== '' && (await hasOtherWayIn(ctx, user.id, 'mobile')),
  }
}

export async function sendOwnCode(ctx: MemberCtx, input: Input<typeof ownMobile.sendCode>): Promise<void> {
  assertSmsEnabled(ctx.settings)
  const bound = boundMobile(await findOwn(ctx))
  const isProof = input.type === CodeScene.ProveMobile
  if (isProof && !bound) throw errors.users.mobileUnbound()
  if (!isProof && !input.mobile) throw errors.request.invalid('请输入手机号').at('mobile')
  if (!isProof && input.mobile === bound) throw errors.users.mobileSame().at('mobile')
  await checkCaptchaForCode(ctx, 'code', input)
  await sendSmsCode(ctx, { mobile: isProof ? bound : input.mobile, scene: input.type })
}

/**
 * Binds a number that the member has proven to hold; a change needs a proof of the old one too, and the first one the
 * password, or a fresh log-in where there is none, so that a stolen session is not turned into a way in. A number that another account has bound was given to a new
 * holder by the carrier: it is moved if the member says so and the other account keeps a way in.
 */
export async function bindMobile(ctx: MemberCtx, input: Input<typeof ownMobile.bind>): Promise<void> {
  assertSmsEnabled(ctx.settings)
  const { mobile } = input
  const user = await findOwn(ctx)
  const bound = boundMobile(user)
  if (bound === mobile) throw errors.users.mobileSame().at('mobile')
  if (!bound) await proveOwner(ctx, user, input.password)
  const proofs: ProvenCode[] = []
  if (bound) proofs.push(await proveOld(ctx, bound, input.old_code))
  proofs.push(await proveCode(ctx, mobileTarget(mobile, CodeScene.BindMobile), input.code))
  await transaction(ctx, async (ctx) => {
    const holder = await findMovableHolder(ctx, mobile, input.move)
    for (const proof of proofs) await spendCode(ctx, proof)
    if (holder) await storeMobile(ctx, holder, '')
    await storeMobile(ctx, user, mobile)
  })
}

export async function unbindMobile(ctx: MemberCtx, { code }: Input<typeof ownMobile.unbind>): Promise<void> {
  const user = await findOwn(ctx)
  const bound = boundMobile(user)
  if (!bound) throw errors.users.mobileUnbound()
  const proof = await proveCode(ctx, mobileTarget(bound, CodeScene.ProveMobile), code)
  await transaction(ctx, async (ctx) => {
    if (!(await hasOtherWayIn(ctx, user.id, 'mobile'))) throw errors.users.lastWayIn()
    await spendCode(ctx, proof)
    await storeMobile(ctx, user, '')
  })
}

async function findOwn(ctx: MemberCtx): Promise<UserRow> {
  const user = await findUser(ctx.db, ctx.viewer.id)
  if (!user) throw errors.users.notFound()
  return user
}

function boundMobile({ mobile, mobile_verified_at }: UserRow): string {
  return mobile_verified_at === null ? '' : mobile
}

async function proveOwner(ctx: MemberCtx, { password }: UserRow, typed: string): Promise<void> {
  if (password === '') assertProven(ctx, 'everyone')
  else await assertOwnPassword(ctx, typed)
}

/** With an error of its own: the form has two codes. */
async function proveOld(ctx: MemberCtx, mobile: string, code: string): Promise<ProvenCode> {
  try {
    return await proveCode(ctx, mobileTarget(mobile, CodeScene.ProveMobile), code)
  } catch (error) {
    const isWrong = error instanceof AppError && error.reason === errors.users.codeWrong().reason
    throw isWrong ? errors.users.oldMobileCodeWrong().at('old_code') : error
  }
}

/** The account that has the number so far, if any. */
async function findMovableHolder(ctx: MemberCtx, mobile: string, move: boolean): Promise<UserRow | undefined> {
  const holder = await findUserByMobile(ctx.db, mobile)
  if (!holder) return undefined
  if (!(await hasOtherWayIn(ctx, holder.id, 'mobile'))) throw errors.users.mobileIsOnlyWay()
  if (!move) throw errors.users.mobileBound()
  return holder
}

/** Of two changes at once, one is made. */
async function storeMobile(ctx: MemberCtx, user: UserRow, mobile: string): Promise<void> {
  try {
    const { numUpdatedRows } = await ctx.db
      .updateTable('user')
      .set({ mobile, mobile_verified_at: mobile ? ctx.now() : null, updated_at: ctx.now() })
      .where('id', '=', user.id)
      .where('mobile', '=', user.mobile)
      .executeTakeFirst()
    if (!numUpdatedRows) throw errors.users.changedMeanwhile()
  } catch (error) {
    throw isTaken(error, 'mobile') ? errors.users.changedMeanwhile() : error
  }
}
