import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { orders } from '#shared/contract/orders.ts'
import { OrderType, type PaymentMethod } from '#shared/enums.ts'
import { openSite, type Person, type Site } from '#server/testing/site.ts'
import type { PaySimulator } from './pay-simulator.ts'

export interface PaySite extends Site {
  /** A pending top-up, with an attempt to pay it: what the simulator knows it by. */
  beginTopUp(buyer: Person, method: PaymentMethod, credits?: number): Promise<BegunPayment>
  balanceOf(person: Person): Promise<number>
}

export interface BegunPayment {
  orderNo: string
  attemptNo: string
}

/** For a site and its simulators: providers refuse requests whose time differs much from their own. */
export interface SharedClock {
  now(): number
  offset: number
}

export function sharedClock(): SharedClock {
  const clock = { offset: 0, now: () => Date.now() + clock.offset }
  return clock
}

/** A site that listens on a port, so that simulators can send notices to it. */
export async function openPaySite(clock: SharedClock, ...simulators: PaySimulator[]): Promise<PaySite> {
  const site = await openSite()
  const server = createServer(
    getRequestListener((request) => site.app.fetch(request), { overrideGlobalObjects: false }),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const values = simulators.flatMap(({ settings }) => Object.entries(settings))
  await site.configure({
    'system.domain': `http://127.0.0.1:${port}`,
    ...Object.fromEntries(values.map(([name, value]) => [`pay.${name}`, value])),
  })
  return {
    ...site,
    advanceClock(ms) {
      clock.offset += ms
      site.advanceClock(ms)
    },
    async beginTopUp(buyer, method, credits = 100) {
      const { order_no } = await buyer.call(orders.create, { order_type: OrderType.TopUp, quantity: credits })
      await buyer.call(orders.pay, { order_no, payment_type: method })
      const { attempt_no } = await site.db
        .selectFrom('payment')
        .innerJoin('order', 'order.id', 'payment.order_id')
        .select('attempt_no')
        .where('order.order_no', '=', order_no)
        .where('payment.method', '=', method)
        .orderBy('payment.id', 'desc')
        .executeTakeFirstOrThrow()
      return { orderNo: order_no, attemptNo: attempt_no }
    },
    async balanceOf({ id }) {
      const row = await site.db.selectFrom('user').select('credit_count').where('id', '=', id).executeTakeFirstOrThrow()
      return row.credit_count
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await site.close()
    },
  }
}
