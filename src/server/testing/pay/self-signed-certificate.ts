import { createPublicKey, createSign, type KeyObject } from 'node:crypto'

/** An X.509 certificate (version 3, RSA, SHA-256) in PEM; Node can read them but not make them. */
export function makeCertificate(options: {
  privateKey: KeyObject
  /** Hexadecimal. */
  serial: string
  commonName: string
  validFrom: number
  validTo: number
}): string {
  const { privateKey, serial, commonName, validFrom, validTo } = options
  const algorithm = sequence(objectId(sha256WithRsa), der(0x05))
  const name = sequence(der(0x31, sequence(objectId(commonNameId), der(0x0c, Buffer.from(commonName)))))
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    positiveInteger(serial),
    algorithm,
    name,
    sequence(time(validFrom), time(validTo)),
    name,
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
  )
  const signature = createSign('RSA-SHA256').update(content).sign(privateKey)
  const certificate = sequence(content, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])))
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

const sha256WithRsa = '2a864886f70d01010b'
const commonNameId = '550403'

function der(tag: number, content: Buffer = Buffer.alloc(0)): Buffer {
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x1_00 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts))
}

/** As short as it can be, and without the sign bit. */
function positiveInteger(hex: string): Buffer {
  const digits = BigInt(`0x${hex}`).toString(16)
  const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex')
  return der(0x02, (bytes[0] ?? 0) < 0x80 ? bytes : Buffer.concat([Buffer.from([0]), bytes]))
}

function objectId(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'))
}

/** GeneralizedTime. */
function time(at: number): Buffer {
  return der(0x18, Buffer.from(`${new Date(at).toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`))
}
