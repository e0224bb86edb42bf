import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { codeSignIn, ownMobile } from '#shared/contract/code-sign-in.ts'
import { users } from '#shared/contract/users.ts'
import { CodeScene } from '#shared/enums.ts'
import { solvedCaptcha } from '#server/testing/captcha.ts'
import { type Person, refusal, type Site } from '#server/testing/site.ts'
import { openSmsSite, type SmsSite } from '#server/testing/sms/sms-site.ts'

const minute = 60_000

let smsSite: SmsSite
let site: Site
let member: Person
let mobile: string
beforeAll(async () => {
  smsSite = await openSmsSite()
  ;({ site } = smsSite)
})
afterAll(() => smsSite.close())
beforeEach(async () => {
  member = await site.member()
  mobile = smsSite.nextMobile()
})

const requestBinding = async (to: string, by = member) => {
  site.advanceClock(minute)
  await by.call(ownMobile.sendCode, { type: CodeScene.BindMobile, mobile: to })
  return smsSite.server.codeFor(to)
}
const requestProof = async (of: string, by = member) => {
  site.advanceClock(minute)
  await by.call(ownMobile.sendCode, { type: CodeScene.ProveMobile })
  return smsSite.server.codeFor(of)
}
const bind = async (to = mobile, by = member) =>
  by.call(ownMobile.bind, { mobile: to, code: await requestBinding(to, by), password: by.password })
const loginWith = (username: string, password: string) =>
  site.caller({ ip: smsSite.nextAddress() })(users.login, { username, password })

describe('binding', () => {
  test('makes the number a way in', async () => {
    expect(await member.call(ownMobile.get)).toMatchObject({ mobile: '', has_password: true, can_unbind: false })
    await bind()
    expect(smsSite.server.received.at(-1)).toMatchObject({ mobile, template: 'SMS_4' })
    expect(await member.call(ownMobile.get)).toMatchObject({ mobile, can_unbind: true })
    expect((await loginWith(mobile, member.password)).user).toMatchObject({ id: member.id, mobile_verified: true })
    const code = await smsSite.request(mobile, CodeScene.Login)
    const { user } = await site.caller({ ip: smsSite.nextAddress() })(codeSignIn.loginByMobile, { mobile, code })
    expect(user.id).toBe(member.id)
  })

  test('a number from the profile is suggested', async () => {
    await member.call(users.profile, { mobile })
    expect(await member.call(ownMobile.get)).toMatchObject({ mobile: '', suggested: mobile })
    await bind()
    expect(await member.call(ownMobile.get)).toMatchObject({ mobile, suggested: '' })
  })

  test('needs the password: a stolen session is no new way in', async () => {
    const code = await requestBinding(mobile)
    for (const password of ['', 'not it'])
      expect(await refusal(member.call(ownMobile.bind, { mobile, code, password }))).toMatchObject({
        reason: 'users.ownPasswordWrong',
      })
    await member.call(ownMobile.bind, { mobile, code, password: member.password })
  })

  test('needs a fresh proof of a member without a password: a stolen session is no new way in', async () => {
    await site.db.updateTable('user').set({ password: '' }).where('id', '=', member.id).execute()
    const person = { ...member, password: '' }
    site.advanceClock(11 * minute)
    expect(await refusal(bind(mobile, person))).toMatchObject({ status: 403, reason: 'security.proofNeeded' })
    expect(await member.call(ownMobile.get)).toMatchObject({ mobile: '' })
    const fresh = await site.member()
    await site.db.updateTable('user').set({ password: '' }).where('id', '=', fresh.id).execute()
    await bind(mobile, { ...fresh, password: '' })
    expect(await fresh.call(ownMobile.get)).toMatchObject({ mobile })
  })

  test('needs the right code of the right scene, number and time', async () => {
    const attempt = (code: string, to = mobile) =>
      refusal(member.call(ownMobile.bind, { mobile: to, code, password: member.password }))
    const login = await smsSite.request(mobile, CodeScene.Login)
    expect(await attempt(login)).toMatchObject({ reason: 'users.codeWrong' })
    const code = await requestBinding(mobile)
    expect(await attempt(code, smsSite.nextMobile())).toMatchObject({ reason: 'users.codeWrong' })
    site.advanceClock(10 * minute)
    expect(await attempt(code)).toMatchObject({ reason: 'users.codeWrong' })
    expect(await member.call(ownMobile.get)).toMatchObject({ mobile: '' })
  })

  test('needs a captcha before the message', async () => {
    await site.configure({ 'security.enable_captcha_code': 'true' })
    const ask = { type: CodeScene.BindMobile, mobile }
    expect(await refusal(member.call(ownMobile.sendCode, ask))).toMatchObject({ reason: 'captcha.needed' })
    await member.call(ownMobile.sendCode, { ...ask, ...(await solvedCaptcha(site, 'code')) })
    await site.configure({ 'security.enable_captcha_code': 'false' })
  })

  test('the profile does not change a number that is bound', async () => {
    await bind()
    await member.call(users.profile, { mobile: smsSite.nextMobile(), signature: 'hello' })
    expect(await member.call(ownMobile.get)).toMatchObject({ mobile })
  })

  test('is off with sms', async () => {
    await site.configure({ 'sms.enable': 'false' })
    expect(await refusal(member.call(ownMobile.sendCode, { type: CodeScene.BindMobile, mobile }))).toMatchObject({
      reason: 'sms.off',
    })
    expect(await refusal(member.call(ownMobile.bind, { mobile, code: '123456' }))).toMatchObject({ reason: 'sms.off' })
    await site.configure({ 'sms.enable': 'true' })
  })
})

