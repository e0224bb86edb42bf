import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { parsePrivateKey, parsePublicKey } from '../rsa-keys.ts'
import { isMd5Signature, isRsaSignature, md5Signature, rsaSignature, signedText } from './signatures.ts'

const key = '1234567'

test('signs the published example', () => {
  expect(md5Signature({ money: 'moneyv', device: 'devicev' }, key)).toBe('3854cc9f022e0fb821bd2e002260245d')
})

test('signs fields in the order of their names, raw, without the empty ones and the signature itself', () => {
  const fields = { b: '2 %20&=', a: '文', empty: '', zero: '0', A: 'x', sign: 's', sign_type: 'MD5', hash: 'h' }
  expect(signedText(fields)).toBe('A=x&a=文&b=2 %20&=&zero=0')
  expect(signedText(Object.fromEntries(Object.entries(fields).toReversed()))).toBe(signedText(fields))
})

test('knows an MD5 signature, in either case, and no other', () => {
  const fields = { money: '1.00', pid: '1001' }
  const signature = md5Signature(fields, key)
  expect(isMd5Signature(signature, fields, key)).toBe(true)
  expect(isMd5Signature(signature.toUpperCase(), fields, key)).toBe(true)
  expect(isMd5Signature(signature, { ...fields, money: '1.01' }, key)).toBe(false)
  expect(isMd5Signature(signature, { ...fields, more: 'x' }, key)).toBe(false)
  expect(isMd5Signature(signature, fields, '12345678')).toBe(false)
  expect(isMd5Signature(signature.slice(1), fields, key)).toBe(false)
  expect(isMd5Signature('', fields, key)).toBe(false)
  expect(isMd5Signature(undefined, fields, key)).toBe(false)
})

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
const privateTexts = (['pkcs1', 'pkcs8'] as const).flatMap((type) => [
  pair.privateKey.export({ type, format: 'pem' }).toString(),
  pair.privateKey.export({ type, format: 'der' }).toString('base64'),
])
const publicTexts = (['pkcs1', 'spki'] as const).flatMap((type) => [
  pair.publicKey.export({ type, format: 'pem' }).toString(),
  pair.publicKey.export({ type, format: 'der' }).toString('base64'),
])

test.each(privateTexts.flatMap((secret) => publicTexts.map((open) => [secret, open])))(
  'signs with RSA whatever form the keys have',
  (privateText, publicText) => {
    const [privateKey, publicKey] = [parsePrivateKey(privateText), parsePublicKey(`\n ${publicText}\r\n`)]
    if (!privateKey || !publicKey) throw new Error('no key')
    const fields = { money: '1.00', name: '会员卡 100%' }
    const signature = rsaSignature(fields, privateKey)
    expect(isRsaSignature(signature, fields, publicKey)).toBe(true)
    expect(isRsaSignature(signature, { ...fields, money: '1.01' }, publicKey)).toBe(false)
    expect(isRsaSignature(signature.slice(4), fields, publicKey)).toBe(false)
    expect(isRsaSignature(undefined, fields, publicKey)).toBe(false)
  },
)

test.each(['', 'x', 'MIIB', '-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----'])('%j is no key', (text) => {
  expect(parsePrivateKey(text)).toBeUndefined()
  expect(parsePublicKey(text)).toBeUndefined()
})

test('only RSA keys are taken', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  expect(parsePrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())).toBeUndefined()
  expect(parsePublicKey(publicKey.export({ type: 'spki', format: 'pem' }).toString())).toBeUndefined()
})
