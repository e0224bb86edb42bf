import { createHash, createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defaultSettings, type Settings } from '#shared/settings.ts'
import { httpProtocol } from '#server/testing/sms/http-protocol.ts'
import { openSmsServer, type SmsServer } from '#server/testing/sms/sms-server.ts'
import { openSmsDriver } from '../open-driver.ts'
import { fillIn } from './placeholders.ts'
import { isAccepted } from './success.ts'

const values = {
  mobile: '13800138000',
  code: '042857',
  minutes: '10',
  template: 'T 1&2',
  sign: '"文豆"',
  account: 'me',
  secret: 's3cret',
  timestamp: '1700000000',
}
const asIs = String

test.each([
  ['{mobile}-{code}', '13800138000-042857'],
  ['{"a":{"b":"{code}"}}', '{"a":{"b":"042857"}}'],
  ['{unknown} {} { {{code}}', '{unknown} {} { {042857}'],
  ['{constructor}{toString}', '{constructor}{toString}'],
  ['{md5:{account}{secret}}', md5('mes3cret')],
  ['{md5:{md5:{secret}}{timestamp}}', md5(`${md5('s3cret')}1700000000`)],
  ['{hmacsha256:{mobile}}', createHmac('sha256', 's3cret').update('13800138000').digest('hex')],
  ['{md5:{secret}', '{md5:s3cret'],
  ['{md5:}', md5('')],
])('%s', (text, filled) => {
  expect(fillIn(text, values, asIs)).toBe(filled)
})

test('values are escaped where they stand, and signed as they are', () => {
  const quoted = (value: string) => JSON.stringify(value).slice(1, -1)
  expect(fillIn('{"sign":"{sign}","d":"{md5:{sign}}"}', values, quoted)).toBe(
    String.raw`{"sign":"\"文豆\"","d":"${md5('"文豆"')}"}`,
  )
  expect(fillIn('t={template}&s={sign}', values, encodeURIComponent)).toBe('t=T%201%262&s=%22%E6%96%87%E8%B1%86%22')
})

test('a value that looks like a placeholder is not filled in', () => {
  expect(fillIn('{sign}', { ...values, sign: '{secret}' }, asIs)).toBe('{secret}')
})

const any = { http_success_status: 200, http_success_pointer: '', http_success_value: '', http_success_pattern: '' }

test.each([
  ['the status alone', {}, 200, 'anything', true],
  ['another status', {}, 201, 'anything', false],
  ['a value', { http_success_pointer: '/a/0/b~1c', http_success_value: '0' }, 200, '{"a":[{"b/c":0}]}', true],
  ['a truth', { http_success_pointer: '/ok', http_success_value: 'true' }, 200, '{"ok":true}', true],
  ['another value', { http_success_pointer: '/ok', http_success_value: 'true' }, 200, '{"ok":false}', false],
  ['no such value', { http_success_pointer: '/ok', http_success_value: 'undefined' }, 200, '{}', false],
  ['an inherited one', { http_success_pointer: '/constructor', http_success_value: '' }, 200, '{}', false],
  ['no JSON', { http_success_pointer: '/ok', http_success_value: '' }, 200, 'ok', false],
  ['an expression', { http_success_pattern: '^OK:\\d+$' }, 200, 'OK:17', true],
  ['another text', { http_success_pattern: '^OK:\\d+$' }, 200, 'ERR:17', false],
  ['a wrong expression', { http_success_pattern: '(' }, 200, '(', false],
  // It would take longer than the sun will shine.
  ['an expression without end', { http_success_pattern: '^(a+)+$' }, 200, `${'a'.repeat(60)}!`, false],
])('success is told by %s', (_name, test, status, body, accepted) => {
  expect(isAccepted({ ...any, ...test }, { status, headers: {}, body: Buffer.from(body) })).toBe(accepted)
})

let server: SmsServer
beforeAll(async () => {
  server = await openSmsServer(httpProtocol)
})
afterAll(() => server.close())

const send = (changes: Partial<Settings['sms']>) =>
  openSmsDriver(
    {
      ...defaultSettings().sms,
      provider: 'haomas',
      endpoint: `${server.url}/send?to={mobile}&text={template}`,
      access_secret: 'the secret',
      http_allow_private: true,
      ...changes,
    },
    { now: Date.now },
  ).send({
    mobile: '13800138000',
    template: '【{sign}】验证码 {code}，{minutes} 分钟内有效',
    code: '042857',
    minutes: 5,
  })

test('a private address is dialled only if the owner has said so', async () => {
  const before = server.requests.length
  expect(await send({ http_allow_private: false })).toEqual({
    kind: 'refused',
    reason: expect.stringContaining('内网'),
  })
  expect(await send({ http_allow_private: false, endpoint: 'http://169.254.169.254/latest/{mobile}' })).toMatchObject({
    kind: 'refused',
  })
  expect(server.requests).toHaveLength(before)
})

test('without an address nothing is sent', async () => {
  expect(await send({ endpoint: '' })).toMatchObject({ kind: 'refused', reason: '没有填写接口地址' })
})

test('a template may be the text itself, and GET sends all of it in the address', async () => {
  const seen: string[] = []
  const echo = await openSmsServer({
    ...httpProtocol,
    findForgery: ({ method, target, body }) => void seen.push(`${method} ${decodeURIComponent(target)} ${body}`),
    readMessage: () => ({ mobile: '', template: '', sign: '', params: [] }),
    // A server that repeats what it got.
    accepted: () => ({ status: 400, body: 'wrong: 042857 the secret' }),
  })
  const endpoint = `${echo.url}/send?to={mobile}&text={template}`
  const outcome = await send({ endpoint, http_method: 'GET', sign_name: '文豆' })
  expect(seen).toEqual(['GET /send?to=13800138000&text=【文豆】验证码 042857，5 分钟内有效 '])
  expect(outcome).toMatchObject({ kind: 'refused', reason: expect.stringContaining('wrong: *** ***') })
  const form = { http_content_type: 'form', http_body: 'to={mobile}&text={template}', endpoint: echo.url }
  await send({ ...form, sign_name: '文&豆' })
  expect(new URLSearchParams(seen[1]?.replace('POST / ', '')).get('text')).toBe('【文&豆】验证码 042857，5 分钟内有效')
  await echo.close()
})

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex')
}
