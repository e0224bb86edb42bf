import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { Config } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import { openStorage } from '../storage/open.ts'
import type { Storage } from '../storage/storage.ts'
import { megabytes } from './copy.ts'
import { BackupError, type Manifest } from './format.ts'
import { type Backup, openBackup, type StoredEntry } from './read.ts'
import { openTarget, type Target } from './open-target.ts'
import { restoreRows } from './restore-rows.ts'
import { beginRestoring, dropSearchFile, isEmptyTarget, isHalfRestored } from './target.ts'

interface RestoreOptions {
  config: Config
  path: string
  /** Whether an existing site may be replaced. */
  replace: boolean
  /** Called when only the owner's confirmation is missing; unless it gives true, nothing is changed. */
  confirm: () => Promise<boolean>
  say: (line: string) => void
}

const sayEveryMs = 3000
const maxInMemory = 1024 * 1024

/**
 * The backup is verified before anything is changed. Then come the files, which disturb nothing, and at last all rows in
 * one transaction: interrupted at any moment, the database is as it was, except for the marker that says so.
 */
export async function restoreBackup({ config, path, replace, confirm, say }: RestoreOptions): Promise<Manifest> {
  const backup = await openBackup(path)
  try {
    const { manifest } = backup
    say(`备份完整：版本 ${manifest.version}，${manifest.files.count} 个文件，${megabytes(manifest.files.bytes)}`)
    await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
    return await openTarget(config.databaseUrl, async (target) => {
      const { database } = target
      const storage = await openStorage(config.storageUrl, { dataDir: config.dataDir })
      try {
        await assertEmpty({ target, storage, replace, confirm })
        await beginRestoring(database)
        await restoreFiles(storage, backup, say)
        say('正在写入数据库')
        await restoreRows(database, backup)
        await migrate(database)
        await dropSearchFile(config.dataDir)
        return manifest
      } finally {
        await storage.close()
      }
    })
  } finally {
    await backup.close()
  }
}

interface EmptinessCheck extends Pick<RestoreOptions, 'replace' | 'confirm'> {
  target: Target
  storage: Storage
}

async function assertEmpty({ target, storage, replace, confirm }: EmptinessCheck): Promise<void> {
  const isResumed = await isHalfRestored(target.database)
  if (!isResumed && (await isEmptyTarget(target.database, storage))) return
  if (!isResumed && !replace)
    throw new BackupError('目标不是空的，没有做任何改动。请换一个空的数据目录、数据库和存储，或加上 --replace 覆盖')
  if (await target.isUsed()) throw new BackupError('数据库正在使用中，没有做任何改动。请先停止网站，并断开其他连接')
  if (!isResumed && !(await confirm())) throw new BackupError('没有得到确认，没有做任何改动')
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
  const hashed = async function* () {
    for await (const chunk of body()) {
      hash.update(chunk)
      yield chunk
    }
  }
  const small = size <= maxInMemory && Buffer.concat(await Array.fromAsync(hashed()))
  await storage.put(key, small || Readable.from(hashed()))
  const stored = await storage.find(key)
  const isWhole = stored?.size === size && (await storedSha256(storage, key)) === hash.digest('hex')
  if (!isWhole) throw new BackupError(`文件 ${key} 写入存储后与备份不符，请检查磁盘或存储服务，再重新恢复`)
}

/** Reads the file back: a disk or a server that loses bytes is detected now. */
async function storedSha256(storage: Storage, key: string): Promise<string | undefined> {
  const stored = await storage.read(key)
  if (!stored) return undefined
  const hash = createHash('sha256')
  for await (const chunk of stored) hash.update(chunk as Uint8Array)
  return hash.digest('hex')
}
