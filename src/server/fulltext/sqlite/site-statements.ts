import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { Statement } from '../fulltext.ts'

const mostStatements = 50

/** Puts statements to the site's database from here: nobody else waits for them, as they would in the server's own thread. */
export function siteStatements(file: string): (statement: Statement, ids: readonly number[]) => number[] {
  const prepared = new Map<string, StatementSync>()
  let site: DatabaseSync | undefined

  const prepare = (sql: string): StatementSync => {
    site ??= open(file)
    // Many numbers arrive sooner in one text than in as many rows.
    const statement = site.prepare(`select json_group_array(id) as ids from (${sql})`)
    if (prepared.size >= mostStatements) prepared.clear()
    prepared.set(sql, statement)
    return statement
  }
  return ({ sql, parameters, ids: at }, ids) => {
    const statement = prepared.get(sql) ?? prepare(sql)
    const values = parameters.with(at, JSON.stringify(ids)) as SQLInputValue[]
    return JSON.parse(String(statement.get(...values)?.ids)) as number[]
  }
}

function open(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  database.exec('pragma mmap_size = 268435456')
  return database
}
