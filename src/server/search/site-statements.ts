import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { Statement } from './search.ts'

const mostStatements = 50

/** Puts statements to the site's database from here: nobody else waits for them, as they would in the server's own thread. */
export function siteStatements(file: string): (statement: Statement, ids: readonly number[]) => number[] {
  const prepared = new Map<string, StatementSync>()
  let site: DatabaseSync | undefined

  const prepare = (sql: string): StatementSync => {
    site ??= open(file)
    const statement = site.prepare(sql)
    statement.setReturnArrays(true)
    if (prepared.size >= mostStatements) prepared.clear()
    prepared.set(sql, statement)
    return statement
  }
  return ({ sql, parameters, ids: at }, ids) => {
    const statement = prepared.get(sql) ?? prepare(sql)
    const values = parameters.with(at, JSON.stringify(ids)) as SQLInputValue[]
    return (statement.all(...values) as unknown as [number][]).map(([id]) => id)
  }
}

function open(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  database.exec('pragma mmap_size = 268435456')
  return database
}
