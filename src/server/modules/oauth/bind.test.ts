import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { oauth } from '#shared/contract/oauth.ts'
import { users } from '#shared/contract/users.ts'
import type { OauthType } from '#shared/enums.ts'
import { openBrowser } from '#server/testing/oauth/browser.ts'
import { startVendors, type Vendors } from '#server/testing/oauth/vendors.ts'
import { openSite, refusal, type Site } from '#server/testing/site.ts'

const minute = 60_000

let site: Site
let vendors: Vendors
let people = 0
beforeAll(async () => {
  site = await openSite()
  vendors = await startVendors('http://localhost')
  await site.configure(vendors.settings)
})
afterAll(async () => {
  await site.close()
  await vendors.close()
})
beforeEach(() => {
  people += 1
  vendors.person = { id: String(7000 + people), name: `新人${people}`, email: `new${people}@example.com`, unionid: '' }
})

/** A ticket for the person at the vendor. */
async function ticket(type: OauthType = 'github'): Promise<string> {
  const browser = openBrowser(site)
  const { json } = await browser.finish(type, await vendors.visit(await browser.begin(type)))
  const { session } = json.oauth as { session: string }
  return session
}

async function login(type: OauthType) {
  const browser = openBrowser(site)
  return (await browser.finish(type, await vendors.visit(await browser.begin(type)))).json
}

describe('a ticket', () => {
  test('is bound to the member who is logged in; the openid of the client is ignored', async () => {
    const member = await site.member()
    await member.call(oauth.bind, { oauth_type: 'qq', openid: 'forged', session: await ticket() })
    expect((await member.call(oauth.own)).oauth).toMatchObject([{ type: 'github' }])
    expect(await login('github')).toMatchObject({ user: { id: member.id } })
  })

  test('is bound to a member who logs in with it', async () => {
    const { username, password, id } = await site.member()
    const session = await ticket()
    expect(await refusal(site.call(oauth.bind, { session, username, password: 'wrong password' }))).toMatchObject({
      reason: 'users.wrongCredentials',
    })
    const { token, user } = await site.call(oauth.bind, { session, username, password })
    expect(user?.id).toBe(id)
    expect((await site.caller({ token: token ?? '' })(oauth.own)).oauth).toHaveLength(1)
  })

  test('needs somebody', async () => {
    expect(await refusal(site.call(oauth.bind, { session: await ticket() }))).toMatchObject({ status: 401 })
  })

  test('is good once, for ten minutes, and is stored as a hash', async () => {
    const [member, other] = [await site.member(), await site.member()]
    const session = await ticket()
    expect(JSON.stringify(await site.db.selectFrom('oauth_ticket').selectAll().execute())).not.toContain(session)
    await member.call(oauth.bind, { session })
    expect(await refusal(other.call(oauth.bind, { session }))).toMatchObject({ reason: 'oauth.ticketWrong' })
    vendors.person.id = '1'
    const old = await ticket()
    site.advanceClock(11 * minute)
    expect(await refusal(other.call(oauth.bind, { session: old }))).toMatchObject({ reason: 'oauth.ticketWrong' })
    expect(await refusal(other.call(oauth.bind, { session: 'guess' }))).toMatchObject({ reason: 'oauth.ticketWrong' })
  })

  test('of an account that is bound meanwhile binds nobody else', async () => {
    const [member, other] = [await site.member(), await site.member()]
    const [first, second] = [await ticket(), await ticket()]
    await member.call(oauth.bind, { session: first })
    expect(await refusal(other.call(oauth.bind, { session: second }))).toMatchObject({
      status: 409,
      message: '绑定失败：这个账号已经绑定了本站的另一个用户，请先在那里解除绑定',
    })
    const { username, password } = other
    expect(await refusal(site.call(oauth.bind, { session: second, username, password }))).toMatchObject({
      reason: 'oauth.boundToOther',
    })
  })

  test('two at once bind one account to one member', async () => {
    const members = [await site.member(), await site.member(), await site.member()]
    const sessions = [await ticket(), await ticket(), await ticket()]
    const results = await Promise.allSettled(
      members.map((member, index) => member.call(oauth.bind, { session: sessions[index] ?? '' })),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('a second account of the same provider is refused', async () => {
    const member = await site.member()
    await member.call(oauth.bind, { session: await ticket() })
    vendors.person.id = '2'
    expect(await refusal(member.call(oauth.bind, { session: await ticket() }))).toMatchObject({
      message: '绑定失败：您已经绑定了另一个GitHub账号，请先解除绑定',
    })
  })
})

describe('a registration with a ticket', () => {
  const register = async (values: object = {}, type: OauthType = 'github') =>
    site.call(oauth.bind, { session: await ticket(type), register: true, username: `oauth-${people}`, ...values })

  test('needs neither captcha nor password, and gives what every new member gets', async () => {
    await site.configure({ 'security.enable_captcha_register': 'true', 'score.register': '10' })
    const { token, user } = await register({ email: vendors.person.email })
    expect(user).toMatchObject({ username: `oauth-${people}`, credit_count: 10 })
    const row = await site.db
      .selectFrom('user')
      .selectAll()
      .where('id', '=', user?.id ?? 0)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ password: '', email_verified_at: expect.any(Number) })
    expect(await login('github')).toMatchObject({ user: { id: user?.id } })
    expect(await site.caller({ token: token ?? '' })(oauth.own)).toMatchObject({ has_password: false })
    expect(await refusal(site.call(users.login, { username: row.username, password: '' }))).toMatchObject({
      reason: 'users.wrongCredentials',
    })
  })

  test('an address that the provider has not verified is not verified here', async () => {
    const { user } = await register({ email: `typed${people}@example.com` }, 'qq')
    const row = await site.db
      .selectFrom('user')
      .selectAll()
      .where('id', '=', user?.id ?? 0)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ email: `typed${people}@example.com`, email_verified_at: null })
  })

  test('where addresses are verified, one is needed with its code', async () => {
    await site.configure({ 'security.enable_verify_register_email': 'true' })
    expect(await refusal(register({}, 'qq'))).toMatchObject({ reason: 'oauth.emailNeeded' })
    expect(await refusal(register({ email: 'a@example.com', code: '123456' }, 'qq'))).toMatchObject({
      reason: 'users.codeWrong',
    })
    expect(await register({ email: vendors.person.email })).toMatchObject({ user: { username: `oauth-${people}` } })
    await site.configure({ 'security.enable_verify_register_email': 'false' })
  })

  test('a name that is taken leaves the ticket good', async () => {
    const { username } = await site.member()
    const session = await ticket()
    const call = (name: string) => site.call(oauth.bind, { session, register: true, username: name })
    expect(await refusal(call(username))).toMatchObject({ reason: 'users.nameTaken' })
    expect(await refusal(call('admin'))).toMatchObject({ status: 409 })
    expect(await refusal(call('a'))).toMatchObject({ reason: 'users.nameLength' })
    expect(await call(`free-${people}`)).toMatchObject({ user: { username: `free-${people}` } })
  })

  test('is refused while nobody may register, and while the site is closed', async () => {
    await site.configure({ 'security.enable_register': 'false' })
    expect(await refusal(register())).toMatchObject({ reason: 'users.registerClosed' })
    await site.configure({ 'security.enable_register': 'true' })
    const session = await ticket()
    await site.configure({ 'security.is_close': 'true' })
    expect(await refusal(site.call(oauth.bind, { session, register: true, username: 'anyone' }))).toMatchObject({
      reason: 'users.siteClosed',
    })
    await site.configure({ 'security.is_close': 'false' })
  })

  test('extra keys give no rights', async () => {
    const { user } = await register({ is_vip: true, credit_count: 1000, group_id: [1], is_root: 1 })
    const groups = await site.db
      .selectFrom('user_group')
      .innerJoin('group', 'group.id', 'user_group.group_id')
      .select('is_default')
      .where('user_id', '=', user?.id ?? 0)
      .execute()
    expect(groups).toEqual([{ is_default: 1 }])
  })
})

