import type { JobHandlers, JobSchedule } from '#server/jobs.ts'
import { purgeQuotaUsage } from '#server/modules/access/quotas.ts'
import { purgeAttempts } from '#server/modules/auth/attempts.ts'
import { purgeCaptchas } from '#server/modules/auth/captcha.ts'
import { purgeChallenges } from '#server/modules/auth/passkeys/challenges.ts'
import { purgeDemands } from '#server/modules/auth/second-factor/account-security.ts'
import { purgeLoginChallenges } from '#server/modules/auth/second-factor/login-challenge.ts'
import { purgeSessions } from '#server/modules/auth/sessions.ts'
import { purgeVerificationCodes } from '#server/modules/auth/verification-codes.ts'
import { pruneActivities } from './activity.ts'
import { purgeDevices } from './security/new-device.ts'
import { endMemberships } from './invitations/invitations.ts'
import { mailCode } from './sign-in/email-codes.ts'
import { mailResetLinks, purgeResetTokens } from './sign-in/password-reset.ts'

export const userJobs = {
  'users.purge-expired': async (ctx) => {
    await purgeSessions(ctx)
    await purgeCaptchas(ctx)
    await purgeAttempts(ctx)
    await purgeQuotaUsage(ctx)
    await purgeVerificationCodes(ctx)
    await purgeResetTokens(ctx)
    await purgeChallenges(ctx)
    await purgeLoginChallenges(ctx)
    await purgeDemands(ctx)
    await purgeDevices(ctx)
  },
  'users.end-memberships': endMemberships,
  'users.prune-activities': pruneActivities,
  'users.mail-code': mailCode,
  'users.mail-reset-links': mailResetLinks,
} satisfies Partial<JobHandlers>

export const userSchedules: JobSchedule[] = [
  { kind: 'users.purge-expired', everyMs: 10 * 60_000 },
  { kind: 'users.end-memberships', everyMs: 60_000 },
  { kind: 'users.prune-activities', everyMs: 24 * 60 * 60_000 },
]
