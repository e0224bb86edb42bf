import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { audits } from '#shared/contract/audit.ts'
import { settings } from '#shared/contract/settings.ts'
import { sms, smsTests } from '#shared/contract/sms.ts'
import { CodeScene, type SignInScene, SmsStatus } from '#shared/enums.ts'
import { solvedCaptcha } from '#server/testing/captcha.ts'
import { refusal, type Site } from '#server/testing/site.ts'
import type { SmsServer } from '#server/testing/sms/sms-server.ts'
import { openSmsSite, type SmsSite } from '#server/testing/sms/sms-site.ts'

const minute = 60_000
const day = 24 * 60 * minute

let smsSite: SmsSite
let site: Site
let server: SmsServer
let mobile: string
beforeAll(async () => {
  smsSite = await openSmsSite()
  ;({ site, server } = smsSite)
})
afterAll(() => smsSite.close())
beforeEach(() => {
  mobile = smsSite.nextMobile()
  server.behave('accept')
})

const send = (to = mobile, ip = smsSite.nextAddress(), type: SignInScene = CodeScene.Login) =>
  site.caller({ ip })(sms.send, { mobile: to, type })
const records = (of = mobile) => site.db.selectFrom('sms').selectAll().where('mobile', '=', of).execute()

test('a code of six digits is sent with the template of its scene', async () => {
  for (const [type, template] of [
    [CodeScene.Register, 'SMS_1'],
    [CodeScene.Login, 'SMS_2'],
    [CodeScene.FindPassword, 'SMS_3'],
  ] as const) {
    expect(await send(mobile, undefined, type)).toEqual({ is_registered: true })
    expect(server.received.at(-1)).toMatchObject({
      mobile,
      template,
      params: { code: expect.stringMatching(/^\d{6}$/) },
    })
    site.advanceClock(minute)
  }
  expect(server.forgeries).toEqual([])
})

test('the reply is the same whether or not the number is registered', async () => {
  const { mobile: registered } = await smsSite.register()
  site.advanceClock(minute)
  for (const type of [CodeScene.Register, CodeScene.Login, CodeScene.FindPassword] as const) {
    const body = (to: string) => ({ mobile: to, type })
    const known = await site.send('POST', '/api/v1/sms', { ip: smsSite.nextAddress(), body: body(registered) })
    const unknown = await site.send('POST', '/api/v1/sms', { ip: smsSite.nextAddress(), body: body(mobile) })
    expect([known.status, known.text]).toEqual([200, unknown.text])
    site.advanceClock(minute)
  }
})

test.each(['23800138000', '12800138000', '1380013800', '138001380000', '+8613800138000', '1380013800a', ''])(
  'the number %j is refused',
  async (wrong) => {
    expect(await refusal(send(wrong))).toMatchObject({ status: 400 })
    expect(await records(wrong)).toEqual([])
  },
)

test('scenes of members are not open to visitors', async () => {
  for (const type of [CodeScene.BindMobile, CodeScene.ProveMobile])
    expect(await refusal(send(mobile, undefined, type as SignInScene))).toMatchObject({ status: 400 })
})

test('neither the records nor the codes have the code in plain text', async () => {
  await send()
  const code = server.codeFor(mobile)
  const rows = await site.db.selectFrom('verification_code').selectAll().where('target', '=', mobile).execute()
  expect(rows).toHaveLength(1)
  expect(JSON.stringify([rows.map(({ code }) => code), await records()])).not.toContain(code)
  const { sms: listed } = await site.root.call(sms.list, { wd: mobile })
  expect(JSON.stringify(listed)).not.toContain(code)
})

