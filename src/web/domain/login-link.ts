import type { MouseEvent } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { loginPath, pathOf } from '#web/domain/guard-rules.ts'
import { saveIntent, type Intent } from '#web/lib/login-intent.ts'

interface LoginRequest {
  asked: Intent
  id: number
  /** What the login page says. */
  why: string
  /** Where on the page the login leads back to, with the `#`. */
  hash?: string
}

/**
 * For a link to the login page in place of something that only members can do. The login leads back to where the visitor
 * is at the moment of the click: the reader keeps its page in the address without telling the router.
 */
export function useLoginLink({ asked, id, why, hash = '' }: LoginRequest) {
  const location = useLocation()
  const navigate = useNavigate()
  const { pathname } = location
  const to = loginPath({ pathname, search: location.search + hash })
  const onClick = (event: MouseEvent) => {
    const here = { pathname, search: window.location.search + hash }
    saveIntent(asked, id, { path: pathOf(here), why })
    const isForNewTab = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
    if (isForNewTab || loginPath(here) === to) return
    event.preventDefault()
    void navigate(loginPath(here))
  }
  return { to, onClick }
}
