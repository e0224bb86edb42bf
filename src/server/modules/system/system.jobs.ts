import type { Schedule } from '#server/jobs/schedule.ts'
import type { JobHandler } from '#server/jobs/worker.ts'
import { checkReleaseQuietly, type ReleasePlace } from './release.ts'

export function machineJobs(place: ReleasePlace): Record<string, JobHandler> {
  return { 'release.check': (ctx) => checkReleaseQuietly(ctx, place) }
}

export const machineSchedules: Schedule[] = [{ kind: 'release.check', everyMs: 6 * 60 * 60_000 }]
