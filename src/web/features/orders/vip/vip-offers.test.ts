import { expect, test } from 'vitest'
import { describeCard, vipOffers } from '#web/features/orders/vip/vip-offers.ts'

const settings = {
  enable: true,
  icon: '',
  month_price: 2900,
  month_original_price: 3900,
  month_download: 10,
  month_times_every_day: 0,
  month_document_discount: 85,
  quarter_price: 6900,
  quarter_original_price: 6900,
  quarter_download: 30,
  quarter_times_every_day: 20,
  quarter_document_discount: 80,
  year_price: 19_900,
  year_original_price: 0,
  year_download: 0,
  year_times_every_day: 0,
  year_document_discount: 100,
}

test('there are three cards, the shortest first, with the price that is struck where it is higher', () => {
  expect(vipOffers(settings).map(({ title, price, originalPrice }) => [title, price, originalPrice])).toEqual([
    ['月卡', 2900, 3900],
    ['季卡', 6900, 0],
    ['年卡', 19_900, 0],
  ])
  expect(vipOffers(settings).map(({ monthlyPrice }) => monthlyPrice)).toEqual([0, 2300, 1659])
  expect(vipOffers(settings).map(({ benefits }) => benefits[1])).toEqual([
    '免费下载 10 份 VIP 文档',
    '免费下载 30 份 VIP 文档',
    'VIP 文档免费下载，不限份数',
  ])
})

test('reading online is promised where the site gives it', () => {
  const line = 'VIP 文档在线阅读全文，不占份数'
  for (const { benefits } of vipOffers(settings, { readsOnline: true })) expect(benefits).toContain(line)
  for (const { benefits } of vipOffers(settings)) expect(benefits).not.toContain(line)
})

test('a card without a price is not sold', () => {
  expect(vipOffers({ ...settings, quarter_price: 0 }).map(({ title }) => title)).toEqual(['月卡', '年卡'])
})

test.each([
  [{ download: 0, times: 0, discount: 100 }, ['VIP 文档免费下载，不限份数', '每天下载不限次数']],
  [{ download: 30, times: 20, discount: 80 }, ['免费下载 30 份 VIP 文档', '每天可以下载 20 次', '其他文档 8 折']],
  [{ download: 30, times: 20, discount: 85 }, ['免费下载 30 份 VIP 文档', '每天可以下载 20 次', '其他文档 8.5 折']],
  [{ download: 30, times: 20, discount: 0 }, ['免费下载 30 份 VIP 文档', '每天可以下载 20 次', '其他文档免费']],
])('what the card %j brings', (facts, benefits) => {
  expect(describeCard(facts)).toEqual(benefits)
})
