import type { Db } from '#server/db/open.ts'
import { dayOf } from '#server/days.ts'
import type { EventBus } from '#server/events.ts'
import { type Keys, sealed } from '#server/keys.ts'
import type { Logger } from '#server/log.ts'
import { gatherCrowd } from './visitor-counter.ts'

/** Counts what happens each day. Gathered in memory and written about once a second, so that a visit costs no transaction. */
export interface Tallies {
  /** Writes what is gathered and ends. */
  close(): Promise<void>
}

interface Parts {
  db: Db
  events: EventBus
  keys: Keys
  log: Logger
  now: () => number
}

type Tallied = 'view' | 'visitor' | 'search' | 'converted' | 'failed'

interface Day {
  counts: Map<Tallied, number>
  /** Those who are not known to have been there before, by their marks. */
  marks: Set<string>
}

const restMs = 1000
/** The database is away: it need not be asked every second. */
const retryMs = 2000
const mostAtOnce = 1000

export function openTallies({ db, events, keys, log, now }: Parts): Tallies {
  let gathered = new Map<number, Day>()
  let crowd = { day: 0, ...gatherCrowd() }
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()
  let isClosing = false

  const today = (): [number, Day] => {
    const day = dayOf(now())
    const found = gathered.get(day) ?? { counts: new Map(), marks: new Set() }
    gathered.set(day, found)
    writeIn(restMs)
    return [day, found]
  }
  const add = (name: Tallied) => {
    const [, { counts }] = today()
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }

  const writeIn = (ms: number) => {
    timer ??= setTimeout(write, ms).unref()
  }
  const write = (): void => {
    clearTimeout(timer)
    timer = undefined
    const days = gathered
    gathered = new Map()
    if (days.size === 0) return
    writing = writing
      .then(() => writeDays(db, days))
      .catch((error: unknown) => {
        if (isClosing) return log.error({ error, lost: summed(days) }, 'what happened last is not counted')
        log.warn({ error }, 'what happened is counted later')
        keep(days)
      })
  }
  const keep = (days: Map<number, Day>) => {
    for (const [day, { counts, marks }] of days) {
      const since = gathered.get(day) ?? { counts: new Map<Tallied, number>(), marks: new Set<string>() }
      for (const [name, count] of counts) since.counts.set(name, (since.counts.get(name) ?? 0) + count)
      for (const mark of marks) since.marks.add(mark)
      gathered.set(day, since)
    }
    writeIn(retryMs)
  }

  events.on('search.answered', () => add('search'))
  events.on('conversion.ended', ({ failed }) => add(failed ? 'failed' : 'converted'))
  events.on('page.viewed', ({ network, userAgent }) => {
    const [day, { marks }] = today()
    if (crowd.day !== day) crowd = { day, ...gatherCrowd() }
    const mark = markOf(keys, { day, network, userAgent })
    const { view, visitor } = crowd.look(network, mark)
    if (view) add('view')
    if (visitor) marks.add(mark)
  })

  return {
    async close() {
      // What is being written may come back, and is then written with the rest.
      await writing
      isClosing = true
      write()
      await writing
    },
  }
}

/** How much there was of each, on all days together. */
function summed(days: Map<number, Day>): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { counts } of days.values()) for (const [name, count] of counts) sums[name] = (sums[name] ?? 0) + count
  return sums
}

/** Nobody can be told by it, and the same person has another one tomorrow. */
function markOf(keys: Keys, { day, ...who }: { day: number; network: string; userAgent: string }): string {
  const ofDay = Buffer.from(sealed(keys.codes, `visitors of ${day}`), 'base64url')
  return sealed(ofDay, `${who.network}\n${who.userAgent}`).slice(0, 22)
}

async function writeDays(db: Db, days: Map<number, Day>): Promise<void> {
  await db.transaction().execute(async (db) => {
    for (const [day, { counts, marks }] of [...days].toSorted(([a], [b]) => a - b)) {
      const visitors = await newVisitors(db, day, marks)
      const all = new Map(counts).set('visitor', visitors)
      // In one order: processes that write at once wait for each other, never in a ring.
      const rows = [...all].filter(([, count]) => count > 0).toSorted(([a], [b]) => (a < b ? -1 : 1))
      if (rows.length === 0) continue
      await db
        .insertInto('tally')
        .values(rows.map(([name, count]) => ({ day, name, count })))
        .onConflict((conflict) =>
          conflict
            .columns(['day', 'name'])
            .doUpdateSet((eb) => ({ count: eb('tally.count', '+', eb.ref('excluded.count')) })),
        )
        .execute()
    }
  })
}

/** How many of them nobody has seen today: another process may have. */
async function newVisitors(db: Db, day: number, marks: Set<string>): Promise<number> {
  const rows = [...marks].toSorted().map((mark) => ({ day, mark }))
  let added = 0
  for (let at = 0; at < rows.length; at += mostAtOnce) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('visitor')
      .values(rows.slice(at, at + mostAtOnce))
      .onConflict((conflict) => conflict.columns(['day', 'mark']).doNothing())
      .executeTakeFirstOrThrow()
    added += Number(numInsertedOrUpdatedRows ?? 0)
  }
  return added
}
