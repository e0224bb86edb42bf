import { useEffect, useEffectEvent, useState } from 'react'
import { useRevalidator } from 'react-router'
import { isSignedIn, useSession, type Session } from '#web/lib/session.ts'

/** The server draws pages for strangers; their owners and the staff may see more of them. */

interface Seen {
  /** Whether what is shown was drawn for a stranger. */
  forStranger: boolean
  ownerId: number
  /** Rendering counts no readers: the browser says that there is one. */
  countReader?: () => void
}

/** Owners and staff look again with their own eyes; everybody else is counted as a reader. */
export function useOwnEyes({ forStranger, ownerId, countReader }: Seen): void {
  const session = useSession()
  const { revalidate } = useRevalidator()
  const seesMore = maySeeMore(session, ownerId)
  const look = useEffectEvent(() => (seesMore ? void revalidate() : countReader?.()))
  useEffect(() => {
    if (!forStranger) return undefined
    const timer = setTimeout(look, seesMore ? 0 : readingMs)
    return () => clearTimeout(timer)
  }, [forStranger, seesMore])
}

/** What does not exist for strangers may be a member's own, or the staff's to judge. Says whether that is still being asked. */
export function useSecondLook(error: unknown): boolean {
  const signedIn = isSignedIn(useSession())
  const { revalidate } = useRevalidator()
  const [first] = useState(error)
  useEffect(() => {
    if (signedIn) void revalidate()
  }, [signedIn, revalidate])
  return signedIn && error === first
}

const readingMs = 1500

function maySeeMore(session: Session, ownerId: number): boolean {
  return isSignedIn(session) && (session.user.id === ownerId || session.permissions.length > 0)
}
