import { expect } from 'vitest'
import { startWorkers } from '#server/jobs/worker.ts'
import { mailLane } from '#server/modules/mail/mail.jobs.ts'
import type { Site } from './site.ts'

/** Lets the letters that are due go out. */
export async function emptyPost({ app, db }: Pick<Site, 'app' | 'db'>): Promise<void> {
  const due = async () => {
    const { now } = await app.context()
    const letters = db.selectFrom('job').select('id').where('kind', '=', 'mail.send').where('state', '<>', 'failed')
    return (await letters.where('run_at', '<=', now()).execute()).length
  }
  const worker = startWorkers([mailLane], { context: app.context, restMs: 20 })
  try {
    await expect.poll(due, { timeout: 20_000, interval: 10 }).toBe(0)
  } finally {
    await worker.stop()
  }
}
