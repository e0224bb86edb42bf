import { PostgresAdapter } from 'kysely'
import type { Db, Engine } from './open.ts'

/** For the few statements that have to be put differently. */
export function engineOf(db: Db): Engine {
  return db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'
}
