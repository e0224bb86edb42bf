import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { punishments } from '#shared/contract/access.ts'
import { codeSignIn } from '#shared/contract/code-sign-in.ts'
import { credits } from '#shared/contract/credits.ts'
import { settings } from '#shared/contract/settings.ts'
import { users } from '#shared/contract/users.ts'
import { allCodes } from '#shared/codes.ts'
import { CodeScene, Punishment, type SignInScene, signInScenes } from '#shared/enums.ts'
import { deliverMails } from '#server/testing/deliver-mails.ts'
import { type Mailbox, openMailbox } from '#server/testing/mailbox.ts'
import { type Person, refusal, type Site } from '#server/testing/site.ts'
import { openSmsSite, type SmsSite } from '#server/testing/sms/sms-site.ts'

const minute = 60_000
const password = 'a good password'

let smsSite: SmsSite
let site: Site
let mailbox: Mailbox
let mobile: string
beforeAll(async () => {
  smsSite = await openSmsSite()
  ;({ site } = smsSite)
  mailbox = await openMailbox()
  await site.configure(mailbox.settings)
})
afterAll(async () => {
  await smsSite.close()
  await mailbox.close()
})
beforeEach(() => {
  mobile = smsSite.nextMobile()
})

const anyone = () => site.caller({ ip: smsSite.nextAddress() })
const register = (input: { mobile?: string; code: string; password?: string }) =>
  anyone()(codeSignIn.registerByMobile, { mobile, ...input })
const login = (input: { mobile?: string; code: string }) => anyone()(codeSignIn.loginByMobile, { mobile, ...input })
const reset = (input: { mobile?: string; code: string; password?: string }) =>
  anyone()(codeSignIn.resetByMobile, { mobile, password: 'another good one', ...input })
const byPassword = (username: string, password: string) => anyone()(users.login, { username, password })

