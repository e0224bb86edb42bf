import { existsSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { backupName, sweepPartials } from '../backup/archive.ts'
import { megabytes } from '../backup/copy.ts'
import { BackupError } from '../backup/format.ts'
import { recordBackup } from '../backup/last-backup.ts'
import { makeBackup } from '../backup/make.ts'
import { halfRestored, isHalfRestored } from '../backup/target.ts'
import type { Config } from '../config.ts'
import { openDatabase } from '../db/open.ts'
import { version } from '#server/version.ts'
import { keyFile } from '../secrets/secret-key.ts'
import { openStorage } from '../storage/open.ts'
import { type BareCommand, callersFolder, UsageError } from './command.ts'
import { existingDatabase } from './existing-database.ts'

const help = `用法：
  npm run cli -- backup [文件或文件夹]      备份整个网站：数据库、设置和全部文件

网站运行时也可以备份，得到的是开始那一刻的完整状态。不写位置时放在数据目录的 backups 文件夹里。
登录状态、验证码、搜索索引和页面图缓存不在其中，恢复后会重新产生；还没有发出的邮件也不在其中。
备份里有密码的散列和签名密钥，请妥善保管：文件只有当前用户可以读取。
邮件密码、支付密钥等设置在备份里是加密的，解密它们的密钥不在其中：请另外保管数据目录里的 secret.key（或 SECRET_KEY）。`

export const backupCommand: BareCommand = {
  summary: '备份整个网站',
  help,
  wordless: true,
  async bare(config, words) {
    const { positionals } = parseArgs({ args: words, allowPositionals: true })
    if (positionals.length > 1) throw new UsageError(help)
    const path = await resolvePath(config, positionals[0])
    const database = openDatabase(existingDatabase(config))
    const storage = await openStorage(config.storageUrl, { dataDir: config.dataDir })
    const stopping = new AbortController()
    const stop = () => stopping.abort()
    process.once('SIGINT', stop).once('SIGTERM', stop)
    try {
      if (await isHalfRestored(database)) throw new BackupError(halfRestored)
      const say = (line: string) => console.log(line)
      const { size, manifest } = await makeBackup({
        database,
        storage,
        path,
        version,
        now: Date.now,
        say,
        signal: stopping.signal,
      })
      await recordBackup(database.db, Date.now())
      const { files, missing, altered } = manifest
      const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0)
      console.log(`备份完成：${path}\n${rows} 行，${files.count} 个文件，共 ${megabytes(size)}`)
      console.log('其中有密码的散列和签名密钥，请妥善保管，并复制到另一台机器。')
      console.log(`邮件密码、支付密钥等设置已加密，密钥不在备份里，请另外保管 ${describeKey(config)}。`)
      if (missing.length + altered.length > 0)
        console.error(
          `注意：网站本身有 ${missing.length} 个文件丢失、${altered.length} 个文件内容改变，请运行 npm run cli -- check`,
        )
    } catch (error) {
      if (stopping.signal.aborted) process.exit(130)
      throw error
    } finally {
      await storage.close()
      await database.db.destroy()
    }
  },
}

function describeKey({ secretKeys, dataDir }: Config): string {
  return secretKeys.length > 0 ? 'SECRET_KEY' : keyFile(dataDir)
}

async function resolvePath({ dataDir }: Config, argument: string | undefined): Promise<string> {
  const target = resolve(callersFolder(), argument ?? join(dataDir, 'backups'))
  const isFolder =
    argument === undefined || argument.endsWith('/') || (await stat(target).catch(() => undefined))?.isDirectory()
  const path = isFolder ? join(target, backupName(Date.now())) : target
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  if (existsSync(path)) throw new BackupError(`${path} 已经存在，请换一个名字`)
  await sweepPartials(dirname(path))
  return path
}
