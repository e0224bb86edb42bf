import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { punishments } from '#shared/contract/access.ts'
import { stats } from '#shared/contract/system.ts'
import { sessions, users } from '#shared/contract/users.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'

const day = 86_400_000

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

describe('a token', () => {
  test.each(['Bearer', 'bearer', 'BEARER'])('is carried by the word %s', async (scheme) => {
    const { id, token } = await site.member()
    const { json } = await site.send('GET', '/api/v1/user', { headers: { authorization: `${scheme} ${token}` } })
    expect(json.id).toBe(id)
  })

  test.each([
    ['nothing', () => ''],
    ['no scheme', (token: string) => token],
    ['another scheme', (token: string) => `Basic ${token}`],
    ['two tokens', (token: string) => `Bearer ${token} ${token}`],
  ])('does not count when the header holds %s', async (_what, header) => {
    const { token } = await site.member()
    const headers = { authorization: header(token) }
    expect((await site.send('GET', '/api/v1/user', { headers })).status).toBe(401)
  })

  test('lasts as long as the owner of the site says', async () => {
    const own = await openSite()
    await own.configure({ 'security.session_days': '2' })
    const member = await own.member()
    own.pass(2 * day - 60_000)
    expect(await member.call(users.get)).toMatchObject({ id: member.id })
    own.pass(60_001)
    expect(await refusal(member.call(users.get))).toMatchObject({ status: 401 })
    const { keys } = await own.app.context()
    const outliving = await sign({ sid: decodeJwt(member.token).sid, sub: member.id }, keys.session, { days: 99 })
    expect(await refusal(own.caller({ token: outliving })(users.get))).toMatchObject({ status: 401 })
    await own.close()
  })
})

describe('a forged token speaks for nobody', () => {
  let member: Person
  beforeAll(async () => {
    member = await site.member()
  })

  const forgeries: [string, (claims: Claims) => string | Promise<string>][] = [
    ['without a signature', ({ sid }) => new UnsecuredJWT({ sid }).setSubject('1').setIssuer('wendou').encode()],
    ['signed with another key', async ({ sid }) => sign({ sid, sub: 1 }, Buffer.alloc(32, 7))],
    ['signed with an empty key', async ({ sid }) => sign({ sid, sub: 1 }, new Uint8Array(1))],
    ['for a session of somebody else', async ({ sid }) => sign({ sid, sub: member.id }, await realKey())],
    ['for somebody else in one’s own session', async () => sign({ sid: ownSid(), sub: 1 }, await realKey())],
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

  test('while the real ones still do', async () => {
    const sid = Number(decodeJwt(site.root.token).sid)
    const again = await sign({ sid, sub: 1 }, await realKey())
    expect(await site.caller({ token: again })(users.get)).toMatchObject({ id: 1 })
  })

  function ownSid(): number {
    return Number(decodeJwt(member.token).sid)
  }
})

describe('every token already given out is dead at once', () => {
  test('when it is logged out, and only that one', async () => {
    const phone = await site.member()
    const desk = await again(phone)
    await phone.call(users.logout)
    expect(await refusal(phone.call(users.get))).toMatchObject({ status: 401 })
    expect(await desk.call(users.get)).toMatchObject({ id: phone.id })
    expect(await phone.call(users.logout)).toEqual({})
  })

  test('when its owner changes the password', async () => {
    const member = await site.member()
    const other = await again(member)
    await member.call(users.password, { old_password: member.password, new_password: 'a newer password' })
    expect(await refusal(member.call(users.get))).toMatchObject({ status: 401 })
    expect(await refusal(other.call(users.get))).toMatchObject({ status: 401 })
    const old = site.call(users.login, { username: member.username, password: member.password })
    expect(await refusal(old)).toMatchObject({ status: 400 })
    const { user } = await site.call(users.login, { username: member.username, password: 'a newer password' })
    expect(user.id).toBe(member.id)
  })

  test('when an administrator sets another password', async () => {
    const [one, two] = [await site.member(), await site.member()]
    await site.root.call(users.password, { id: one.id, new_password: 'from above' })
    await site.root.call(users.set, { id: two.id, group_id: [2], password: 'from above' })
    expect(await refusal(one.call(users.get))).toMatchObject({ status: 401 })
    expect(await refusal(two.call(users.get))).toMatchObject({ status: 401 })
  })

  test('when the account is disabled', async () => {
    const member = await site.member()
    await site.root.call(punishments.create, { user_id: [member.id], type: [1], enable: true })
    expect(await refusal(member.call(users.get))).toMatchObject({ status: 401 })
  })

  test('when the account is deleted', async () => {
    const member = await site.member()
    await site.root.call(users.delete, { id: [member.id], password: site.root.password })
    expect(await refusal(member.call(users.get))).toMatchObject({ status: 401 })
  })
})

describe('the devices of an account', () => {
  test('are listed for their owner, the present one marked', async () => {
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
    const desk = await again(phone)
    const { session } = await desk.call(sessions.list)
    const id = session.filter(({ current }) => !current).map((one) => one.id)
    await desk.call(sessions.end, { id })
    expect(await refusal(phone.call(users.get))).toMatchObject({ status: 401 })
    expect((await desk.call(sessions.list)).session).toHaveLength(1)
  })

  test('of others stay logged in, also when named together with one’s own', async () => {
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

async function again({ username, password }: Person) {
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