describe('registration by a number', () => {
  test('makes a member with a name that can be changed once, and with the reward of a new member', async () => {
    const code = await smsSite.request(mobile, CodeScene.Register)
    const { token, user } = await register({ code })
    expect(user).toMatchObject({ mobile, mobile_verified: true, email: '', username_locked_until: null })
    expect(user.username).toMatch(/^用户[a-z0-9]{10}$/)
    expect(user.username).not.toContain(mobile.slice(-4))
    const member = site.caller({ token, ip: smsSite.nextAddress() })
    expect((await member(credits.entries)).total).toBe(1)
    await member(users.profile, { username: `name-${user.id}` })
    expect(await refusal(member(users.profile, { username: `again-${user.id}` }))).toMatchObject({
      reason: 'users.renamedLately',
    })
  })

  test('with a password, which then logs in with the number', async () => {
    const { id } = await smsSite.register(mobile, password)
    for (const text of [
      mobile,
      ` ${mobile}`,
      mobile.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)),
    ])
      expect((await byPassword(text, password)).user.id).toBe(id)
    expect(await refusal(byPassword(mobile, 'not the password'))).toMatchObject({ reason: 'users.wrongCredentials' })
  })

  test('without a password none logs in', async () => {
    const { username } = await smsSite.register(mobile)
    for (const guess of ['', 'undefined', 'null', mobile])
      for (const name of [mobile, username])
        expect(await refusal(byPassword(name, guess))).toMatchObject({ reason: 'users.wrongCredentials' })
  })

  test('sets a first password only with a fresh proof: a stolen session is not enough', async () => {
    const person = await smsSite.register(mobile)
    site.advanceClock(11 * minute)
    const set = (call = person.call) => call(users.password, { new_password: password })
    expect(await refusal(set())).toMatchObject({ status: 403, reason: 'security.proofNeeded' })
    const { token } = await login({ code: await smsSite.request(mobile, CodeScene.Login) })
    await set(site.caller({ token, ip: smsSite.nextAddress() }))
    expect((await byPassword(mobile, password)).user.id).toBe(person.id)
  })

  test('has an e-mail address only with a fresh proof: a mail to it sets the first password', async () => {
    const person = await smsSite.register(mobile)
    const email = `${person.username}@example.com`
    await person.call(users.profile, { signature: 'on the day of the log-in' })
    site.advanceClock(11 * minute)
    await person.call(users.profile, { signature: 'later' })
    const stale = await refusal(person.call(users.profile, { email }))
    expect(stale).toMatchObject({ status: 403, reason: 'security.proofNeeded' })
    expect(await person.call(users.get)).toMatchObject({ email: '' })
    const { token } = await login({ code: await smsSite.request(mobile, CodeScene.Login) })
    const fresh = site.caller({ token, ip: smsSite.nextAddress() })
    await fresh(users.profile, { email })
    expect(await fresh(users.get)).toMatchObject({ email })
  })

  test('needs a good password or none, and a bad one leaves the code valid', async () => {
    const code = await smsSite.request(mobile, CodeScene.Register)
    expect(await refusal(register({ code, password: 'password' }))).toMatchObject({ reason: 'users.passwordCommon' })
    expect(await refusal(register({ code, password: mobile }))).toMatchObject({ reason: 'users.passwordNamed' })
    expect(await refusal(register({ code, password: 'short' }))).toMatchObject({ status: 400 })
    expect((await register({ code, password })).user.mobile).toBe(mobile)
  })

  test('of a number that is registered is refused, to its holder alone', async () => {
    await smsSite.register(mobile)
    const wrong = await refusal(register({ code: '000000' }))
    expect(wrong).toMatchObject({ reason: 'users.codeWrong' })
    const code = await smsSite.request(mobile, CodeScene.Register)
    expect(await refusal(register({ code }))).toMatchObject({ status: 409, reason: 'users.mobileRegistered' })
  })

  test('is not in the way of accounts that name the number without having proven it', async () => {
    const squatter = await site.member()
    await squatter.call(users.profile, { mobile })
    const { id } = await smsSite.register(mobile)
    expect(await site.root.call(users.get, { id: squatter.id })).toMatchObject({ mobile, mobile_verified: false })
    expect(await site.root.call(users.get, { id })).toMatchObject({ mobile, mobile_verified: true })
  })

  test('of ten at once with one code one succeeds', async () => {
    const code = await smsSite.request(mobile, CodeScene.Register)
    const settled = await Promise.allSettled(Array.from({ length: 10 }, () => register({ code })))
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const rows = await site.db.selectFrom('user').select('id').where('mobile', '=', mobile).execute()
    expect(rows).toHaveLength(1)
  })

  test('is closed with the site, the registration or sms', async () => {
    const code = await smsSite.request(mobile, CodeScene.Register)
    for (const [change, back, reason] of [
      [{ 'security.is_close': 'true' }, { 'security.is_close': 'false' }, 'users.siteClosed'],
      [{ 'security.enable_register': 'false' }, { 'security.enable_register': 'true' }, 'users.registerClosed'],
      [{ 'sms.enable': 'false' }, { 'sms.enable': 'true' }, 'sms.off'],
    ] as const) {
      await site.configure(change)
      expect(await refusal(register({ code }))).toMatchObject({ reason })
      await site.configure(back)
    }
    await site.configure({ 'security.login_required': 'true' })
    expect((await register({ code })).user.mobile).toBe(mobile)
    await site.configure({ 'security.login_required': 'false' })
  })

  test('extra keys are ignored', async () => {
    const code = await smsSite.request(mobile, CodeScene.Register)
    const extra = { is_root: true, group_id: [1], credit_count: 10_000, email: 'x@example.com' }
    const { user } = await register({ code, ...extra })
    expect(user).toMatchObject({ is_root: false, email: '' })
    expect(user.group_id).not.toContain(1)
    expect(user.credit_count).toBeLessThan(10_000)
  })
})

