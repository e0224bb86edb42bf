import { createCipheriv, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto'
import { makeCertificate } from '../self-signed-certificate.ts'

/** What WeChat holds: the keys that it signs with, the merchant's public key, and the APIv3 key. */
export interface PlatformKeys {
  merchant: { serial: string; privateKey: KeyObject; publicKey: KeyObject }
  publicKey: SigningKey
  certificates: CertificateKey[]
  /** Nobody's: for signatures that must not be accepted. */
  foreignKey: KeyObject
  apiKey: string
}

export interface SigningKey {
  serial: string
  privateKey: KeyObject
}

export interface CertificateKey extends SigningKey {
  pem: string
  validFrom: number
  validTo: number
}

export function makePlatformKeys(now: number): PlatformKeys {
  const [merchant, platform, foreignKey] = keyPairs()
  return {
    merchant: { serial: randomBytes(20).toString('hex').toUpperCase(), ...merchant },
    publicKey: { serial: `PUB_KEY_ID_${'0123456789'.repeat(4).slice(0, 32)}`, privateKey: platform.privateKey },
    certificates: [makeCertificateKey(now)],
    foreignKey: foreignKey.privateKey,
    apiKey: randomBytes(16).toString('hex'),
  }
}

let certificatePair: KeyPair | undefined

/** A platform certificate, whose serial begins with a zero as one in sixteen does. */
export function makeCertificateKey(now: number, lifeMs = 5 * 365 * 86_400_000): CertificateKey {
  const { privateKey } = (certificatePair ??= makePair())
  const serial = `0${randomBytes(20).toString('hex').slice(1)}`.toUpperCase()
  const validity = { validFrom: now - 86_400_000, validTo: Math.floor((now + lifeMs) / 1000) * 1000 }
  const pem = makeCertificate({ privateKey, serial, commonName: 'Tenpay.com sign', ...validity })
  return { serial, privateKey, pem, ...validity }
}

export interface SignedMessage {
  timestamp: string
  nonce: string
  body: string
}

export function signMessage(privateKey: KeyObject, { timestamp, nonce, body }: SignedMessage): string {
  return createSign('RSA-SHA256').update(`${timestamp}\n${nonce}\n${body}\n`).sign(privateKey, 'base64')
}

export function encrypt(text: string, apiKey: string, associatedData: string) {
  const nonce = randomBytes(6).toString('hex')
  const cipher = createCipheriv('aes-256-gcm', apiKey, nonce, { authTagLength: 16 })
  cipher.setAAD(Buffer.from(associatedData))
  const data = Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()])
  return {
    algorithm: 'AEAD_AES_256_GCM',
    ciphertext: data.toString('base64'),
    associated_data: associatedData,
    nonce,
  }
}

interface KeyPair {
  privateKey: KeyObject
  publicKey: KeyObject
}

let pairs: [KeyPair, KeyPair, KeyPair] | undefined

/** Made once: it takes long. */
function keyPairs(): [KeyPair, KeyPair, KeyPair] {
  return (pairs ??= [makePair(), makePair(), makePair()])
}

function makePair(): KeyPair {
  return generateKeyPairSync('rsa', { modulusLength: 2048 })
}
