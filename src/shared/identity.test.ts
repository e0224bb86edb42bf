import { describe, expect, test } from 'vitest'
import { isIdentityNumber, isMasked, isRealname, maskIdentity, maskRealname } from './identity.ts'

const now = Date.UTC(2026, 0, 1)

describe('an identity number', () => {
  test('the example of the standard GB 11643 is valid, and no other check character', () => {
    expect(isIdentityNumber('11010519491231002X', now)).toBe(true)
    for (const last of '0123456789') expect(isIdentityNumber(`11010519491231002${last}`, now)).toBe(false)
  })

  test('two digits in the wrong order are found', () => {
    expect(isIdentityNumber('11010591491231002X', now)).toBe(false)
    expect(isIdentityNumber('11001519491231002X', now)).toBe(false)
  })

  test.each([
    ['a day that does not exist', '110105194902300021'],
    ['a month that does not exist', '110105194913010021'],
    ['a birth in the future', '110105299001010021'],
    ['a birth before 1900', '110105189912310021'],
  ])('%s is refused with every check character', (_, digits) => {
    for (const last of '0123456789X') expect(isIdentityNumber(digits.slice(0, 17) + last, now)).toBe(false)
  })

  test.each([
    '',
    '110105491231002',
    'G12345678',
    '1101051949123100XX',
    '１１０１０５１９４９１２３１００２Ｘ',
    '11010519491231002x',
  ])('anything else is refused: %s', (text) => expect(isIdentityNumber(text, now)).toBe(false))
})

test.each(['王小二', '欧阳', '阿卜杜拉·买买提', 'Mary Ann', "O'Neil", '𠮷野'])('%s is a real name', (text) =>
  expect(isRealname(text)).toBe(true),
)

test.each(['', '王', '王小二1', '王**', '<b>王</b>', '··', '长'.repeat(21)])('%s is no real name', (text) =>
  expect(isRealname(text)).toBe(false),
)

test('masks show how much there is, and not what', () => {
  expect(['', '王', '王二', '王小二', '𠮷野家'].map(maskRealname)).toEqual(['', '王*', '王*', '王**', '𠮷**'])
  expect(maskIdentity('110105194912311234')).toBe('1101**********1234')
  expect(maskIdentity('110105491231002')).toBe('1101*******1002')
  expect(['', '1234', '12345678'].map(maskIdentity)).toEqual(['', '****', '********'])
  expect([isMasked('王**'), isMasked('王小二')]).toEqual([true, false])
})