describe('login by a number', () => {
  test('gives a session like any other', async () => {
    const { id } = await smsSite.register(mobile)
    const { token, user } = await login({ code: await smsSite.request(mobile, CodeScene.Login) })
    expect(user.id).toBe(id)
    expect(await site.caller({ token })(users.get)).toMatchObject({ id, mobile })
    await site.caller({ token })(users.logout)
    expect(await refusal(site.caller({ token })(users.permission))).toMatchObject({ status: 401 })
  })

  test('works on a site that requires login', async () => {
    await smsSite.register(mobile)
    await site.configure({ 'security.login_required': 'true' })
    expect((await login({ code: await smsSite.request(mobile, CodeScene.Login) })).user.mobile).toBe(mobile)
    await site.configure({ 'security.login_required': 'false' })
  })

  test('opens a closed site for staff alone', async () => {
    const member = await smsSite.register(mobile)
    const boss = await smsSite.register()
    await site.root.call(users.set, { id: boss.id, group_id: [1] })
    await site.configure({ 'security.is_close': 'true' })
    const asMember = await login({ code: await smsSite.request(mobile, CodeScene.Login) })
    expect(asMember.user.id).toBe(member.id)
    expect(await refusal(site.caller({ token: asMember.token })(users.list))).toMatchObject({ status: 403 })
    const code = await smsSite.request(boss.mobile, CodeScene.Login)
    const asStaff = await login({ mobile: boss.mobile, code })
    expect((await site.caller({ token: asStaff.token })(users.list)).total).toBeGreaterThan(0)
    await site.configure({ 'security.is_close': 'false' })
  })

  test('of a disabled account is refused', async () => {
    const { id } = await smsSite.register(mobile)
    await site.root.call(punishments.create, { user_id: [id], type: [Punishment.Disabled], enable: true })
    const code = await smsSite.request(mobile, CodeScene.Login)
    expect(await refusal(login({ code }))).toMatchObject({ reason: 'punishments.active' })
  })

  test('of an unknown number registers its holder, and nobody else', async () => {
    expect(await refusal(login({ code: '123456' }))).toMatchObject({ reason: 'users.codeWrong' })
    const code = await smsSite.request(mobile, CodeScene.Login)
    expect(await refusal(login({ code: otherThan(code) }))).toMatchObject({ reason: 'users.codeWrong' })
    const { user } = await login({ code })
    expect(user).toMatchObject({ mobile, mobile_verified: true })
    const again = await smsSite.request(mobile, CodeScene.Login)
    expect((await login({ code: again })).user.id).toBe(user.id)
  })

  test('of an unknown number is refused where registration is closed, and its code stays good', async () => {
    await site.configure({ 'security.enable_register': 'false' })
    const code = await smsSite.request(mobile, CodeScene.Login)
    expect(await refusal(login({ code }))).toMatchObject({ reason: 'users.registerClosed' })
    await site.configure({ 'security.enable_register': 'true' })
    expect((await login({ code })).user).toMatchObject({ mobile })
  })

  test('answers the request for a code alike for every number', async () => {
    await smsSite.register(mobile)
    const ask = (to: string) =>
      site.send('POST', '/api/v1/sms', {
        body: { mobile: to, type: CodeScene.Login },
        headers: { 'content-type': 'application/json' },
      })
    site.advanceClock(60_000)
    for (const to of [mobile, smsSite.nextMobile()]) expect((await ask(to)).json).toEqual({ is_registered: true })
  })

  test('a number that was only entered does not log in', async () => {
    const member = await site.member()
    await member.call(users.profile, { mobile })
    const code = await smsSite.request(mobile, CodeScene.Login)
    expect((await login({ code })).user.id).not.toBe(member.id)
    expect(await refusal(byPassword(mobile, member.password))).toMatchObject({ reason: 'users.wrongCredentials' })
  })

  test('a number that staff have replaced does not log in', async () => {
    const { id } = await smsSite.register(mobile, password)
    const next = smsSite.nextMobile()
    await site.root.call(users.profile, { id, mobile: next })
    for (const number of [mobile, next])
      expect(await refusal(byPassword(number, password))).toMatchObject({ reason: 'users.wrongCredentials' })
  })

  test('attempts with a password are counted for numbers that exist and those that do not alike', async () => {
    await smsSite.register(mobile, password)
    const ip = smsSite.nextAddress()
    const outcomes = async (username: string) => {
      const statuses: number[] = []
      for (let guess = 0; guess < 7; guess++)
        statuses.push((await refusal(site.caller({ ip })(users.login, { username, password: 'not it' }))).status)
      return statuses
    }
    expect(await outcomes(mobile)).toEqual([400, 400, 400, 400, 400, 429, 429])
    expect(await outcomes(smsSite.nextMobile())).toEqual([400, 400, 400, 400, 400, 429, 429])
  })
})

