import type { credits } from '#shared/contract/credits.ts'
import type { Handlers } from '#server/http/api/mount.ts'
import { withCeiling } from '#server/modules/outlays/outlays.ts'
import { type FindTitles, listEntries } from './credits.entries.ts'
import { adjustCredit } from './credits.adjust.ts'
import { checkIn, getStreak, getTodaysCheckIn } from './check-in.ts'

export const creditRoutes = ({ findTitles }: { findTitles: FindTitles }): Handlers<typeof credits> => ({
  checkIn: checkIn,
  todaysCheckIn: getTodaysCheckIn,
  streak: getStreak,
  entries: (ctx, input) => listEntries(ctx, input, findTitles),
  adjust: withCeiling(adjustCredit),
})
