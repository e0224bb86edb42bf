import { Punishment } from '#shared/enums.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { punishments } from '#shared/contract/access.ts'
import { settings } from '#shared/contract/settings.ts'
import { users } from '#shared/contract/users.ts'
import { fingerprint } from '#server/keys.ts'
import { solvedCaptcha } from '#server/testing/captcha.ts'
import { openSite, refusal, type Site } from '#server/testing/site.ts'

const second = 1000
const minute = 60 * second

let site: Site
let addresses = 0
beforeAll(async () => {
  site = await openSite()
  site.freezeClock()
})
afterAll(() => site.close())

test('a member logs in and gets a valid token', async () => {
  const { username, password, id } = await site.member()
  const { token, user } = await site.call(users.login, { username, password })
  expect(user.id).toBe(id)
  expect(await site.caller({ token })(users.get)).toMatchObject({ id, username })
})

test('the account has the time and the address of the last login', async () => {
  const { id, username, password } = await site.member()
  site.advanceClock(minute)
  await site.caller({ ip: '198.51.100.7' })(users.login, { username, password })
  const { login_at, last_login_ip, created_at } = await site.root.call(users.get, { id })
  expect(last_login_ip).toBe('198.51.100.7')
  expect(login_at).toBe(Number(created_at) + minute)
})

test('a wrong password and an unknown name give the same error', async () => {
  const { username } = await site.member()
  const wrong = await refusal(site.call(users.login, { username, password: 'not it' }))
  const unknown = await refusal(site.call(users.login, { username: 'nobody-here', password: 'not it' }))
  expect(wrong).toMatchObject({ status: 400, reason: 'users.wrongCredentials' })
  expect(unknown).toEqual(wrong)
})

test('the stored hash cannot be used to log in', async () => {
  const { id, username } = await site.member()
  const { password: hash } = await site.db
    .selectFrom('user')
    .select('password')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(hash).toMatch(/^\$argon2id\$/)
  expect(await refusal(site.call(users.login, { username, password: hash }))).toMatchObject({ status: 400 })
})

describe('an e-mail address logs in', () => {
  const login = (username: string, password: string, ip = nextAddress()) =>
    site.caller({ ip })(users.login, { username, password })
  const verify = (id: number) =>
    site.db.updateTable('user').set({ email_verified_at: 1 }).where('id', '=', id).execute()

  test('once it is verified, in any case and width', async () => {
    const { id, password } = await site.member()
    await site.root.call(users.profile, { id, email: 'Reader@example.com' })
    const unverified = await refusal(login('reader@example.com', password))
    expect(unverified).toMatchObject({ status: 400, reason: 'users.wrongCredentials' })
    await verify(id)
    for (const email of ['Reader@example.com', ' reader@EXAMPLE.com', 'ｒeader＠example.com'])
      expect((await login(email, password)).user).toMatchObject({ id, email_verified: true })
    expect(await refusal(login('nobody@example.com', password))).toEqual(unverified)
    expect(await refusal(login('reader@example.com', 'not it'))).toEqual(unverified)
  })

  test('of an account that proved it by the link of a forgotten password', async () => {
    const { id } = await site.member()
    await site.root.call(users.profile, { id, email: 'forgetful@example.com' })
    const token = 'a-token-that-was-mailed'
    await site.db
      .insertInto('reset_token')
      .values({ hash: fingerprint(token), user_id: id, email: 'forgetful@example.com', expires_at: Date.now() * 2 })
      .execute()
    await site.call(users.resetPassword, { email: 'forgetful@example.com', token, password: 'remembered-now' })
    expect((await login('forgetful@example.com', 'remembered-now')).user.id).toBe(id)
  })

  test('no longer when staff have replaced it', async () => {
    const { id, password } = await site.member()
    await site.root.call(users.profile, { id, email: 'first@example.com' })
    await verify(id)
    await site.root.call(users.profile, { id, email: 'FIRST@example.com', signature: 'the same address' })
    expect((await login('first@example.com', password)).user.id).toBe(id)
    await site.root.call(users.profile, { id, email: 'second@example.com' })
    for (const email of ['first@example.com', 'second@example.com'])
      expect(await refusal(login(email, password))).toMatchObject({ reason: 'users.wrongCredentials' })
  })

  test('attempts are counted, for addresses that exist and those that do not alike', async () => {
    const { id, username, password } = await site.member()
    await site.root.call(users.profile, { id, email: 'guessed@example.com' })
    await verify(id)
    const ip = nextAddress()
    const outcomes = async (email: string) => {
      const statuses: number[] = []
      for (let guess = 0; guess < 7; guess++) statuses.push((await refusal(login(email, 'not it', ip))).status)
      return statuses
    }
    expect(await outcomes('guessed@example.com')).toEqual([400, 400, 400, 400, 400, 429, 429])
    expect(await outcomes('unknown@example.com')).toEqual([400, 400, 400, 400, 400, 429, 429])
    // That the name is still free to try does not tell whose address it is.
    expect((await login(username, password, ip)).user.id).toBe(id)
  })
})

