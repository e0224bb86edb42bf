import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { punishments } from '#shared/contract/access.ts'
import { oauth } from '#shared/contract/oauth.ts'
import { currentUser } from '#shared/contract/current-user.ts'
import { type OauthType, Punishment } from '#shared/enums.ts'
import { openBrowser } from '#server/testing/oauth/browser.ts'
import type { Lie } from '#server/testing/oauth/vendor.ts'
import { startVendors, type Vendors } from '#server/testing/oauth/vendors.ts'
import { openSite, type Person, type Site } from '#server/testing/site.ts'

const domain = 'http://localhost'
const minute = 60_000
const types = ['wechat', 'wechatoa', 'qq', 'weibo', 'github', 'gitee'] as const
const insideWeChat = 'Mozilla/5.0 (iPhone) MicroMessenger/8.0.50'

let site: Site
let vendors: Vendors
let people = 0
beforeAll(async () => {
  site = await openSite()
  vendors = await startVendors(domain)
  await site.configure(vendors.settings)
})
afterAll(async () => {
  await site.close()
  await vendors.close()
})
beforeEach(() => {
  people += 1
  vendors.lie = undefined
  vendors.person = { id: String(5000 + people), name: `小文${people}`, email: `wen${people}@example.com`, unionid: '' }
})

/** A member who has bound the person at the vendor, and a browser of a visitor. */
async function bindMember(type: OauthType): Promise<Person> {
  const member = await site.member()
  const browser = openBrowser(site, { token: member.token })
  const bound = await browser.finish(type, await vendors.visit(await browser.beginBinding(type)))
  expect(bound.json).toMatchObject({ is_bound: true })
  return member
}

describe.each(types)('%s', (type) => {
  test('a member logs in with a bound account', async () => {
    const member = await bindMember(type)
    const browser = openBrowser(site)
    const callback = await vendors.visit(await browser.begin(type, '/document/7?page=2'))
    const { status, json } = await browser.finish(type, callback)
    expect(status).toBe(200)
    expect(json).toMatchObject({ user: { id: member.id }, redirect: '/document/7?page=2' })
    const user = await site.caller({ token: String(json.token) })(currentUser.get)
    expect(user.id).toBe(member.id)
    const own = await site.caller({ token: String(json.token) })(oauth.own)
    expect(own.oauth).toMatchObject([{ type, name: vendors.person.name }])
  })

  test('a stranger gets a ticket, not an account', async () => {
    const browser = openBrowser(site)
    const { status, json } = await browser.finish(type, await vendors.visit(await browser.begin(type)))
    expect(status).toBe(200)
    expect(json).toEqual({
      oauth: expect.objectContaining({ oauth_type: type, session: expect.stringMatching(/^[\w-]{43}$/) }),
      redirect: '/me',
    })
  })

  test('a code is good once', async () => {
    const browser = openBrowser(site)
    const callback = await vendors.visit(await browser.begin(type))
    expect((await browser.finish(type, callback)).status).toBe(200)
    const again = new URLSearchParams(callback)
    again.set('state', stateOf(await browser.begin(type)) || '')
    const second = await browser.finish(type, again)
    expect(second).toMatchObject({ status: 400, json: { message: '授权已经失效，请重新登录' } })
  })

  test.each<Lie>(['down', 'not-json', 'no-openid'])('a vendor that is %s lets nobody in', async (lie) => {
    const browser = openBrowser(site)
    const callback = await vendors.visit(await browser.begin(type))
    vendors.lie = lie
    const { status, json } = await browser.finish(type, callback)
    expect(status).toBe(503)
    expect(json.message).toBe('暂时不能用这种方式登录，请稍后再试，或换一种方式')
    expect(JSON.stringify(json)).not.toContain('secret-of-the-app')
  })
})

test.each([
  ['qq', 'other-app'],
  ['wechat', 'other-person'],
  ['weibo', 'other-person'],
] as const)('%s: an answer about %s is refused', async (type, lie) => {
  const browser = openBrowser(site)
  const callback = await vendors.visit(await browser.begin(type))
  vendors.lie = lie
  expect((await browser.finish(type, callback)).status).toBe(503)
})

test('a wrong secret of the app is the business of the owner', async () => {
  await site.configure({ 'oauth.github_secret': 'mistyped' })
  const browser = openBrowser(site)
  const { status } = await browser.finish('github', await vendors.visit(await browser.begin('github')))
  await site.configure({ 'oauth.github_secret': vendors.settings['oauth.github_secret'] ?? '' })
  expect(status).toBe(503)
})