describe('what became of a message', () => {
  test('sent, with its cost', async () => {
    await send()
    const price = 45
    expect(await records()).toMatchObject([{ status: SmsStatus.Sent, reason: '', segments: 1, cost: price }])
  })

  test('refused: the visitor is told that, staff are told why', async () => {
    server.behave('refuse')
    const error = await refusal(send())
    expect(error).toMatchObject({ status: 503, reason: 'sms.failed' })
    expect(error.message).not.toContain('balance')
    const [record] = await records()
    expect(record).toMatchObject({ status: SmsStatus.Failed, segments: 0, cost: 0 })
    expect(record?.reason).toContain('the balance is used up')
  })

  test('unknown: it stays "sending" and is never sent again by itself', async () => {
    server.behave('break-off')
    expect(await send()).toEqual({ is_registered: true })
    expect(await records()).toMatchObject([{ status: SmsStatus.Sending, segments: 1 }])
    server.behave('accept')
    site.advanceClock(day)
    await site.runDueJobs()
    expect(server.received.filter((message) => message.mobile === mobile)).toHaveLength(1)
    expect(await records()).toMatchObject([{ status: SmsStatus.Sending }])
  })

  test('without a template nothing is sent', async () => {
    await site.configure({ 'sms.template_login': '' })
    expect(await refusal(send())).toMatchObject({ reason: 'sms.failed' })
    await site.configure({ 'sms.template_login': 'SMS_2' })
    expect(await records()).toMatchObject([{ status: SmsStatus.Failed, reason: '没有填写登录的短信模板' }])
    expect(server.received.filter((message) => message.mobile === mobile)).toEqual([])
  })
})

describe('limits', () => {
  test('a number gets one message a minute, whatever the scene and the address', async () => {
    await send()
    site.advanceClock(minute - 1)
    const tooSoon = await refusal(send(mobile, undefined, CodeScene.Register))
    expect(tooSoon).toMatchObject({ status: 429, reason: 'sms.tooSoon', message: expect.stringContaining('1 秒') })
    site.advanceClock(1)
    await send(mobile, undefined, CodeScene.Register)
  })

  test('ten requests at once send one message', async () => {
    const settled = await Promise.allSettled(Array.from({ length: 10 }, () => send()))
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await records()).toHaveLength(1)
  })

  test('one number from a thousand addresses gets ten messages a day', async () => {
    let refused = 0
    for (let request = 0; request < 1000; request++) {
      // As if a minute had passed: a thousand of them are most of a day.
      await site.db.deleteFrom('rate_limit').where('key', '=', `sms:${mobile}`).execute()
      const error = await send().then(
        () => undefined,
        (thrown: { reason: string }) => thrown.reason,
      )
      if (error === 'sms.tooManyToNumber') refused += 1
    }
    expect(refused).toBe(990)
    expect(await records()).toHaveLength(10)
    site.advanceClock(day)
    await send()
    expect(await records()).toHaveLength(11)
  })

  test('a thousand numbers from one address get twenty messages a day', async () => {
    const ip = smsSite.nextAddress()
    const numbers = Array.from({ length: 1000 }, () => smsSite.nextMobile())
    const before = server.received.length
    const reasons = new Set<string>()
    for (let from = 0; from < numbers.length; from += 50) {
      const sent = numbers.slice(from, from + 50).map((number) => send(number, ip))
      for (const outcome of await Promise.allSettled(sent))
        if (outcome.status === 'rejected') reasons.add((outcome.reason as { reason: string }).reason)
    }
    expect(server.received.length - before).toBe(20)
    expect([...reasons].filter((reason) => !reason.startsWith('request.'))).toEqual(['sms.tooManyFromAddress'])
    // What an address is refused does not keep the number from others.
    expect(await send(numbers[900])).toEqual({ is_registered: true })
  })

  test('an IPv6 subscriber is one address', async () => {
    const from = (host: number) => send(smsSite.nextMobile(), `2001:db8:1:2::${host.toString(16)}`)
    for (let host = 1; host <= 20; host++) await from(host)
    expect(await refusal(from(21))).toMatchObject({ reason: 'sms.tooManyFromAddress' })
  })

  test('the whole site has a limit too', async () => {
    const { total } = await site.root.call(sms.today)
    site.advanceClock(day)
    await site.configure({ 'sms.times_whole_site': '2' })
    await send()
    await send(smsSite.nextMobile())
    const third = smsSite.nextMobile()
    expect(await refusal(send(third))).toMatchObject({ status: 503, reason: 'sms.tooManyToday' })
    expect(await records(third)).toEqual([])
    await site.configure({ 'sms.times_whole_site': '100000' })
    expect(await send(third)).toEqual({ is_registered: true })
    expect(total).toBeGreaterThan(20)
  })
})

