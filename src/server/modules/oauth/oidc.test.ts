import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { oauth } from '#shared/contract/oauth.ts'
import { openBrowser } from '#server/testing/oauth/browser.ts'
import { type IssuerLie, type LyingIssuer, startLyingIssuer } from '#server/testing/oauth/lying-issuer.ts'
import { type OidcServer, startOidcServer } from '#server/testing/oauth/oidc-server.ts'
import { openSite, type Site } from '#server/testing/site.ts'

const domain = 'http://localhost'

describe.each(['oidc', 'google'] as const)('%s, with a real OpenID provider', (type) => {
  let site: Site
  let server: OidcServer
  beforeAll(async () => {
    site = await openSite()
    server = await startOidcServer(domain, type)
    await site.configure({ ...server.settings, 'oauth.oidc_title': '公司账号' })
  })
  afterAll(async () => {
    await site.close()
    await server.close()
  })

  test('a member binds the account and logs in with it', async () => {
    const member = await site.member()
    const own = openBrowser(site, { token: member.token })
    const bound = await own.finish(type, await server.visit(await own.beginBinding(type), 'alice'))
    expect(bound.json).toMatchObject({ is_bound: true })
    expect((await member.call(oauth.own)).oauth).toMatchObject([
      { type, name: 'alice at OIDC', title: type === 'oidc' ? '公司账号' : 'Google' },
    ])
    const browser = openBrowser(site)
    const { json } = await browser.finish(type, await server.visit(await browser.begin(type), 'alice'))
    expect(json).toMatchObject({ user: { id: member.id } })
  })

  test('a code used twice is refused', async () => {
    const browser = openBrowser(site)
    const callback = await server.visit(await browser.begin(type), 'bob')
    expect((await browser.finish(type, callback)).status).toBe(200)
    callback.set('state', new URL(await browser.begin(type)).searchParams.get('state') ?? '')
    expect(await browser.finish(type, callback)).toMatchObject({ status: 400, json: { reason: 'oauth.codeStale' } })
  })

  test('a callback that names another issuer is refused', async () => {
    const browser = openBrowser(site)
    const callback = await server.visit(await browser.begin(type), 'bob')
    expect(callback.get('iss')).toBe(server.issuer)
    callback.set('iss', 'https://another.example')
    expect((await browser.finish(type, callback)).status).toBe(503)
  })

  test('a verified address is suggested', async () => {
    const browser = openBrowser(site)
    const { json } = await browser.finish(type, await server.visit(await browser.begin(type), 'carol'))
    expect(json.oauth).toMatchObject({ openid: 'carol', name: 'carol at OIDC', email: 'carol@example.com' })
  })
})

describe('an issuer that lies', () => {
  let site: Site
  let issuer: LyingIssuer
  beforeAll(async () => {
    site = await openSite()
    issuer = await startLyingIssuer(domain)
    await site.configure(issuer.settings)
  })
  afterAll(async () => {
    await site.close()
    await issuer.close()
  })
  const login = async (lie: IssuerLie) => {
    issuer.lie = 'honest'
    const browser = openBrowser(site)
    const callback = await issuer.visit(await browser.begin('oidc'))
    issuer.lie = lie
    return browser.finish('oidc', callback)
  }

  test('is believed while it is honest', async () => {
    expect(await login('honest')).toMatchObject({ status: 200, json: { oauth: { openid: 'alice', name: 'Alice' } } })
  })

  test.each<IssuerLie>([
    'unsigned',
    'other key',
    'wrong issuer',
    'wrong audience',
    'wrong nonce',
    'expired',
    'no subject',
    'other subject',
    'wrong discovery',
  ])('%s: nobody is let in', async (lie) => {
    expect(await login(lie)).toMatchObject({ status: 503, json: { reason: 'oauth.providerFailed' } })
  })

  test('a private address is asked only if the owner has said so', async () => {
    await site.configure({ 'oauth.oidc_allow_private': 'false' })
    expect(await openBrowser(site).begin('oidc')).toBe('/oauth/oidc?error=oauth_providerFailed')
    await site.configure({ 'oauth.oidc_allow_private': 'true' })
  })

  test('the same name from another issuer is another person', async () => {
    issuer.lie = 'honest'
    const member = await site.member()
    const own = openBrowser(site, { token: member.token })
    await own.finish('oidc', await issuer.visit(await own.beginBinding('oidc')))
    expect((await login('honest')).json).toMatchObject({ user: { id: member.id } })
    const another = await startLyingIssuer(domain)
    await site.configure(another.settings)
    const browser = openBrowser(site)
    const { json } = await browser.finish('oidc', await another.visit(await browser.begin('oidc')))
    expect(json).toMatchObject({ oauth: { openid: 'alice' } })
    await another.close()
  })
})
