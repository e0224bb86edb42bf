import type { JobHandler } from '#server/jobs/worker.ts'
import type { Schedule } from '#server/jobs/schedule.ts'
import { purgeAttempts } from '../access/access.attempts.ts'
import { purgeCaptchas } from '../access/access.captcha.ts'
import { purgeDailyUse } from '../access/access.daily.ts'
import { purgeSessions } from '../access/access.sessions.ts'
import { purgeEmailCodes } from './users.codes.ts'
import { pruneDynamics } from './users.dynamics.ts'
import { purgeResetTokens } from './users.recovery.ts'

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
