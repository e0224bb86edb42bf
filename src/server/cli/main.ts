import { ApiError, AppError } from '#shared/errors.ts'
import { BackupError } from '../backup/format.ts'
import { halfRestored, isHalfRestored } from '../backup/target.ts'
import { type Config, ConfigError, configHelp, readConfig } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { explainFailure } from '../explain-failure.ts'
import { openLog } from '../log.ts'
import { type BareCommand, type Command, UsageError } from './command.ts'
import { existingDatabase } from './existing-database.ts'

/**
 * Commands for owners. They work with a running server, which sees a change within a second, or without one. Each is
 * loaded when it is called: most need little of the server.
 */
const commands: Record<string, () => Promise<Command | BareCommand>> = {
  settings: async () => (await import('./settings.ts')).settingsCommand,
  user: async () => (await import('./user.ts')).userCommand,
  demo: async () => (await import('./demo.ts')).demoCommand,
  reindex: async () => (await import('./reindex.ts')).reindexCommand,
  backup: async () => (await import('./backup.ts')).backupCommand,
  restore: async () => (await import('./restore.ts')).restoreCommand,
  check: async () => (await import('./check.ts')).checkCommand,
}

/** Errors with a message for the owner. */
const expected = [UsageError, ConfigError, AppError, ApiError, BackupError]

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(describe(error))
  process.exitCode = 1
})

async function main([name = '--help', ...words]: string[]): Promise<void> {
  const command = Object.hasOwn(commands, name) ? await commands[name]?.() : undefined
  if (!command) {
    console.log(await overview())
    if (name !== '--help' && name !== 'help') throw new UsageError(`没有 ${name} 命令`)
    return
  }
  if ((words.length === 0 && !command.wordless) || words.includes('--help')) {
    console.log(command.help)
    return
  }
  const config = readConfig(process.env)
  if ('bare' in command) await command.bare(config, words)
  else await runOnSite(config, command, words)
}

async function runOnSite(config: Config, command: Command, words: string[]): Promise<void> {
  const database = openDatabase(existingDatabase(config))
  try {
    if (await isHalfRestored(database)) throw new BackupError(halfRestored)
    await migrate(database)
    const { createApp } = await import('../app.ts')
    const app = await createApp({ config, database, log: openLog('silent') })
    try {
      await command.run(await app.context(), words, app, config)
    } finally {
      await app.close()
    }
  } finally {
    await database.db.destroy()
  }
}

/** What an owner can mend is said in a sentence; anything else is a bug, and shown with its stack. */
function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if (expected.some((kind) => error instanceof kind)) return error.message
  if ('code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')) return describeWrongOption(error)
  return explainFailure(error) ?? error
}

function describeWrongOption({ message }: Error): string {
  const option = /'(-[^' ]*)/.exec(message)?.[1] ?? ''
  return `选项 ${option} 不正确或缺少值，请在命令后加 --help 查看用法`
}

async function overview(): Promise<string> {
  const rows: string[] = []
  for (const [name, load] of Object.entries(commands)) rows.push(`  ${name.padEnd(12)}${(await load()).summary}`)
  return ['用法：npm run cli -- <命令> …', ...rows, '每个命令后加 --help 查看用法', '', configHelp()].join('\n')
}
