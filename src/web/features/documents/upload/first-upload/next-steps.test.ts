import { expect, test } from 'vitest'
import { nextSteps } from '#web/features/documents/upload/first-upload/next-steps.ts'

const earnings = { reward: 2, is_reviewed: false }

test('while it is converted, the member may leave', () => {
  expect(nextSteps({ converting: 1, inReview: 0, isPublic: true }, undefined, '豆子')).toEqual([
    '正在转换成可以在线阅读的页面。您可以离开，转换会继续。',
    '转换好之后，别人就搜得到、读得到。',
  ])
})

test('a published document is on the shelf, and earns', () => {
  expect(nextSteps({ converting: 0, inReview: 0, isPublic: true }, earnings, '豆子')).toEqual([
    '它已经在书架上，别人搜得到，也读得到。',
    '公开发布一份，奖励 2 豆子。',
  ])
})

test('a private document is not said to be for everyone, and earns nothing', () => {
  expect(nextSteps({ converting: 0, inReview: 0, isPublic: false }, earnings, '豆子')).toEqual([
    '只有您允许的人看得到它。',
  ])
})

test('one that waits for the review is not said to be public yet', () => {
  expect(nextSteps({ converting: 0, inReview: 1, isPublic: true }, { reward: 0, is_reviewed: true }, '豆子')).toEqual([
    '接下来由管理员审核，结果会通知您。',
  ])
})
