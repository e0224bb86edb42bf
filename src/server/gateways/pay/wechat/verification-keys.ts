import { X509Certificate, type KeyObject } from 'node:crypto'
import * as z from 'zod/mini'
import { PayProviderError } from '../pay-provider.ts'
import type { Credentials } from './credentials.ts'
import { decrypt, EncryptedResource } from './encryption.ts'

/** A key that answers and notices may be signed with. */
export interface HeldKey {
  serial: string
  kind: 'public_key' | 'certificate'
  /** Null for a public key, which does not expire. */
  expiresAt: number | null
}

export interface VerificationKeys {
  /** Asks for platform certificates if need be, but not more often than once in some minutes. */
  find(serial: string): Promise<KeyObject | undefined>
  /** Without asking. */
  findHeld(serial: string): KeyObject | undefined
  /** Asks for platform certificates now. */
  refresh(): Promise<void>
  held(): HeldKey[]
}

interface Parts {
  credentials: Credentials
  now(): number
  /** The certificates that WeChat answers, decrypted and verified. */
  download(): Promise<PlatformCertificate[]>
}

export interface PlatformCertificate {
  serial: string
  key: KeyObject
  expiresAt: number
}

const refreshAfterMs = 12 * 3_600_000
/** An unknown serial may be anybody's invention: it does not make us ask each time. */
const retryAfterMs = { success: 5 * 60_000, failure: 60_000 }

/** The key is chosen by the serial that a message names: both kinds are in use while a merchant migrates. */
export function openVerificationKeys({ credentials, now, download }: Parts): VerificationKeys {
  const { publicKey, usesCertificates } = credentials
  let certificates = new Map<string, PlatformCertificate>()
  let tried = { at: -Infinity, result: 'failure' as keyof typeof retryAfterMs }
  let refreshing: Promise<void> | undefined

  const load = async () => {
    tried = { at: now(), result: 'failure' }
    const downloaded = await download()
    tried.result = 'success'
    // An old one is good until it expires.
    const kept = [...certificates.values(), ...downloaded].filter(({ expiresAt }) => expiresAt > now())
    certificates = new Map(kept.map((certificate) => [certificate.serial, certificate]))
  }

  const refresh = async () => {
    refreshing ??= load().finally(() => {
      refreshing = undefined
    })
    await refreshing
  }

  const findHeld = (serial: string) => {
    if (publicKey && serial === publicKey.id) return publicKey.key
    const certificate = certificates.get(plainSerial(serial))
    return certificate && certificate.expiresAt > now() ? certificate.key : undefined
  }

  const shouldRefresh = (isHeld: boolean) => {
    if (refreshing) return !isHeld
    const waitMs = isHeld && tried.result === 'success' ? refreshAfterMs : retryAfterMs[tried.result]
    return Math.abs(now() - tried.at) >= waitMs
  }

  return {
    refresh,
    findHeld,
    async find(serial) {
      const held = findHeld(serial)
      if (!usesCertificates || !isCertificateSerial(serial) || !shouldRefresh(held !== undefined)) return held
      // What is held stays good while WeChat gives no new ones.
      await refresh().catch((error: unknown) => {
        if (!held) throw error instanceof PayProviderError ? unverifiable(error) : error
      })
      return findHeld(serial)
    },
    held: () => [
      ...(publicKey ? [{ serial: publicKey.id, kind: 'public_key' as const, expiresAt: null }] : []),
      ...[...certificates.values()].map(({ serial, expiresAt }) => ({
        serial,
        kind: 'certificate' as const,
        expiresAt,
      })),
    ],
  }
}

/** A refusal of certificates must not be taken for one of what was asked for: that may well have happened. */
function unverifiable(cause: PayProviderError): PayProviderError {
  return new PayProviderError('bad-answer', `${cause.message}（取不到平台证书，无法验证签名）`, {
    isTemporary: true,
    cause,
  })
}

const CertificatesAnswer = z.object({
  data: z.array(z.object({ serial_no: z.string(), encrypt_certificate: EncryptedResource })),
})

/** Undefined for an answer that is not about certificates; throws if the APIv3 key does not decrypt them. */
export function decryptCertificates(answer: unknown, apiKey: Buffer): PlatformCertificate[] | undefined {
  const { success, data } = z.safeParse(CertificatesAnswer, answer)
  if (!success) return undefined
  return data.data.flatMap(({ encrypt_certificate }) => {
    const pem = decrypt(encrypt_certificate, apiKey)
    if (pem === undefined) {
      throw new PayProviderError('not-configured', '微信支付：APIv3 密钥不对，解不开平台证书')
    }
    return readCertificate(pem) ?? []
  })
}

function readCertificate(pem: string): PlatformCertificate | undefined {
  try {
    const { serialNumber, publicKey, validToDate } = new X509Certificate(pem)
    return { serial: plainSerial(serialNumber), key: publicKey, expiresAt: validToDate.getTime() }
  } catch {
    return undefined
  }
}

/** Hexadecimal numbers are written in either case, and with or without zeros in front. */
export function plainSerial(serial: string): string {
  return serial.toUpperCase().replace(/^0+/, '')
}

function isCertificateSerial(serial: string): boolean {
  return /^[0-9A-F]{8,64}$/i.test(serial)
}
