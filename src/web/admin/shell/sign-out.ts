import { signOut } from '#web/domain/account.ts'
import { setFlash } from '#web/lib/flash.ts'

/** Ends the session and opens the login page, which shows the message. */
export async function signOutToLogin(message: string): Promise<void> {
  await signOut()
  setFlash(message)
  location.assign('/login')
}
