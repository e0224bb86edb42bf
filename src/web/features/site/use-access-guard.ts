import { useEffect, useEffectEvent } from 'react'
import { useLocation, useNavigate, useRevalidator } from 'react-router'
import { guard } from '#web/domain/route-guard.ts'
import type { Site } from '#web/domain/site.ts'
import { followOtherTabs, useSession } from '#web/lib/session.ts'
import { toast } from '#web/ui/overlay/toast.tsx'

/** Checks the page that is shown, first and whenever the session or the site changes. Navigations pass the guard's middleware. */
export function useAccessGuard(site: Site): void {
  const { token } = useSession()
  const location = useLocation()
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const leaveFor = useEffectEvent((target: string) => void navigate(target, { replace: true }))
  useEffect(() => {
    const { target, isSessionLost } = guard.check({ site, address: location, token })
    if (isSessionLost) toast('登录已失效，请重新登录', 'danger')
    if (target !== undefined) leaveFor(target)
  }, [token, location, site])

  const reloadAll = useEffectEvent(() => {
    const target = guard.findRedirect(location)
    if (target !== undefined) leaveFor(target)
    void revalidate()
  })
  useEffect(() => followOtherTabs(reloadAll), [])

  useEffect(() => {
    if (token !== '' && guard.isSitePartial()) void revalidate()
  }, [token, revalidate])
}