describe('unbinding', () => {
  /** A member who has nothing but these accounts. */
  async function registered(...types: [OauthType, ...OauthType[]]) {
    const { token = '', user } = await site.call(oauth.bind, {
      session: await ticket(types[0]),
      register: true,
      username: `only-${people}`,
    })
    const call = site.caller({ token })
    for (const type of types.slice(1)) await call(oauth.bind, { session: await ticket(type) })
    return { call, id: user?.id ?? 0 }
  }

  test('leaves the last way in', async () => {
    const { call } = await registered('qq')
    expect(await refusal(call(oauth.unbind, { type: 'qq' }))).toMatchObject({
      status: 403,
      message: '这是您唯一的登录方式，请先设置密码或验证邮箱，再解除绑定',
    })
    expect((await call(oauth.own)).oauth).toHaveLength(1)
    await call(users.password, { new_password: 'a first password' })
    await call(oauth.unbind, { type: 'qq' })
    expect(await call(oauth.own)).toMatchObject({ oauth: [], has_password: true })
    expect(await refusal(call(oauth.unbind, { type: 'qq' }))).toMatchObject({ status: 404 })
  })

  test('of two accounts leaves one, also if both are unbound at once', async () => {
    const { call } = await registered('qq', 'weibo')
    const results = await Promise.allSettled([
      call(oauth.unbind, { type: 'qq' }),
      call(oauth.unbind, { type: 'weibo' }),
    ])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect((await call(oauth.own)).oauth).toHaveLength(1)
  })

  test('does not count an account of a provider that is switched off', async () => {
    const { call } = await registered('qq', 'weibo')
    await site.configure({ 'oauth.enable_weibo': 'false' })
    expect(await refusal(call(oauth.unbind, { type: 'qq' }))).toMatchObject({ reason: 'oauth.lastWayIn' })
    await site.configure({ 'oauth.enable_weibo': 'true' })
  })

  test('a member with a password proves the old one before a new one', async () => {
    const { call } = await registered('qq')
    await call(users.password, { new_password: 'a first password' })
    expect(await refusal(call(users.password, { new_password: 'a second password' }))).toMatchObject({
      reason: 'users.wrongPassword',
    })
  })

  test('a deleted member leaves no binding', async () => {
    const { id } = await registered('qq')
    await site.root.call(users.delete, { id: [id], password: site.root.password })
    expect(await login('qq')).toMatchObject({ oauth: { oauth_type: 'qq' } })
  })
})
