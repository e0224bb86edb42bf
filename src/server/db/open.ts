import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { sqliteDialect } from './sqlite.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>
export type Engine = 'sqlite' | 'postgres'

export interface OpenDatabase {
  db: Db
  engine: Engine
  url: string
}

export function openDatabase(url: string, options: { durable: boolean } = { durable: true }): OpenDatabase {
  if (/^postgres(ql)?:/.test(url))
    return { db: new Kysely<Tables>({ dialect: postgresDialect(url) }), engine: 'postgres', url }
  return { db: new Kysely<Tables>({ dialect: sqliteDialect(url, options) }), engine: 'sqlite', url }
}

/** PostgreSQL returns counts and sums as text; ours all fit a JavaScript number. */
const numeric = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC])

function postgresDialect(url: string): PostgresDialect {
  const types = {
    getTypeParser: (...[oid, format]: Parameters<typeof pg.types.getTypeParser>) =>
      numeric.has(oid) ? Number : pg.types.getTypeParser(oid, format),
  }
  const pool = new pg.Pool({ connectionString: url, max: 10, types, connectionTimeoutMillis: 10_000 })
  // A connection that dies while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  // One that dies during a query rejects the query, and would end the process as well.
  pool.on('connect', (client) => client.on('error', () => {}))
  return new PostgresDialect({ pool: { options: pool.options, connect: () => connect(pool), end: () => pool.end() } })
}

/** A broken connection must not return to the pool; its `end` event comes later than the error of its query. */
async function connect(pool: pg.Pool): Promise<PostgresPoolClient> {
  const client = await pool.connect()
  let isBroken = false
  const query = async (sql: string, parameters: unknown[]) => {
    try {
      return await client.query(sql, parameters)
    } catch (error) {
      isBroken ||= (error as { severity?: string }).severity === 'FATAL'
      throw error
    }
  }
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy) => client.release(destroy || isBroken),
  }
}
