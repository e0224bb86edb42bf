import { expect, test } from 'vitest'
import { cardState, downloadsText, lastEnd } from '#web/features/orders/vip/own-vip.ts'

const cards = [
  { joined_at: 200, expired_at: 300 },
  { joined_at: 100, expired_at: 200 },
  { joined_at: 0, expired_at: 90 },
]

test('cards follow each other: one is used, the next waits, the last is over', () => {
  expect(cards.map((card) => cardState(card, 150))).toEqual(['waiting', 'active', 'over'])
  expect(cards.map((card) => cardState(card, 200))).toEqual(['active', 'over', 'over'])
})

test('a member stays a VIP until the last card ends', () => {
  expect(lastEnd(cards, 150)).toBe(300)
  expect(lastEnd(cards, 300)).toBeUndefined()
  expect(lastEnd([], 0)).toBeUndefined()
})

test('what is left of the free documents', () => {
  expect(downloadsText({ download: 10, download_used: 3 }, 'active')).toBe('已免费下载 3 份，还剩 7 份')
  expect(downloadsText({ download: 10, download_used: 12 }, 'active')).toBe('已免费下载 12 份，还剩 0 份')
  expect(downloadsText({ download: 0, download_used: 3 }, 'active')).toBe('已免费下载 3 份，不限份数')
  expect(downloadsText({ download: 10, download_used: 0 }, 'waiting')).toBe('可以免费下载 VIP 文档 10 份')
  expect(downloadsText({ download: 0, download_used: 0 }, 'waiting')).toBe('可以免费下载 VIP 文档，不限份数')
  expect(downloadsText({ download: 10, download_used: 3 }, 'over'), 'what was left is lost').toBe('已免费下载 3 份')
})
