import { expect, test } from 'vitest'
import { findStep, fromBase32, toBase32, totp, toUri } from './totp.ts'

const secret = Buffer.from('12345678901234567890')

test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('RFC 6238, appendix B: at %i seconds the code is %s', (seconds, code) => {
  expect(totp(secret, Math.floor(seconds / 30), 8)).toBe(code)
})

test('a code is valid in its own step and beside it, not three steps away', () => {
  const now = 1_700_000_010_000
  const step = Math.floor(now / 30_000)
  const code = totp(secret, step)
  for (const offset of [-30_000, 0, 30_000]) expect(findStep(secret, code, now + offset), String(offset)).toBe(step)
  for (const offset of [-90_000, -60_000, 60_000, 90_000])
    expect(findStep(secret, code, now + offset), String(offset)).toBeUndefined()
  expect(findStep(secret, '', now)).toBeUndefined()
})

test('base32 as in RFC 4648, without padding', () => {
  expect(['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map((text) => toBase32(Buffer.from(text)))).toEqual([
    '',
    'MY',
    'MZXQ',
    'MZXW6',
    'MZXW6YQ',
    'MZXW6YTB',
    'MZXW6YTBOI',
  ])
  expect(Buffer.from(fromBase32('MZXW6YTBOI')).toString()).toBe('foobar')
})

test('the address in the QR code names the site and the account', () => {
  expect(toUri({ secret: 'ABC', issuer: '文库: 一', account: 'li&li' })).toBe(
    `otpauth://totp/${encodeURIComponent('文库  一')}:li%26li?secret=ABC&issuer=${encodeURIComponent('文库  一')}`,
  )
})
