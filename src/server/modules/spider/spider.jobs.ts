import type { JobHandlers, JobSchedule } from '#server/jobs.ts'

export const spiderJobs = {
  'spider.crawl-host': () => Promise.resolve(),
  'spider.publish': () => Promise.resolve(),
  'spider.tick': () => Promise.resolve(),
  'spider.purge-logs': () => Promise.resolve(),
} satisfies Partial<JobHandlers>

export const spiderSchedules: JobSchedule[] = []
