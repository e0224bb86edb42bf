import { expect } from 'vitest'
import { startWorkers } from '#server/jobs/worker.ts'
import { checkPayloads } from '#server/jobs.ts'
import { mailJobs } from '#server/modules/mail/mail.jobs.ts'
import { userJobs } from '#server/modules/users/users.jobs.ts'
import type { Site } from './site.ts'

const handlers = { ...mailJobs, ...userJobs }
const kinds = ['mail.send', 'users.mail-code', 'users.mail-reset-links']

/** Sends the mails that are due. */
export async function deliverMails({ app, db }: Pick<Site, 'app' | 'db'>): Promise<void> {
  const due = async () => {
    const { now } = await app.context()
    const pending = db.selectFrom('job').select('id').where('kind', 'in', kinds).where('state', '<>', 'failed')
    return (await pending.where('run_at', '<=', now()).execute()).length
  }
  const worker = startWorkers([{ handlers: checkPayloads(handlers), concurrency: 2 }], {
    context: app.context,
    idleMs: 20,
  })
  try {
    await expect.poll(due, { timeout: 20_000, interval: 10 }).toBe(0)
  } finally {
    await worker.stop()
  }
}
