import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'
import type { VisibilityFilter } from '../fulltext.ts'

/** An error of the site's database: it must not pass for damage of the index. */
class VisibilityFilterError extends Error {}

/** Runs visibility filters on the site's database, on a connection of this process, so that the server's thread is free. */
export function visibleIds(file: string): (filter: VisibilityFilter, ids: readonly number[]) => number[] {
  const statements = new LRUCache<string, StatementSync>({ max: 50 })
  let site: DatabaseSync | undefined

  const prepare = (sql: string): StatementSync => {
    site ??= openSite(file)
    // One JSON text is faster to transfer than as many rows.
    const statement = site.prepare(`select json_group_array(id) as ids from (${sql})`)
    statements.set(sql, statement)
    return statement
  }
  return ({ sql, parameters, idsParameter }, ids) => {
    try {
      const statement = statements.get(sql) ?? prepare(sql)
      const values = parameters.with(idsParameter, JSON.stringify(ids)) as SQLInputValue[]
      return JSON.parse(String(statement.get(...values)?.ids)) as number[]
    } catch (cause) {
      throw new VisibilityFilterError(`the visibility filter failed: ${String(cause)}`, { cause })
    }
  }
}

function openSite(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  database.exec('pragma mmap_size = 268435456')
  return database
}
