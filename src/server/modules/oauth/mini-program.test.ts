import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { oauth } from '#shared/contract/oauth.ts'
import { settings } from '#shared/contract/settings.ts'
import { banners } from '#shared/contract/site.ts'
import { BannerType } from '#shared/enums.ts'
import { startVendors, type Vendors } from '#server/testing/oauth/vendors.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'

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
  vendors.lie = undefined
  vendors.person = { id: String(9000 + people), name: `小程序用户${people}`, email: '', unionid: '' }
})

const giveCode = () => vendors.miniProgram.giveCode(vendors.person)
const login = (more: object = {}) => site.call(oauth.miniProgramLogin, { code: giveCode(), ...more })

async function bound(): Promise<Person> {
  const member = await site.member()
  const reply = await login()
  await member.call(oauth.bind, { oauth_type: 'wechatmp', openid: 'any', session: reply.oauth?.session ?? '' })
  return member
}

describe('the mini program', () => {
  test('logs in, or gives a ticket', async () => {
    const encrypted = vendors.miniProgram.encryptProfile(vendors.person)
    const { oauth: unbound } = await login(encrypted)
    expect(unbound).toMatchObject({
      oauth_type: 'wechatmp',
      openid: `o-mp-${vendors.person.id}`,
      name: vendors.person.name,
    })
    const member = await bound()
    expect(await login()).toMatchObject({ user: { id: member.id }, token: expect.any(String) })
  })

  test('a code is good once', async () => {
    const code = giveCode()
    await site.call(oauth.miniProgramLogin, { code })
    expect(await refusal(site.call(oauth.miniProgramLogin, { code }))).toMatchObject({ reason: 'oauth.codeStale' })
  })

  test('a profile of another app or another person is refused, one that cannot be decrypted is ignored', async () => {
    const foreign = vendors.miniProgram.encryptProfile(vendors.person, 'wxother')
    expect(await refusal(login(foreign))).toMatchObject({ status: 503 })
    const other = vendors.miniProgram.encryptProfile({ ...vendors.person, id: '1' })
    expect(await refusal(login(other))).toMatchObject({ status: 503 })
    const broken = { iv: Buffer.alloc(16).toString('base64'), encrypted_data: 'AAAA' }
    expect(await login(broken)).toMatchObject({ oauth: { name: '' } })
  })

  test('WeChat without an openid lets nobody in', async () => {
    vendors.lie = 'no-openid'
    expect(await refusal(login())).toMatchObject({ status: 503 })
  })

  test('is off unless the owner switches it on', async () => {
    await site.configure({ 'miniprogram.enable_login': 'false' })
    expect(await refusal(login())).toMatchObject({ reason: 'oauth.off' })
    expect((await site.call(settings.get)).security.enable_wechatmp_login).toBe(false)
    await site.configure({ 'miniprogram.enable_login': 'true' })
    expect((await site.call(settings.get)).security.enable_wechatmp_login).toBe(true)
  })

  test('reads its settings and banners', async () => {
    await site.configure({ 'miniprogram.mp_logo': '/uploads/mp.png', 'system.recommend_words': '年报,合同' })
    const { json } = await site.send('GET', '/api/v1/settings?from=1')
    expect(json).toMatchObject({
      system: {
        mp_logo: '/uploads/mp.png',
        recommend_words: ['年报', '合同'],
        sitename: '文豆',
        credit_name: '豆子',
        credit_exchange: 10,
        description: expect.any(String),
      },
      security: { enable_register: true, enable_wechatmp_login: true },
      vip: expect.objectContaining({ year_price: 19_900 }),
    })
    await site.root.call(banners.create, {
      title: '小程序',
      path: '/uploads/b.png',
      type: BannerType.MiniProgram,
      enable: true,
    })
    await site.root.call(banners.create, {
      title: '网站',
      path: '/uploads/w.png',
      type: BannerType.Website,
      enable: true,
    })
    const { json: list } = await site.send('GET', '/api/v1/banner/list?type=1')
    expect(list.banner).toMatchObject([{ title: '小程序' }])
  })
})

describe('a phone number', () => {
  test('is written where there is none; a number of another member or another country is refused', async () => {
    const [member, other] = [await site.member(), await site.member()]
    expect(await member.call(oauth.miniProgramPhone, { code: 'phone-86-13800138000' })).toEqual({
      mobile: '13800138000',
    })
    expect(await refusal(other.call(oauth.miniProgramPhone, { code: 'phone-86-13800138000' }))).toMatchObject({
      reason: 'users.mobileTaken',
    })
    expect(await refusal(member.call(oauth.miniProgramPhone, { code: 'phone-86-13900139000' }))).toMatchObject({
      reason: 'oauth.phoneKept',
    })
    expect(await refusal(other.call(oauth.miniProgramPhone, { code: 'phone-44-7700900000' }))).toMatchObject({
      reason: 'oauth.phoneForeign',
    })
    expect(await refusal(other.call(oauth.miniProgramPhone, { code: 'guess' }))).toMatchObject({
      reason: 'oauth.codeStale',
    })
    vendors.lie = 'other-app'
    expect(await refusal(other.call(oauth.miniProgramPhone, { code: 'phone-86-13900139000' }))).toMatchObject({
      status: 503,
    })
  })

  test('a token that WeChat has revoked is replaced', async () => {
    const member = await site.member()
    vendors.miniProgram.revokeToken()
    expect(await member.call(oauth.miniProgramPhone, { code: 'phone-86-13700137000' })).toEqual({
      mobile: '13700137000',
    })
  })
})