describe('a change', () => {
  test('needs proof of the old and of the new number', async () => {
    await bind()
    const next = smsSite.nextMobile()
    const code = await requestBinding(next)
    const change = (input: { code: string; old_code: string }) =>
      member.call(ownMobile.bind, { mobile: next, ...input })
    expect(await refusal(change({ code, old_code: '' }))).toMatchObject({ reason: 'users.oldMobileCodeWrong' })
    expect(await refusal(change({ code, old_code: code }))).toMatchObject({ reason: 'users.oldMobileCodeWrong' })
    const old_code = await requestProof(mobile)
    expect(await refusal(change({ code: otherThan(code), old_code }))).toMatchObject({ reason: 'users.codeWrong' })
    await change({ code, old_code })
    expect(await member.call(ownMobile.get)).toMatchObject({ mobile: next })
    expect(await refusal(loginWith(mobile, member.password))).toMatchObject({ reason: 'users.wrongCredentials' })
    expect((await loginWith(next, member.password)).user.id).toBe(member.id)
    // The old number is free again.
    await bind(mobile, await site.member())
  })

  test('to the same number is none', async () => {
    await bind()
    const again = { type: CodeScene.BindMobile, mobile }
    expect(await refusal(member.call(ownMobile.sendCode, again))).toMatchObject({ reason: 'users.mobileSame' })
    expect(await refusal(member.call(ownMobile.bind, { mobile, code: '123456' }))).toMatchObject({
      reason: 'users.mobileSame',
    })
  })

  test('proof of the old number goes to that number, whatever the request says', async () => {
    await bind()
    site.advanceClock(minute)
    const elsewhere = smsSite.nextMobile()
    await member.call(ownMobile.sendCode, { type: CodeScene.ProveMobile, mobile: elsewhere })
    expect(smsSite.server.received.at(-1)).toMatchObject({ mobile })
  })
})

describe('unbinding', () => {
  test('needs a proof', async () => {
    await bind()
    expect(await refusal(member.call(ownMobile.unbind, { code: '123456' }))).toMatchObject({
      reason: 'users.codeWrong',
    })
    await member.call(ownMobile.unbind, { code: await requestProof(mobile) })
    expect(await member.call(ownMobile.get)).toMatchObject({ mobile: '', suggested: '' })
    expect(await refusal(member.call(ownMobile.unbind, { code: '123456' }))).toMatchObject({
      reason: 'users.mobileUnbound',
    })
  })

  test('of the only way in is refused', async () => {
    const passwordless = await smsSite.register(mobile)
    expect(await passwordless.call(ownMobile.get)).toMatchObject({ has_password: false, can_unbind: false })
    const code = await requestProof(mobile, passwordless)
    expect(await refusal(passwordless.call(ownMobile.unbind, { code }))).toMatchObject({ reason: 'users.lastWayIn' })
    expect(await passwordless.call(ownMobile.get)).toMatchObject({ mobile })
  })
})

describe('a number that the carrier has given to another person', () => {
  test('moves after proof and consent, and its former account keeps its other way in', async () => {
    await bind()
    const holder = await site.member()
    const code = await requestBinding(mobile, holder)
    const attempt = { mobile, code, password: holder.password }
    expect(await refusal(holder.call(ownMobile.bind, { ...attempt, code: otherThan(code), move: true }))).toMatchObject(
      {
        reason: 'users.codeWrong',
      },
    )
    expect(await refusal(holder.call(ownMobile.bind, attempt))).toMatchObject({
      status: 409,
      reason: 'users.mobileBound',
    })
    expect(await member.call(ownMobile.get)).toMatchObject({ mobile })
    await holder.call(ownMobile.bind, { ...attempt, move: true })
    expect(await holder.call(ownMobile.get)).toMatchObject({ mobile })
    expect(await member.call(ownMobile.get)).toMatchObject({ mobile: '', suggested: '' })
    expect((await loginWith(member.username, member.password)).user.id).toBe(member.id)
    const login = await smsSite.request(mobile, CodeScene.Login)
    const { user } = await site.caller({ ip: smsSite.nextAddress() })(codeSignIn.loginByMobile, { mobile, code: login })
    expect(user.id).toBe(holder.id)
  })

  test('stays where it is the only way in', async () => {
    const former = await smsSite.register(mobile)
    const code = await requestBinding(mobile)
    const attempt = { mobile, code, password: member.password, move: true }
    expect(await refusal(member.call(ownMobile.bind, attempt))).toMatchObject({ reason: 'users.mobileIsOnlyWay' })
    expect(await former.call(ownMobile.get)).toMatchObject({ mobile })
  })

  test('of two members who bind it at once one has it', async () => {
    const [first, second] = [await site.member(), await site.member()]
    const code = await requestBinding(mobile, first)
    const settled = await Promise.allSettled(
      [first, second].map((person) =>
        person.call(ownMobile.bind, { mobile, code, password: person.password, move: true }),
      ),
    )
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const rows = await site.db.selectFrom('user').select('id').where('mobile', '=', mobile).execute()
    expect(rows).toHaveLength(1)
  })
})

function otherThan(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0')
}
