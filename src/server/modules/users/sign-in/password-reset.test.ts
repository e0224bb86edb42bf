import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { secondFactor } from '#shared/contract/account-security.ts'
import { oauth } from '#shared/contract/oauth.ts'
import { users } from '#shared/contract/users.ts'
import type { CallInput } from '#shared/endpoint.ts'
import { encryptTotpSecret, setSecurity } from '#server/modules/auth/second-factor/account-security.ts'
import { type Mailbox, openMailbox } from '#server/testing/mailbox.ts'
import { deliverMails } from '#server/testing/deliver-mails.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'

const minute = 60_000
const linkWrong = { status: 400, reason: 'users.resetLinkWrong' }

let site: Site
let mailbox: Mailbox
let member: Person
let email: string
let count = 0
beforeAll(async () => {
  mailbox = await openMailbox()
  site = await openSite()
  await site.configure({ ...mailbox.settings, 'system.domain': 'https://wenku.example.com' })
  site.freezeClock()
})
afterAll(async () => {
  await site.close()
  await mailbox.close()
})
beforeEach(async () => {
  member = await site.member()
  email = await giveEmail(member)
})

test('the mailed link sets a new password and ends every session', async () => {
  const { link, token } = await mailedLink()
  expect(link.searchParams.get('email')).toBe(email)
  await stepTwo({ token, password: 'the new password' })
  expect(await refusal(member.call(users.get))).toMatchObject({ status: 401 })
  const { username, password } = member
  expect(await refusal(site.call(users.login, { username, password }))).toMatchObject({ status: 400 })
  const { user } = await site.call(users.login, { username, password: 'the new password' })
  expect(user.id).toBe(member.id)
})

test('the mail has the user name and the name of the site', async () => {
  await mailedLink()
  const { subject, text, html, to } = mailbox.latest(email)
  expect(to).toEqual([email])
  expect(subject).toBe('文豆 重置密码')
  expect(text).toContain(member.username)
  expect(html).toContain('30 分钟')
})

