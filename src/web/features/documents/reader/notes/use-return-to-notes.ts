import { useState } from 'react'
import { useIntent } from '#web/lib/login-intent.ts'
import { isSignedIn, useSession } from '#web/lib/session.ts'

/** Opens the panel for a member who logged in from its notes; true if the panel starts with them. */
export function useReturnToNotes(documentId: number, openPanel: () => void): boolean {
  const [isReturn, setIsReturn] = useState(false)
  useIntent(isSignedIn(useSession()), 'notes', documentId, () => {
    setIsReturn(true)
    openPanel()
  })
  return isReturn
}
