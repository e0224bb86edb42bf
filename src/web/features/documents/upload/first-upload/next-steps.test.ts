import { expect, test } from 'vitest'
import { nextSteps } from '#web/features/documents/upload/first-upload/next-steps.ts'

const none = { published: 0, converting: 0, inReview: 0, isPublic: true }
const earnings = { reward: 2, rewards_left: 5, is_reviewed: false }
const noEarnings = { ...earnings, reward: 0 }

test('while it is converted, the member may leave', () => {
  expect(nextSteps({ ...none, converting: 1 }, noEarnings, '豆子')).toEqual([
    '正在转换成可以在线阅读的页面。您可以离开，转换会继续。',
    '转换好之后，别人就搜得到、读得到。',
  ])
})

test('a published document is on the shelf, and earns', () => {
  expect(nextSteps({ ...none, published: 1 }, earnings, '豆子')).toEqual([
    '它已经在书架上，别人搜得到，也读得到。',
    '公开发布一份，奖励 2 豆子。',
  ])
})

test('after the last reward of the day none is promised', () => {
  expect(nextSteps({ ...none, published: 1 }, { ...earnings, rewards_left: 0 }, '豆子')).toEqual([
    '它已经在书架上，别人搜得到，也读得到。',
  ])
})

test('one that cannot be shown is not said to be readable', () => {
  expect(nextSteps(none, noEarnings, '豆子')).toEqual([])
})

test('a private document is not said to be for everyone, and earns nothing', () => {
  expect(nextSteps({ ...none, published: 1, isPublic: false }, earnings, '豆子')).toEqual(['只有您允许的人看得到它。'])
})

test('one that waits for the review is not said to be public yet', () => {
  const reviewed = { ...noEarnings, is_reviewed: true }
  expect(nextSteps({ ...none, inReview: 1 }, reviewed, '豆子')).toEqual(['接下来由管理员审核，结果会通知您。'])
  expect(nextSteps({ ...none, converting: 1 }, reviewed, '豆子')).toEqual([
    '正在转换成可以在线阅读的页面。您可以离开，转换会继续。',
    '接下来由管理员审核，结果会通知您。',
  ])
})
