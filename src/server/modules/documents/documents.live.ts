import type { Db } from '#server/db/open.ts'

/**
 * Lets requests wait for news of documents. One look at the database serves all who wait, at once when this process
 * has done something and every now and then for what others have done.
 */
interface Watch {
  /** Something happened here. */
  look(): void
  /** Ends when one of the documents has changed since it was marked, or after `ms`. False when too many wait already. */
  next(waiter: { marks: ReadonlyMap<number, string>; ms: number }): Promise<boolean>
}

interface Waiter {
  marks: ReadonlyMap<number, string>
  wake(): void
}

const lookEveryMs = 300
const mostWaiters = 500
const mostIds = 500

const watches = new WeakMap<Db, Watch>()

export function watchOf(db: Db): Watch {
  const known = watches.get(db) ?? openWatch(db)
  watches.set(db, known)
  return known
}

/** What a document's progress is made of, as one text for each. */
export async function marksOf(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('document')
    .leftJoin('rendition', 'rendition.hash', 'document.hash')
    .select([
      'document.id',
      'document.status',
      'document.deleted_at',
      'document.pages',
      'rendition.revision',
      'rendition.read_pages',
      'rendition.has_cover',
      'rendition.reason',
    ])
    .where('document.id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, JSON.stringify(row)]))
}

function openWatch(db: Db): Watch {
  const waiters = new Set<Waiter>()
  let timer: NodeJS.Timeout | undefined
  let looking = false
  let again = false

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
      for (let at = 0; at < ids.length; at += mostIds) {
        for (const [id, mark] of await marksOf(db, ids.slice(at, at + mostIds))) now.set(id, mark)
      }
      for (const waiter of waiters) {
        // Who came while we looked has not been asked about.
        if ([...waiter.marks].some(([id, mark]) => asked.has(id) && now.get(id) !== mark)) waiter.wake()
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

  return {
    look() {
      if (waiters.size > 0) void look()
    },
    next({ marks, ms }) {
      if (waiters.size >= mostWaiters) return Promise.resolve(false)
      return new Promise((resolve) => {
        const waiter: Waiter = {
          marks,
          wake() {
            clearTimeout(end)
            waiters.delete(waiter)
            if (waiters.size === 0) clearInterval(timer)
            resolve(true)
          },
        }
        const end = setTimeout(waiter.wake, ms)
        if (waiters.size === 0) timer = setInterval(() => void look(), lookEveryMs)
        waiters.add(waiter)
        // What happened between the marks and now would otherwise be noticed only by the next round.
        void look()
      })
    },
  }
}
