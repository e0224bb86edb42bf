import { createPrivateKey, createSign, createVerify, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWeChatSimulator, type WeChatSimulator } from '#server/testing/pay/wechat-simulator.ts'

/** Signed here by hand, so that the simulator and the product cannot be wrong in the same way. */

let simulator: WeChatSimulator
beforeAll(async () => {
  simulator = await startWeChatSimulator()
})
afterAll(() => simulator.close())

interface Changes {
  body?: object
  /** Sent instead of what was signed. */
  sentBody?: string
  authorization?(fields: Record<string, string>): Record<string, string>
  headers?: Record<string, string | undefined>
  timestamp?: number
  nonce?: string
}

const order = (changes: object = {}) => ({
  appid: simulator.settings['wechat_app_id'],
  mchid: simulator.settings['wechat_mch_id'],
  description: '书',
  out_trade_no: `N${randomBytes(6).toString('hex')}`,
  time_expire: '2099-01-01T00:00:00+08:00',
  notify_url: 'https://wenku.example/notify',
  amount: { total: 1, currency: 'CNY' },
  ...changes,
})

async function send(changes: Changes = {}): Promise<Response> {
  const body = JSON.stringify(changes.body ?? order())
  const timestamp = String(changes.timestamp ?? Math.floor(Date.now() / 1000))
  const nonce = changes.nonce ?? randomBytes(16).toString('hex')
  const target = '/v3/pay/transactions/native'
  const signature = createSign('RSA-SHA256')
    .update(`POST\n${target}\n${timestamp}\n${nonce}\n${body}\n`)
    .sign(createPrivateKey(simulator.settings['wechat_private_key'] ?? ''), 'base64')
  const fields: Record<string, string> = {
    mchid: simulator.settings['wechat_mch_id'] ?? '',
    nonce_str: nonce,
    signature,
    timestamp,
    serial_no: simulator.settings['wechat_serial'] ?? '',
  }
  const list = Object.entries(changes.authorization?.(fields) ?? fields).map(([name, value]) => `${name}="${value}"`)
  const headers = new Headers({
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': 'by hand',
    authorization: `WECHATPAY2-SHA256-RSA2048 ${list.join(',')}`,
    'wechatpay-serial': simulator.settings['wechat_public_key_id'] ?? '',
  })
  for (const [name, value] of Object.entries(changes.headers ?? {})) {
    if (value === undefined) headers.delete(name)
    else headers.set(name, value)
  }
  return fetch(`${simulator.url}${target}`, { method: 'POST', headers, body: changes.sentBody ?? body })
}

test('a request that is right is answered, and the answer signed', async () => {
  const response = await send()
  const body = await response.text()
  expect(response.status, body).toBe(200)
  expect(simulator.complaints).toEqual([])
  const header = (name: string) => response.headers.get(`wechatpay-${name}`) ?? ''
  expect(header('serial')).toBe(simulator.settings['wechat_public_key_id'])
  const message = `${header('timestamp')}\n${header('nonce')}\n${body}\n`
  const key = simulator.settings['wechat_public_key'] ?? ''
  expect(createVerify('RSA-SHA256').update(message).verify(key, header('signature'), 'base64')).toBe(true)
})

const now = () => Math.floor(Date.now() / 1000)

const wrong: [string, number, () => Changes][] = [
  ['another scheme', 401, () => ({ headers: { authorization: 'Bearer x' } })],
  ['no authorization', 401, () => ({ headers: { authorization: undefined } })],
  ['another merchant', 401, () => ({ authorization: (fields) => ({ ...fields, mchid: '1900000999' }) })],
  ['another serial', 401, () => ({ authorization: (fields) => ({ ...fields, serial_no: 'A'.repeat(40) }) })],
  ['one field more', 401, () => ({ authorization: (fields) => ({ ...fields, extra: '1' }) })],
  ['an empty nonce', 401, () => ({ nonce: '' })],
  ['a long nonce', 401, () => ({ nonce: 'a'.repeat(33) })],
  ['an old time', 401, () => ({ timestamp: now() - 302 })],
  ['a time to come', 401, () => ({ timestamp: now() + 302 })],
  ['a body that was not signed', 401, () => ({ sentBody: JSON.stringify(order()) })],
  ['a body with one space more', 401, () => ({ body: order(), sentBody: `${JSON.stringify(order())} ` })],
  ['no Accept', 406, () => ({ headers: { accept: '*/*' } })],
  ['a form', 415, () => ({ headers: { 'content-type': 'text/plain' } })],
  ['an unknown key', 400, () => ({ headers: { 'wechatpay-serial': 'PUB_KEY_ID_0' } })],
  ['an unknown field', 400, () => ({ body: order({ time_start: 'x' }) })],
  ['an unknown field within', 400, () => ({ body: order({ amount: { total: 1, currency: 'CNY', fee: 1 } }) })],
  ['no amount', 400, () => ({ body: order({ amount: undefined }) })],
  ['an amount of nothing', 400, () => ({ body: order({ amount: { total: 0 } }) })],
  ['a fraction', 400, () => ({ body: order({ amount: { total: 1.5 } }) })],
  ['an amount as text', 400, () => ({ body: order({ amount: { total: '1' } }) })],
  ['another currency', 400, () => ({ body: order({ amount: { total: 1, currency: 'USD' } }) })],
  ['a short number', 400, () => ({ body: order({ out_trade_no: 'N1' }) })],
  ['a number with a point', 400, () => ({ body: order({ out_trade_no: 'N1234.5678' }) })],
  ['a long description', 400, () => ({ body: order({ description: '长'.repeat(128) }) })],
  ['a time of another zone', 400, () => ({ body: order({ time_expire: '2099-01-01T00:00:00Z' }) })],
  ['an address with a query', 400, () => ({ body: order({ notify_url: 'https://wenku.example/notify?a=1' }) })],
  ['an address in clear', 400, () => ({ body: order({ notify_url: 'http://wenku.example/notify' }) })],
  ['another app', 400, () => ({ body: order({ appid: 'wx0000000000000999' }) })],
  ['what H5 alone has', 400, () => ({ body: order({ scene_info: { payer_client_ip: '1.1.1.1' } }) })],
]

test.each(wrong)('complains about %s', async (_, status, changes) => {
  const before = simulator.complaints.length
  const response = await send(changes())
  expect(response.status, await response.text()).toBe(status)
  expect(simulator.complaints).toHaveLength(before + 1)
})

test('complains about a nonce that came before', async () => {
  const nonce = randomBytes(16).toString('hex')
  expect((await send({ nonce })).status).toBe(200)
  expect((await send({ nonce })).status).toBe(401)
})
