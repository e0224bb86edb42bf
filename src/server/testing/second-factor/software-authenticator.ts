import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** A passkey in software: signs as WebAuthn prescribes, and lies where a test wants it to. */
export interface SoftwareAuthenticator {
  /** Answers the options of a registration, as the browser's JSON. */
  register(options: string, lies?: Lies): string
  /** Answers the options of a log-in or a proof. */
  sign(options: string, lies?: Lies): string
  /** Another device with the same key and counter. */
  clone(): SoftwareAuthenticator
}

interface Lies {
  origin?: string
  rpID?: string
  /** Of the account that it claims to belong to. */
  handle?: string
  /** It did not ask for a PIN or fingerprint. */
  unverified?: boolean
  counter?: number
  challenge?: string
}

interface State {
  id: Buffer
  privateKey: KeyObject
  publicKey: Buffer
  counter: number
  handle: string
}

const present = 0x01
const verified = 0x04
const hasCredential = 0x40

interface Options {
  challenge: string
  rp?: { id: string }
  rpId?: string
  user?: { id: string }
}

/** `counts`: synced passkeys do not count their signatures, security keys do. */
export function softwareAuthenticator({ origin, counts = false }: { origin: string; counts?: boolean }) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  // COSE: an elliptic curve key (1: 2) for ES256 (3: -7) on P-256 (-1: 1).
  const cose = cbor(
    new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  )
  return authenticator({ id: randomBytes(16), privateKey, publicKey: cose, counter: 0, handle: '' }, { origin, counts })
}

function authenticator(state: State, { origin, counts }: { origin: string; counts: boolean }): SoftwareAuthenticator {
  const id = state.id.toString('base64url')
  const count = () => (counts ? (state.counter += 1) : 0)
  const clientData = (type: string, challenge: string, lies: Lies) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: lies.challenge ?? challenge,
        origin: lies.origin ?? origin,
        crossOrigin: false,
      }),
    )
  return {
    register(options, lies = {}) {
      const { challenge, rp, user } = JSON.parse(options) as Options
      state.handle = user?.id ?? ''
      const authData = Buffer.concat([
        toAuthData({ rpID: rp?.id ?? '', counter: count(), flags: hasCredential, lies }),
        Buffer.alloc(16),
        Buffer.from([0, state.id.length]),
        state.id,
        state.publicKey,
      ])
      const attestation = new Map<string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ])
      const response = {
        clientDataJSON: clientData('webauthn.create', challenge, lies).toString('base64url'),
        attestationObject: cbor(attestation).toString('base64url'),
        transports: ['internal'],
      }
      return JSON.stringify({ id, rawId: id, type: 'public-key', response, clientExtensionResults: {} })
    },
    sign(options, lies = {}) {
      const { challenge, rpId } = JSON.parse(options) as Options
      const client = clientData('webauthn.get', challenge, lies)
      const authData = toAuthData({ rpID: rpId ?? '', counter: count(), flags: 0, lies })
      const signature = sign('sha256', Buffer.concat([authData, sha256(client)]), state.privateKey)
      const response = {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: lies.handle ?? state.handle,
      }
      return JSON.stringify({ id, rawId: id, type: 'public-key', response, clientExtensionResults: {} })
    },
    clone: () => authenticator({ ...state }, { origin, counts }),
  }
}

function toAuthData(data: { rpID: string; counter: number; flags: number; lies: Lies }): Buffer {
  const { rpID, counter, flags, lies } = data
  const bytes = Buffer.alloc(5)
  bytes[0] = flags | present | (lies.unverified ? 0 : verified)
  bytes.writeUInt32BE(lies.counter ?? counter, 1)
  return Buffer.concat([sha256(lies.rpID ?? rpID), bytes])
}

function sha256(data: Buffer | string): Buffer {
  return createHash('sha256').update(data).digest()
}

type Cbor = number | string | Buffer | Map<number | string, Cbor>

/** As much of RFC 8949 as an authenticator writes. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, item]) => [cbor(key), cbor(item)])])
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length])
  if (length < 256) return Buffer.from([(major << 5) | 24, length])
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255])
}
