import { setTimeout } from 'node:timers/promises'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'

/**
 * Kysely over the SQLite inside Node. One connection writes, another reads: while a transaction is open and its
 * code awaits something, other requests must not see its half-done work, and a second writer must wait its turn.
 */
export function sqliteDialect(file: string, options: { durable: boolean }): Dialect {
  return {
    createAdapter: () => new TwoConnectionAdapter(),
    createDriver: () => sqliteDriver(file, options),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** Otherwise Kysely would let nobody read while a transaction is open. */
class TwoConnectionAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

function sqliteDriver(file: string, { durable }: { durable: boolean }): Driver {
  const writer = openConnection(file, durable)
  const reader = openConnection(file, durable)
  const turn = turnstile()

  return {
    init: async () => {},
    acquireConnection: async () => new SqliteConnection(writer, reader, turn),
    beginTransaction: (connection) => asSqlite(connection).begin(),
    commitTransaction: (connection) => asSqlite(connection).commit(),
    rollbackTransaction: (connection) => asSqlite(connection).rollback(),
    releaseConnection: async () => {},
    destroy: async () => {
      reader.close()
      writer.close()
    },
  }
}

interface Handle {
  run(sql: string, parameters: readonly unknown[]): QueryResult<unknown>
  isTransaction(): boolean
  close(): void
}

class SqliteConnection implements DatabaseConnection {
  readonly #writer: Handle
  readonly #reader: Handle
  readonly #turn: Turnstile
  #leave: (() => void) | undefined

  constructor(writer: Handle, reader: Handle, turn: Turnstile) {
    this.#writer = writer
    this.#reader = reader
    this.#turn = turn
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return (await this.#execute(query)) as QueryResult<R>
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error('streaming is not supported: page through the rows instead')
  }

  async begin(): Promise<void> {
    this.#leave = await this.#turn.enter()
    try {
      await patiently(() => this.#writer.run('begin immediate', []))
    } catch (error) {
      this.#release()
      throw error
    }
  }

  /** Others get their turn only once the transaction is over: a commit that fails is followed by a rollback. */
  async commit(): Promise<void> {
    this.#writer.run('commit', [])
    this.#release()
  }

  async rollback(): Promise<void> {
    try {
      // A full disk, for one, has already made SQLite roll back by itself.
      if (this.#writer.isTransaction()) this.#writer.run('rollback', [])
    } finally {
      this.#release()
    }
  }

  async #execute({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<unknown>> {
    if (this.#leave) return this.#writer.run(sql, parameters)
    if (query.kind === 'SelectQueryNode') return patiently(() => this.#reader.run(sql, parameters))
    const leave = await this.#turn.enter()
    try {
      return await patiently(() => this.#writer.run(sql, parameters))
    } finally {
      leave()
    }
  }

  #release(): void {
    this.#leave?.()
    this.#leave = undefined
  }
}

function asSqlite(connection: DatabaseConnection): SqliteConnection {
  if (connection instanceof SqliteConnection) return connection
  throw new TypeError('not a connection of this driver')
}

function openConnection(file: string, durable: boolean): Handle {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: 0 })
  // Switching to WAL needs the file to itself for a moment; this once, waiting in place is fine.
  database.exec(`pragma busy_timeout = 10000; pragma journal_mode = wal; pragma busy_timeout = 0; pragma synchronous = ${durable ? 'full' : 'off'};
    pragma temp_store = memory; pragma cache_size = -16000; pragma mmap_size = 268435456;`)
  const statements = new Map<string, StatementSync>()

  const prepared = (sql: string): StatementSync => {
    const known = statements.get(sql)
    if (known) return known
    if (statements.size >= 500) statements.clear()
    const statement = database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }

  return {
    run(sql, parameters) {
      const statement = prepared(sql)
      const values = parameters as SQLInputValue[]
      if (statement.columns().length > 0) {
        const rows = statement.all(...values)
        return { rows, numAffectedRows: BigInt(rows.length) }
      }
      const { changes, lastInsertRowid } = statement.run(...values)
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
    },
    isTransaction: () => database.isTransaction,
    close: () => database.close(),
  }
}

interface Turnstile {
  enter(): Promise<() => void>
}

const longestWaitMs = 15_000
const busy = 5

/** Another process may be writing. SQLite's own waiting would hold up every request of this one, so we wait ourselves. */
async function patiently<T>(run: () => T): Promise<T> {
  const deadline = Date.now() + longestWaitMs
  for (;;) {
    try {
      return run()
    } catch (error) {
      const code = (error as { errcode?: number }).errcode ?? 0
      // The low byte is the kind of error; the rest says why.
      if ((code & 0xff) !== busy || Date.now() > deadline) throw error
      await setTimeout(5)
    }
  }
}

/** Lets one in at a time, in order of arrival. Who waits too long is told so: usually the outer handle was used inside a transaction. */
function turnstile(): Turnstile {
  const waiting: (() => void)[] = []
  let taken = false

  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else taken = false
  }

  return {
    async enter() {
      if (!taken) {
        taken = true
        return once(leave)
      }
      await new Promise<void>((resolve, reject) => {
        const admitted = () => {
          clearTimeout(timer)
          resolve()
        }
        const timer = globalThis.setTimeout(() => {
          waiting.splice(waiting.indexOf(admitted), 1)
          reject(new Error('the database was busy for too long'))
        }, longestWaitMs)
        waiting.push(admitted)
      })
      return once(leave)
    },
  }
}

function once(action: () => void): () => void {
  let done = false
  return () => {
    if (done) return
    done = true
    action()
  }
}
