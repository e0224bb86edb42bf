import { setTimeout } from 'node:timers/promises'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'
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
 * Kysely over `node:sqlite`. One connection writes, another reads: while a transaction is open and its code awaits
 * something, other requests must not see its uncommitted rows, and a second writer has to wait.
 */
export function sqliteDialect(file: string, options: { durable: boolean }): Dialect {
  return {
    createAdapter: () => new TwoConnectionAdapter(),
    createDriver: () => sqliteDriver(file, options),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** Otherwise Kysely would block all reads while a transaction is open. */
class TwoConnectionAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

function sqliteDriver(file: string, { durable }: { durable: boolean }): Driver {
  const writer = openConnection(file, durable)
  const reader = openConnection(file, durable)
  const writeLock = createMutex()

  return {
    init: async () => {},
    acquireConnection: async () => new SqliteConnection(writer, reader, writeLock),
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
  readonly #writeLock: Mutex
  #unlock: (() => void) | undefined

  constructor(writer: Handle, reader: Handle, writeLock: Mutex) {
    this.#writer = writer
    this.#reader = reader
    this.#writeLock = writeLock
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return (await this.#execute(query)) as QueryResult<R>
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error('streaming is not supported: page through the rows instead')
  }

  async begin(): Promise<void> {
    this.#unlock = await this.#writeLock.acquire()
    try {
      await retryWhileBusy(() => this.#writer.run('begin immediate', []))
    } catch (error) {
      this.#release()
      throw error
    }
  }

  /** Keeps the lock if it fails: Kysely then rolls back. */
  async commit(): Promise<void> {
    this.#writer.run('commit', [])
    this.#release()
  }

  async rollback(): Promise<void> {
    try {
      // SQLite rolls back by itself after some errors, such as a full disk.
      if (this.#writer.isTransaction()) this.#writer.run('rollback', [])
    } finally {
      this.#release()
    }
  }

  async #execute({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<unknown>> {
    if (this.#unlock) return this.#writer.run(sql, parameters)
    if (query.kind === 'SelectQueryNode') return retryWhileBusy(() => this.#reader.run(sql, parameters))
    const release = await this.#writeLock.acquire()
    try {
      return await retryWhileBusy(() => this.#writer.run(sql, parameters))
    } finally {
      release()
    }
  }

  #release(): void {
    this.#unlock?.()
    this.#unlock = undefined
  }
}

function asSqlite(connection: DatabaseConnection): SqliteConnection {
  if (connection instanceof SqliteConnection) return connection
  throw new TypeError('not a connection of this driver')
}

interface Prepared {
  statement: StatementSync
  hasRows: boolean
}

function openConnection(file: string, durable: boolean): Handle {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: 0 })
  // Switching to WAL mode needs an exclusive lock; blocking the event loop for it is fine at the start.
  database.exec(`pragma busy_timeout = 10000; pragma journal_mode = wal; pragma busy_timeout = 0; pragma synchronous = ${durable ? 'full' : 'off'};
    pragma temp_store = memory; pragma cache_size = -16000; pragma mmap_size = 268435456;`)
  const statements = new LRUCache<string, Prepared>({ max: 500 })

  const prepare = (sql: string): Prepared => {
    const cached = statements.get(sql)
    if (cached) return cached
    const statement = database.prepare(sql)
    // Asked once: SQLite describes every column anew each time.
    const prepared = { statement, hasRows: statement.columns().length > 0 }
    statements.set(sql, prepared)
    return prepared
  }

  return {
    run(sql, parameters) {
      const { statement, hasRows } = prepare(sql)
      const values = parameters as SQLInputValue[]
      if (hasRows) {
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

interface Mutex {
  acquire(): Promise<() => void>
}

const maxWaitMs = 15_000
const busy = 5

/** Another process may be writing. SQLite's own busy timeout would block the event loop. */
async function retryWhileBusy<T>(run: () => T): Promise<T> {
  const deadline = Date.now() + maxWaitMs
  for (;;) {
    try {
      return run()
    } catch (error) {
      const code = (error as { errcode?: number }).errcode ?? 0
      // The low byte is the primary result code, the rest extends it.
      if ((code & 0xff) !== busy || Date.now() > deadline) throw error
      await setTimeout(5)
    }
  }
}

/** First come, first served. A timeout usually means that the outer handle was used inside a transaction, a deadlock. */
function createMutex(): Mutex {
  const queue: (() => void)[] = []
  let isLocked = false

  const release = () => {
    const next = queue.shift()
    if (next) next()
    else isLocked = false
  }

  return {
    async acquire() {
      if (!isLocked) {
        isLocked = true
        return once(release)
      }
      await new Promise<void>((resolve, reject) => {
        const admitted = () => {
          clearTimeout(timer)
          resolve()
        }
        const timer = globalThis.setTimeout(() => {
          queue.splice(queue.indexOf(admitted), 1)
          reject(new Error('the database was busy for too long'))
        }, maxWaitMs)
        queue.push(admitted)
      })
      return once(release)
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
