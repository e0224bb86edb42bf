import { afterAll, beforeAll, expect, test } from 'vitest'
import { orders } from '#shared/contract/orders.ts'
import { users } from '#shared/contract/users.ts'
import { OrderStatus, OrderType, PaymentMethod } from '#shared/enums.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
  site.freezeClock()
})
afterAll(() => site.close())

const input = { adunit_id: 'adunit-1' }

test('nothing is given for advertisements unless the owner has turned it on', async () => {
  const member = await site.member()
  expect(await member.call(orders.opportunities)).toMatchObject({ enable: false, credit_times: 0 })
  expect(await refusal(member.call(orders.watched, input))).toMatchObject({ reason: 'orders.methodDenied' })
})

test('an advertisement brings credits once, after its time, so many times a day', async () => {
  await site.configure({
    'pay.enable_advertisement': 'true',
    'pay.advertisement_credits': '3',
    'pay.advertisement_seconds': '20',
    'pay.advertisement_times_every_day': '2',
  })
  const member = await site.member()
  expect(await refusal(member.call(orders.watched, input))).toMatchObject({ reason: 'orders.notWatched' })
  expect(await member.call(orders.opportunities)).toEqual({
    enable: true,
    download_times: 0,
    credit_times: 2,
    credit_count: 3,
    seconds: 20,
  })
  site.advanceClock(15_000)
  await member.call(orders.opportunities)
  expect((await refusal(member.call(orders.watched, input))).message).toBe('还要再看 5 秒')
  site.advanceClock(5000)
  const said = await Promise.allSettled(Array.from({ length: 20 }, () => member.call(orders.watched, input)))
  expect(said.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await balance(member)).toBe(3)
  expect((await member.call(orders.own)).order).toMatchObject([
    {
      order_type: OrderType.TopUp,
      payment_type: PaymentMethod.Advertisement,
      status: OrderStatus.Paid,
      amount: 3,
      money: 0,
    },
  ])

  expect((await member.call(orders.opportunities)).credit_times).toBe(1)
  site.advanceClock(20_000)
  await member.call(orders.watched, input)
  expect((await member.call(orders.opportunities)).credit_times).toBe(0)
  site.advanceClock(20_000)
  expect(await refusal(member.call(orders.watched, input))).toMatchObject({ reason: 'orders.notWatched' })
  expect(await balance(member)).toBe(6)
})

test('an advertisement that was begun long ago counts no more', async () => {
  const member = await site.member()
  await member.call(orders.opportunities)
  site.advanceClock(31 * 60_000)
  expect(await refusal(member.call(orders.watched, input))).toMatchObject({ reason: 'orders.notWatched' })
})

async function balance({ id }: Person): Promise<number> {
  return (await site.root.call(users.get, { id })).credit_count
}
