import type { JobHandler } from '#server/jobs/worker.ts'
import type { Schedule } from '#server/jobs/schedule.ts'
import { purgeAttempts } from '#server/modules/auth/attempts.ts'
import { purgeCaptchas } from '#server/modules/auth/captcha.ts'
import { purgeDailyUse } from '#server/modules/access/quotas.ts'
import { purgeSessions } from '#server/modules/auth/sessions.ts'
import { purgeEmailCodes } from './sign-in/email-codes.ts'
import { pruneDynamics } from './activity.ts'
import { purgeResetTokens } from './sign-in/password-reset.ts'

export const userJobs: Record<string, JobHandler> = {
  'users.purge': async (ctx) => {
    await purgeSessions(ctx)
    await purgeCaptchas(ctx)
    await purgeAttempts(ctx)
    await purgeDailyUse(ctx)
    await purgeEmailCodes(ctx)
    await purgeResetTokens(ctx)
  },
  'users.prune-dynamics': pruneDynamics,
}

export const userSchedules: Schedule[] = [
  { kind: 'users.purge', everyMs: 10 * 60_000 },
  { kind: 'users.prune-dynamics', everyMs: 24 * 60 * 60_000 },
]
