import { sql } from 'kysely'
import type { stats } from '#shared/contract/system.ts'
import type { Reply } from '#shared/endpoint.ts'
import type { Ctx } from '#server/context.ts'
import { dayOf, dayStart } from '#server/days.ts'
import type { Db } from '#server/db/open.ts'
import { keptFor } from '#server/concurrency/memoize.ts'

type Trend = Reply<typeof stats.trend>
type Figures = Omit<Trend['day'][number], 'day'>

/** From the beginning of a day up to that of the next. */
interface Span {
  day: number
  from: number
  to: number
}

type Spans = readonly Span[]

const days = 30

/** The last thirty days, with nothing left out where nothing happened. What was is asked for now and then, today each time. */
export async function trendOf(ctx: Ctx): Promise<Trend> {
  const spans = spansUpTo(ctx.now())
  const [past, today] = await Promise.all([pastOf(ctx), figuresOf(ctx.db, spans.slice(-1))])
  const figures = new Map([...past, ...today])
  return { day: spans.map(({ day }) => ({ day: written(day), ...nothing, ...figures.get(day) })) }
}

const nothing: Figures = {
  view: 0,
  visitor: 0,
  upload: 0,
  download: 0,
  register: 0,
  search: 0,
  converted: 0,
  failed: 0,
}

function spansUpTo(now: number): Span[] {
  return Array.from({ length: days }, (_, index) => {
    const from = dayStart(now, days - 1 - index)
    return { day: dayOf(from), from, to: dayStart(now, days - 2 - index) }
  })
}

type ByDay = Map<number, Partial<Figures>>

/** Little changes about what was: now and then something is deleted for good. */
const pastOf = keptFor(
  60_000,
  ({ db, now }) => figuresOf(db, spansUpTo(now()).slice(0, -1)),
  ({ now }) => dayOf(now()),
)

async function figuresOf(db: Db, spans: Spans): Promise<ByDay> {
  const figures: ByDay = new Map()
  const add = (day: number, name: keyof Figures, count: number) => {
    const before = figures.get(day)
    figures.set(day, { ...before, [name]: (before?.[name] ?? 0) + count })
  }
  for (const { day, name, count } of await talliesOf(db, spans)) if (isTallied(name)) add(day, name, count)
  for (const [name, source] of sources)
    for (const { day, count } of await source(db, spans).execute()) add(day, name, count)
  return figures
}

function talliesOf(db: Db, spans: Spans) {
  const [first, last] = [spans[0]?.day ?? 0, spans.at(-1)?.day ?? 0]
  return db.selectFrom('tally').selectAll().where('day', '>=', first).where('day', '<=', last).execute()
}

/** Each reads a stretch of an index and nothing else. */
const sources = [
  ['upload', (db: Db, spans: Spans) => byDay(db, 'document', spans).where('deleted_at', 'is', null)],
  ['upload', (db: Db, spans: Spans) => byDay(db, 'document', spans).where('deleted_at', 'is not', null)],
  ['download', (db: Db, spans: Spans) => byDay(db, 'download', spans)],
  ['register', (db: Db, spans: Spans) => byDay(db, 'user', spans)],
] as const

/** Days are told by where they end: the database does not know the site's time zone. */
function byDay(db: Db, table: 'document' | 'download' | 'user', spans: Spans) {
  const ends = spans.map(({ day, to }) => sql`when created_at < ${sql.lit(to)} then ${sql.lit(day)}`)
  return db
    .selectFrom(table)
    .select(({ fn }) => [sql<number>`case ${sql.join(ends, sql` `)} end`.as('day'), fn.countAll<number>().as('count')])
    .where('created_at', '>=', spans[0]?.from ?? 0)
    .where('created_at', '<', spans.at(-1)?.to ?? 0)
    .groupBy('day')
}

function isTallied(name: string): name is 'view' | 'visitor' | 'search' | 'converted' | 'failed' {
  return Object.hasOwn(nothing, name)
}

/** 20261115 as 2026-11-15. */
function written(day: number): string {
  return String(day).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')
}
