import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts texts that are stored in the database, with a key that is not. */
export interface Cipher {
  /** With the current key. `name` says what the text is: under another name it cannot be decrypted. */
  encrypt(name: string, text: string): string
  /** With the key that it was encrypted with. A text that is not encrypted is returned as it is. */
  decrypt(name: string, stored: string): Decrypted
  /** A keyed digest, to find equal texts. It changes with the key: what is stored is digested again when it is encrypted again. */
  digest(name: string, text: string): string
  /** Whether it is encrypted, with the current key. */
  isCurrent(stored: string): boolean
}

export type Decrypted = { text: string } | { failure: 'other key' | 'altered' }

export interface SecretKey {
  /** Stored with each text, to tell keys apart; it reveals nothing of the key. */
  id: string
  bytes: Uint8Array
  /** For digests. */
  digestBytes: Uint8Array
}

/** From a text that is long and random. */
export function toSecretKey(text: string): SecretKey {
  const derive = (purpose: string, length: number) => Buffer.from(hkdfSync('sha256', text, '', purpose, length))
  return {
    id: derive('wendou key id', 4).toString('hex'),
    bytes: derive('wendou settings', 32),
    digestBytes: derive('wendou digests', 32),
  }
}

const algorithm = 'aes-256-gcm'
const nonceLength = 12
const tagLength = 16
const format = /^enc:v1:([\da-f]{8}):([\w-]+)$/

/**
 * `readKeys` gives the current key first, then former ones. It is called again when the keys may have been changed by
 * another process; if it then gives none, those from before are kept.
 */
export function createCipher(readKeys: () => readonly SecretKey[]): Cipher {
  let keys = readKeys()
  const refresh = () => {
    const found = readKeys()
    if (found.length > 0) keys = found
  }
  const findKey = (id: string) => keys.find((key) => key.id === id)

  return {
    encrypt(name, text) {
      refresh()
      const [key] = keys
      if (!key) throw new Error('no key to encrypt with')
      const nonce = randomBytes(nonceLength)
      const cipher = createCipheriv(algorithm, key.bytes, nonce).setAAD(Buffer.from(name))
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `enc:v1:${key.id}:${sealed.toString('base64url')}`
    },
    decrypt(name, stored) {
      const [, id, content] = format.exec(stored) ?? []
      if (id === undefined || content === undefined) return { text: stored }
      if (!findKey(id)) refresh()
      const key = findKey(id)
      if (!key) return { failure: 'other key' }
      const text = open(key, name, Buffer.from(content, 'base64url'))
      return text === undefined ? { failure: 'altered' } : { text }
    },
    digest(name, text) {
      refresh()
      const [key] = keys
      if (!key) throw new Error('no key to digest with')
      return createHmac('sha256', key.digestBytes).update(`${name}\0${text}`).digest('base64url')
    },
    isCurrent(stored) {
      refresh()
      return keys[0] !== undefined && format.exec(stored)?.[1] === keys[0].id
    },
  }
}

function open(key: SecretKey, name: string, sealed: Buffer): string | undefined {
  try {
    const decipher = createDecipheriv(algorithm, key.bytes, sealed.subarray(0, nonceLength), {
      authTagLength: tagLength,
    }).setAAD(Buffer.from(name))
    decipher.setAuthTag(sealed.subarray(-tagLength))
    const text = Buffer.concat([decipher.update(sealed.subarray(nonceLength, -tagLength)), decipher.final()])
    return text.toString('utf8')
  } catch {
    return undefined
  }
}
