import type { Ctx } from '#server/context.ts'
import { toDay } from '#server/days.ts'
import type { JobHandlers, JobSchedule } from '#server/jobs.ts'
import { purgeDocumentDays } from './document-days.ts'

export const statsJobs = {
  'stats.purge-visitors': purgeVisitors,
  'stats.purge-document-days': purgeDocumentDays,
} satisfies Partial<JobHandlers>

/** Several times a day: a day ends at midnight in the site's time zone, which no period of UTC knows. */
export const statsSchedules: JobSchedule[] = [
  { kind: 'stats.purge-visitors', everyMs: 60 * 60_000 },
  { kind: 'stats.purge-document-days', everyMs: 24 * 60 * 60_000 },
]

const batchSize = 5000

/** Deletes the visitor hashes of past days, in batches so that other writers are not blocked. */
export async function purgeVisitors({ db, now }: Ctx): Promise<void> {
  const today = toDay(now())
  for (let deleted = batchSize; deleted >= batchSize;) {
    const { numDeletedRows } = await db
      .deleteFrom('daily_visitor')
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('day', 'visitor_hash'),
          'in',
          selectFrom('daily_visitor')
            .select(['day', 'visitor_hash'])
            .where('day', '<', today)
            .limit(batchSize)
            .$asTuple('day', 'visitor_hash'),
        ),
      )
      .executeTakeFirstOrThrow()
    deleted = Number(numDeletedRows)
  }
}
