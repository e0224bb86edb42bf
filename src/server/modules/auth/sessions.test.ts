import { Punishment } from '#shared/enums.ts'
import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { punishments } from '#shared/contract/access.ts'
import { stats } from '#shared/contract/stats.ts'
import { sessions, users } from '#shared/contract/users.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'

const day = 86_400_000

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

describe('a token', () => {
  test.each(['Bearer', 'bearer', 'BEARER'])('is accepted with the scheme %s', async (scheme) => {
    const { id, token } = await site.member()
    const { json } = await site.send('GET', '/api/v1/user', { headers: { authorization: `${scheme} ${token}` } })
    expect(json.id).toBe(id)
  })

  test.each([
    ['nothing', () => ''],
    ['no scheme', (token: string) => token],
    ['another scheme', (token: string) => `Basic ${token}`],
    ['two tokens', (token: string) => `Bearer ${token} ${token}`],
  ])('is ignored if the header has %s', async (_what, header) => {
    const { token } = await site.member()
    const headers = { authorization: header(token) }
    expect((await site.send('GET', '/api/v1/user', { headers })).status).toBe(401)
  })

  test('is valid for the configured number of days', async () => {
    const own = await openSite()
    await own.configure({ 'security.session_days': '2' })
    const member = await own.member()
    own.advanceClock(2 * day - 60_000)
    expect(await member.call(users.get)).toMatchObject({ id: member.id })
    own.advanceClock(60_001)
    expect(await refusal(member.call(users.get))).toMatchObject({ status: 401 })
    const { keys } = await own.app.context()
    const outliving = await sign({ sid: decodeJwt(member.token).sid, sub: member.id }, keys.session, { days: 99 })
    expect(await refusal(own.caller({ token: outliving })(users.get))).toMatchObject({ status: 401 })
    await own.close()
  })
})

describe('a forged token is not accepted', () => {
  let member: Person
  beforeAll(async () => {
    member = await site.member()
  })

  const forgeries: [string, (claims: Claims) => string | Promise<string>][] = [
    ['without a signature', ({ sid }) => new UnsecuredJWT({ sid }).setSubject('1').setIssuer('wendou').encode()],
    ['signed with another key', async ({ sid }) => sign({ sid, sub: 1 }, Buffer.alloc(32, 7))],
    ['signed with an empty key', async ({ sid }) => sign({ sid, sub: 1 }, new Uint8Array(1))],
    ['for a session of another user', async ({ sid }) => sign({ sid, sub: member.id }, await realKey())],
    ['for another user in one’s own session', async () => sign({ sid: ownSid(), sub: 1 }, await realKey())],
    ['for a session that never was', async () => sign({ sid: 987_654, sub: 1 }, await realKey())],
    ['by another issuer', async ({ sid }) => sign({ sid, sub: 1 }, await realKey(), { issuer: 'moredoc' })],
    ['with another algorithm', async ({ sid }) => sign({ sid, sub: 1 }, await realKey(), { alg: 'HS384' })],
    ['that has run out', async ({ sid }) => sign({ sid, sub: 1 }, await realKey(), { days: -1 })],
    ['without numbers', async () => sign({ sid: 'x', sub: 'admin' }, await realKey())],
    ['with a huge number', async () => sign({ sid: 1e300, sub: 1 }, await realKey())],
    ['whose claims were changed', ({ token }) => tampered(token)],
    ['whose signature was cut off', ({ token }) => token.split('.').slice(0, 2).join('.')],
    ['that is garbage', () => 'not-a-token'],
    ['that is ten thousand characters long', () => 'x'.repeat(10_000)],
  ]

  test.each(forgeries)('%s', async (_how, forge) => {
    const token = await forge({ token: site.root.token, sid: Number(decodeJwt(site.root.token).sid) })
    const forger = site.caller({ token })
    expect(await refusal(forger(users.get))).toMatchObject({ status: 401, reason: 'access.loginNeeded' })
    expect((await forger(stats.get)).version).toBe('')
  })

  test('while a token with the right key is', async () => {
    const sid = Number(decodeJwt(site.root.token).sid)
    const resigned = await sign({ sid, sub: 1 }, await realKey())
    expect(await site.caller({ token: resigned })(users.get)).toMatchObject({ id: 1 })
  })

  function ownSid(): number {
    return Number(decodeJwt(member.token).sid)
  }
})