describe('a captcha comes before each message', () => {
  beforeAll(() => site.configure({ 'security.enable_captcha_code': 'true' }))
  afterAll(() => site.configure({ 'security.enable_captcha_code': 'false' }))
  const sendWith = (answer: { captcha: string; captcha_id: string }, to = mobile) =>
    site.caller({ ip: smsSite.nextAddress() })(sms.send, { mobile: to, type: CodeScene.Login, ...answer })

  test('and is used up, right or wrong', async () => {
    expect(await refusal(send())).toMatchObject({ reason: 'captcha.needed' })
    const captcha = await solvedCaptcha(site, 'code')
    await sendWith(captcha)
    expect(await refusal(sendWith(captcha, smsSite.nextMobile()))).toMatchObject({ reason: 'captcha.wrong' })
    const wrong = await solvedCaptcha(site, 'code')
    const other = smsSite.nextMobile()
    expect(await refusal(sendWith({ ...wrong, captcha: '0000' }, other))).toMatchObject({ reason: 'captcha.wrong' })
    expect(await refusal(sendWith(wrong, other))).toMatchObject({ reason: 'captcha.wrong' })
    expect(await records(other)).toEqual([])
  })

  test('also one of the form that the code is for, and of no other', async () => {
    await site.configure({ 'security.enable_captcha_login': 'true', 'security.enable_captcha_register': 'true' })
    await sendWith(await solvedCaptcha(site, 'login'))
    const registering = await solvedCaptcha(site, 'register')
    expect(await refusal(sendWith(registering, smsSite.nextMobile()))).toMatchObject({ reason: 'captcha.wrong' })
    await site.configure({ 'security.enable_captcha_login': 'false', 'security.enable_captcha_register': 'false' })
  })

  test('in time', async () => {
    const captcha = await solvedCaptcha(site, 'code')
    site.advanceClock(11 * minute)
    expect(await refusal(sendWith(captcha))).toMatchObject({ reason: 'captcha.wrong' })
  })
})

describe('switches', () => {
  test('sms off', async () => {
    await site.configure({ 'sms.enable': 'false' })
    expect(await refusal(send())).toMatchObject({ status: 400, reason: 'sms.off' })
    expect((await site.call(settings.get)).system.enable_sms).toBe(false)
    await site.configure({ 'sms.enable': 'true' })
    expect((await site.call(settings.get)).system.enable_sms).toBe(true)
  })

  test('a site without registration sends no codes for it', async () => {
    await site.configure({ 'security.enable_register': 'false' })
    expect(await refusal(send(mobile, undefined, CodeScene.Register))).toMatchObject({ reason: 'users.registerClosed' })
    await send()
    await site.configure({ 'security.enable_register': 'true' })
  })

  test('a closed site sends them for staff who log in', async () => {
    await site.configure({ 'security.is_close': 'true' })
    expect(await refusal(send(mobile, undefined, CodeScene.Register))).toMatchObject({ reason: 'users.siteClosed' })
    expect(await send()).toEqual({ is_registered: true })
    await site.configure({ 'security.is_close': 'false' })
  })
})