describe('log-in on the web by scanning', () => {
  const poll = (scan: { scene: string; secret: string }) =>
    site.call(oauth.pollScan, { scene: scan.scene, secret: scan.secret })

  test('the page waits, the mini program confirms, the page is logged in once', async () => {
    const member = await bound()
    const scan = await site.call(oauth.beginScan)
    expect(scan.picture).toMatch(/^data:image\/png;base64,/)
    expect(vendors.miniProgram.scenes.at(-1)).toBe(scan.scene)
    expect(await poll(scan)).toMatchObject({ status: 'waiting' })
    expect(await login({ scene: scan.scene })).toMatchObject({ user: { id: member.id } })
    const { status, token = '', user } = await poll(scan)
    expect({ status, id: user?.id }).toEqual({ status: 'confirmed', id: member.id })
    expect((await site.caller({ token })(oauth.own)).oauth).toMatchObject([{ type: 'wechatmp' }])
    expect(await refusal(poll(scan))).toMatchObject({ reason: 'oauth.scanOver' })
    expect(await refusal(login({ scene: scan.scene }))).toMatchObject({ reason: 'oauth.scanOver' })
  })

  test('the scene alone, which anyone may read from the screen, logs nobody in', async () => {
    await bound()
    const scan = await site.call(oauth.beginScan)
    await login({ scene: scan.scene })
    expect(await refusal(poll({ ...scan, secret: 'guess' }))).toMatchObject({ reason: 'oauth.scanOver' })
    expect(JSON.stringify(await site.db.selectFrom('scan_login').selectAll().execute())).not.toContain(scan.secret)
    expect(await poll(scan)).toMatchObject({ status: 'confirmed' })
  })

  test('two polls at once log in once', async () => {
    await bound()
    const scan = await site.call(oauth.beginScan)
    await login({ scene: scan.scene })
    const results = await Promise.allSettled([poll(scan), poll(scan), poll(scan)])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('someone new registers in the mini program, and the page is logged in', async () => {
    const scan = await site.call(oauth.beginScan)
    const { oauth: unbound } = await login({ scene: scan.scene })
    expect(await poll(scan)).toMatchObject({ status: 'waiting' })
    const session = unbound?.session ?? ''
    const { user } = await site.call(oauth.bind, { session, register: true, username: `scan-${people}` })
    expect(await poll(scan)).toMatchObject({ status: 'confirmed', user: { id: user?.id } })
  })

  test('with the suffix the account is bound to the member who shows the code', async () => {
    const member = await site.member()
    expect(await refusal(site.call(oauth.beginScan, { intent: 'bind' }))).toMatchObject({ status: 401 })
    const scan = await member.call(oauth.beginScan, { intent: 'bind' })
    expect(scan.scene).toMatch(/^[0-9a-f]{24}\.1$/)
    expect(await login({ scene: scan.scene })).toMatchObject({ user: { id: member.id } })
    const polled = await poll(scan)
    expect(polled).toMatchObject({ status: 'confirmed' })
    expect(polled.token).toBeUndefined()
    expect((await member.call(oauth.own)).oauth).toMatchObject([{ type: 'wechatmp' }])
  })

  test('an account of another member is not bound by it', async () => {
    await bound()
    const scan = await (await site.member()).call(oauth.beginScan, { intent: 'bind' })
    expect(await refusal(login({ scene: scan.scene }))).toMatchObject({ reason: 'oauth.boundToOther' })
    expect(await poll(scan)).toMatchObject({ status: 'waiting' })
  })

  test('ends after five minutes, and is off unless the owner switches it on', async () => {
    await bound()
    const scan = await site.call(oauth.beginScan)
    site.advanceClock(6 * minute)
    expect(await refusal(login({ scene: scan.scene }))).toMatchObject({ reason: 'oauth.scanOver' })
    expect(await refusal(poll(scan))).toMatchObject({ reason: 'oauth.scanOver' })
    await site.configure({ 'miniprogram.enable_scan_login': 'false' })
    expect(await refusal(site.call(oauth.beginScan))).toMatchObject({ reason: 'oauth.off' })
    await site.configure({ 'miniprogram.enable_scan_login': 'true' })
  })
})
