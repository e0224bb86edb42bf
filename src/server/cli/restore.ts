import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { openTarget } from '../backup/open-target.ts'
import { restoreBackup } from '../backup/restore.ts'
import { endRestoring } from '../backup/target.ts'
import type { Config } from '../config.ts'
import { openDatabase } from '../db/open.ts'
import { listUnreadableSecrets } from '../modules/settings/secret-settings.ts'
import { countUnreadableIdentities } from '../modules/users/identity/encrypt-stored.ts'
import { existingCipher, keyFile } from '../secrets/secret-key.ts'
import { type BareCommand, callersFolder, UsageError } from './command.ts'
import { existingDatabase } from './existing-database.ts'

const help = `用法：
  npm run cli -- restore 备份文件                  恢复到空的数据目录、数据库和存储
  npm run cli -- restore 备份文件 --replace        覆盖现有的网站，先要求确认；加 --yes 不再询问
  npm run cli -- restore --abandon                 放弃上一次没有完成的恢复

先从头到尾检查备份，损坏、不完整或不属于文豆的文件不会改动任何东西。覆盖之前请停止网站。
邮件密码、支付密钥等设置在备份里是加密的：请把原来的 secret.key 也复制到数据目录，或设置原来的 SECRET_KEY。
SQLite 和 PostgreSQL、磁盘和 S3 之间可以互相恢复：由 DATABASE_URL 和 STORAGE_URL 决定恢复到哪里。`

const word = '覆盖'

export const restoreCommand: BareCommand = {
  summary: '从备份恢复',
  help,
  async bare(config, words) {
    const { values, positionals } = parseArgs({
      args: words,
      allowPositionals: true,
      options: { replace: { type: 'boolean' }, yes: { type: 'boolean' }, abandon: { type: 'boolean' } },
    })
    if (values.abandon) return abandon(existingDatabase(config))
    const [path, ...more] = positionals
    if (!path || more.length > 0) throw new UsageError(help)
    const manifest = await restoreBackup({
      config,
      path: resolve(callersFolder(), path),
      replace: values.replace === true,
      confirm: async () => values.yes === true || (await askForConfirmation()),
      say: (line) => console.log(line),
    })
    const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0)
    const { files, missing, altered } = manifest
    console.log(`恢复完成：${rows} 行，${files.count} 个文件，数量和散列与备份一致。
接下来：
  1. 启动网站。搜索索引会在后台重建，其间搜索结果不全
  2. 所有人都要重新登录，密码和备份时一样
  3. 运行 npm run cli -- check，确认一切正常`)
    await reportUnreadable(config)
    if (missing.length + altered.length > 0)
      console.error(`注意：备份时网站就有 ${missing.length} 个文件丢失、${altered.length} 个文件内容改变`)
  },
}

/** The key is not in the backup: the owner has to bring it along. */
async function reportUnreadable(config: Config): Promise<void> {
  const { db } = openDatabase(config.databaseUrl)
  try {
    const cipher = existingCipher(config)
    const unreadable = await listUnreadableSecrets(db, cipher)
    const members = await countUnreadableIdentities(db, cipher)
    if (members > 0)
      console.error(`注意：有 ${members} 名会员的真实姓名和身份证号是加密的，解密它们的密钥不在备份里，也不在这里。
请在启动之前把原来的 secret.key 复制为 ${keyFile(config.dataDir)}，或设置原来的 SECRET_KEY；找不到时，只能请会员重新填写。`)
    if (unreadable.length === 0) return
    console.error(`注意：有 ${unreadable.length} 项设置是加密的，解密它们的密钥不在备份里，也不在这里。
请在启动之前把原来的 secret.key 复制为 ${keyFile(config.dataDir)}，或设置原来的 SECRET_KEY；找不到时，请在后台重新填写：
${unreadable.map(({ title }) => `  ${title}`).join('\n')}`)
  } finally {
    await db.destroy()
  }
}

async function abandon(url: string): Promise<void> {
  await openTarget(url, ({ database }) => endRestoring(database.db))
  console.log('已放弃没有完成的恢复。已经写入存储的文件，网站会在一天之后自动清理。')
}

/** For terminals; scripts pass --yes. */
async function askForConfirmation(): Promise<boolean> {
  if (!process.stdin.isTTY) throw new UsageError('覆盖现有的网站需要确认：请在终端里运行，或加上 --yes')
  const prompt = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await prompt.question(`现有网站的全部内容将被替换，无法撤销。输入“${word}”继续：`)
  prompt.close()
  return answer.trim() === word
}
