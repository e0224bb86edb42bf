import { existsSync } from 'node:fs'
import { createApp } from '../app.ts'
import { type Config, ConfigError, readConfig } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { openLog } from '../log.ts'
import { AppError } from '#shared/errors.ts'
import { type Command, UsageError } from './command.ts'
import { demoCommand } from './demo.ts'
import { reindexCommand } from './reindex.ts'
import { settingsCommand } from './settings.ts'
import { userCommand } from './user.ts'

/** Commands for owners. They work beside a running server, which sees a change within a second, or without one. */
const commands: Record<string, Command> = {
  settings: settingsCommand,
  user: userCommand,
  demo: demoCommand,
  reindex: reindexCommand,
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const expected = error instanceof UsageError || error instanceof ConfigError || error instanceof AppError
  console.error(expected ? error.message : error)
  process.exitCode = 1
})

async function main([name = '--help', ...words]: string[]): Promise<void> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) {
    console.log(overview())
    if (name !== '--help' && name !== 'help') throw new UsageError(`没有 ${name} 命令`)
    return
  }
  if ((words.length === 0 && !command.wordless) || words.includes('--help')) {
    console.log(command.help)
    return
  }
  const config = readConfig(process.env)
  const database = openDatabase(existing(config))
  try {
    await migrate(database)
    const app = await createApp({ config, database, log: openLog('silent') })
    try {
      await command.run(await app.context(), words, app)
    } finally {
      await app.close()
    }
  } finally {
    await database.db.destroy()
  }
}

function existing({ databaseUrl }: Config): string {
  if (databaseUrl.includes('://') || existsSync(databaseUrl)) return databaseUrl
  throw new ConfigError(`没有找到数据库 ${databaseUrl}，请先用 npm start 启动一次，或用 DATA_DIR 指定数据目录`)
}

function overview(): string {
  const rows = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(12)}${summary}`)
  return ['用法：npm run cli -- <命令> …', ...rows, '每个命令后加 --help 查看用法'].join('\n')
}
