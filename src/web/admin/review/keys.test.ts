import { expect, test } from 'vitest'
import { keyName } from '#web/admin/review/keys.ts'

test('a letter is known with capitals, and with an input method for Chinese', () => {
  expect(keyName({ key: 'a', code: 'KeyA' })).toBe('a')
  expect(keyName({ key: 'A', code: 'KeyA' })).toBe('a')
  expect(keyName({ key: 'Process', code: 'KeyA' })).toBe('a')
  expect(keyName({ key: 'Process', code: 'Digit2' })).toBe('2')
  expect(keyName({ key: 'ArrowRight', code: 'ArrowRight' })).toBe('ArrowRight')
})
