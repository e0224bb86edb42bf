import type { stats } from '#shared/contract/stats.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { OrderStatus } from '#shared/enums.ts'
import { purchaseMethods } from '#shared/payment-methods.ts'
import type { Ctx } from '#server/context.ts'
import { toDay } from '#server/days.ts'
import { dayOfQuarter, daysOf, quarterOf, sumOf, toIsoDate, toPeriod } from './period.ts'
import { sql } from 'kysely'

type Day = Reply<typeof stats.funnel>['day'][number]

/** Each step of each day by itself: who orders today may have come yesterday. */
export async function countFunnel({ db, now }: Ctx, input: Input<typeof stats.funnel>): Promise<Day[]> {
  const period = toPeriod(now(), input)
  const { from, to } = period
  const [visits, reads, ordered, paid] = await Promise.all([
    db
      .selectFrom('daily_count')
      .select(['day', 'name', 'count'])
      .where('day', '>=', toDay(from))
      .where('day', '<', toDay(to))
      .where('name', 'in', ['view', 'visitor'])
      .execute(),
    db
      .selectFrom('document_day')
      .select(['day', sumOf(sql.ref('reads')).as('count')])
      .where('day', '>=', toDay(from))
      .where('day', '<', toDay(to))
      .groupBy('day')
      .execute(),
    db
      .selectFrom('order')
      .select(({ fn }) => [quarterOf('created_at').as('quarter'), fn.countAll<number>().as('count')])
      .where('created_at', '>=', from)
      .where('created_at', '<', to)
      .where((eb) => eb.or([eb('payment_method', 'is', null), eb('payment_method', 'in', purchaseMethods)]))
      .groupBy('quarter')
      .execute(),
    db
      .selectFrom('order')
      .select(({ fn }) => [quarterOf('paid_at').as('quarter'), fn.countAll<number>().as('count')])
      .where('paid_at', '>=', from)
      .where('paid_at', '<', to)
      .where('status', '=', OrderStatus.Paid)
      .where('payment_method', 'in', purchaseMethods)
      .groupBy('quarter')
      .execute(),
  ])
  const days = new Map(
    daysOf(period).map((day): [number, Day] => [
      day,
      { day: toIsoDate(day), view: 0, visitor: 0, read: 0, ordered: 0, paid: 0 },
    ]),
  )
  const add = (day: number, step: Exclude<keyof Day, 'day'>, count: number) => {
    const counts = days.get(day)
    if (counts) counts[step] += count
  }
  for (const { day, name, count } of visits) add(day, name === 'view' ? 'view' : 'visitor', count)
  for (const { day, count } of reads) add(day, 'read', count)
  for (const { quarter, count } of ordered) add(dayOfQuarter(quarter), 'ordered', count)
  for (const { quarter, count } of paid) add(dayOfQuarter(quarter), 'paid', count)
  return [...days.values()]
}
