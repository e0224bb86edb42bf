import { useEffect, useEffectEvent, useState } from 'react'
import { useRevalidator } from 'react-router'
import { isSignedIn, useSession, type Session } from '#web/lib/session.ts'

/** The server renders pages for anonymous visitors; owners and staff may see more of them. */

interface RenderedPage {
  renderedAnonymously: boolean
  ownerId: number
  /** Rendering does not count views: the browser reports them. */
  countView?: () => void
}

/** Owners and staff fetch the page again with their session; the view of any other visitor is counted. */
export function useRefetchAsMember({ renderedAnonymously, ownerId, countView }: RenderedPage): void {
  const session = useSession()
  const { revalidate } = useRevalidator()
  const seesMore = maySeeMore(session, ownerId)
  const act = useEffectEvent(() => (seesMore ? void revalidate() : countView?.()))
  useEffect(() => {
    if (!renderedAnonymously) return undefined
    const timer = setTimeout(act, seesMore ? 0 : viewMs)
    return () => clearTimeout(timer)
  }, [renderedAnonymously, seesMore])
}

/** For pages that show any member more than visitors. */
export function useRefetchWhenSignedIn(renderedAnonymously: boolean): void {
  const signedIn = isSignedIn(useSession())
  const { revalidate } = useRevalidator()
  useEffect(() => {
    if (renderedAnonymously && signedIn) void revalidate()
  }, [renderedAnonymously, signedIn, revalidate])
}

/** A page that does not exist for anonymous visitors may be the member's own, or visible to staff. Returns whether the retry is still pending. */
export function useRetryAsMember(error: unknown): boolean {
  const signedIn = isSignedIn(useSession())
  const { revalidate } = useRevalidator()
  const [first] = useState(error)
  useEffect(() => {
    if (signedIn) void revalidate()
  }, [signedIn, revalidate])
  return signedIn && error === first
}

/** A page that was open for less time does not count as viewed. */
const viewMs = 1500

function maySeeMore(session: Session, ownerId: number): boolean {
  return isSignedIn(session) && (session.user.id === ownerId || session.permissions.length > 0)
}
