import type { Ctx } from '#server/context.ts'
import { dayStart } from '#server/days.ts'
import type { JobHandlers, JobSchedule } from '#server/jobs.ts'
import { type BackupDeps, requestBackup } from './backups.ts'
import { runBackup } from './make.ts'

export function backupJobs(deps: BackupDeps) {
  return {
    'backups.make': (ctx, payload, run) => runBackup(ctx, payload, run, deps),
    'backups.tick': tick,
  } satisfies Partial<JobHandlers>
}

export const backupSchedules: JobSchedule[] = [{ kind: 'backups.tick', everyMs: 10 * 60_000 }]

const daysBetween: Record<string, number | undefined> = { daily: 1, weekly: 7 }

async function tick(ctx: Ctx): Promise<void> {
  await endLostBackups(ctx)
  if (!(await isDue(ctx))) return
  const pending = await ctx.db.selectFrom('backup').select('id').where('pending_key', '<>', '').executeTakeFirst()
  if (!pending) await requestBackup(ctx, { isScheduled: true })
}

/** Once on a day that has its turn, from the hour on; one that failed is tried again the next day. */
async function isDue({ db, settings, now }: Ctx): Promise<boolean> {
  const days = daysBetween[settings.backup.schedule]
  if (days === undefined || new Date(now()).getHours() < settings.backup.hour) return false
  const [today, last] = await Promise.all([
    findScheduledSince(dayStart(now())),
    findScheduledSince(dayStart(now(), days - 1), 'done'),
  ])
  return !today && !last

  async function findScheduledSince(at: number, state?: 'done'): Promise<boolean> {
    const rows = db.selectFrom('backup').select('id').where('is_scheduled', '=', 1).where('created_at', '>=', at)
    return (await (state ? rows.where('state', '=', state) : rows).limit(1).executeTakeFirst()) !== undefined
  }
}

/** Its job was given up, as the process that ran it was killed again and again. */
async function endLostBackups({ db, now }: Ctx): Promise<void> {
  await db
    .updateTable('backup')
    .set({ state: 'failed', pending_key: '', note: '', error: '备份的进程几次被中断，没有完成', updated_at: now() })
    .where('pending_key', '<>', '')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('job').select('id').where('kind', '=', 'backups.make').where('state', '<>', 'failed'))),
    )
    .execute()
}
