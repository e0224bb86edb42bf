import { Punishment } from '#shared/enums.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { punishments } from '#shared/contract/access.ts'
import { users } from '#shared/contract/users.ts'
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

test('neither the e-mail nor the stored hash can be used to log in', async () => {
  const { id, username, password } = await site.member()
  const { password: hash } = await site.db
    .selectFrom('user')
    .select('password')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await site.root.call(users.profile, { id, email: 'reader@example.com' })
  const byEmail = site.call(users.login, { username: 'reader@example.com', password })
  expect(await refusal(byEmail)).toMatchObject({ reason: 'users.wrongCredentials' })
  expect(hash).toMatch(/^\$argon2id\$/)
  expect(await refusal(site.call(users.login, { username, password: hash }))).toMatchObject({ status: 400 })
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
  const changed = call(users.password, { old_password: password, new_password: 'another password' })
  const logins = Array.from({ length: 8 }, () => site.call(users.login, { username, password }).catch(() => undefined))
  await changed
  const tokens = (await Promise.all(logins)).flatMap((won) => (won ? [won.token] : []))
  for (const token of tokens)
    expect(await refusal(site.caller({ token })(users.permission))).toMatchObject({ status: 401 })
  expect(await site.db.selectFrom('session').select('id').where('user_id', '=', id).execute()).toEqual([])
})
