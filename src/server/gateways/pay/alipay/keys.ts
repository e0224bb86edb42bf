import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'

/** Alipay's tool hands keys out as bare base64, in PKCS#8 for Java and PKCS#1 for other languages; others make PEM. */
export function readPrivateKey(text: string): KeyObject | undefined {
  const key = derOf(text)
  return firstRsaKey([
    () => createPrivateKey({ key, format: 'der', type: 'pkcs8' }),
    () => createPrivateKey({ key, format: 'der', type: 'pkcs1' }),
  ])
}

export function readPublicKey(text: string): KeyObject | undefined {
  const key = derOf(text)
  return firstRsaKey([
    () => createPublicKey({ key, format: 'der', type: 'spki' }),
    () => createPublicKey({ key, format: 'der', type: 'pkcs1' }),
  ])
}

/** Whether a public key belongs to a private one. */
export function isPair(privateKey: KeyObject, publicKey: KeyObject): boolean {
  return createPublicKey(privateKey).equals(publicKey)
}

function derOf(text: string): Buffer {
  return Buffer.from(text.replace(/-----[^-]+-----/g, ''), 'base64')
}

function firstRsaKey(readers: (() => KeyObject)[]): KeyObject | undefined {
  for (const read of readers) {
    try {
      const key = read()
      if (key.asymmetricKeyType === 'rsa') return key
    } catch {
      // Another encoding.
    }
  }
  return undefined
}
