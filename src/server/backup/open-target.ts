import { AdvisoryLock } from '#server/db/advisory-locks.ts'
import { existsSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { type Db, openDatabase, type OpenDatabase } from '../db/open.ts'
import { BackupError } from './format.ts'

/** A database that is being replaced. */
export interface Target {
  database: OpenDatabase
  /** Another process has it open. */
  isUsed(): Promise<boolean>
}

const busy = 5
const notDatabase = 26

/** One at a time: a second restoration is refused. The lock ends with the process, so that a kill leaves none behind. */
export function openTarget<T>(url: string, work: (target: Target) => Promise<T>): Promise<T> {
  return url.includes('://') ? onServer(url, work) : inFile(url, work)
}

async function onServer<T>(url: string, work: (target: Target) => Promise<T>): Promise<T> {
  const database = openDatabase(url)
  try {
    // A dedicated connection: the lock ends with it, and clients that are older than it are not ours.
    return await database.db.connection().execute(async (first) => {
      const { rows } = await sql<{
        taken: boolean
      }>`select pg_try_advisory_lock(${AdvisoryLock.Restore}) as taken`.execute(first)
      if (!rows[0]?.taken) throw anotherRuns()
      try {
        return await work({ database, isUsed: () => hasOlderClients(first) })
      } finally {
        await sql`select pg_advisory_unlock(${AdvisoryLock.Restore})`.execute(first).catch(() => {})
      }
    })
  } finally {
    await database.db.destroy()
  }
}

async function hasOlderClients(first: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend'
    and backend_start < (select backend_start from pg_stat_activity where pid = pg_backend_pid()) limit 1`.execute(
    first,
  )
  return rows.length > 0
}

async function inFile<T>(file: string, work: (target: Target) => Promise<T>): Promise<T> {
  const unlock = lockBeside(file)
  try {
    const isOpen = isOpenElsewhere(file)
    const database = openDatabase(file)
    try {
      return await work({ database, isUsed: async () => isOpen })
    } finally {
      await database.db.destroy()
    }
  } finally {
    unlock()
  }
}

/** SQLite locks files in a way that ends with the process; Node itself has none. */
function lockBeside(file: string): () => void {
  const lockFile = `${file}.restoring`
  const lock = new DatabaseSync(lockFile, { timeout: 0 })
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    throw getErrorKind(error) === busy ? anotherRuns() : error
  }
  return () => {
    rmSync(lockFile, { force: true })
    lock.close()
  }
}

/** SQLite leaves WAL mode only if no other connection is open, so this comes before we open it ourselves. */
function isOpenElsewhere(file: string): boolean {
  if (!existsSync(file)) return false
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    return database.prepare('pragma journal_mode = delete').get()?.journal_mode !== 'delete'
  } catch (error) {
    if (getErrorKind(error) === busy) return true
    if (getErrorKind(error) !== notDatabase) throw error
    throw new BackupError(`${file} 不是 SQLite 数据库，没有做任何改动。请移走它，或用 DATA_DIR 指定另一个数据目录`)
  } finally {
    database.close()
  }
}

/** The low byte is SQLite's primary result code, the rest extends it. */
function getErrorKind(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined
  return Number(error.errcode) & 0xff
}

function anotherRuns(): BackupError {
  return new BackupError('另一个恢复正在进行，没有做任何改动。请等它结束')
}
