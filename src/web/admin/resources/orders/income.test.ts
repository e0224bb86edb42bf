import { expect, test } from 'vitest'
import { PaymentMethod } from '#shared/enums.ts'
import { sumMethods, toDailyIncome } from '#web/admin/resources/orders/income.ts'

const { WeChatPay, Cash } = PaymentMethod
const sums = [
  { day: '2026-10-31', payment_type: WeChatPay, payment_title: '微信支付', count: 2, money: 1050 },
  { day: '2026-10-31', payment_type: Cash, payment_title: '现金', count: 1, money: 2000 },
  { day: '2026-11-02', payment_type: WeChatPay, payment_title: '微信支付', count: 1, money: 1 },
]

test('the income of each day is in yuan, and 0 where there is none', () => {
  expect(toDailyIncome(sums, '2026-10-31', '2026-11-03')).toEqual({
    days: ['2026-10-31', '2026-11-01', '2026-11-02', '2026-11-03'],
    values: [30.5, 0, 0.01, 0],
  })
  expect(toDailyIncome([], '2026-11-03', '2026-11-03')).toEqual({ days: ['2026-11-03'], values: [0] })
})

test('what each method brought, the most first', () => {
  expect(sumMethods(sums)).toEqual([
    { label: '现金', money: 2000 },
    { label: '微信支付', money: 1051 },
  ])
})
