/** Where a `redirect` query may lead: paths of our own, and not back to the page that asked. */
export function safeRedirect(wanted: string | null | undefined, fallback = '/me'): string {
  if (!wanted || wanted.length > maxLength || !/^\/[^\p{Cc}\\]*$/u.test(wanted)) return fallback
  const url = URL.parse(wanted, here)
  if (url?.origin !== here || url.pathname.startsWith('//')) return fallback
  return askingPages.has(url.pathname.replace(/\/+$/, '')) ? fallback : url.pathname + url.search + url.hash
}

const here = 'https://own.invalid'
const maxLength = 2000
const askingPages = new Set(['/login', '/register', '/findpassword'])
