import { expect, test } from 'vitest'
import {
  alipayCertificate,
  alipayCertificateNumber,
  applicationCertificate,
  applicationCertificateNumber,
  rootCertificateNumber as rootNumber,
  rootCertificates,
} from '#server/testing/pay/alipay/identities.ts'
import { certificateNumber, readCertificates, rootCertificateNumber } from './certificates.ts'

test.each([
  ['of the application', applicationCertificate, applicationCertificateNumber],
  ['of Alipay, whose serial number begins with zeros', alipayCertificate, alipayCertificateNumber],
])('names the certificate %s as Alipay does', (_, text, number) => {
  expect(readCertificates(text).map(certificateNumber)).toEqual([number])
})

test('names the roots by those with RSA alone', () => {
  expect(readCertificates(rootCertificates)).toHaveLength(3)
  expect(rootCertificateNumber(readCertificates(rootCertificates))).toBe(rootNumber)
})

test('reads certificates between remarks, and passes over one that is damaged', () => {
  const damaged = applicationCertificate.replace(/MII.{200}/s, 'AAAA')
  const file = `Bag Attributes\r\n${damaged}\r\nsubject=…\r\n${alipayCertificate.replaceAll('\n', '\r\n')}`
  expect(readCertificates(file).map(certificateNumber)).toEqual([alipayCertificateNumber])
})
