import type { JobHandlers, JobSchedule } from '#server/jobs.ts'

export const oauthJobs = {
  'oauth.purge-expired': async ({ db, now }) => {
    for (const table of ['oauth_state', 'oauth_ticket', 'scan_login'] as const)
      await db.deleteFrom(table).where('expires_at', '<', now()).execute()
  },
} satisfies Partial<JobHandlers>

export const oauthSchedules: JobSchedule[] = [{ kind: 'oauth.purge-expired', everyMs: 10 * 60_000 }]
