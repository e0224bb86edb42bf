import { createHmac } from 'node:crypto'
import { timingSafeEqualText } from '#server/keys.ts'

/** Time-based one-time passwords (RFC 6238), as authenticator apps compute them: SHA-1, 30 seconds, 6 digits. */

const stepMs = 30_000
/** Bytes, as RFC 4226 recommends. */
export const secretLength = 20

export function totp(secret: Uint8Array, step: number, digits = 6): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0xf
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/**
 * The time step of a code, if it is valid: that of now, the one before or the one after. So a clock may be wrong by 30
 * seconds; with a wider window, which a clock that is wrong by 90 seconds would need, guessing would be twice as easy.
 */
export function findStep(secret: Uint8Array, code: string, now: number): number | undefined {
  const current = Math.floor(now / stepMs)
  return [current, current - 1, current + 1].find((step) => timingSafeEqualText(totp(secret, step), code))
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Base32 without padding (RFC 4648): how authenticator apps take a secret. */
export function toBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

export function fromBase32(text: string): Uint8Array {
  const bits = Array.from(text, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const bytes = bits.match(/.{8}/g) ?? []
  return Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2))
}

/** What the QR code of a secret says. */
export function toUri({ secret, issuer, account }: { secret: string; issuer: string; account: string }): string {
  // A colon separates the two.
  const [site, name] = [issuer, account].map((text) => encodeURIComponent(text.replaceAll(':', ' ')))
  return `otpauth://totp/${site}:${name}?secret=${secret}&issuer=${site}`
}
