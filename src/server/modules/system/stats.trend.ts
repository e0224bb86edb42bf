import type { stats } from '#shared/contract/system.ts'
import type { Reply } from '#shared/endpoint.ts'
import type { Ctx } from '#server/context.ts'
import { dayOf, dayStart } from '#server/days.ts'
import type { Db } from '#server/db/open.ts'
import { keptFor } from './stats.kept.ts'

type Trend = Reply<typeof stats.trend>
type Figures = Omit<Trend['day'][number], 'day'>

/** From the beginning of a day up to that of the next. */
interface Span {
  day: number
  from: number
  to: number
}

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

async function figuresOf(db: Db, spans: readonly Span[]): Promise<ByDay> {
  const figures: ByDay = new Map()
  const add = (day: number, name: keyof Figures, count: number) => {
    const before = figures.get(day)
    figures.set(day, { ...before, [name]: (before?.[name] ?? 0) + count })
  }
  for (const { day, name, count } of await talliesOf(db, spans)) if (isTallied(name)) add(day, name, count)
  for (const [name, source] of sources)
    for (const span of spans) {
      const { count } = await source(db, span).executeTakeFirstOrThrow()
      add(span.day, name, count)
    }
  return figures
}

function talliesOf(db: Db, spans: readonly Span[]) {
  const [first, last] = [spans[0]?.day ?? 0, spans.at(-1)?.day ?? 0]
  return db.selectFrom('tally').selectAll().where('day', '>=', first).where('day', '<=', last).execute()
}

/** Each reads a stretch of an index and nothing else. */
const sources = [
  ['upload', (db: Db, span: Span) => within(db, 'document', span).where('deleted_at', 'is', null)],
  ['upload', (db: Db, span: Span) => within(db, 'document', span).where('deleted_at', 'is not', null)],
  ['download', (db: Db, span: Span) => within(db, 'download', span)],
  ['register', (db: Db, span: Span) => within(db, 'user', span)],
] as const

function within(db: Db, table: 'document' | 'download' | 'user', { from, to }: Span) {
  return db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
}

function isTallied(name: string): name is 'view' | 'visitor' | 'search' | 'converted' | 'failed' {
  return Object.hasOwn(nothing, name)
}

/** 20261115 as 2026-11-15. */
function written(day: number): string {
  return String(day).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')
}
