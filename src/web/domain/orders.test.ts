import { expect, test } from 'vitest'
import { concernsVip, sellsVip } from '#web/domain/orders.ts'

const settings = (enable: boolean, year_price: number) =>
  ({ vip: { enable, year_price, quarter_price: 0, month_price: 0 } }) as Parameters<typeof sellsVip>[0]
const viewer = (is_vip: boolean) => ({ user: { is_vip } }) as Parameters<typeof concernsVip>[1]

test('VIP is advertised where a card has a price, and otherwise shown to those alone who have one', () => {
  expect([sellsVip(settings(true, 100)), concernsVip(settings(true, 100), viewer(false))]).toEqual([true, true])
  expect([sellsVip(settings(true, 0)), concernsVip(settings(true, 0), viewer(false))]).toEqual([false, false])
  expect([sellsVip(settings(true, 0)), concernsVip(settings(true, 0), viewer(true))]).toEqual([false, true])
  expect([sellsVip(settings(false, 100)), concernsVip(settings(false, 100), viewer(true))]).toEqual([false, false])
})
