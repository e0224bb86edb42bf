import type { JobHandlers, JobSchedule } from '#server/jobs.ts'
import { checkReleaseQuietly, type ReleaseConfig } from './release.ts'

export function systemJobs(config: ReleaseConfig) {
  return { 'system.check-release': (ctx) => checkReleaseQuietly(ctx, config) } satisfies Partial<JobHandlers>
}

export const systemSchedules: JobSchedule[] = [{ kind: 'system.check-release', everyMs: 6 * 60 * 60_000 }]
