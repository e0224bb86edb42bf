import { createHash, X509Certificate } from 'node:crypto'

/** Algorithms of PKCS#1. The root file also has certificates of other kinds, which do not count. */
const rsaSignatures = '1.2.840.113549.1.1'
const blockPattern = /-----BEGIN CERTIFICATE-----([\s\S]*?)-----END CERTIFICATE-----/g

/** All certificates of a PEM file that can be read. */
export function readCertificates(pem: string): X509Certificate[] {
  return [...pem.matchAll(blockPattern)].flatMap(([, base64 = '']) => {
    try {
      return [new X509Certificate(Buffer.from(base64, 'base64'))]
    } catch {
      return []
    }
  })
}

/** Alipay's name for a certificate: the MD5 of its issuer, innermost name first, and its serial number as a decimal. */
export function certificateNumber({ issuer, serialNumber }: X509Certificate): string {
  const names = issuer.split('\n').toReversed().join(',')
  return createHash('md5')
    .update(`${names}${BigInt(`0x${serialNumber}`)}`)
    .digest('hex')
}

export function rootCertificateNumber(certificates: X509Certificate[]): string {
  return certificates
    .filter(({ signatureAlgorithmOid }) => signatureAlgorithmOid.startsWith(rsaSignatures))
    .map(certificateNumber)
    .join('_')
}
