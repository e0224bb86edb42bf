import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'

/**
 * Providers show keys as PEM or as bare base64, in either of two encodings, and the field of a secret takes the line breaks out
 * of what is pasted. Undefined if it is no RSA key.
 */
export function parsePrivateKey(text: string): KeyObject | undefined {
  const key = derOf(text)
  return firstRsaKey(
    () => createPrivateKey({ key, format: 'der', type: 'pkcs8' }),
    () => createPrivateKey({ key, format: 'der', type: 'pkcs1' }),
  )
}

export function parsePublicKey(text: string): KeyObject | undefined {
  const key = derOf(text)
  return firstRsaKey(
    () => createPublicKey({ key, format: 'der', type: 'spki' }),
    () => createPublicKey({ key, format: 'der', type: 'pkcs1' }),
  )
}

/** Whether a public key belongs to a private one. */
export function isPair(privateKey: KeyObject, publicKey: KeyObject): boolean {
  return createPublicKey(privateKey).equals(publicKey)
}

function derOf(text: string): Buffer {
  return Buffer.from(text.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64')
}

function firstRsaKey(...readers: (() => KeyObject)[]): KeyObject | undefined {
  for (const read of readers) {
    try {
      const key = read()
      if (key.asymmetricKeyType === 'rsa') return key
    } catch {
      // The other encoding, or no key at all.
    }
  }
  return undefined
}