describe('a new password by a number', () => {
  test('ends all sessions and replaces the old one', async () => {
    const member = await smsSite.register(mobile, password)
    await reset({ code: await smsSite.request(mobile, CodeScene.FindPassword) })
    expect(await refusal(member.call(users.permission))).toMatchObject({ status: 401 })
    expect(await refusal(byPassword(mobile, password))).toMatchObject({ reason: 'users.wrongCredentials' })
    expect((await byPassword(mobile, 'another good one')).user.id).toBe(member.id)
  })

  test('is the first one of a member who had none', async () => {
    const { id, username } = await smsSite.register(mobile)
    await reset({ code: await smsSite.request(mobile, CodeScene.FindPassword) })
    expect((await byPassword(username, 'another good one')).user.id).toBe(id)
  })

  test('a weak one leaves the code valid', async () => {
    await smsSite.register(mobile)
    const code = await smsSite.request(mobile, CodeScene.FindPassword)
    expect(await refusal(reset({ code, password: 'password' }))).toMatchObject({ reason: 'users.passwordCommon' })
    await reset({ code })
  })

  test('a number without an account has none', async () => {
    const code = await smsSite.request(mobile, CodeScene.FindPassword)
    expect(await refusal(reset({ code }))).toMatchObject({ status: 404, reason: 'users.mobileUnknown' })
  })
})

describe('a code by sms', () => {
  test('is valid once', async () => {
    await smsSite.register(mobile)
    const code = await smsSite.request(mobile, CodeScene.Login)
    await login({ code })
    expect(await refusal(login({ code }))).toMatchObject({ reason: 'users.codeWrong' })
  })

  test.each([
    ['register', CodeScene.Register],
    ['login', CodeScene.Login],
    ['find password', CodeScene.FindPassword],
  ] as const)('to %s is valid for nothing else', async (_name, scene) => {
    await smsSite.register(mobile)
    const code = await smsSite.request(mobile, scene)
    const uses = {
      [CodeScene.Register]: () => register({ code }),
      [CodeScene.Login]: () => login({ code }),
      [CodeScene.FindPassword]: () => reset({ code }),
    }
    for (const use of allCodes(signInScenes)) {
      const reason = await uses[use]().then(
        () => '',
        (error: { reason: string }) => error.reason,
      )
      // Its own number is registered already.
      const own = use === CodeScene.Register ? 'users.mobileRegistered' : ''
      expect(reason).toBe(use === scene ? own : 'users.codeWrong')
    }
  })

  test('is valid for its number alone', async () => {
    const { mobile: other } = await smsSite.register()
    await smsSite.register(mobile)
    const code = await smsSite.request(mobile, CodeScene.Login)
    expect(await refusal(login({ mobile: other, code }))).toMatchObject({ reason: 'users.codeWrong' })
    expect((await login({ code })).user.mobile).toBe(mobile)
  })

  test('is invalid after five wrong guesses, however many come at once', async () => {
    await smsSite.register(mobile)
    const code = await smsSite.request(mobile, CodeScene.Login)
    await Promise.all(Array.from({ length: 30 }, () => refusal(login({ code: otherThan(code) }))))
    expect(await refusal(login({ code }))).toMatchObject({ reason: 'users.codeWrong' })
    const row = await site.db
      .selectFrom('verification_code')
      .select('tries')
      .where('target', '=', mobile)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(row.tries).toBe(5)
  })

  test('guesses of many numbers from one address are slowed', async () => {
    const caller = site.caller({ ip: smsSite.nextAddress() })
    const guess = () => refusal(caller(codeSignIn.loginByMobile, { mobile: smsSite.nextMobile(), code: '123456' }))
    for (let tries = 0; tries < 50; tries++) expect((await guess()).status).toBe(400)
    expect(await guess()).toMatchObject({ status: 429, reason: 'users.slowDown' })
  })

  test('is valid for the time that is set', async () => {
    await site.configure({ 'sms.duration': '5' })
    await smsSite.register(mobile)
    const code = await smsSite.request(mobile, CodeScene.Login)
    site.advanceClock(5 * minute - 1)
    expect((await login({ code })).user.mobile).toBe(mobile)
    const late = await smsSite.request(mobile, CodeScene.Login)
    site.advanceClock(5 * minute)
    expect(await refusal(login({ code: late }))).toMatchObject({ reason: 'users.codeWrong' })
    await site.configure({ 'sms.duration': '10' })
  })

  test('is replaced by a newer one', async () => {
    await smsSite.register(mobile)
    const older = await smsSite.request(mobile, CodeScene.Login)
    const newer = await smsSite.request(mobile, CodeScene.Login)
    if (older !== newer) expect(await refusal(login({ code: older }))).toMatchObject({ reason: 'users.codeWrong' })
    expect((await login({ code: newer })).user.mobile).toBe(mobile)
  })
})

