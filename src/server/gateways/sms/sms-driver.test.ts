import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { defaultSettings, findField, type Settings } from '#shared/settings.ts'
import { fromText } from '#shared/setting-fields.ts'
import { aliyunProtocol } from '#server/testing/sms/aliyun-protocol.ts'
import { baiduProtocol } from '#server/testing/sms/baidu-protocol.ts'
import { httpProtocol } from '#server/testing/sms/http-protocol.ts'
import { huaweiProtocol } from '#server/testing/sms/huawei-protocol.ts'
import { openSmsServer, type SmsProtocol, type SmsServer } from '#server/testing/sms/sms-server.ts'
import { tencentProtocol } from '#server/testing/sms/tencent-protocol.ts'
import { openSmsDriver } from './open-driver.ts'

/** The tests of every driver, against a server that checks what the provider's would. */

const noon = Date.UTC(2026, 10, 17, 12)
const message = { mobile: '13800138000', template: 'SMS_2', code: '042857', minutes: 10 }

const protocols: [string, SmsProtocol, params: unknown][] = [
  ['aliyun', aliyunProtocol, { code: '042857' }],
  ['tencent', tencentProtocol, ['042857', '10']],
  ['baidu', baiduProtocol, { code: '042857' }],
  ['huawei', huaweiProtocol, ['042857']],
  ['haomas', httpProtocol, { code: '042857' }],
]

describe.each(protocols)('%s', (_name, protocol, params) => {
  let server: SmsServer
  let now = noon
  beforeAll(async () => {
    server = await openSmsServer(protocol, () => now)
  })
  afterAll(() => server.close())
  beforeEach(() => {
    now = noon
    server.behave('accept')
    server.received.length = 0
    server.requests.length = 0
    server.forgeries.length = 0
  })
  const send = (changes: Record<string, string> = {}, timeoutMs = 10_000) =>
    openSmsDriver(smsSettings({ ...server.settings, ...changes }), { now: () => noon, timeoutMs }).send(message)

  test('a signed message is accepted', async () => {
    expect(await send()).toEqual({ kind: 'sent', segments: 1 })
    const { sign_name } = smsSettings(server.settings)
    expect(server.received).toEqual([{ mobile: message.mobile, template: 'SMS_2', sign: sign_name, params }])
    expect(server.forgeries).toEqual([])
  })

  test('two messages have a signature each', async () => {
    expect(await send()).toMatchObject({ kind: 'sent' })
    expect(await send()).toMatchObject({ kind: 'sent' })
  })

  test('a wrong secret is refused, and nothing tells it', async () => {
    const outcome = await send({ 'sms.access_secret': 'not the secret' })
    expect(outcome).toMatchObject({ kind: 'refused' })
    expect(JSON.stringify(outcome)).not.toContain('not the secret')
    expect(server.received).toEqual([])
  })

  test('a clock that is an hour off is refused', async () => {
    now = noon + 60 * 60_000
    expect(await send()).toMatchObject({ kind: 'refused' })
    expect(server.forgeries).toHaveLength(1)
  })

  test('a refusal has a reason', async () => {
    server.behave('refuse')
    expect(await send()).toMatchObject({ kind: 'refused', reason: expect.stringContaining('the balance is used up') })
  })

  test.each(['hang', 'break-off', 'bad-gateway'] as const)(
    'nothing is known after %s, and it is tried once',
    async (mood) => {
      server.behave(mood)
      const outcome = await send({}, 300)
      expect(outcome).toMatchObject({ kind: 'unknown', reason: expect.stringMatching(/[一-龥]/) })
      expect(server.requests).toHaveLength(1)
    },
  )

  test('an answer of something else is no success', async () => {
    server.behave('garbage')
    expect(await send()).toMatchObject({ kind: 'refused' })
  })

  test('without a server nothing was sent', async () => {
    const gone = await openSmsServer(protocol)
    await gone.close()
    expect(await send({ 'sms.endpoint': gone.settings['sms.endpoint'] ?? '' })).toMatchObject({ kind: 'refused' })
  })

  test('a wrong address is a refusal', async () => {
    expect(await send({ 'sms.endpoint': '/only/a/path' })).toMatchObject({ kind: 'refused' })
  })
})

test('Tencent tells how many messages a long one is', async () => {
  const long = {
    ...tencentProtocol,
    accepted: () => ({ status: 200, body: { Response: { SendStatusSet: [{ Code: 'Ok', Fee: 3 }] } } }),
  }
  const server = await openSmsServer(long, () => noon)
  const driver = openSmsDriver(smsSettings(server.settings), { now: () => noon })
  expect(await driver.send(message)).toEqual({ kind: 'sent', segments: 3 })
  await server.close()
})

test('a variable of another name', async () => {
  const server = await openSmsServer(aliyunProtocol, () => noon)
  const settings = smsSettings({ ...server.settings, 'sms.template_params': 'number=code,minutes' })
  await openSmsDriver(settings, { now: () => noon }).send(message)
  expect(server.received[0]?.params).toEqual({ number: '042857', minutes: '10' })
  await server.close()
})

function smsSettings(values: Record<string, string>): Settings['sms'] {
  const sms: Record<string, unknown> = { ...defaultSettings().sms }
  for (const [path, value] of Object.entries(values)) {
    const name = path.replace(/^sms\./, '')
    const field = findField('sms', name)
    const parsed = field && fromText(field, value)
    if (!parsed || 'problem' in parsed) throw new Error(`${path}: ${parsed?.problem ?? 'no such setting'}`)
    sms[name] = parsed.value
  }
  return sms as Settings['sms']
}
