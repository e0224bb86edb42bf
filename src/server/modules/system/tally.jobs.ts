import type { Ctx } from '#server/context.ts'
import { dayOf } from '#server/days.ts'
import type { Schedule } from '#server/jobs/schedule.ts'
import type { JobHandler } from '#server/jobs/worker.ts'

export const tallyJobs: Record<string, JobHandler> = { 'tally.forget-visitors': forgetVisitors }

/** Several times a day: a day ends at the site's midnight, which no period knows. */
export const tallySchedules: Schedule[] = [{ kind: 'tally.forget-visitors', everyMs: 60 * 60_000 }]

/** How many there were is known; who they were is nobody's business. */
export async function forgetVisitors({ db, now }: Ctx): Promise<void> {
  await db.deleteFrom('visitor').where('day', '<', dayOf(now())).execute()
}
