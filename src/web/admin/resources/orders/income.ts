import dayjs from 'dayjs'
import type { contract } from '#shared/contract/contract.ts'
import type { Reply } from '#shared/endpoint.ts'

type DaySum = Reply<typeof contract.orders.sums>['day'][number]

const format = 'YYYY-MM-DD'
/** More points than these would be no chart. */
const maxDays = 400

/** The first and the last day; the last is today. */
export function lastDays(count: number): [string, string] {
  return [
    dayjs()
      .subtract(count - 1, 'day')
      .format(format),
    dayjs().format(format),
  ]
}

/** In yuan, also for days without any. */
export function toDailyIncome(sums: readonly DaySum[], first: string, last: string) {
  const byDay = new Map<string, number>()
  for (const { day, money } of sums) byDay.set(day, (byDay.get(day) ?? 0) + money)
  const count = Math.min(maxDays, Math.max(0, dayjs(last).diff(dayjs(first), 'day'))) + 1
  const days = Array.from({ length: count }, (_, index) =>
    dayjs(last)
      .subtract(count - 1 - index, 'day')
      .format(format),
  )
  return { days, values: days.map((day) => (byDay.get(day) ?? 0) / 100) }
}

/** What each method brought, the most first, in fen. */
export function sumMethods(sums: readonly DaySum[]): { label: string; money: number }[] {
  const byMethod = new Map<string, number>()
  for (const { payment_title, money } of sums) byMethod.set(payment_title, (byMethod.get(payment_title) ?? 0) + money)
  return [...byMethod].map(([label, money]) => ({ label, money })).toSorted((a, b) => b.money - a.money)
}
