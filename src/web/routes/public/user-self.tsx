import { redirect } from 'react-router'
import { Page } from '#web/ui/page.tsx'
import { currentSession, isSignedIn } from '#web/lib/session.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'

/** `/user` without an id redirects to the member's own page. */
export function clientLoader(): never {
  const session = currentSession()
  throw redirect(isSignedIn(session) ? `/user/${session.user.id}` : '/login?redirect=%2Fuser')
}

export function HydrateFallback() {
  return (
    <Page>
      <SkeletonRows />
    </Page>
  )
}

export default function UserSelf() {
  return null
}
