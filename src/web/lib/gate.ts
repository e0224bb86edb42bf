import { redirect, type MiddlewareFunction } from 'react-router'
import { guard } from '#web/lib/guards.ts'
import { currentSession } from '#web/lib/session.ts'
import type { Site } from '#web/lib/site.ts'

/** Applies the guards. Middleware runs before React does, so what it needs to know is noted here by the root. */

type Doors = Parameters<typeof guard>[2]

let doors: Doors = { is_close: false, login_required: false }
let lastPath: string | undefined
let loadedFor = ''

export function noteSite({ settings: { security } }: Pick<Site, 'settings'>): void {
  doors = security
}

/** Whose eyes the site was last loaded for; what the server draws is for strangers. */
export function noteReader(token: string): void {
  loadedFor = token
}

/** A site that is closed to strangers shows them no navigation and no categories: members must ask for them again. */
export function siteIsPartial(): boolean {
  return (doors.is_close || doors.login_required) && currentSession().token !== loadedFor
}

export function notePath(path: string): void {
  lastPath = path
}

export function guarded({ pathname, search }: { pathname: string; search: string }, from?: string): string | undefined {
  return guard({ pathname, search, from }, currentSession(), doors)
}

export const gate: MiddlewareFunction = async ({ url }, next) => {
  const target = guarded(url, lastPath)
  if (target !== undefined && target !== url.pathname + url.search) throw redirect(target)
  return next()
}
