import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { openLog } from '#server/log.ts'
import { changeSettings } from '#server/modules/settings/settings.store.ts'
import type { RunningSite } from './running-site.ts'

const cli = resolve(import.meta.dirname, '../src/server/cli/main.ts')

/** Runs a command of the CLI beside the running server. */
export async function runCli(site: RunningSite, ...words: string[]): Promise<string> {
  const env = { ...process.env, DATA_DIR: site.dataDir, DATABASE_URL: site.databaseUrl }
  const running = promisify(execFile)(process.execPath, [cli, ...words], { env })
  running.child.stdin?.end()
  return (await running).stdout
}

/** Changes settings as another process would, and waits until the running server has seen them. */
export async function configure(site: RunningSite, values: Record<string, string>): Promise<void> {
  const database = { db: site.db, engine: 'sqlite' as const, url: site.databaseUrl }
  const app = await createApp({ config: readConfig({ DATA_DIR: site.dataDir }), database, log: openLog('silent') })
  const changes = Object.entries(values).map(([path, value]) => {
    const [category = '', name = ''] = path.split('.')
    return { category, name, value }
  })
  await changeSettings(await app.context(), changes)
  await app.close()
  await setTimeout(300)
}
