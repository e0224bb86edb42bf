import type { JobHandlers } from '#server/jobs.ts'
import { purgeArticles } from './publishing/recycle-bin.ts'

export const articleJobs = { 'articles.purge': purgeArticles } satisfies Partial<JobHandlers>
