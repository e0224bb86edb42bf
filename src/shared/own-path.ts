/** A path of this site, as browsers would read it; undefined for anything that leads elsewhere. */
export function toOwnPath(target: string | null | undefined): string | undefined {
  if (!target || target.length > maxLength || !/^\/[^\p{Cc}\\]*$/u.test(target)) return undefined
  const url = URL.parse(target, origin)
  if (url?.origin !== origin || url.pathname.startsWith('//')) return undefined
  return url.pathname + url.search + url.hash
}

const origin = 'https://own.invalid'
const maxLength = 2000
