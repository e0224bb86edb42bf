import { useEffect, useEffectEvent, useRef } from 'react'
import { useLocation, useNavigate, useRevalidator } from 'react-router'
import { guard } from '#web/domain/route-guard.ts'
import type { Site } from '#web/domain/site.ts'
import { currentSession, followOtherTabs, isSignedIn, useSession } from '#web/lib/session.ts'
import { toast } from '#web/ui/overlay/toast.tsx'

/** Checks the page that is shown, first and whenever the session or the site changes. Navigations pass the guard's middleware. */
export function useAccessGuard(site: Site): void {
  const { token } = useSession()
  const location = useLocation()
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  /** The session was changed by another tab, which has told the member. */
  const isOtherTab = useRef(false)
  const leaveFor = useEffectEvent((target: string) => void navigate(target, { replace: true }))
  useEffect(() => {
    const { target, isSessionLost } = guard.check({ site, address: location, token })
    if (isSessionLost && !isOtherTab.current) toast('登录已失效，请重新登录', 'danger')
    isOtherTab.current = false
    if (target !== undefined) leaveFor(target)
  }, [token, location, site])

  const reloadAll = useEffectEvent(() => {
    const session = currentSession()
    isOtherTab.current = true
    toast(isSignedIn(session) ? `已在其他标签页登录为 ${session.user.username}` : '已在其他标签页退出登录')
    const target = guard.findRedirect(location)
    if (target !== undefined) leaveFor(target)
    void revalidate()
  })
  useEffect(() => followOtherTabs(reloadAll), [])

  useEffect(() => {
    if (token !== '' && guard.isSitePartial()) void revalidate()
  }, [token, revalidate])
}
