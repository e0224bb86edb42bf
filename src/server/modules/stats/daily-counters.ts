import { toDay } from '#server/days.ts'
import type { Db } from '#server/db/open.ts'
import type { EventBus } from '#server/events.ts'
import { type Keys, hmac } from '#server/keys.ts'
import type { Logger } from '#server/log.ts'
import { openVisitorCounter } from './visitor-counter.ts'

/** Counts what happens each day. Buffered in memory and flushed about once a second, so that a page view costs no transaction. */
export interface DailyCounters {
  /** Flushes, and ends. */
  close(): Promise<void>
}

interface Deps {
  db: Db
  events: EventBus
  keys: Keys
  log: Logger
  now: () => number
}

type CounterName = 'view' | 'visitor' | 'search' | 'converted' | 'failed'

interface DayBuffer {
  counts: Map<CounterName, number>
  /** Of visitors whom this process has not counted before. */
  visitorHashes: Set<string>
}

const flushMs = 1000
/** When the database is away. */
const retryMs = 2000
const insertBatch = 1000

export function openDailyCounters({ db, events, keys, log, now }: Deps): DailyCounters {
  let buffers = new Map<number, DayBuffer>()
  let visitors = { day: 0, ...openVisitorCounter() }
  let timer: NodeJS.Timeout | undefined
  let flushing = Promise.resolve()
  let isClosing = false

  const todaysBuffer = (): [number, DayBuffer] => {
    const day = toDay(now())
    const buffer = buffers.get(day) ?? { counts: new Map(), visitorHashes: new Set() }
    buffers.set(day, buffer)
    flushIn(flushMs)
    return [day, buffer]
  }
  const increment = (name: CounterName) => {
    const [, { counts }] = todaysBuffer()
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }

  const flushIn = (ms: number) => {
    timer ??= setTimeout(flush, ms).unref()
  }
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    const days = buffers
    buffers = new Map()
    if (days.size === 0) return
    flushing = flushing
      .then(() => writeDays(db, days))
      .catch((error: unknown) => {
        if (isClosing) return log.error({ error, lost: totals(days) }, 'last daily counts lost')
        log.warn({ error }, 'daily counts not written, retrying')
        putBack(days)
      })
  }
  const putBack = (days: Map<number, DayBuffer>) => {
    for (const [day, { counts, visitorHashes }] of days) {
      const newer = buffers.get(day) ?? { counts: new Map<CounterName, number>(), visitorHashes: new Set<string>() }
      for (const [name, count] of counts) newer.counts.set(name, (newer.counts.get(name) ?? 0) + count)
      for (const hash of visitorHashes) newer.visitorHashes.add(hash)
      buffers.set(day, newer)
    }
    flushIn(retryMs)
  }

  events.on('search.answered', () => increment('search'))
  events.on('conversion.ended', ({ failed }) => increment(failed ? 'failed' : 'converted'))
  events.on('page.viewed', ({ network, userAgent }) => {
    const [day, { visitorHashes }] = todaysBuffer()
    if (visitors.day !== day) visitors = { day, ...openVisitorCounter() }
    const hash = visitorHash(keys, { day, network, userAgent })
    const { view, visitor } = visitors.count(network, hash)
    if (view) increment('view')
    if (visitor) visitorHashes.add(hash)
  })

  return {
    async close() {
      // A flush that fails puts its counts back: they go with the last one.
      await flushing
      isClosing = true
      flush()
      await flushing
    },
  }
}

/** Sums over all days, for the log. */
function totals(days: Map<number, DayBuffer>): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { counts } of days.values()) for (const [name, count] of counts) sums[name] = (sums[name] ?? 0) + count
  return sums
}

/** Keyed by a secret of the day: it identifies no one, and is another one tomorrow. */
function visitorHash(keys: Keys, { day, network, userAgent }: { day: number; network: string; userAgent: string }) {
  const keyOfDay = Buffer.from(hmac(keys.codes, `visitors of ${day}`), 'base64url')
  return hmac(keyOfDay, `${network}\n${userAgent}`).slice(0, 22)
}

async function writeDays(db: Db, days: Map<number, DayBuffer>): Promise<void> {
  await db.transaction().execute(async (db) => {
    for (const [day, { counts, visitorHashes }] of [...days].toSorted(([a], [b]) => a - b)) {
      const visitors = await insertVisitors(db, day, visitorHashes)
      const all = new Map(counts).set('visitor', visitors)
      // Sorted, so that processes which flush at once cannot deadlock.
      const rows = [...all].filter(([, count]) => count > 0).toSorted(([a], [b]) => (a < b ? -1 : 1))
      if (rows.length === 0) continue
      await db
        .insertInto('daily_count')
        .values(rows.map(([name, count]) => ({ day, name, count })))
        .onConflict((conflict) =>
          conflict
            .columns(['day', 'name'])
            .doUpdateSet((eb) => ({ count: eb('daily_count.count', '+', eb.ref('excluded.count')) })),
        )
        .execute()
    }
  })
}

/** How many of them no other process has counted today. */
async function insertVisitors(db: Db, day: number, hashes: Set<string>): Promise<number> {
  const rows = [...hashes].toSorted().map((visitor_hash) => ({ day, visitor_hash }))
  let inserted = 0
  for (let from = 0; from < rows.length; from += insertBatch) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('daily_visitor')
      .values(rows.slice(from, from + insertBatch))
      .onConflict((conflict) => conflict.columns(['day', 'visitor_hash']).doNothing())
      .executeTakeFirstOrThrow()
    inserted += Number(numInsertedOrUpdatedRows ?? 0)
  }
  return inserted
}
