import type { Lane } from './jobs/worker.ts'
import { articleIndexLane, articleIndexSchedules } from './modules/search/index-articles.ts'
import { articleJobs } from './modules/articles/articles.jobs.ts'
import { attachmentJobs, attachmentSchedules } from './modules/attachments/attachments.jobs.ts'
import { creditJobs } from './modules/credits/credits.jobs.ts'
import { conversionLanes, documentJobs, documentSchedules } from './modules/documents/documents.jobs.ts'
import { searchJobs, searchSchedules, searchSettleLane } from './modules/search/search.jobs.ts'
import { sitemapJobs, sitemapSchedules } from './modules/feeds/sitemap.ts'
import { socialJobs } from './modules/comments/comments.jobs.ts'
import { machineJobs, machineSchedules } from './modules/system/system.jobs.ts'
import { mailJobs, mailLane, mailSchedules } from './modules/mail/mail.jobs.ts'
import { tallyJobs, tallySchedules } from './modules/stats/stats.jobs.ts'
import { userJobs, userSchedules } from './modules/users/users.jobs.ts'

interface Parts {
  resumable: Parameters<typeof attachmentJobs>[0]
  releases: Parameters<typeof machineJobs>[0]
  workshop: Parameters<typeof documentJobs>[0]
  /** So many conversions at a time. */
  processes: number
}

/** All background work, each module's in its lane: what waits in one keeps nothing in another from going on. */
export function lanesOf({ resumable, releases, workshop, processes }: Parts): Lane[] {
  return [
    {
      handlers: {
        ...userJobs,
        ...tallyJobs,
        ...machineJobs(releases),
        ...mailJobs,
        ...attachmentJobs(resumable),
        ...creditJobs,
        ...documentJobs(workshop),
        ...articleJobs,
        ...socialJobs,
        ...sitemapJobs,
        ...searchJobs,
      },
      schedules: [
        ...userSchedules,
        ...tallySchedules,
        ...machineSchedules,
        ...mailSchedules,
        ...attachmentSchedules,
        ...documentSchedules,
        ...articleIndexSchedules,
        ...sitemapSchedules,
        ...searchSchedules,
      ],
      concurrency: 1,
    },
    ...conversionLanes(workshop, processes),
    articleIndexLane,
    searchSettleLane,
    mailLane,
  ]
}
