import type { Db } from '#server/db/open.ts'

/**
 * Lets long polls wait for changes of documents. One query serves all waiting requests: at once when this process has
 * changed something, and periodically for changes by other processes.
 */
export interface ProgressWatcher {
  /** This process has changed something. */
  poll(): void
  /** True when one of these documents differs from what the request has seen; false on timeout, or when it is refused. */
  waitForChange(request: WaitRequest): Promise<boolean>
  /** The site stops: ends all waiting requests. */
  close(): void
}

interface WaitRequest {
  ids: readonly number[]
  seen: readonly ProgressRow[]
  /** Where the request came from. */
  network: string
  ms: number
}

interface Waiter {
  network: string
  /** What the request has seen of each document, serialized. */
  seen: ReadonlyMap<number, string>
  end(isChanged: boolean): void
}

const pollMs = 300
const maxWaiters = 500
const maxPerNetwork = 100
const idBatch = 500
/** A request beyond the limits is held for a while, so that clients do not retry in a busy loop. */
const refusedMs = 1000

export function findProgress(db: Db, ids: readonly number[]) {
  return db
    .selectFrom('document')
    .leftJoin('rendition', 'rendition.hash', 'document.hash')
    .select([
      'document.id',
      'document.uuid',
      'document.user_id',
      'document.status',
      'document.visibility',
      'document.deleted_at',
      'document.pages',
      'document.price',
      'document.is_vip',
      'rendition.revision',
      'rendition.is_partial',
      'rendition.pages as rendition_pages',
      'rendition.text_pages',
      'rendition.has_cover',
      'rendition.reason',
    ])
    .where('document.id', 'in', ids)
    .orderBy('document.id')
    .execute()
}

export type ProgressRow = Awaited<ReturnType<typeof findProgress>>[number]

export function openProgressWatcher(db: Db): ProgressWatcher {
  const waiters = new Set<Waiter>()
  const refused = new Set<Waiter>()
  let timer: NodeJS.Timeout | undefined
  let isPolling = false
  let isRequested = false
  let isClosed = false

  const poll = async () => {
    if (isPolling) {
      isRequested = true
      return
    }
    isPolling = true
    try {
      const watchedIds = new Set([...waiters].flatMap(({ seen }) => [...seen.keys()]))
      const current = await readCurrent([...watchedIds])
      for (const waiter of waiters) {
        // Documents of a request that came meanwhile were not read.
        const isChanged = [...waiter.seen].some(([id, seen]) => watchedIds.has(id) && (current.get(id) ?? '') !== seen)
        if (isChanged) waiter.end(true)
      }
    } catch {
      // The database is away for a moment: the next poll tells.
    } finally {
      isPolling = false
    }
    if (isRequested && waiters.size > 0) {
      isRequested = false
      await poll()
    }
  }

  const readCurrent = async (ids: readonly number[]) => {
    const current = new Map<number, string>()
    for (let from = 0; from < ids.length; from += idBatch)
      for (const row of await findProgress(db, ids.slice(from, from + idBatch))) current.set(row.id, serialize(row))
    return current
  }

  const wait = (group: Set<Waiter>, { network, seen }: Omit<Waiter, 'end'>, ms: number): Promise<boolean> =>
    new Promise((resolve) => {
      const waiter: Waiter = {
        network,
        seen,
        end(isChanged) {
          clearTimeout(timeout)
          group.delete(waiter)
          if (waiters.size === 0) clearInterval(timer)
          resolve(isChanged)
        },
      }
      const timeout = setTimeout(() => waiter.end(false), ms)
      group.add(waiter)
    })

  const isFull = (network: string) => {
    if (waiters.size >= maxWaiters) return true
    let count = 0
    for (const waiter of waiters) if (waiter.network === network) count += 1
    return count >= maxPerNetwork
  }

  return {
    poll() {
      if (waiters.size > 0) void poll()
    },
    waitForChange({ ids, seen, network, ms }) {
      if (isClosed) return Promise.resolve(false)
      if (isFull(network)) return wait(refused, { network, seen: new Map() }, Math.min(ms, refusedMs))
      const byId = new Map(seen.map((row) => [row.id, serialize(row)]))
      if (waiters.size === 0) timer = setInterval(() => void poll(), pollMs)
      const change = wait(waiters, { network, seen: new Map(ids.map((id) => [id, byId.get(id) ?? ''])) }, ms)
      // A change between the caller's read and now would otherwise show only at the next poll.
      void poll()
      return change
    },
    close() {
      isClosed = true
      for (const waiter of [...waiters, ...refused]) waiter.end(false)
    },
  }
}

function serialize(row: ProgressRow): string {
  return JSON.stringify(row)
}
