import { expect, test } from 'vitest'
import { OrderStatus, PaymentMethod } from '#shared/enums.ts'
import { nextPollMs, orderState } from '#web/features/orders/order-state.ts'

const minute = 60_000
const order = {
  status: OrderStatus.Pending,
  has_surplus: false,
  claimed_at: null,
  closed_at: null,
  expired_at: 30 * minute,
  payment_type: 0,
  amount: 30,
  received_money: 300,
  refunded_money: 0,
  refunded_credits: 0,
  is_refunding: false,
}
const paid = { ...order, status: OrderStatus.Paid, payment_type: PaymentMethod.Alipay }
const closed = { ...order, status: OrderStatus.Closed, closed_at: 10 * minute }

test.each([
  ['pending', order],
  ['claimed', { ...order, claimed_at: minute }],
  ['paid', { ...order, status: OrderStatus.Paid }],
  ['paid', { ...order, status: OrderStatus.Paid, has_surplus: true }],
  ['paid', { ...paid, refunded_money: 299 }],
  ['refunded', { ...paid, refunded_money: 300 }],
  ['paid', { ...paid, payment_type: PaymentMethod.Credits, refunded_credits: 29 }],
  ['refunded', { ...paid, payment_type: PaymentMethod.Credits, refunded_credits: 30 }],
  // The provider has not answered yet: nothing is told to be back.
  ['refunding', { ...paid, is_refunding: true }],
  // Nothing was paid, and nothing goes back.
  ['withdrawn', { ...paid, payment_type: PaymentMethod.DownloadCode, refunded_credits: 30 }],
  ['paid', { ...paid, payment_type: PaymentMethod.SystemTopUp, refunded_credits: 29 }],
  // What cost nothing has not been given back.
  ['paid', { ...paid, payment_type: PaymentMethod.Credits, amount: 0, received_money: 0 }],
  ['closed', closed],
  ['expired', { ...closed, closed_at: 30 * minute }],
  ['late', { ...closed, has_surplus: true }],
] as const)('an order is %s', (state, facts) => {
  expect(orderState(facts, 20 * minute)).toBe(state)
})

test('an order expires before the server closes it, but not one that the buyer says is paid', () => {
  expect(orderState(order, 30 * minute)).toBe('expired')
  expect(orderState({ ...order, claimed_at: minute }, 40 * minute)).toBe('claimed')
})

test('the state is asked for every two seconds while the page is visible, and seldom when it is hidden', () => {
  expect(nextPollMs(order, { isVisible: true, now: minute })).toBe(2000)
  expect(nextPollMs(order, { isVisible: false, now: minute })).toBe(15_000)
  // Staff need more than seconds.
  expect(nextPollMs({ ...order, claimed_at: 1 }, { isVisible: true, now: minute })).toBe(15_000)
  // A payment may have been made in the last second.
  expect(nextPollMs(order, { isVisible: true, now: 31 * minute })).toBe(2000)
})

test('a closed order is asked about for half an hour, a paid or late one not at all', () => {
  expect(nextPollMs(closed, { isVisible: true, now: 11 * minute })).toBe(15_000)
  expect(nextPollMs(closed, { isVisible: true, now: 41 * minute })).toBeUndefined()
  for (const over of [
    { ...order, status: OrderStatus.Paid },
    { ...closed, has_surplus: true },
  ])
    expect(nextPollMs(over, { isVisible: true, now: 11 * minute })).toBeUndefined()
})
