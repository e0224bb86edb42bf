/** The target of a `redirect` query: a path of this site, but no login page. Anything else is the fallback. */
export function safeRedirect(target: string | null | undefined, fallback = '/me'): string {
  if (!target || target.length > maxLength || !/^\/[^\p{Cc}\\]*$/u.test(target)) return fallback
  const url = URL.parse(target, origin)
  if (url?.origin !== origin || url.pathname.startsWith('//')) return fallback
  return loginPages.has(url.pathname.replace(/\/+$/, '')) ? fallback : url.pathname + url.search + url.hash
}

const origin = 'https://own.invalid'
const maxLength = 2000
const loginPages = new Set(['/login', '/register', '/findpassword', '/findpassword-mobile'])
