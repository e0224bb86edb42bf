import { CodeScene } from '#shared/enums.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { users } from '#shared/contract/users.ts'
import type { CallInput } from '#shared/endpoint.ts'
import { type Mailbox, openMailbox } from '#server/testing/mailbox.ts'
import { deliverMails } from '#server/testing/deliver-mails.ts'
import { openSite, refusal, type Site } from '#server/testing/site.ts'

const second = 1000
const minute = 60 * second

let site: Site
let mailbox: Mailbox
let email: string
let count = 0
beforeAll(async () => {
  mailbox = await openMailbox()
  site = await openSite()
  await site.configure({ ...mailbox.settings, 'security.enable_verify_register_email': 'true' })
  site.freezeClock()
})
afterAll(async () => {
  await site.close()
  await mailbox.close()
})
beforeEach(() => {
  email = `reader${(count += 1)}@example.com`
})

test('the mailed code completes the registration', async () => {
  const code = await mailedCode()
  const mail = mailbox.latest(email)
  expect(mail.subject).toBe('文豆 注册验证码')
  expect(mail.from).toContain('wendou@example.com')
  expect(mail.html).toContain(code)
  const { user } = await register({ code })
  expect(user).toMatchObject({ email, email_verified: true })
  const login = await site.call(users.login, { username: email, password: 'a good password' })
  expect(login.user.id).toBe(user.id)
})

test('registration is refused without a code or with a wrong one', async () => {
  const code = await mailedCode()
  expect(await refusal(register({}))).toMatchObject({ status: 400, reason: 'users.codeWrong' })
  expect(await refusal(register({ code: otherThan(code) }))).toMatchObject({ reason: 'users.codeWrong' })
  expect((await register({ code })).user.email).toBe(email)
})

test('after five wrong guesses the right code is invalid', async () => {
  const code = await mailedCode()
  for (let guess = 0; guess < 5; guess++) await refusal(register({ code: otherThan(code) }))
  expect(await refusal(register({ code }))).toMatchObject({ reason: 'users.codeWrong' })
})

test('of fifty concurrent guesses only five count', async () => {
  const code = await mailedCode()
  await Promise.all(Array.from({ length: 50 }, () => refusal(register({ code: otherThan(code) }))))
  const { tries } = await site.db
    .selectFrom('verification_code')
    .select('tries')
    .where('target', '=', email)
    .executeTakeFirstOrThrow()
  expect(tries).toBe(5)
  expect(await refusal(register({ code }))).toMatchObject({ reason: 'users.codeWrong' })
})

test('a code is valid once', async () => {
  const code = await mailedCode()
  const { user } = await register({ code })
  await site.root.call(users.delete, { id: [user.id], password: site.root.password })
  expect(await refusal(register({ code }))).toMatchObject({ reason: 'users.codeWrong' })
})

