import { createPublicKey, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { alipayKey } from '#server/testing/pay/alipay/identities.ts'
import { rawMembers, readAnswer } from './answer.ts'

const publicKey = createPublicKey(alipayKey)
const method = 'alipay.trade.query'
const signatureOf = (text: string) => sign('RSA-SHA256', Buffer.from(text), alipayKey).toString('base64')
const answerOf = (inner: string, signature = signatureOf(inner)) =>
  `{"alipay_trade_query_response":${inner},"sign":"${signature}"}`
const read = (text: string) => readAnswer(text, method, publicKey)

const inner = String.raw`{"code":"10000","msg":"Success","url":"https:\/\/a.example\/b","text":"}\"{\\","汉":[{"a":"]"}] }`

test('verifies the inner object as it is written, with escaped slashes, braces in texts and spaces', () => {
  expect(read(answerOf(inner))).toMatchObject({ url: 'https://a.example/b', text: '}"{\\', 汉: [{ a: ']' }] })
})

test.each([
  ['written anew', JSON.stringify(JSON.parse(inner))],
  ['with one byte changed', inner.replace('a.example', 'b.example')],
])('refuses it %s', (_, changed) => {
  expect(() => read(answerOf(changed, signatureOf(inner)))).toThrow('没有通过验签')
})

test('reads the members in any order, with spaces and others between them', () => {
  const text = ` {\n "sign" : "${signatureOf(inner)}" , "alipay_cert_sn":"1",\t"alipay_trade_query_response" : ${inner}\n}\n`
  expect(read(text)).toMatchObject({ code: '10000' })
})

test('takes the outermost member alone, and none that is there twice', () => {
  const forged = '{"code":"10000","trade_status":"TRADE_SUCCESS"}'
  const nested = `{"x":{"alipay_trade_query_response":${forged}},"alipay_trade_query_response":${inner},"sign":"${signatureOf(inner)}"}`
  expect(read(nested)).not.toHaveProperty('trade_status')
  const twice = `{"alipay_trade_query_response":${forged},"alipay_trade_query_response":${inner},"sign":"${signatureOf(inner)}"}`
  expect(() => read(twice)).toThrow('看不懂')
})

test.each([
  '',
  'null',
  '[]',
  '"x"',
  '{}',
  '<html>',
  '{"sign":"x"}',
  '{"alipay_trade_query_response":1}',
  answerOf('[]'),
])('does not understand %s', (text) => {
  expect(() => read(text)).toThrow(expect.objectContaining({ code: 'bad-answer', isTemporary: true }))
})

test.each([
  ['unsigned', `{"alipay_trade_query_response":${inner}}`],
  ['with a signature that is none', answerOf(inner, '?')],
  ['of success by error_response', `{"error_response":${inner}}`],
])('refuses an answer %s', (_, text) => {
  expect(() => read(text)).toThrow('没有通过验签')
})

test('does not believe an unsigned answer that a trade does not exist', () => {
  const failed = '{"code":"40004","msg":"Business Failed","sub_code":"ACQ.TRADE_NOT_EXIST"}'
  expect(() => read(answerOf(failed))).toThrow('支付宝没有这笔交易')
  expect(() => read(`{"alipay_trade_query_response":${failed}}`)).toThrow('没有通过验签')
})

test.each([
  ['20000', 'isp.unknow-error', true],
  ['20000', '', true],
  ['40004', 'ACQ.SYSTEM_ERROR', true],
  ['40004', 'aop.ACQ.SYSTEM_ERROR', true],
  ['40005', 'isv.app-call-limited', true],
  ['40002', 'isv.invalid-app-id', false],
  ['40004', 'ACQ.TRADE_HAS_CLOSE', false],
  ['40006', 'isv.insufficient-isv-permissions', false],
])('says of %s %s whether another try is worth while: %s', (code, subCode, isTemporary) => {
  const failed = JSON.stringify({ code, msg: 'Failed', sub_code: subCode, sub_msg: '失败' })
  expect(() => read(answerOf(failed))).toThrow(expect.objectContaining({ isTemporary }))
})

test.each(['ACQ.TRADE_NOT_EXIST', 'aop.ACQ.TRADE_NOT_EXIST', 'TRADE_NOT_EXIST'])('knows %s by one code', (subCode) => {
  const failed = JSON.stringify({ code: '40004', msg: 'Business Failed', sub_code: subCode })
  expect(() => read(answerOf(failed))).toThrow(expect.objectContaining({ code: 'ACQ.TRADE_NOT_EXIST' }))
})

test("tells what has no sentence of ours in Alipay's words", () => {
  const failed = JSON.stringify({ code: '40004', msg: 'Business Failed', sub_code: 'ACQ.NEW', sub_msg: '新的原因' })
  expect(() => read(answerOf(failed))).toThrow('支付宝：新的原因（ACQ.NEW）')
})

test.each(['{"a":1,"b":{"c":[1,{"d":"}"}]},"e":"\\"x"}', '{ }', '{"a" : "{" , "b":null}'])(
  'gives the members of %s as they are written',
  (text) => {
    const members = [...(rawMembers(text) ?? [])].map(([key, raw]) => [key, JSON.parse(raw) as unknown])
    expect(Object.fromEntries(members)).toEqual(JSON.parse(text))
  },
)
