import { expect, test } from 'vitest'
import { dayWords, thanks } from './check-in-words.ts'

test('the button says what is to be done, what is done, and how many days in a row', () => {
  expect(dayWords(false, 0)).toBe('每日签到')
  expect(dayWords(false, 3)).toBe('每日签到 · 连续 3 天')
  expect(dayWords(true, 4)).toBe('今日已签到 · 连续 4 天')
})

test('what it brought is named, where it brings anything', () => {
  expect(thanks(2, '豆子')).toBe('签到成功，获得 2 个豆子')
  expect(thanks(0, '豆子')).toBe('签到成功')
})
