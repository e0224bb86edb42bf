import type { Ctx } from '#server/context.ts'
import type { JobHandlers, JobSchedule } from '#server/jobs.ts'
import { notifyFollowers } from './notify-followers.ts'
import { mailDueNotifications } from './mail-notifications.ts'

const dayMs = 24 * 60 * 60_000
/** An event is delivered again within hours, never within days. */
const deletedMs = 7 * dayMs

async function purge({ db, settings, now }: Ctx): Promise<void> {
  const before = now() - settings.security.notification_retention_days * dayMs
  await db.deleteFrom('notification').where('latest_at', '<', before).execute()
  const deleted = db
    .selectFrom('notification')
    .select('id')
    .where('deleted_at', '<', now() - deletedMs)
  await db.deleteFrom('notification').where('group_id', 'in', deleted).execute()
  await db
    .deleteFrom('notification')
    .where('deleted_at', '<', now() - deletedMs)
    .execute()
}

export const notificationJobs = {
  'notifications.followers': notifyFollowers,
  'notifications.mail': mailDueNotifications,
  'notifications.purge': purge,
} satisfies Partial<JobHandlers>

export const notificationSchedules: JobSchedule[] = [
  { kind: 'notifications.mail', everyMs: 60_000 },
  { kind: 'notifications.purge', everyMs: 6 * 60 * 60_000 },
]
