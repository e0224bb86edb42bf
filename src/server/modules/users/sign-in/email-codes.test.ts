import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { users } from '#shared/contract/users.ts'
import type { Ask } from '#shared/endpoint.ts'
import { type Mailbox, openMailbox } from '#server/testing/mailbox.ts'
import { emptyPost } from '#server/testing/deliver-mails.ts'
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
  site.holdClock()
})
afterAll(async () => {
  await site.close()
  await mailbox.close()
})
beforeEach(() => {
  email = `reader${(count += 1)}@example.com`
})

test('the code arrives by mail and opens the account', async () => {
  const code = await mailedCode()
  const letter = mailbox.latest(email)
  expect(letter.subject).toBe('文豆 注册验证码')
  expect(letter.from).toContain('wendou@example.com')
  expect(letter.html).toContain(code)
  const { user } = await register({ code })
  expect(user.email).toBe(email)
})

test('without a code, or with a wrong one, there is no account', async () => {
  const code = await mailedCode()
  expect(await refusal(register({}))).toMatchObject({ status: 400, reason: 'users.codeWrong' })
  expect(await refusal(register({ code: otherThan(code) }))).toMatchObject({ reason: 'users.codeWrong' })
  expect((await register({ code })).user.email).toBe(email)
})

test('after five wrong guesses the right code is worth nothing', async () => {
  const code = await mailedCode()
  for (let guess = 0; guess < 5; guess++) await refusal(register({ code: otherThan(code) }))
  expect(await refusal(register({ code }))).toMatchObject({ reason: 'users.codeWrong' })
})

test('fifty guesses at once are no more than five', async () => {
  const code = await mailedCode()
  await Promise.all(Array.from({ length: 50 }, () => refusal(register({ code: otherThan(code) }))))
  const { tries } = await site.db
    .selectFrom('email_code')
    .select('tries')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  expect(tries).toBe(5)
  expect(await refusal(register({ code }))).toMatchObject({ reason: 'users.codeWrong' })
})

test('a code serves once', async () => {
  const code = await mailedCode()
  const { user } = await register({ code })
  await site.root.call(users.delete, { id: [user.id], password: site.root.password })
  expect(await refusal(register({ code }))).toMatchObject({ reason: 'users.codeWrong' })
})

test('ten accounts that use one code at once are one account', async () => {
  const code = await mailedCode()
  const settled = await Promise.allSettled(Array.from({ length: 10 }, () => register({ code })))
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('a code is good for half an hour', async () => {
  const code = await mailedCode()
  site.pass(30 * minute - 1)
  const late = await mailedCode(`late-${email}`)
  expect((await register({ code })).user.email).toBe(email)
  site.pass(30 * minute)
  expect(await refusal(register({ code: late, email: `late-${email}` }))).toMatchObject({ reason: 'users.codeWrong' })
})

test('a code is good for the address it went to', async () => {
  const code = await mailedCode()
  const other = `other-${email}`
  await mailedCode(other)
  expect(await refusal(register({ code, email: other }))).toMatchObject({ reason: 'users.codeWrong' })
})

test('a second code has to wait a minute, and then only the newer one counts', async () => {
  const older = await mailedCode()
  site.pass(minute - 1)
  const tooSoon = await refusal(ask({ email: email.toUpperCase() }))
  expect(tooSoon).toMatchObject({ status: 400, reason: 'users.codeTooSoon', message: expect.stringContaining('1 秒') })
  site.pass(1)
  const newer = await mailedCode()
  expect(newer).not.toBe(older)
  expect(await refusal(register({ code: older }))).toMatchObject({ reason: 'users.codeWrong' })
  expect((await register({ code: newer })).user.email).toBe(email)
})

test('ten requests at once for one address send one letter', async () => {
  const settled = await Promise.allSettled(Array.from({ length: 10 }, () => ask()))
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await emptyPost(site)
  expect(mailbox.letters().filter(({ to }) => to.includes(email))).toHaveLength(1)
})

test('while the mail server is away the code waits for it, and works when it comes', async () => {
  await site.configure({ ...mailbox.settings, 'email.port': '1' })
  await ask()
  await emptyPost(site)
  await site.configure(mailbox.settings)
  site.pass(minute)
  await emptyPost(site)
  const letters = mailbox.letters().filter(({ to }) => to.includes(email))
  expect(letters).toHaveLength(1)
  const code = /\d{6}/.exec(letters[0]?.text ?? '')?.[0]
  expect((await register({ code })).user.email).toBe(email)
})

test('without mail nobody is told to wait for a code', async () => {
  await site.configure({ 'email.enable': 'false' })
  expect(await refusal(ask())).toMatchObject({ status: 500, reason: 'mail.off' })
  await site.configure(mailbox.settings)
  expect(await mailedCode()).toMatch(/^\d{6}$/)
})

test('an address that has an account gets no code', async () => {
  const code = await mailedCode()
  await register({ code })
  site.pass(minute)
  expect(await refusal(ask())).toMatchObject({ status: 409, reason: 'users.emailTaken' })
})

test('no codes are sent for logging in, nor while registration does not ask for them', async () => {
  expect(await refusal(ask({ type: 1 }))).toMatchObject({ status: 400, reason: 'users.codeNotNeeded' })
  await site.configure({ 'security.enable_verify_register_email': 'false' })
  expect(await refusal(ask())).toMatchObject({ status: 400, reason: 'users.codeNotNeeded' })
  await site.configure({ 'security.enable_verify_register_email': 'true' })
})

test('one address cannot make the site mail without end', async () => {
  const askFor = (number: number) =>
    site.caller({ ip: '203.0.113.77' })(users.emailCode, { email: `flood${number}@example.com` })
  await Promise.all(Array.from({ length: 20 }, (_, number) => askFor(number)))
  expect(await refusal(askFor(21))).toMatchObject({ status: 429 })
})

test('who reads the database does not learn the code', async () => {
  const code = await mailedCode()
  const rows = await site.db.selectFrom('email_code').selectAll().execute()
  expect(JSON.stringify(rows.map((row) => row.code))).not.toContain(code)
})

async function mailedCode(to = email): Promise<string> {
  await ask({ email: to })
  await emptyPost(site)
  return /\d{6}/.exec(mailbox.latest(to).text)?.[0] ?? ''
}

function ask(change: Partial<Ask<typeof users.emailCode>> = {}) {
  return site.caller({ ip: nextAddress() })(users.emailCode, { email, ...change })
}

function register(change: Partial<Ask<typeof users.register>>) {
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
