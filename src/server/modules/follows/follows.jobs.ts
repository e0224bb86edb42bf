import type { JobHandlers, JobSchedule } from '#server/jobs.ts'
import { purgeNews } from './follows.cleanup.ts'
import { announce } from './follows.news.ts'

export const followJobs = {
  'follows.announce': announce,
  'follows.purge-news': purgeNews,
} satisfies Partial<JobHandlers>

export const followSchedules: JobSchedule[] = [{ kind: 'follows.purge-news', everyMs: 24 * 60 * 60_000 }]
