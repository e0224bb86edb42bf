import type pg from 'pg'
import { transaction } from './transaction.ts'

/**
 * PostgreSQL puts aside what is to be indexed, reads it with every question, and sorts it into the index when it has become
 * too much: in the midst of whatever change comes along, which may then wait for seconds. Here that is done beside the
 * changes, and after them when there is a rest.
 */
export interface Aside {
  /** So many tokens more. Whoever files a lot waits with the next until there is room. */
  add(tokens: number): Promise<void>
  /** Nothing is put aside any more. */
  clear(): Promise<void>
  stop(): void
}

const some = 500_000
const most = 3 * some
const restMs = 1500

export function openAside(pool: pg.Pool): Aside {
  let aside = 0
  let clearing: Promise<void> | undefined
  let resting: NodeJS.Timeout | undefined

  const clear = (): Promise<void> => {
    if (clearing) return clearing
    aside = 0
    clearing = sortIn(pool).finally(() => {
      clearing = undefined
    })
    return clearing
  }
  // It is tried again with the next change.
  const clearLater = () => void clear().catch(() => {})

  return {
    async add(tokens) {
      clearTimeout(resting)
      resting = setTimeout(clearLater, restMs).unref()
      aside += tokens
      if (aside > most) await clearing?.catch(() => {})
      if (aside > some && !clearing) clearLater()
    },
    async clear() {
      await clearing?.catch(() => {})
      await clear()
    },
    stop: () => clearTimeout(resting),
  }
}

function sortIn(pool: pg.Pool): Promise<void> {
  return transaction(pool, async (client) => {
    await client.query('set local statement_timeout = 0')
    await client.query(`select gin_clean_pending_list(index::regclass)
      from unnest(array['search_entry_title', 'search_entry_head', 'search_entry_tokens']) as index`)
  })
}
