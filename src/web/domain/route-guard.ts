import { redirect, type MiddlewareFunction } from 'react-router'
import { redirectFor, type SiteAccess, type Visitor } from '#web/domain/guard-rules.ts'
import type { Site } from '#web/domain/site.ts'
import { currentSession } from '#web/lib/session.ts'

interface Address {
  pathname: string
  search: string
}

interface Situation {
  site: Site
  address: Address
  /** Of the session; empty without one. */
  token: string
}

/**
 * Applies the rules to navigations, and to the page that is shown whenever the session or the site changes. Middleware
 * runs outside React, so the guard holds the site and the current page itself; root.tsx keeps them up to date.
 */
export function createGuard(session: () => Visitor) {
  let site: Site | undefined
  /** The page that is shown; undefined before the first one. */
  let currentPath: string | undefined
  /** The token of the last check; undefined before the first one. */
  let checkedToken: string | undefined
  /** The token that the site was loaded with; the server renders it without one. */
  let loadedWith = ''
  /** Where a member was sent at once, often from the login page, although the server may still reject that session. */
  let firstRedirect: { from: string; target: string } | undefined

  const siteAccess = (): SiteAccess => site?.settings.security ?? { is_close: false, login_required: false }
  const findRedirect = ({ pathname, search }: Address, from?: string) =>
    redirectFor({ pathname, search, from }, session(), siteAccess())

  /** Navigations. Revalidating the current page is none: it must not interrupt a login under way. */
  const middleware: MiddlewareFunction = async ({ url }, next) => {
    const path = pathOf(url)
    if (path === currentPath) return next()
    const target = findRedirect(url, currentPath)
    if (target !== undefined && target !== path) throw redirect(target)
    return next()
  }

  return {
    middleware,
    siteAccess,
    findRedirect,
    /** As last rendered; undefined on the server. */
    site: () => site,
    siteLoaded(token: string): void {
      loadedWith = token
    },
    /** A site that is closed to anonymous visitors gives them no navigation and no categories: members must load them again. */
    isSitePartial(): boolean {
      const { is_close, login_required } = siteAccess()
      return (is_close || login_required) && session().token !== loadedWith
    },
    /** To be called when the session, the page or the site is another: returns where the visitor must go, if anywhere. */
    check({ site: latest, address, token }: Situation): { target?: string; isSessionLost: boolean } {
      site = latest
      currentPath = pathOf(address)
      const isFirst = checkedToken === undefined
      const isSessionLost = !isFirst && token === '' && checkedToken !== ''
      checkedToken = token
      const target = findRedirect(address)
      if (isFirst && session().token !== '' && target !== undefined) firstRedirect = { from: currentPath, target }
      else if (currentPath !== firstRedirect?.from && currentPath !== firstRedirect?.target) firstRedirect = undefined
      if (isSessionLost && firstRedirect) return { target: firstRedirect.from, isSessionLost }
      // A visitor who has just signed in is already being sent back to where the login began.
      const isLeaving = isFirst || isSessionLost || target?.startsWith('/login') === true
      return target !== undefined && isLeaving ? { target, isSessionLost } : { isSessionLost: false }
    },
  }
}

export const guard = createGuard(currentSession)

function pathOf({ pathname, search }: Address): string {
  return pathname + search
}
