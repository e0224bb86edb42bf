import type pg from 'pg'
import { transaction } from './transaction.ts'

/**
 * Flushes the GIN pending lists of the indexes in the background. PostgreSQL would flush a full list within whichever
 * insert comes along, which may then take seconds; a long list slows down every query, since each one reads it.
 */
export interface PendingList {
  /** Counts tokens that were inserted. Waits while the list is far too long, which slows down bulk indexing. */
  add(tokens: number): Promise<void>
  flush(): Promise<void>
  stop(): void
}

const flushAfterTokens = 500_000
const maxTokens = 3 * flushAfterTokens
const flushAfterIdleMs = 1500

export function pendingList(pool: pg.Pool): PendingList {
  let pendingTokens = 0
  let flushing: Promise<void> | undefined
  let idleTimer: NodeJS.Timeout | undefined

  const flush = (): Promise<void> => {
    if (flushing) return flushing
    pendingTokens = 0
    flushing = flushPendingList(pool).finally(() => {
      flushing = undefined
    })
    return flushing
  }
  // A failed flush is tried again after the next change.
  const flushInBackground = () => void flush().catch(() => {})

  return {
    async add(tokens) {
      clearTimeout(idleTimer)
      idleTimer = setTimeout(flushInBackground, flushAfterIdleMs).unref()
      pendingTokens += tokens
      if (pendingTokens > maxTokens) await flushing?.catch(() => {})
      if (pendingTokens > flushAfterTokens && !flushing) flushInBackground()
    },
    async flush() {
      await flushing?.catch(() => {})
      await flush()
    },
    stop: () => clearTimeout(idleTimer),
  }
}

function flushPendingList(pool: pg.Pool): Promise<void> {
  return transaction(pool, async (client) => {
    await client.query('set local statement_timeout = 0')
    await client.query(`select gin_clean_pending_list(index::regclass)
      from unnest(array['search_entry_title', 'search_entry_metadata', 'search_entry_tokens']) as index`)
  })
}
