import { signOut } from '#web/lib/account.ts'
import { sayOnNextPage } from '#web/lib/parting-words.ts'

/** Ends the session by leaving the page, and lets the next one say why. */
export async function leaveForLogin(words: string): Promise<void> {
  await signOut()
  sayOnNextPage(words)
  location.assign('/login')
}
