import { alwaysAllowedPages } from '#shared/admin-pages.ts'
import type { PublicSettings } from '#shared/contract/settings.ts'
import { isSignedIn, type Session } from '#web/lib/session.ts'

export interface Visit {
  pathname: string
  search: string
  /** The path and query of the page before; undefined on the first page. */
  from?: string | undefined
}

export type Visitor = Pick<Session, 'token' | 'permissions' | 'allowPages'> & { user: { id: number } }
export type SiteAccess = Pick<PublicSettings['security'], 'is_close' | 'login_required'>
type Rule = (
  visit: Visit & { page: string },
  visitor: Visitor & { signedIn: boolean },
  access: SiteAccess,
) => string | undefined

/** Where a visitor must go instead, if anywhere. The server enforces access by itself: this only avoids dead ends. */
export function redirectFor(visit: Visit, visitor: Visitor, access: SiteAccess): string | undefined {
  const page = visit.pathname.replace(/\/+$/, '') || '/'
  const signedIn = isSignedIn(visitor)
  for (const rule of rules) {
    const target = rule({ ...visit, page }, { ...visitor, signedIn }, access)
    if (target !== undefined) return target
  }
  return undefined
}

interface Address {
  pathname: string
  search: string
}

/** The login page, which leads back here. */
export function loginPath(address: Address): string {
  return isLoginPage(address.pathname) ? '/login' : `/login?${new URLSearchParams({ redirect: pathOf(address) })}`
}

export function pathOf({ pathname, search }: Address): string {
  return pathname + search
}

const siteClosed: Rule = (visit, { signedIn, permissions }, { is_close }) =>
  is_close && !(signedIn && permissions.length > 0) && visit.page !== '/login' && !isForAll(visit.page)
    ? login(visit)
    : undefined

const loginRequired: Rule = (visit, { signedIn }, { login_required }) =>
  login_required &&
  !signedIn &&
  !isLoginPage(visit.page) &&
  !isRecoveryPage(visit.page) &&
  !isForAll(visit.page) &&
  !isUnder(visit.page, '/oauth')
    ? login(visit)
    : undefined

const membersOnly: Rule = (visit, { signedIn }) =>
  !signedIn && ['/me', '/upload', '/post', '/order'].some((area) => isUnder(visit.page, area))
    ? login(visit)
    : undefined

const adminPages: Rule = (visit, { signedIn, allowPages }) => {
  const { page } = visit
  if (!isUnder(page, '/admin')) return undefined
  if (!signedIn) return login(visit)
  // The admin itself tells a member without rights.
  if (allowPages.length === 0) return undefined
  return allowPages.includes(page) || alwaysAllowedPages.includes(page) ? undefined : '/admin'
}

const alreadySignedIn: Rule = ({ page }, { signedIn, permissions, user }, { is_close }) => {
  if (!signedIn || !isLoginPage(page) || (is_close && permissions.length === 0)) return undefined
  return `/user/${user.id}`
}

/** Login and registration lead back to the page before them; going from one to the other keeps that target. */
const comeBack: Rule = ({ page, search, from }) => {
  if (!isLoginPage(page) || !from || new URLSearchParams(search).has('redirect')) return undefined
  const [origin = '', query = ''] = from.split('?')
  const target = isLoginPage(origin) || isRecoveryPage(origin) ? new URLSearchParams(query).get('redirect') : from
  if (!target) return undefined
  return `${page}?${new URLSearchParams([...new URLSearchParams(search), ['redirect', target]])}`
}

const rules = [siteClosed, loginRequired, membersOnly, adminPages, alreadySignedIn, comeBack]

function login({ page, search }: { page: string; search: string }): string {
  return loginPath({ pathname: page, search })
}

function isLoginPage(page: string): boolean {
  return page === '/login' || page === '/register'
}

/** Pages for people who got a mail or a link from the site, or who own another site that the crawler has visited. */
function isForAll(page: string): boolean {
  return page === '/unsubscribe' || page === '/invite' || page === '/spider'
}

function isRecoveryPage(page: string): boolean {
  return page === '/findpassword' || page === '/findpassword-mobile'
}

function isUnder(page: string, area: string): boolean {
  return page === area || page.startsWith(`${area}/`)
}