describe('a code by e-mail', () => {
  let email: string
  let id: number
  beforeEach(async () => {
    const member = await site.member()
    id = member.id
    email = `${member.username}@example.com`
    await site.root.call(users.profile, { id, email })
    await site.db.updateTable('user').set({ email_verified_at: 1 }).where('id', '=', id).execute()
  })
  const ask = (type: SignInScene, to = email) => anyone()(users.emailCode, { email: to, type })
  const mailed = async (type: SignInScene, to = email) => {
    site.advanceClock(minute)
    await ask(type, to)
    await deliverMails(site)
    return /\d{6}/.exec(mailbox.latest(to).text)?.[0] ?? ''
  }
  const mailsTo = (to: string) => mailbox.mails().filter((mail) => mail.to.includes(to))

  test('logs in, once', async () => {
    const code = await mailed(CodeScene.Login)
    expect(mailbox.latest(email).subject).toBe('文豆 登录验证码')
    const { token, user } = await anyone()(codeSignIn.loginByEmail, { email: email.toUpperCase(), code })
    expect(user.id).toBe(id)
    expect(await site.caller({ token })(users.get)).toMatchObject({ id })
    expect(await refusal(anyone()(codeSignIn.loginByEmail, { email, code }))).toMatchObject({
      reason: 'users.codeWrong',
    })
  })

  test('sets a new password and proves the address', async () => {
    await site.db.updateTable('user').set({ email_verified_at: null }).where('id', '=', id).execute()
    const code = await mailed(CodeScene.FindPassword)
    expect(await refusal(anyone()(codeSignIn.loginByEmail, { email, code }))).toMatchObject({
      reason: 'users.codeWrong',
    })
    await anyone()(codeSignIn.resetByEmail, { email, code, password })
    expect((await byPassword(email, password)).user).toMatchObject({ id, email_verified: true })
  })

  describe('to an address that a stranger has entered first', () => {
    let holder: Person
    beforeEach(async () => {
      await site.configure({ 'system.domain': 'https://wenku.example.com' })
      // The address is that of the holder, whose account is the younger one.
      await site.db.updateTable('user').set({ email_verified_at: null }).where('id', '=', id).execute()
      holder = await site.member()
      await site.root.call(users.profile, { id: holder.id, email })
    })

    test('leads the holder to each account by its own link, as no code says whose it is', async () => {
      const before = mailsTo(email).length
      await mailed(CodeScene.FindPassword)
      const mails = mailsTo(email).slice(before)
      expect(mails.map(({ subject }) => subject)).toEqual(['文豆 重置密码', '文豆 重置密码'])
      const mail = mails.find(({ text }) => text.includes(holder.username))
      const token = new URL(/https:\S+/.exec(mail?.text ?? '')?.[0] ?? '').searchParams.get('token') ?? ''
      await anyone()(users.resetPassword, { email, token, password })
      expect((await byPassword(email, password)).user).toMatchObject({ id: holder.id, email_verified: true })
      expect(await site.root.call(users.get, { id })).toMatchObject({ email_verified: false })
    })

    test('lets no code decide whose password is set: not even one that was sent before the second account named it', async () => {
      await site.root.call(users.profile, { id: holder.id, email: '' })
      const code = await mailed(CodeScene.FindPassword)
      await site.root.call(users.profile, { id: holder.id, email })
      expect(await refusal(anyone()(codeSignIn.resetByEmail, { email, code, password }))).toMatchObject({
        reason: 'users.codeWrong',
      })
    })

    test('is for the account that has proven the address', async () => {
      await site.db.updateTable('user').set({ email_verified_at: 1 }).where('id', '=', holder.id).execute()
      const code = await mailed(CodeScene.FindPassword)
      await anyone()(codeSignIn.resetByEmail, { email, code, password })
      expect((await byPassword(holder.username, password)).user.id).toBe(holder.id)
    })
  })

  test('the answer does not tell whether there is an account, and others get no mail', async () => {
    for (const type of [CodeScene.Login, CodeScene.FindPassword] as const) {
      site.advanceClock(minute)
      const unknown = `nobody${id}-${type}@example.com`
      expect(await ask(type, unknown)).toEqual(await ask(type))
      await deliverMails(site)
      expect(mailsTo(unknown)).toEqual([])
      expect(await refusal(ask(type, unknown))).toMatchObject({ reason: 'users.codeTooSoon' })
    }
  })

  test('an address that was never proven gets none to log in', async () => {
    await site.db.updateTable('user').set({ email_verified_at: null }).where('id', '=', id).execute()
    site.advanceClock(minute)
    await ask(CodeScene.Login)
    await deliverMails(site)
    expect(mailsTo(email)).toEqual([])
  })

  test('a code to an address that the account has given up is invalid', async () => {
    const code = await mailed(CodeScene.Login)
    await site.root.call(users.profile, { id, email: `new-${email}` })
    expect(await refusal(anyone()(codeSignIn.loginByEmail, { email, code }))).toMatchObject({
      reason: 'users.codeWrong',
    })
  })

  test('an address gets twenty a day', async () => {
    for (let request = 0; request < 20; request++) {
      site.advanceClock(minute)
      await ask(CodeScene.Login)
    }
    site.advanceClock(minute)
    expect(await refusal(ask(CodeScene.Login))).toMatchObject({ status: 429, reason: 'users.codeTooOften' })
  })

  test('can be switched off, and is off without mail', async () => {
    const code = await mailed(CodeScene.Login)
    expect((await site.call(settings.get)).system.enable_email_login).toBe(true)
    await site.configure({ 'email.enable_login': 'false' })
    expect(await refusal(anyone()(codeSignIn.loginByEmail, { email, code }))).toMatchObject({
      reason: 'users.emailLoginOff',
    })
    await site.configure({ 'email.enable_login': 'true', 'email.enable': 'false' })
    expect(await refusal(ask(CodeScene.Login))).toMatchObject({ reason: 'mail.off' })
    expect((await site.call(settings.get)).system.enable_email_login).toBe(false)
    await site.configure(mailbox.settings)
  })
})

function otherThan(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0')
}
