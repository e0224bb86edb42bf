import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { openLog } from '#server/log.ts'
import { seed } from '#server/seed.ts'

export const rootPassword = 'root-password'

declare module 'vitest' {
  interface ProvidedContext {
    database: { engine: 'sqlite' | 'postgres'; url: string }
  }
}

/** The database of a newly installed site, to be copied for each test. */
export async function makeTemplate(url: string): Promise<void> {
  const database = openDatabase(url, { durable: false })
  await migrate(database)
  const folder = mkdtempSync(join(tmpdir(), 'wendou-template-'))
  const app = await createApp({ config: readConfig({ DATA_DIR: folder }), database, log: openLog('silent') })
  await seed(await app.context(), { adminPassword: rootPassword })
  await app.close()
  await database.db.destroy()
  rmSync(folder, { recursive: true, force: true })
}
