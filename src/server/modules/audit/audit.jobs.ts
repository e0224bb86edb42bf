import type { Ctx } from '#server/context.ts'
import type { JobHandlers, JobSchedule } from '#server/jobs.ts'

const dayMs = 86_400_000

export const auditJobs = { 'audit.purge': purgeAudit } satisfies Partial<JobHandlers>
export const auditSchedules: JobSchedule[] = [{ kind: 'audit.purge', everyMs: 6 * 60 * 60_000 }]

export async function purgeAudit({ db, now, settings }: Ctx): Promise<void> {
  const before = now() - settings.security.audit_retention_days * dayMs
  await db.deleteFrom('audit_log').where('created_at', '<', before).execute()
}
