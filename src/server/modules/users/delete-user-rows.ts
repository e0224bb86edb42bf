import type { Db } from '#server/db/open.ts'
import { deleteSecurity } from '#server/modules/auth/second-factor/account-security.ts'
import { endUserSessions } from '#server/modules/auth/sessions.ts'

const tables = [
  'user_group',
  'punishment',
  'reset_token',
  'oauth_binding',
  'activity',
  'saved_view',
  'check_in',
] as const

/** What goes with an account at once; what other modules keep about it goes with the event `users.deleted`. */
export async function deleteUserRows(db: Db, ids: readonly number[]): Promise<void> {
  await endUserSessions(db, ids)
  for (const table of tables) await db.deleteFrom(table).where('user_id', 'in', ids).execute()
  await deleteSecurity(db, ids)
}
