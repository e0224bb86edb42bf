import type { credits } from '#shared/contract/credits.ts'
import type { Handlers } from '#server/http/api/mount.ts'
import { listEntries } from './credits.entries.ts'
import { checkIn, signedToday, streakOf } from './credits.sign.ts'

export const creditRoutes: Handlers<typeof credits> = {
  sign: checkIn,
  signed: signedToday,
  streak: streakOf,
  entries: listEntries,
}
