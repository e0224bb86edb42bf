import type { Db } from '#server/db/open.ts'

/**
 * Lets requests wait for news of documents. One look at the database serves all who wait, at once when this process
 * has done something and every now and then for what others have done.
 */
interface Watch {
  /** Something happened here. */
  look(): void
  /** True when one of these documents is no longer as it was seen; false when there will be no news, or no time to wait. */
  next(waiting: Waiting): Promise<boolean>
  /** The site goes away: nobody waits any more. */
  close(): void
}

interface Waiting {
  ids: readonly number[]
  seen: readonly ProgressRow[]
  /** Where the request came from. */
  network: string
  ms: number
}

interface Waiter {
  network: string
  marks: ReadonlyMap<number, string>
  end(hasNews: boolean): void
}

const lookEveryMs = 300
const mostWaiters = 500
const mostOfNetwork = 100
const mostIds = 500
/** Who finds no place asks again at once: this is what keeps them from doing nothing else. */
const turnedAwayMs = 1000

const watches = new WeakMap<Db, Watch>()

export function watchOf(db: Db): Watch {
  const known = watches.get(db) ?? openWatch(db)
  watches.set(db, known)
  return known
}

/** What a document's progress is made of. */
export function progressRows(db: Db, ids: readonly number[]) {
  return db
    .selectFrom('document')
    .leftJoin('rendition', 'rendition.hash', 'document.hash')
    .select([
      'document.id',
      'document.uuid',
      'document.user_id',
      'document.status',
      'document.deleted_at',
      'document.pages',
      'rendition.revision',
      'rendition.partial',
      'rendition.pages as made',
      'rendition.read_pages',
      'rendition.has_cover',
      'rendition.reason',
    ])
    .where('document.id', 'in', ids)
    .orderBy('document.id')
    .execute()
}

export type ProgressRow = Awaited<ReturnType<typeof progressRows>>[number]

function openWatch(db: Db): Watch {
  const waiters = new Set<Waiter>()
  const turnedAway = new Set<Waiter>()
  let timer: NodeJS.Timeout | undefined
  let looking = false
  let again = false
  let closed = false

  const look = async () => {
    if (looking) {
      again = true
      return
    }
    looking = true
    try {
      const asked = new Set([...waiters].flatMap(({ marks }) => [...marks.keys()]))
      const ids = [...asked]
      const now = new Map<number, string>()
      for (let at = 0; at < ids.length; at += mostIds)
        for (const row of await progressRows(db, ids.slice(at, at + mostIds))) now.set(row.id, markOf(row))
      for (const waiter of waiters) {
        // Who came while we looked has not been asked about.
        if ([...waiter.marks].some(([id, mark]) => asked.has(id) && (now.get(id) ?? '') !== mark)) waiter.end(true)
      }
    } catch {
      // The database is away for a moment: the next look tells.
    } finally {
      looking = false
    }
    if (again && waiters.size > 0) {
      again = false
      await look()
    }
  }

  const join = (room: Set<Waiter>, { network, marks }: Omit<Waiter, 'end'>, ms: number): Promise<boolean> =>
    new Promise((resolve) => {
      const waiter: Waiter = {
        network,
        marks,
        end(hasNews) {
          clearTimeout(timeout)
          room.delete(waiter)
          if (waiters.size === 0) clearInterval(timer)
          resolve(hasNews)
        },
      }
      const timeout = setTimeout(() => waiter.end(false), ms)
      room.add(waiter)
    })

  const isFull = (network: string) => {
    if (waiters.size >= mostWaiters) return true
    let near = 0
    for (const waiter of waiters) if (waiter.network === network) near += 1
    return near >= mostOfNetwork
  }

  return {
    look() {
      if (waiters.size > 0) void look()
    },
    next({ ids, seen, network, ms }) {
      if (closed) return Promise.resolve(false)
      if (isFull(network)) return join(turnedAway, { network, marks: new Map() }, Math.min(ms, turnedAwayMs))
      const known = new Map(seen.map((row) => [row.id, markOf(row)]))
      if (waiters.size === 0) timer = setInterval(() => void look(), lookEveryMs)
      const news = join(waiters, { network, marks: new Map(ids.map((id) => [id, known.get(id) ?? ''])) }, ms)
      // What happened between the marks and now would otherwise be noticed only by the next round.
      void look()
      return news
    },
    close() {
      closed = true
      for (const waiter of [...waiters, ...turnedAway]) waiter.end(false)
    },
  }
}

function markOf(row: ProgressRow): string {
  return JSON.stringify(row)
}
