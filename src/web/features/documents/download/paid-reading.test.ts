import { expect, test } from 'vitest'
import { paidReadingWords } from '#web/features/documents/download/paid-reading.ts'

const sold = { price: 5, is_vip: false }
const withheld = { pages: 20, preview: 12 }
const settings = (isOn: boolean, hasVip = true, year_document_discount = 80) =>
  ({
    download: { enable_paid_reading: isOn },
    vip: {
      enable: true,
      year_price: hasVip ? 1 : 0,
      year_document_discount,
      quarter_price: 0,
      quarter_document_discount: 0,
      month_price: 0,
      month_document_discount: 0,
    },
  }) as Parameters<typeof paidReadingWords>[2]

test.each<[name: string, change: Partial<typeof sold>, words: string]>([
  ['for sale', {}, '购买后可在线阅读全文'],
  ['for VIP members', { is_vip: true }, '购买或开通 VIP 后可在线阅读全文'],
  ['free, with a limited preview', { price: 0 }, ''],
])('a document that is %s', (_name, change, words) => {
  expect(paidReadingWords({ ...sold, ...change }, withheld, settings(true))).toBe(words)
})

test('a card that frees all documents of their price opens them too', () => {
  expect(paidReadingWords(sold, withheld, settings(true, true, 0))).toBe('购买或开通 VIP 后可在线阅读全文')
})

test('nothing is promised that the site does not give', () => {
  expect(paidReadingWords(sold, withheld, settings(false))).toBe('')
  expect(paidReadingWords(sold, { pages: 20, preview: 20 }, settings(true))).toBe('')
  expect(paidReadingWords({ ...sold, is_vip: true }, withheld, settings(true, false))).toBe('购买后可在线阅读全文')
})