test.each([
  ['another host in the address', 'https://evil.example', {}],
  ['a forged Host', 'http://localhost', { host: 'evil.example' }],
  [
    'a forged X-Forwarded-Host',
    'http://localhost',
    { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' },
  ],
  [
    'another Origin and Referer',
    'http://localhost',
    { origin: 'https://evil.example', referer: 'https://evil.example/' },
  ],
])('the link has the configured domain, whatever the request has: %s', async (_how, origin, headers) => {
  const path = '/api/v1/user/findpassword/stepone'
  const { status } = await site.send('POST', `${origin}${path}`, { ip: nextAddress(), headers, body: { email } })
  expect(status).toBe(200)
  await deliverMails(site)
  const { text, html } = mailbox.latest(email)
  expect(text).toContain('https://wenku.example.com/findpassword?token=')
  expect(text + html).not.toContain('evil.example')
})

test('the address is case-insensitive', async () => {
  await stepOne({ email: email.toUpperCase() })
  await deliverMails(site)
  const token = tokenIn(mailbox.latest(email).text)
  await stepTwo({ token, email: email.toUpperCase() })
})

describe('a link is refused', () => {
  test('when it was used', async () => {
    const { token } = await mailedLink()
    await stepTwo({ token })
    expect(await refusal(stepTwo({ token }))).toMatchObject(linkWrong)
  })

  test('in nine of ten concurrent requests', async () => {
    const { token } = await mailedLink()
    const settled = await Promise.allSettled(Array.from({ length: 10 }, () => stepTwo({ token })))
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('for another account, and stays valid for its own', async () => {
    const otherMember = await site.member()
    const othersEmail = await giveEmail(otherMember)
    const { token } = await mailedLink()
    expect(await refusal(stepTwo({ token, email: othersEmail }))).toMatchObject(linkWrong)
    const { user } = await site.call(users.login, { username: otherMember.username, password: otherMember.password })
    expect(user.id).toBe(otherMember.id)
    await stepTwo({ token })
  })

  test('after the e-mail of the account was changed', async () => {
    const { token } = await mailedLink()
    await site.root.call(users.profile, { id: member.id, email: `moved-${email}` })
    expect(await refusal(stepTwo({ token }))).toMatchObject(linkWrong)
    expect(await refusal(stepTwo({ token, email: `moved-${email}` }))).toMatchObject(linkWrong)
  })

  test('after another account has got the address', async () => {
    const { token } = await mailedLink()
    await site.root.call(users.profile, { id: member.id, email: '' })
    const heir = await site.member()
    await site.root.call(users.profile, { id: heir.id, email })
    expect(await refusal(stepTwo({ token }))).toMatchObject(linkWrong)
  })

  test('when it has expired', async () => {
    const { token } = await mailedLink()
    site.advanceClock(30 * minute)
    expect(await refusal(stepTwo({ token }))).toMatchObject(linkWrong)
  })

  test('after the configured time', async () => {
    await site.configure({ 'email.duration': '5' })
    const { token } = await mailedLink()
    site.advanceClock(5 * minute)
    expect(await refusal(stepTwo({ token }))).toMatchObject(linkWrong)
    await site.configure({ 'email.duration': '30' })
  })

  test('once another link of the account was used', async () => {
    const first = await mailedLink()
    const second = await mailedLink()
    await stepTwo({ token: second.token })
    expect(await refusal(stepTwo({ token: first.token }))).toMatchObject(linkWrong)
  })

  test('once the member has changed the password', async () => {
    const { token } = await mailedLink()
    await member.call(users.password, { old_password: member.password, new_password: 'changed by hand' })
    expect(await refusal(stepTwo({ token }))).toMatchObject(linkWrong)
  })

  test('once an administrator has set the password', async () => {
    const { token } = await mailedLink()
    await site.root.call(users.set, { id: member.id, group_id: [2], password: 'set from above' })
    expect(await refusal(stepTwo({ token }))).toMatchObject(linkWrong)
  })

  test('when it is forged', async () => {
    expect(await refusal(stepTwo({ token: 'made-up' }))).toMatchObject(linkWrong)
    expect(await refusal(stepTwo({ token: '' }))).toMatchObject({ status: 400 })
  })

  test('with a password that is too short, and may be tried again', async () => {
    const { token } = await mailedLink()
    expect(await refusal(stepTwo({ token, password: '12345' }))).toMatchObject({ status: 400 })
    await stepTwo({ token })
  })
})

describe('no mail is sent', () => {
  test('to an address that no account has', async () => {
    const before = mailbox.mails().length
    expect(await stepOne({ email: 'nobody@example.com' })).toEqual({})
    await deliverMails(site)
    expect(mailbox.mails()).toHaveLength(before)
  })

  test('without mail settings, and the request is refused', async () => {
    await site.configure({ 'email.enable': 'false' })
    expect(await refusal(stepOne())).toMatchObject({ status: 400, reason: 'mail.off' })
    await site.configure({ 'email.enable': 'true' })
  })

  test('without a domain to put into the link', async () => {
    await site.configure({ 'system.domain': '' })
    expect(await refusal(stepOne())).toMatchObject({ status: 400, reason: 'mail.noDomain' })
    await site.configure({ 'system.domain': 'https://wenku.example.com' })
  })

  test('more than a few times to one address, from any IP', async () => {
    for (let attempt = 0; attempt < 3; attempt++) await stepOne()
    expect(await refusal(stepOne())).toMatchObject({ status: 429 })
  })
})

describe('an address that a mail proves for the first time', () => {
  /** A stranger would set up an account under another person's address like this, to stay in it. */
  async function setUpWaysIn({ id }: Person): Promise<void> {
    const now = Date.now()
    const cipher = (await site.app.context()).cipher
    await setSecurity(site.db, id, { totp_secret: encryptTotpSecret(cipher, id, 'SECRET'), totp_enabled_at: now })
    await site.db
      .insertInto('passkey')
      .values({ user_id: id, name: '手机', credential_id: `key-${id}`, public_key: 'x', counter: 0, created_at: now })
      .execute()
    await site.db
      .insertInto('oauth_binding')
      .values({
        user_id: id,
        type: 'github',
        issuer: '',
        openid: `${id}`,
        unionid: '',
        created_at: now,
        updated_at: now,
      })
      .execute()
    const bound = { mobile: `139${String(10_000_000 + id)}`, mobile_verified_at: now }
    await site.db.updateTable('user').set(bound).where('id', '=', id).execute()
  }

  test('starts the account afresh, and its holder is told', async () => {
    await setUpWaysIn(member)
    const { token } = await mailedLink()
    await stepTwo({ token, password: 'the new password' })
    expect(await refusal(member.call(users.get))).toMatchObject({ status: 401 })
    const login = await site.call(users.login, { username: member.username, password: 'the new password' })
    const call = site.caller({ token: login.token })
    expect(await call(secondFactor.get)).toMatchObject({ enabled: false, passkey_count: 0, recovery_count: 0 })
    expect((await call(oauth.own)).oauth).toEqual([])
    expect(await call(users.get)).toMatchObject({ mobile: '', email_verified: true })
    await deliverMails(site)
    const { subject, text } = mailbox.latest(email)
    expect(subject).toBe('文豆 您的账号已重新开始')
    for (const removed of ['通行密钥 1 个', '第三方账号 1 个', '验证器和恢复码', '绑定的手机号'])
      expect(text).toContain(removed)
  })

  test('leaves the ways in of an account whose address was proven before', async () => {
    await site.db.updateTable('user').set({ email_verified_at: 1 }).where('id', '=', member.id).execute()
    await setUpWaysIn(member)
    const { token } = await mailedLink()
    await stepTwo({ token, password: 'the new password' })
    const attempt = site.call(users.login, { username: member.username, password: 'the new password' })
    expect(await refusal(attempt)).toMatchObject({ reason: 'security.factorNeeded' })
  })

  test('replaces no second factor of staff', async () => {
    const reviewer = await site.staff('DocumentAPI/CheckDocument')
    email = await giveEmail(reviewer)
    await setUpWaysIn(reviewer)
    const { token } = await mailedLink()
    await stepTwo({ token, password: 'the new password' })
    const attempt = site.call(users.login, { username: reviewer.username, password: 'the new password' })
    expect(await refusal(attempt)).toMatchObject({ reason: 'security.factorNeeded' })
  })

  test('belongs to one account: of two that name it, each gets a link, and the first to use one has it', async () => {
    const other = await site.member()
    await site.root.call(users.profile, { id: other.id, email })
    await stepOne()
    await deliverMails(site)
    const mails = mailbox.mails().filter(({ to }) => to.includes(email))
    const tokens = mails.map(({ text }) => tokenIn(text))
    expect(mails.map(({ text }) => [member, other].find(({ username }) => text.includes(username))?.id)).toEqual(
      expect.arrayContaining([member.id, other.id]),
    )
    const [first = '', second = ''] = tokens
    await stepTwo({ token: first })
    expect(await refusal(stepTwo({ token: second }))).toMatchObject({ reason: 'users.emailTaken' })
  })
})

test('guessing links is throttled', async () => {
  const guess = () =>
    site.caller({ ip: '203.0.113.50' })(users.resetPassword, { email, token: 'x', password: 'a password' })
  for (let tries = 0; tries < 20; tries++) expect(await refusal(guess())).toMatchObject(linkWrong)
  expect(await refusal(guess())).toMatchObject({ status: 429 })
})

test('the database does not have the token in plain text', async () => {
  const { token } = await mailedLink()
  const rows = await site.db.selectFrom('reset_token').selectAll().execute()
  expect(rows.length).toBeGreaterThan(0)
  expect(JSON.stringify(rows)).not.toContain(token)
})

async function giveEmail({ id }: Person): Promise<string> {
  const address = `reader${(count += 1)}@example.com`
  await site.root.call(users.profile, { id, email: address })
  return address
}

async function mailedLink(): Promise<{ link: URL; token: string }> {
  await stepOne()
  await deliverMails(site)
  const { text } = mailbox.latest(email)
  const link = new URL(/https:\S+/.exec(text)?.[0] ?? '')
  return { link, token: tokenIn(text) }
}

function tokenIn(text: string): string {
  return new URL(/https:\S+/.exec(text)?.[0] ?? '').searchParams.get('token') ?? ''
}

function stepOne(change: Partial<CallInput<typeof users.requestPasswordReset>> = {}) {
  return site.caller({ ip: nextAddress() })(users.requestPasswordReset, { email, ...change })
}

function stepTwo(change: Partial<CallInput<typeof users.resetPassword>>) {
  return site.caller({ ip: nextAddress() })(users.resetPassword, {
    email,
    token: '',
    password: 'a new password',
    ...change,
  })
}

function nextAddress(): string {
  count += 1
  return `10.4.${count >> 8}.${count & 255}`
}
