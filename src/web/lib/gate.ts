import { redirect, type MiddlewareFunction } from 'react-router'
import { guard } from '#web/lib/guards.ts'
import { currentSession } from '#web/lib/session.ts'
import type { Site } from '#web/lib/site.ts'

/** Applies the guards. Middleware runs before React does, so what it needs to know is noted here by the root. */

let site: Site | undefined
let lastPath: string | undefined
let loadedFor = ''

export function noteSite(loaded: Site): void {
  site = loaded
}

export function lastSite(): Site | undefined {
  return site
}

/** Whose eyes the site was last loaded for; what the server draws is for strangers. */
export function noteReader(token: string): void {
  loadedFor = token
}

/** A site that is closed to strangers shows them no navigation and no categories: members must ask for them again. */
export function siteIsPartial(): boolean {
  const { is_close, login_required } = doors()
  return (is_close || login_required) && currentSession().token !== loadedFor
}

export function notePath(path: string): void {
  lastPath = path
}

export function guarded({ pathname, search }: { pathname: string; search: string }, from?: string): string | undefined {
  return guard({ pathname, search, from }, currentSession(), doors())
}

export const gate: MiddlewareFunction = async ({ url }, next) => {
  const path = url.pathname + url.search
  // Loading the page one is on anew goes nowhere: a login under way must not be led off by it.
  if (path === lastPath) return next()
  const target = guarded(url, lastPath)
  if (target !== undefined && target !== path) throw redirect(target)
  return next()
}

function doors(): Parameters<typeof guard>[2] {
  return site?.settings.security ?? { is_close: false, login_required: false }
}
