import { PostgresAdapter } from 'kysely'
import type { Db, Engine } from './open.ts'

/** For the few statements that differ between the databases. */
export function getEngine(db: Db): Engine {
  return db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'
}
