import { createApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { openLog } from '../log.ts'
import { seed } from '../seed.ts'

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
  const app = await createApp({ config: readConfig({}), database, log: openLog('silent') })
  await seed(await app.context(), { adminPassword: () => rootPassword })
  await app.close()
  await database.db.destroy()
}