test('of ten concurrent registrations with one code one succeeds', async () => {
  const code = await mailedCode()
  const settled = await Promise.allSettled(Array.from({ length: 10 }, () => register({ code })))
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('a code is valid for half an hour', async () => {
  const code = await mailedCode()
  site.advanceClock(30 * minute - 1)
  const late = await mailedCode(`late-${email}`)
  expect((await register({ code })).user.email).toBe(email)
  site.advanceClock(30 * minute)
  expect(await refusal(register({ code: late, email: `late-${email}` }))).toMatchObject({ reason: 'users.codeWrong' })
})

test('a code is valid for its address only', async () => {
  const code = await mailedCode()
  const otherEmail = `other-${email}`
  await mailedCode(otherEmail)
  expect(await refusal(register({ code, email: otherEmail }))).toMatchObject({ reason: 'users.codeWrong' })
})

test('a second code can be requested after a minute, and then only the newer one is valid', async () => {
  const older = await mailedCode()
  site.advanceClock(minute - 1)
  const tooSoon = await refusal(requestCode({ email: email.toUpperCase() }))
  expect(tooSoon).toMatchObject({ status: 400, reason: 'users.codeTooSoon', message: expect.stringContaining('1 秒') })
  site.advanceClock(1)
  const newer = await mailedCode()
  expect(newer).not.toBe(older)
  expect(await refusal(register({ code: older }))).toMatchObject({ reason: 'users.codeWrong' })
  expect((await register({ code: newer })).user.email).toBe(email)
})

test('ten concurrent requests for one address send one mail', async () => {
  const settled = await Promise.allSettled(Array.from({ length: 10 }, () => requestCode()))
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await deliverMails(site)
  expect(mailbox.mails().filter(({ to }) => to.includes(email))).toHaveLength(1)
})

test('a mail is retried while the mail server is down, and its code is then valid', async () => {
  await site.configure({ ...mailbox.settings, 'email.port': '1' })
  await requestCode()
  await deliverMails(site)
  await site.configure(mailbox.settings)
  site.advanceClock(minute)
  await deliverMails(site)
  const mails = mailbox.mails().filter(({ to }) => to.includes(email))
  expect(mails).toHaveLength(1)
  const code = /\d{6}/.exec(mails[0]?.text ?? '')?.[0]
  expect((await register({ code })).user.email).toBe(email)
})

test('without mail settings the request is refused', async () => {
  await site.configure({ 'email.enable': 'false' })
  expect(await refusal(requestCode())).toMatchObject({ status: 400, reason: 'mail.off' })
  await site.configure(mailbox.settings)
  expect(await mailedCode()).toMatch(/^\d{6}$/)
})

test('the holder of an address that has an account is told so by mail instead of a code, and nobody else is told', async () => {
  const code = await mailedCode()
  const { user } = await register({ code })
  site.advanceClock(minute)
  expect(await requestCode()).toEqual({})
  await deliverMails(site)
  const { subject, text } = mailbox.latest(email)
  expect(subject).toBe('文豆 这个邮箱已经有账号')
  expect(text).toContain(user.username)
  expect(text).not.toMatch(/\d{6}/)
  expect(await refusal(register({ code }))).toMatchObject({ reason: 'users.codeWrong' })
})

test('no codes are sent while neither registration nor login uses them', async () => {
  await site.configure({ 'email.enable_login': 'false' })
  expect(await refusal(requestCode({ type: CodeScene.Login }))).toMatchObject({
    status: 400,
    reason: 'users.emailLoginOff',
  })
  await site.configure({ 'email.enable_login': 'true' })
  await site.configure({ 'security.enable_verify_register_email': 'false' })
  expect(await refusal(requestCode())).toMatchObject({ status: 400, reason: 'users.codeNotNeeded' })
  await site.configure({ 'security.enable_verify_register_email': 'true' })
})

test('mails are rate limited per IP address', async () => {
  const askFor = (number: number) =>
    site.caller({ ip: '203.0.113.77' })(users.emailCode, { email: `flood${number}@example.com` })
  await Promise.all(Array.from({ length: 20 }, (_, number) => askFor(number)))
  expect(await refusal(askFor(21))).toMatchObject({ status: 429 })
})

test('the database does not have the code in plain text', async () => {
  const code = await mailedCode()
  const rows = await site.db.selectFrom('verification_code').selectAll().execute()
  expect(JSON.stringify(rows.map((row) => row.code))).not.toContain(code)
})

async function mailedCode(to = email): Promise<string> {
  await requestCode({ email: to })
  await deliverMails(site)
  return /\d{6}/.exec(mailbox.latest(to).text)?.[0] ?? ''
}

function requestCode(change: Partial<CallInput<typeof users.emailCode>> = {}) {
  return site.caller({ ip: nextAddress() })(users.emailCode, { email, ...change })
}

function register(change: Partial<CallInput<typeof users.register>>) {
  const username = `reader${(count += 1)}x`
  return site.caller({ ip: nextAddress() })(users.register, { username, password: 'a good password', email, ...change })
}

function nextAddress(): string {
  count += 1
  return `10.1.${count >> 8}.${count & 255}`
}

function otherThan(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0')
}
