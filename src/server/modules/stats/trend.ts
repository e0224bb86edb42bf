import { sql } from 'kysely'
import type { stats } from '#shared/contract/stats.ts'
import type { Reply } from '#shared/endpoint.ts'
import type { Ctx } from '#server/context.ts'
import { toDay, dayStart } from '#server/days.ts'
import type { Db } from '#server/db/open.ts'
import { memoizeFor } from '#server/concurrency/memoize.ts'

type Trend = Reply<typeof stats.trend>
type Figures = Omit<Trend['day'][number], 'day'>

/** From the start of a day up to that of the next. */
interface DaySpan {
  day: number
  from: number
  to: number
}

type DaySpans = readonly DaySpan[]

const dayCount = 30
/** Past days change little: now and then something is deleted for good. */
const pastForMs = 60_000

/** The last thirty days, with zeros where nothing happened. Past days are counted now and then, today each time. */
export function openTrend(): (ctx: Ctx) => Promise<Trend> {
  const countPast = memoizeFor(
    pastForMs,
    ({ db, now }: Ctx) => countFigures(db, daysUpTo(now()).slice(0, -1)),
    ({ now }) => toDay(now()),
  )
  return async (ctx) => {
    const days = daysUpTo(ctx.now())
    const [past, today] = await Promise.all([countPast(ctx), countFigures(ctx.db, days.slice(-1))])
    const figures = new Map([...past, ...today])
    return { day: days.map(({ day }) => ({ day: toIsoDate(day), ...zeros, ...figures.get(day) })) }
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

function daysUpTo(now: number): DaySpan[] {
  return Array.from({ length: dayCount }, (_, index) => {
    const from = dayStart(now, dayCount - 1 - index)
    return { day: toDay(from), from, to: dayStart(now, dayCount - 2 - index) }
  })
}

type ByDay = Map<number, Partial<Figures>>

async function countFigures(db: Db, spans: DaySpans): Promise<ByDay> {
  const figures: ByDay = new Map()
  const add = (day: number, name: keyof Figures, count: number) => {
    const before = figures.get(day)
    figures.set(day, { ...before, [name]: (before?.[name] ?? 0) + count })
  }
  for (const { day, name, count } of await readCounters(db, spans)) if (isCounterName(name)) add(day, name, count)
  for (const [name, source] of sources)
    for (const { day, count } of await source(db, spans).execute()) add(day, name, count)
  return figures
}

function readCounters(db: Db, spans: DaySpans) {
  const [first, last] = [spans[0]?.day ?? 0, spans.at(-1)?.day ?? 0]
  return db.selectFrom('daily_count').selectAll().where('day', '>=', first).where('day', '<=', last).execute()
}

/** Each reads a range of an index and nothing else. */
const sources = [
  ['upload', (db: Db, spans: DaySpans) => byDay(db, 'document', spans).where('deleted_at', 'is', null)],
  ['upload', (db: Db, spans: DaySpans) => byDay(db, 'document', spans).where('deleted_at', 'is not', null)],
  ['download', (db: Db, spans: DaySpans) => byDay(db, 'download', spans)],
  ['register', (db: Db, spans: DaySpans) => byDay(db, 'user', spans)],
] as const

/** Grouped by where days end: the database does not know the site's time zone. */
function byDay(db: Db, table: 'document' | 'download' | 'user', spans: DaySpans) {
  const ends = spans.map(({ day, to }) => sql`when created_at < ${sql.lit(to)} then ${sql.lit(day)}`)
  return db
    .selectFrom(table)
    .select(({ fn }) => [sql<number>`case ${sql.join(ends, sql` `)} end`.as('day'), fn.countAll<number>().as('count')])
    .where('created_at', '>=', spans[0]?.from ?? 0)
    .where('created_at', '<', spans.at(-1)?.to ?? 0)
    .groupBy('day')
}

function isCounterName(name: string): name is 'view' | 'visitor' | 'search' | 'converted' | 'failed' {
  return Object.hasOwn(zeros, name)
}

/** 20261115 as 2026-11-15. */
function toIsoDate(day: number): string {
  return String(day).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')
}