describe('staff', () => {
  test('see the records with numbers in part, unless they may see them', async () => {
    await send()
    const some = await site.staff('SmsAPI/ListSms')
    const all = await site.staff('SmsAPI/ListSms', 'SmsAPI/GetSms')
    const masked = `${mobile.slice(0, 3)}****${mobile.slice(-4)}`
    expect((await some.call(sms.list, { wd: mobile })).sms).toMatchObject([{ mobile: masked, status: SmsStatus.Sent }])
    expect((await all.call(sms.list, { wd: mobile })).sms).toMatchObject([{ mobile, provider: 'aliyun' }])
    // Searching by parts would tell the rest.
    expect((await some.call(sms.list, { wd: mobile.slice(3, 7) })).sms).toEqual([])
    expect((await some.call(sms.list, { wd: mobile.slice(0, 10) })).sms).toEqual([])
    expect((await all.call(sms.list, { wd: mobile.slice(0, 10) })).total).toBeGreaterThan(0)
    expect(await refusal(some.call(sms.delete, { id: [1] }))).toMatchObject({ status: 403 })
    expect(await refusal((await site.member()).call(sms.list))).toMatchObject({ status: 403 })
  })

  test('filter and delete records', async () => {
    server.behave('refuse')
    await refusal(send())
    const found = await site.root.call(sms.list, { wd: mobile, status: [SmsStatus.Failed], scene: [CodeScene.Login] })
    expect(found.total).toBe(1)
    const other = await site.root.call(sms.list, { wd: mobile, status: [SmsStatus.Sent] })
    expect(other.total).toBe(0)
    await site.root.call(sms.delete, { id: found.sms.map(({ id }) => id) })
    expect(await records()).toEqual([])
  })

  test("see today's count and cost", async () => {
    site.advanceClock(2 * day)
    expect(await site.root.call(sms.today)).toMatchObject({ total: 0, segments: 0, cost: 0, limit: 100_000 })
    await send()
    server.behave('refuse')
    await refusal(send(smsSite.nextMobile()))
    expect(await site.root.call(sms.today)).toMatchObject({ total: 2, failed: 1, segments: 1, cost: 45 })
  })
})

describe('a test message', () => {
  const config = (values: Record<string, string>) =>
    Object.entries(values).map(([path, value]) => ({ category: 'sms', name: path.replace('sms.', ''), value }))

  test('is real, with values that are not saved', async () => {
    await site.root.call(smsTests.send, { mobile, config: config({ 'sms.template_register': 'SMS_new' }) })
    expect(server.received.at(-1)).toMatchObject({ mobile, template: 'SMS_new' })
    expect(await records()).toMatchObject([{ status: SmsStatus.Sent, scene: CodeScene.Register }])
    const { config: saved } = await site.root.call(settings.list, { category: ['sms'] })
    expect(saved.find(({ name }) => name === 'template_register')?.value).toBe('SMS_1')
    const { audit } = await site.root.call(audits.list)
    expect(JSON.stringify(audit[0])).not.toContain(mobile)
  })

  test('its code is good for nothing', async () => {
    await site.root.call(smsTests.send, { mobile })
    const rows = await site.db.selectFrom('verification_code').select('id').where('target', '=', mobile).execute()
    expect(rows).toEqual([])
  })

  test('tells what is wrong', async () => {
    const wrong = { mobile, config: config({ 'sms.access_secret': 'wrong' }) }
    expect(await refusal(site.root.call(smsTests.send, wrong))).toMatchObject({
      reason: 'sms.testFailed',
      message: expect.stringContaining('访问密钥不正确'),
    })
    server.behave('break-off')
    expect(await refusal(site.root.call(smsTests.send, { mobile }))).toMatchObject({ reason: 'sms.testUnanswered' })
  })

  test.each(['sms.endpoint', 'sms.provider', 'sms.http_body'])(
    'the secret that is stored does not follow a change of %s',
    async (path) => {
      const value = path === 'sms.provider' ? 'haomas' : 'http://127.0.0.1:1/{secret}'
      const test = { mobile, config: config({ [path]: value, 'sms.access_secret': '******' }) }
      expect(await refusal(site.root.call(smsTests.send, test))).toMatchObject({ reason: 'settings.secretAgain' })
      expect(await refusal(site.configure({ [path]: value }))).toMatchObject({ reason: 'settings.secretAgain' })
    },
  )

  test('needs the permission to change settings', async () => {
    const viewer = await site.staff('ConfigAPI/ListConfig', 'SmsAPI/ListSms')
    expect(await refusal(viewer.call(smsTests.send, { mobile }))).toMatchObject({ status: 403 })
  })
})

// Last: sessions end meanwhile.
test('records are kept for half a year', async () => {
  await send()
  site.advanceClock(179 * day)
  await site.runDueJobs()
  expect(await records()).toHaveLength(1)
  site.advanceClock(2 * day)
  await site.runDueJobs()
  expect(await records()).toEqual([])
})