describe('existing tokens become invalid at once', () => {
  test('when it is logged out, and only that one', async () => {
    const phone = await site.member()
    const second = await logInAgain(phone)
    await phone.call(users.logout)
    expect(await refusal(phone.call(users.get))).toMatchObject({ status: 401 })
    expect(await second.call(users.get)).toMatchObject({ id: phone.id })
    expect(await phone.call(users.logout)).toEqual({})
  })

  test('when its owner changes the password in another session, which goes on', async () => {
    const [member, bystander] = [await site.member(), await site.member()]
    const second = await logInAgain(member)
    await member.call(users.password, { old_password: member.password, new_password: 'a newer password' })
    expect((await member.call(users.get)).id).toBe(member.id)
    expect((await member.call(sessions.list)).session).toMatchObject([{ current: true }])
    expect(await refusal(second.call(users.get))).toMatchObject({ status: 401 })
    expect((await bystander.call(users.get)).id).toBe(bystander.id)
    const old = site.call(users.login, { username: member.username, password: member.password })
    expect(await refusal(old)).toMatchObject({ status: 400 })
    const { user } = await site.call(users.login, { username: member.username, password: 'a newer password' })
    expect(user.id).toBe(member.id)
  })

  test('when an administrator sets another password', async () => {
    const [first, second] = [await site.member(), await site.member()]
    await site.root.call(users.password, { id: first.id, new_password: 'from above' })
    await site.root.call(users.set, { id: second.id, group_id: [2], password: 'from above' })
    expect(await refusal(first.call(users.get))).toMatchObject({ status: 401 })
    expect(await refusal(second.call(users.get))).toMatchObject({ status: 401 })
  })

  test('when the account is disabled', async () => {
    const member = await site.member()
    await site.root.call(punishments.create, { user_id: [member.id], type: [Punishment.Disabled], enable: true })
    expect(await refusal(member.call(users.get))).toMatchObject({ status: 401 })
  })

  test('when the account is deleted', async () => {
    const member = await site.member()
    await site.root.call(users.delete, { id: [member.id], password: site.root.password })
    expect(await refusal(member.call(users.get))).toMatchObject({ status: 401 })
  })
})

describe('the devices of an account', () => {
  test('are listed for their owner, with the current one marked', async () => {
    const member = await site.member()
    const { json } = await site.send('POST', '/api/v1/user/login', {
      ip: '198.51.100.20',
      headers: { 'user-agent': 'Phone/1.0' },
      body: { username: member.username, password: member.password },
    })
    const phone = site.caller({ token: String(json.token) })
    const { session } = await phone(sessions.list)
    expect(session).toHaveLength(2)
    expect(session.find(({ current }) => current)).toMatchObject({ ip: '198.51.100.20', user_agent: 'Phone/1.0' })
  })

  test('can be logged out one by one', async () => {
    const phone = await site.member()
    const second = await logInAgain(phone)
    const { session } = await second.call(sessions.list)
    const id = session.filter(({ current }) => !current).map((row) => row.id)
    await second.call(sessions.end, { id })
    expect(await refusal(phone.call(users.get))).toMatchObject({ status: 401 })
    expect((await second.call(sessions.list)).session).toHaveLength(1)
  })

  test('of other users stay logged in, also when named together with the owner’s', async () => {
    const victim = await site.member()
    const attacker = await site.member()
    const own = Number(decodeJwt(attacker.token).sid)
    await attacker.call(sessions.end, { id: [Number(decodeJwt(victim.token).sid), own] })
    expect(await victim.call(users.get)).toMatchObject({ id: victim.id })
    expect(await refusal(attacker.call(users.get))).toMatchObject({ status: 401 })
  })
})

interface Claims {
  token: string
  sid: number
}

async function logInAgain({ username, password }: Person) {
  const { token } = await site.call(users.login, { username, password })
  return { token, call: site.caller({ token }) }
}

async function realKey(): Promise<Uint8Array> {
  return (await site.app.context()).keys.session
}

function sign(
  { sid, sub }: { sid: unknown; sub: unknown },
  key: Uint8Array,
  { issuer = 'wendou', alg = 'HS256', days = 1 } = {},
): Promise<string> {
  return new SignJWT({ sid })
    .setProtectedHeader({ alg, typ: 'JWT' })
    .setIssuer(issuer)
    .setSubject(String(sub))
    .setIssuedAt()
    .setExpirationTime(Math.floor((Date.now() + days * day) / 1000))
    .sign(key)
}

function tampered(token: string): string {
  const [head, , signature] = token.split('.')
  const payload = Buffer.from(JSON.stringify({ ...decodeJwt(token), exp: 9_999_999_999 })).toString('base64url')
  return [head, payload, signature].join('.')
}