describe('guessing', () => {
  test('is throttled per name and address, with increasing delay', async () => {
    const { username, password } = await site.member()
    const ip = nextAddress()
    for (let guess = 0; guess < 5; guess++) expect(await guessAt(username, ip)).toBe(400)
    const slowed = await refusal(site.caller({ ip })(users.login, { username, password }))
    expect(slowed).toMatchObject({ status: 429, reason: 'users.slowDown', message: expect.stringContaining('1 秒') })
    site.advanceClock(second)
    expect(await guessAt(username, ip)).toBe(400)
    site.advanceClock(second)
    expect(await guessAt(username, ip)).toBe(429)
    site.advanceClock(second)
    expect((await site.caller({ ip })(users.login, { username, password })).user.username).toBe(username)
  })

  test('delays an address by at most a quarter of an hour', async () => {
    const { username, password } = await site.member()
    const ip = nextAddress()
    for (let guess = 0; guess < 25; guess++) {
      expect(await guessAt(username, ip)).toBe(400)
      site.advanceClock(15 * minute)
    }
    expect((await site.caller({ ip })(users.login, { username, password })).user.username).toBe(username)
  })

  test('does not lock out the owner at another address', async () => {
    const { username, password } = await site.member()
    const ip = nextAddress()
    for (let guess = 0; guess < 10; guess++) await guessAt(username, ip)
    expect(await guessAt(username, ip)).toBe(429)
    const { user } = await site.caller({ ip: nextAddress() })(users.login, { username, password })
    expect(user.username).toBe(username)
  })

  test('with other spellings of the name counts together', async () => {
    const { username } = await site.member('Ollie-Lol')
    const ip = nextAddress()
    for (let guess = 0; guess < 5; guess++) await guessAt('0LL1E-l0l', ip)
    expect(await guessAt(username, ip)).toBe(429)
  })

  test('is throttled for an unknown name as well, to prevent user enumeration', async () => {
    const ip = nextAddress()
    for (let guess = 0; guess < 5; guess++) expect(await guessAt('no-such-name', ip)).toBe(400)
    expect(await guessAt('no-such-name', ip)).toBe(429)
  })

  test('fifty times at the same time counts as five', async () => {
    const { username } = await site.member()
    const ip = nextAddress()
    const statuses = await Promise.all(Array.from({ length: 50 }, () => guessAt(username, ip)))
    expect(statuses.filter((status) => status === 400)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(45)
  })

  test('of many names from one address is throttled for that address', async () => {
    const { username, password } = await site.member()
    const ip = nextAddress()
    for (let guess = 0; guess < 50; guess++) expect(await guessAt(`stranger-${guess}`, ip)).toBe(400)
    expect(await refusal(site.caller({ ip })(users.login, { username, password }))).toMatchObject({ status: 429 })
    const { user } = await site.caller({ ip: nextAddress() })(users.login, { username, password })
    expect(user.username).toBe(username)
  })

  test('of one name from many addresses is throttled mildly: the owner waits at most half a minute', async () => {
    const { username, password } = await site.member()
    for (let guess = 0; guess < 45; guess++) {
      expect(await guessAt(username, nextAddress())).toBe(400)
      site.advanceClock(guess < 29 ? 0 : minute / 2)
    }
    expect(await guessAt(username, nextAddress())).toBe(400)
    const owner = site.caller({ ip: nextAddress() })
    expect(await refusal(owner(users.login, { username, password }))).toMatchObject({
      status: 429,
      message: expect.stringContaining('30 秒'),
    })
    site.advanceClock(minute / 2)
    expect((await owner(users.login, { username, password })).user.username).toBe(username)
  })

  test('of a name that looks like an address does not affect that address', async () => {
    const { username, password } = await site.member()
    const home = nextAddress()
    for (let guess = 0; guess < 31; guess++) await guessAt(`${username}:${home}`, nextAddress())
    expect((await site.caller({ ip: home })(users.login, { username, password })).user.username).toBe(username)
  })

  test('is reset by a successful login', async () => {
    const { username, password } = await site.member()
    const ip = nextAddress()
    for (let day = 0; day < 3; day++) {
      for (let guess = 0; guess < 4; guess++) expect(await guessAt(username, ip)).toBe(400)
      await site.caller({ ip })(users.login, { username, password })
    }
  })
})

test('sixty members behind one address can log in', async () => {
  const { id, username, password } = await site.member()
  const visitor = site.caller({ ip: nextAddress() })
  for (let entry = 0; entry < 60; entry++) {
    expect((await visitor(users.login, { username, password })).user.id).toBe(id)
  }
})

test('a clock that is set back a little invalidates no session', async () => {
  const { username, password } = await site.member()
  const ip = nextAddress()
  await guessAt(username, ip)
  site.advanceClock(-minute)
  expect((await site.caller({ ip })(users.login, { username, password })).user.username).toBe(username)
  site.advanceClock(minute)
})

test('a disabled account gets the reason, but only with its password', async () => {
  const { id, username, password } = await site.member()
  await site.root.call(punishments.create, {
    user_id: [id],
    type: [Punishment.Disabled],
    enable: true,
    reason: '发布广告',
  })
  const wrong = await refusal(site.call(users.login, { username, password: 'not it' }))
  expect(wrong).toMatchObject({ status: 400, reason: 'users.wrongCredentials' })
  const right = await refusal(site.call(users.login, { username, password }))
  expect(right).toMatchObject({
    status: 403,
    reason: 'punishments.active',
    message: expect.stringContaining('发布广告'),
  })
})

describe('a captcha is asked for', () => {
  const [lastFree, windowMs] = [3, 30 * minute]
  beforeAll(() => site.configure({ 'security.enable_captcha_login': 'true' }))
  afterAll(() => site.configure({ 'security.enable_captcha_login': 'false', 'security.captcha_after_failures': '3' }))
  const login = (who: { username: string; password: string }, ip = nextAddress()) =>
    site.caller({ ip })(users.login, { username: who.username, password: who.password })
  const failTimes = async (times: number, ip: () => string, username: () => string) => {
    for (let guess = 0; guess < times; guess++) expect(await guessAt(username(), ip())).toBe(400)
  }

  test('only after three wrong passwords of an account, from wherever they came', async () => {
    const member = await site.member()
    await failTimes(lastFree - 1, nextAddress, () => member.username)
    expect((await login(member)).user.id).toBe(member.id)
    await failTimes(lastFree, nextAddress, () => member.username)
    expect(await refusal(login(member))).toMatchObject({ status: 400, reason: 'captcha.needed' })
    const captcha = await solvedCaptcha(site, 'login')
    const { user } = await site.call(users.login, { ...credentialsOf(member), ...captcha })
    expect(user.id).toBe(member.id)
    expect((await login(member)).user.id).toBe(member.id)
  })

  test('only after three wrong passwords from a network, for whichever accounts', async () => {
    const member = await site.member()
    const ip = nextAddress()
    let unknownNames = 0
    await failTimes(
      lastFree,
      () => ip,
      () => `unknown-${(unknownNames += 1)}`,
    )
    expect(await refusal(login(member, ip))).toMatchObject({ reason: 'captcha.needed' })
    expect((await login(member)).user.id).toBe(member.id)
    site.advanceClock(windowMs)
    expect((await login(member, ip)).user.id).toBe(member.id)
  })

  test('for an unknown name like for one that exists', async () => {
    await failTimes(lastFree, nextAddress, () => 'never-registered')
    const unknown = { username: 'never-registered', password: 'a guess' }
    expect(await refusal(login(unknown))).toMatchObject({ reason: 'captcha.needed' })
  })

  test('with every login if the owner wants it so', async () => {
    const member = await site.member()
    await site.configure({ 'security.captcha_after_failures': '0' })
    expect(await refusal(login(member))).toMatchObject({ reason: 'captcha.needed' })
    await site.configure({ 'security.captcha_after_failures': '3' })
    expect((await login(member)).user.id).toBe(member.id)
  })

  test('never, but is still given and checked, for clients that show it with every login', async () => {
    const member = await site.member()
    expect((await site.call(settings.get)).security).toMatchObject({
      enable_captcha_login: true,
      captcha_after_failures: 3,
    })
    expect(await site.call(users.captcha, { type: 'login' })).toMatchObject({ enable: true })
    const captcha = await solvedCaptcha(site, 'login')
    const wrong = site.call(users.login, { ...credentialsOf(member), ...captcha, captcha: 'wrong' })
    expect(await refusal(wrong)).toMatchObject({ status: 400, reason: 'captcha.wrong' })
    const right = await solvedCaptcha(site, 'login')
    expect((await site.call(users.login, { ...credentialsOf(member), ...right })).user.id).toBe(member.id)
  })

  function credentialsOf({ username, password }: { username: string; password: string }) {
    return { username, password }
  }
})

async function guessAt(username: string, ip: string): Promise<number> {
  const { status } = await refusal(site.caller({ ip })(users.login, { username, password: 'a wrong guess' }))
  return status
}

function nextAddress(): string {
  addresses += 1
  return `10.2.${addresses >> 8}.${addresses & 255}`
}

test('a member can log in from a known address while others guess the password from many addresses', async () => {
  const { username, password } = await site.member()
  const home = '198.51.100.7'
  await site.caller({ ip: home })(users.login, { username, password })
  for (let n = 1; n <= 40; n++) {
    await refusal(site.caller({ ip: `203.0.113.${n}` })(users.login, { username, password: 'a guess' }))
  }
  expect(await refusal(site.caller({ ip: '192.0.2.1' })(users.login, { username, password }))).toMatchObject({
    status: 429,
  })
  await site.caller({ ip: home })(users.login, { username, password })
})

test('a login with the old password during a change of password gets no session', async () => {
  const { username, password, call, id } = await site.member()
  const own = await site.db.selectFrom('session').select('id').where('user_id', '=', id).execute()
  const changed = call(users.password, { old_password: password, new_password: 'another password' })
  const logins = Array.from({ length: 8 }, () => site.call(users.login, { username, password }).catch(() => undefined))
  await changed
  const tokens = (await Promise.all(logins)).flatMap((won) => (won ? [won.token] : []))
  for (const token of tokens)
    expect(await refusal(site.caller({ token })(users.permission))).toMatchObject({ status: 401 })
  expect(await site.db.selectFrom('session').select('id').where('user_id', '=', id).execute()).toEqual(own)
})
