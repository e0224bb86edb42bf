import { expect, test } from 'vitest'
import {
  checkInLabel,
  checkInMessage,
  isMilestone,
  milestonesReached,
} from '#web/features/users/check-in/check-in-labels.ts'

test('the button says whether the member has checked in, and how many days in a row', () => {
  expect(checkInLabel(false, 0)).toBe('每日签到')
  expect(checkInLabel(false, 3)).toBe('每日签到 · 连续 3 天')
  expect(checkInLabel(true, 4)).toBe('今日已签到 · 连续 4 天')
})

test('the message names the award, if there is one', () => {
  expect(checkInMessage(2, '豆子', 1)).toBe('签到成功，获得 2 个豆子')
  expect(checkInMessage(0, '豆子', 2)).toBe('签到成功')
})

test('a week in a row is worth a word', () => {
  expect(checkInMessage(2, '豆子', 7)).toBe('签到成功，获得 2 个豆子。连续一周，长出了新叶')
})

test('3, 7 and 30 days in a row are celebrated, and the days between are not', () => {
  expect([1, 2, 3, 4, 7, 8, 29, 30, 31].filter(isMilestone)).toEqual([3, 7, 30])
})

test('the bean grows at each of them', () => {
  expect([1, 3, 6, 7, 30, 100].map(milestonesReached)).toEqual([0, 1, 1, 2, 3, 4])
})
