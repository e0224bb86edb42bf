import type { stats } from '#shared/contract/stats.ts'
import type { Reply } from '#shared/endpoint.ts'
import type { Ctx } from '#server/context.ts'
import { toDay, dayStart } from '#server/days.ts'
import type { Db } from '#server/db/open.ts'
import { memoizeFor } from '#server/concurrency/memoize.ts'
import { dayOfQuarter, daysOf, type Period, quarterOf, toIsoDate } from './period.ts'

type Trend = Reply<typeof stats.trend>
type Figures = Omit<Trend['day'][number], 'day'>

const dayCount = 30
/** Past days change little: now and then something is deleted for good. */
const pastForMs = 60_000

/** The last thirty days, with zeros where nothing happened. Past days are counted now and then, today each time. */
export function openTrend(): (ctx: Ctx) => Promise<Trend> {
  const countPast = memoizeFor(
    pastForMs,
    ({ db, now }: Ctx) => countFigures(db, { from: dayStart(now(), dayCount - 1), to: dayStart(now()) }),
    ({ now }) => toDay(now()),
  )
  return async (ctx) => {
    const now = ctx.now()
    const [from, today, to] = [dayStart(now, dayCount - 1), dayStart(now), dayStart(now, -1)]
    const counted = await Promise.all([countPast(ctx), countFigures(ctx.db, { from: today, to })])
    const figures = new Map(counted.flatMap((days) => [...days]))
    return { day: daysOf({ from, to }).map((day) => ({ day: toIsoDate(day), ...zeros, ...figures.get(day) })) }
  }
}

const zeros: Figures = {
  view: 0,
  visitor: 0,
  upload: 0,
  download: 0,
  register: 0,
  search: 0,
  converted: 0,
  failed: 0,
}

type ByDay = Map<number, Partial<Figures>>

async function countFigures(db: Db, period: Period): Promise<ByDay> {
  const figures: ByDay = new Map()
  const add = (day: number, name: keyof Figures, count: number) => {
    const before = figures.get(day)
    figures.set(day, { ...before, [name]: (before?.[name] ?? 0) + count })
  }
  for (const { day, name, count } of await readCounters(db, period)) if (isCounterName(name)) add(day, name, count)
  for (const [name, source] of sources)
    for (const { quarter, count } of await source(db, period).execute()) add(dayOfQuarter(quarter), name, count)
  return figures
}

function readCounters(db: Db, { from, to }: Period) {
  const [first, end] = [toDay(from), toDay(to)]
  return db.selectFrom('daily_count').selectAll().where('day', '>=', first).where('day', '<', end).execute()
}

/** Each reads a range of an index and nothing else. */
const sources = [
  ['upload', (db: Db, period: Period) => byQuarter(db, 'document', period).where('deleted_at', 'is', null)],
  ['upload', (db: Db, period: Period) => byQuarter(db, 'document', period).where('deleted_at', 'is not', null)],
  ['download', (db: Db, period: Period) => byQuarter(db, 'download', period)],
  ['register', (db: Db, period: Period) => byQuarter(db, 'user', period)],
] as const

function byQuarter(db: Db, table: 'document' | 'download' | 'user', { from, to }: Period) {
  return db
    .selectFrom(table)
    .select(({ fn }) => [quarterOf('created_at').as('quarter'), fn.countAll<number>().as('count')])
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .groupBy('quarter')
}

function isCounterName(name: string): name is 'view' | 'visitor' | 'search' | 'converted' | 'failed' {
  return Object.hasOwn(zeros, name)
}