describe('the state', () => {
  const refused = { status: 400, json: { message: '这次登录已经过期，或不是在这个浏览器里开始的，请重新登录' } }

  test('is needed', async () => {
    const browser = openBrowser(site)
    const { status } = await browser.post('/oauth/login', { type: 'github', code: 'a' })
    expect(status).toBe(400)
    expect(await browser.post('/oauth/login', { type: 'github', code: 'a', state: 'guess' })).toMatchObject(refused)
  })

  test('is good once', async () => {
    const browser = openBrowser(site)
    const callback = await vendors.visit(await browser.begin('github'))
    expect((await browser.finish('github', callback)).status).toBe(200)
    expect(await browser.finish('github', callback)).toMatchObject(refused)
  })

  test('of another browser is refused, and stays good in its own', async () => {
    const victim = openBrowser(site)
    const attacker = openBrowser(site)
    await victim.begin('github')
    const callback = await vendors.visit(await attacker.begin('github'))
    expect(await victim.finish('github', callback)).toMatchObject(refused)
    expect(await openBrowser(site).finish('github', callback)).toMatchObject(refused)
    expect((await attacker.finish('github', callback)).status).toBe(200)
  })

  test('of another provider is refused', async () => {
    const browser = openBrowser(site)
    const callback = await vendors.visit(await browser.begin('github'))
    expect(await browser.finish('gitee', callback)).toMatchObject(refused)
  })

  test('ends after ten minutes, and is removed', async () => {
    const browser = openBrowser(site)
    const callback = await vendors.visit(await browser.begin('github'))
    site.advanceClock(11 * minute)
    expect(await browser.finish('github', callback)).toMatchObject(refused)
    await site.runDueJobs()
    expect(await site.db.selectFrom('oauth_state').select('hash').execute()).toEqual([])
  })

  test('of a binding is for the member who began it', async () => {
    const [member, other] = [await site.member(), await site.member()]
    const browser = openBrowser(site, { token: member.token })
    const callback = await vendors.visit(await browser.beginBinding('github'))
    browser.token = other.token
    expect(await browser.finish('github', callback)).toMatchObject(refused)
  })

  test('two tabs of one browser do not disturb each other', async () => {
    const browser = openBrowser(site)
    const first = await vendors.visit(await browser.begin('github', '/first'))
    const second = await vendors.visit(await browser.begin('gitee', '/second'))
    expect((await browser.finish('gitee', second)).json).toMatchObject({ redirect: '/second' })
    expect((await browser.finish('github', first)).json).toMatchObject({ redirect: '/first' })
  })

  test('is not stored as it is sent', async () => {
    const state = stateOf(await openBrowser(site).begin('github'))
    const rows = await site.db.selectFrom('oauth_state').selectAll().execute()
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(state)
  })
})

test.each([
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  'javascript:alert(1)',
  '/oauth/github',
  '/oauthx',
  '/login',
  '/a\nb',
])('%j is no place to return to', async (redirect) => {
  const browser = openBrowser(site)
  const { json } = await browser.finish('github', await vendors.visit(await browser.begin('github', redirect)))
  expect(json.redirect).toBe('/me')
})

test('a path that is too long begins nothing', async () => {
  expect(await openBrowser(site).begin('github', `/${'a'.repeat(10_000)}`)).toBe('/login')
})

