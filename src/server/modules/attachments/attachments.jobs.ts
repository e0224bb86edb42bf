import type { JobHandler } from '#server/jobs/worker.ts'
import type { Schedule } from '#server/jobs/schedule.ts'
import { purgeRetired, removeOrphans, removeUnneeded, retireUnused } from './attachments.sweep.ts'
import type { Resumable } from './uploads/resumable.ts'

export function attachmentJobs(resumable: Resumable): Record<string, JobHandler> {
  return {
    'attachments.sweep': async (ctx, _payload, { signal }) => {
      await resumable.purge(ctx)
      await retireUnused(ctx)
      await purgeRetired(ctx)
      await removeUnneeded(ctx, signal)
    },
    'attachments.orphans': (ctx, _payload, { signal }) => removeOrphans(ctx, signal),
  }
}

export const attachmentSchedules: Schedule[] = [
  { kind: 'attachments.sweep', everyMs: 60 * 60_000 },
  { kind: 'attachments.orphans', everyMs: 24 * 60 * 60_000 },
]
