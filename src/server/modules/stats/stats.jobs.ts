import type { Ctx } from '#server/context.ts'
import { dayOf } from '#server/days.ts'
import type { Schedule } from '#server/jobs/schedule.ts'
import type { JobHandler } from '#server/jobs/worker.ts'

export const tallyJobs: Record<string, JobHandler> = { 'tally.forget-visitors': forgetVisitors }

/** Several times a day: a day ends at the site's midnight, which no period knows. */
export const tallySchedules: Schedule[] = [{ kind: 'tally.forget-visitors', everyMs: 60 * 60_000 }]

const atOnce = 5000

/** How many there were is known; who they were is nobody's business. Some at a time: others write in between. */
export async function forgetVisitors({ db, now }: Ctx): Promise<void> {
  const today = dayOf(now())
  for (let forgotten = atOnce; forgotten >= atOnce;) {
    const { numDeletedRows } = await db
      .deleteFrom('visitor')
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('day', 'mark'),
          'in',
          selectFrom('visitor').select(['day', 'mark']).where('day', '<', today).limit(atOnce).$asTuple('day', 'mark'),
        ),
      )
      .executeTakeFirstOrThrow()
    forgotten = Number(numDeletedRows)
  }
}
