import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { bareKey } from '#server/testing/pay/alipay/formats.ts'
import { applicationCertificate, applicationKey } from '#server/testing/pay/alipay/identities.ts'
import { isPair, readPrivateKey, readPublicKey } from './rsa-keys.ts'

const key = createPrivateKey(applicationKey)
const pem = (type: 'pkcs1' | 'pkcs8') => key.export({ type, format: 'pem' }).toString()
const publicPem = (type: 'pkcs1' | 'spki') => createPublicKey(key).export({ type, format: 'pem' }).toString()

test.each([
  ['PKCS#8 as PEM', pem('pkcs8')],
  ['PKCS#8 as bare base64', bareKey(pem('pkcs8'))],
  ['PKCS#8 as PEM without its line breaks', pem('pkcs8').replaceAll('\n', '')],
  ['PKCS#1 as PEM', pem('pkcs1')],
  ['PKCS#1 as bare base64', bareKey(pem('pkcs1'))],
  ['PEM after remarks', `Bag Attributes\nKey Attributes: <No Attributes>\n${pem('pkcs8')}`],
  ['base64 in lines, with spaces around', `\n ${bareKey(pem('pkcs8')).replace(/.{64}/g, '$&\r\n')} \n`],
])('reads a private key in %s', (_, text) => {
  expect(readPrivateKey(text)?.equals(key)).toBe(true)
})

test.each([
  ['PEM', publicPem('spki')],
  ['bare base64', bareKey(publicPem('spki'))],
  ['PKCS#1', publicPem('pkcs1')],
])('reads a public key as %s', (_, text) => {
  const publicKey = readPublicKey(text)
  expect(publicKey && isPair(key, publicKey)).toBe(true)
})

const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' })

test.each([
  ['nothing', ''],
  ['words', '请填写私钥'],
  ['half a key', bareKey(pem('pkcs8')).slice(0, 800)],
  ['a public key', publicPem('spki')],
  ['an elliptic key', elliptic.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()],
])('takes no private key from %s', (_, text) => {
  expect(readPrivateKey(text)).toBeUndefined()
})

test.each([
  ['nothing', ''],
  ['a certificate', applicationCertificate],
  ['a private key', pem('pkcs8')],
  ['an elliptic key', elliptic.publicKey.export({ type: 'spki', format: 'pem' }).toString()],
])('takes no public key from %s', (_, text) => {
  expect(readPublicKey(text)).toBeUndefined()
})