describe('who logs in', () => {
  test('a disabled member does not', async () => {
    const member = await bindMember('github')
    await site.root.call(punishments.create, { user_id: [member.id], type: [Punishment.Disabled], enable: true })
    const browser = openBrowser(site)
    const { status } = await browser.finish('github', await vendors.visit(await browser.begin('github')))
    expect(status).toBe(403)
  })

  test('one person is the same at the site, the service account and the mini program of one owner', async () => {
    vendors.person.unionid = `union-${people}`
    const member = await bindMember('wechat')
    const browser = openBrowser(site, { userAgent: insideWeChat })
    const { json } = await browser.finish('wechatoa', await vendors.visit(await browser.begin('wechatoa')))
    expect(json).toMatchObject({ user: { id: member.id } })
    const code = vendors.miniProgram.giveCode(vendors.person)
    expect(await site.call(oauth.miniProgramLogin, { code })).toMatchObject({ user: { id: member.id } })
    const { oauth: own } = await member.call(oauth.own)
    expect(own.map(({ type }) => type)).toEqual(['wechat', 'wechatoa', 'wechatmp'])
    await member.call(oauth.unbind, { type: 'wechatmp' })
    expect(await member.call(oauth.own)).toMatchObject({ oauth: [] })
  })

  describe('with the address of a member', () => {
    async function withEmail(person: Person, isVerified: boolean): Promise<void> {
      const { email } = vendors.person
      await site.db
        .updateTable('user')
        .set({ email, email_key: email, email_verified_at: isVerified ? 1 : null })
        .where('id', '=', person.id)
        .execute()
    }
    const login = async (type: OauthType) => {
      const browser = openBrowser(site)
      return (await browser.finish(type, await vendors.visit(await browser.begin(type)))).json
    }

    test('that both sides have verified: that member, by two providers', async () => {
      const member = await site.member()
      await withEmail(member, true)
      expect(await login('github')).toMatchObject({ user: { id: member.id } })
      expect(await login('gitee')).toMatchObject({ user: { id: member.id } })
      expect((await member.call(oauth.own)).oauth).toHaveLength(2)
      // Another account there with the same address is another person.
      vendors.person = { ...vendors.person, id: '1' }
      expect(await login('github')).toMatchObject({ oauth: { oauth_type: 'github' } })
    })

    test('that only one side has verified: nobody', async () => {
      const member = await site.member()
      await withEmail(member, false)
      expect(await login('github')).toMatchObject({ oauth: { oauth_type: 'github' } })
      await withEmail(member, true)
      vendors.lie = 'unverified-email'
      expect(await login('github')).toMatchObject({ oauth: { oauth_type: 'github' } })
      expect(await login('gitee')).toMatchObject({ oauth: { oauth_type: 'gitee' } })
    })

    test('of staff: nobody', async () => {
      await withEmail(await site.staff('DocumentAPI/ListDocument'), true)
      expect(await login('github')).toMatchObject({ oauth: { oauth_type: 'github' } })
    })
  })
})

describe('what is offered', () => {
  const offered = async (userAgent = '') => (await site.caller({ userAgent })(oauth.configs)).map(({ type }) => type)

  test('depends on the browser', async () => {
    expect(await offered()).toEqual(['wechat', 'wechatmp', 'qq', 'weibo', 'github', 'gitee'])
    expect(await offered(insideWeChat)).toEqual(['wechatoa', 'qq', 'weibo', 'github', 'gitee'])
    expect(await site.call(oauth.configs)).toContainEqual({
      type: 'github',
      title: 'GitHub',
      icon: '',
      authorize_url: 'http://localhost/api/v1/oauth/authorize?type=github',
    })
  })

  test('is only what is configured', async () => {
    await site.configure({ 'oauth.qq_secret': '', 'oauth.enable_weibo': 'false' })
    expect(await offered()).toEqual(['wechat', 'wechatmp', 'github', 'gitee'])
    const browser = openBrowser(site)
    expect(await browser.begin('weibo')).toBe('/oauth/weibo?error=oauth_off')
    await site.configure(vendors.settings)
  })

  test('is nothing while the site is closed', async () => {
    await site.configure({ 'security.is_close': 'true' })
    expect(await offered()).toEqual([])
    expect(await openBrowser(site).begin('github')).toBe('/oauth/github?error=access_siteClosed')
    await site.configure({ 'security.is_close': 'false' })
  })

  test('stays while the site requires login', async () => {
    const member = await bindMember('github')
    await site.configure({ 'security.login_required': 'true' })
    const browser = openBrowser(site)
    const { json } = await browser.finish('github', await vendors.visit(await browser.begin('github')))
    expect(json).toMatchObject({ user: { id: member.id } })
    await site.configure({ 'security.login_required': 'false' })
  })

  test('a secret does not go to a new address', async () => {
    for (const gateway of ['oauth.github_gateway', 'oauth.wechat_api_gateway', 'miniprogram.gateway'])
      await expect(site.configure({ [gateway]: 'https://evil.example' })).rejects.toThrow('请重新输入')
  })
})

test('beginning again and again is slowed down', async () => {
  const browser = openBrowser(site, { ip: '203.0.113.9' })
  site.freezeClock()
  for (let count = 0; count < 100; count += 1) expect(await browser.begin('github')).toContain('/login/oauth/authorize')
  expect(await browser.begin('github')).toBe('/oauth/github?error=users_slowDown')
})

function stateOf(authorizeUrl: string): string {
  return new URL(authorizeUrl).searchParams.get('state') ?? ''
}
