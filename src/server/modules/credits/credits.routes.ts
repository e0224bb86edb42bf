import type { credits } from '#shared/contract/credits.ts'
import type { Handlers } from '#server/http/api/mount.ts'
import { listEntries } from './credits.entries.ts'
import { adjustCredit } from './credits.adjust.ts'
import { checkIn, getStreak, getTodaysCheckIn } from './check-in.ts'

export const creditRoutes: Handlers<typeof credits> = {
  checkIn: checkIn,
  todaysCheckIn: getTodaysCheckIn,
  streak: getStreak,
  entries: listEntries,
  adjust: adjustCredit,
}
