import { expect, test } from 'vitest'
import {
  costWords,
  downloadWords,
  type OfferFacts,
  priceWords,
  toolbarWords,
} from '#web/features/documents/download/offer-words.ts'

const priceText = (price: number) => (price === 0 ? '免费' : `${price} 豆`)
const creditName = '豆'

test.each<[name: string, facts: Partial<OfferFacts>, button: string, toolbar: string, list: string, dialog: string]>([
  ['free', { price: 0, cost: 0 }, '下载文档（免费）', '', '免费', '免费'],
  ['for sale', {}, '下载文档（5 豆）', '5 豆', '5 豆', '5 豆'],
  ['own', { owned: true, cost: 0 }, '下载文档（自己的文档，免费）', '免费', '售价 5 豆', '免费（自己的文档）'],
  ['bought', { bought: true, cost: 0 }, '已购买，免费下载', '已购买', '已购买', '免费（已购买）'],
  ['free with a card', { cost: 0 }, 'VIP 免费下载', 'VIP 免费', '5 豆', '免费（VIP，原价 5 豆）'],
  ['cheaper with a card', { cost: 3 }, '下载文档（VIP 价 3 豆）', '3 豆', '5 豆', '3 豆（VIP 价，原价 5 豆）'],
])('a document that is %s', (_name, change, button, toolbar, list, dialog) => {
  const facts = { price: 5, cost: 5, owned: false, bought: false, ...change }
  expect(downloadWords(facts, priceText)).toBe(button)
  expect(toolbarWords(facts, creditName)).toBe(toolbar)
  expect(priceWords(facts, priceText)).toBe(list)
  expect(costWords(facts, { priceText, creditName })).toBe(dialog)
})
