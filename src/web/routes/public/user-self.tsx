import { redirect } from 'react-router'
import { Page } from '#web/features/site/page.tsx'
import { currentSession, isSignedIn } from '#web/lib/session.ts'
import { SkeletonRows } from '#web/ui/skeleton.tsx'

/** `/user` without an id is one's own page. */
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
