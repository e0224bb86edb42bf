import { toOwnPath } from '#shared/own-path.ts'

/** The target of a `redirect` query: a path of this site, but no login page. Anything else is the fallback. */
export function safeRedirect(target: string | null | undefined, fallback = '/me'): string {
  const path = toOwnPath(target)
  const [page = ''] = path?.split(/[?#]/) ?? []
  return path === undefined || loginPages.has(page.replace(/\/+$/, '')) ? fallback : path
}

const loginPages = new Set(['/login', '/register', '/findpassword', '/findpassword-mobile'])
