import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { Config } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase, type OpenDatabase } from '../db/open.ts'
import { openStorage } from '../storage/open.ts'
import type { Storage } from '../storage/storage.ts'
import { megabytes } from './copy.ts'
import { BackupError, type Manifest } from './format.ts'
import { type Backup, openBackup, type StoredEntry } from './read.ts'
import { restoreRows } from './restore-rows.ts'
import {
  beginRestoring,
  dropSearchFile,
  hasOtherClients,
  isEmptyTarget,
  isHalfRestored,
  isOpenElsewhere,
} from './target.ts'

interface Restoring {
  config: Config
  path: string
  /** Asked when there is a site already; unless it says yes, nothing is touched. */
  mayReplace: () => Promise<boolean>
  say: (line: string) => void
}

const sayEveryMs = 3000
const mostInPlace = 1024 * 1024

/**
 * The backup is proved whole before anything is touched. Then files, which disturb nothing, and at last all rows in one
 * transaction: cut short at any moment, the database is as it was, save for the mark that says so.
 */
export async function restoreBackup({ config, path, mayReplace, say }: Restoring): Promise<Manifest> {
  const backup = await openBackup(path)
  try {
    const { manifest } = backup
    say(`备份完整：版本 ${manifest.version}，${manifest.files.count} 个文件，${megabytes(manifest.files.bytes)}`)
    await mkdir(config.dataDir, { recursive: true, mode: 0o750 })
    const isOpen = !config.databaseUrl.includes('://') && isOpenElsewhere(config.databaseUrl)
    const database = openDatabase(config.databaseUrl)
    const storage = await openStorage(config.storageUrl, { dataDir: config.dataDir })
    try {
      await refuseFilled({ database, storage, mayReplace, isOpen })
      await beginRestoring(database)
      await restoreFiles(storage, backup, say)
      say('正在写入数据库')
      await restoreRows(database, backup)
      await migrate(database)
      await dropSearchFile(config.dataDir)
      return manifest
    } finally {
      await storage.close()
      await database.db.destroy()
    }
  } finally {
    await backup.close()
  }
}

interface Target {
  database: OpenDatabase
  storage: Storage
  mayReplace: () => Promise<boolean>
  isOpen: boolean
}

async function refuseFilled({ database, storage, mayReplace, isOpen }: Target): Promise<void> {
  const begun = await isHalfRestored(database)
  if (!begun && (await isEmptyTarget(database, storage))) return
  if (!begun && !(await mayReplace()))
    throw new BackupError('目标不是空的，没有做任何改动。请换一个空的数据目录、数据库和存储，或加上 --replace 覆盖')
  if (isOpen || (database.engine === 'postgres' && (await hasOtherClients(database.db))))
    throw new BackupError('数据库正在使用中，没有做任何改动。请先停止网站，并断开其他连接')
}

async function restoreFiles(storage: Storage, backup: Backup, say: (line: string) => void): Promise<void> {
  let [count, bytes, saidAt] = [0, 0, Date.now()]
  for await (const entry of backup.files()) {
    await restoreFile(storage, entry)
    count += 1
    bytes += entry.size
    if (Date.now() - saidAt < sayEveryMs) continue
    saidAt = Date.now()
    say(`文件：${count} / ${backup.manifest.files.count} 个，${megabytes(bytes)}`)
  }
}

async function restoreFile(storage: Storage, { key, size, body }: StoredEntry): Promise<void> {
  const hash = createHash('sha256')
  const proved = async function* () {
    for await (const chunk of body()) {
      hash.update(chunk)
      yield chunk
    }
  }
  const small = size <= mostInPlace && Buffer.concat(await Array.fromAsync(proved()))
  await storage.put(key, small || Readable.from(proved()))
  const stored = await storage.find(key)
  const isWhole = stored?.size === size && (await sha256In(storage, key)) === hash.digest('hex')
  if (!isWhole) throw new BackupError(`文件 ${key} 写入存储后与备份不符，请检查磁盘或存储服务，再重新恢复`)
}

/** Read back from where it is kept: a disk or a server that loses bytes is found out now, not by a reader. */
async function sha256In(storage: Storage, key: string): Promise<string | undefined> {
  const stored = await storage.read(key)
  if (!stored) return undefined
  const hash = createHash('sha256')
  for await (const chunk of stored) hash.update(chunk as Uint8Array)
  return hash.digest('hex')
}
