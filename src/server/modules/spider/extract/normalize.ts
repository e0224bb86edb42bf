import { createHash } from 'node:crypto'

export const maxAddressLength = 2_000

/** A path that repeats a segment, or a sequence of segments, more often than this never ends. */
const maxRepeats = 3
const maxPeriod = 4

/** Parameters that follow visitors around; the page is the same without them. */
const trackers = [
  'utm_*',
  'spm',
  'scm',
  'fbclid',
  'gclid',
  'gclsrc',
  'dclid',
  'gbraid',
  'wbraid',
  'msclkid',
  'yclid',
  'twclid',
  'ttclid',
  'igshid',
  'mc_cid',
  'mc_eid',
  '_ga',
  '_gl',
  'hmsr',
  'hmpl',
  'hmcu',
  'hmkw',
  'hmci',
  'bd_vid',
  'vd_source',
  'share_source',
  'share_medium',
  'wkfrom',
]
const sessionIds = ['phpsessid', 'jsessionid', 'aspsessionid*', 'cfid', 'cftoken']
/** Session ids unless they are small numbers: some sites number their pages so. */
const likelySessionIds = new Set(['sid', 'sessionid', 'session_id'])

/**
 * The address by which a page or file is known: two links to the same thing give the same one. Undefined for what cannot
 * or must not be crawled: other schemes, credentials, endless paths, addresses that are too long.
 */
export function normalizeAddress(href: string, base: string | URL, dropParams: readonly string[]): URL | undefined {
  if (href.length > maxAddressLength) return undefined
  const url = URL.parse(href.trim(), base)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined
  if (url.username || url.password) return undefined
  // The root of the domain name system may be written or left out.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  url.hash = ''
  url.pathname = normalizeEscapes(withoutSessionId(url.pathname))
  url.search = normalizeEscapes(keptParams(url.search, dropParams))
  if (url.href.length > maxAddressLength || isEndless(url.pathname)) return undefined
  return url
}

export function hashAddress(address: string | URL): string {
  return createHash('sha256').update(String(address)).digest('hex')
}

/** Java servers write the session id behind a semicolon, ASP.NET as a segment `/(S(…))`. */
function withoutSessionId(path: string): string {
  return path
    .replace(/;(?:jsessionid|phpsessid|sid|sessionid)=[^/;]*/gi, '')
    .replace(/\/\((?:[A-Z]\([^()/]*\))+\)(?=\/)/gi, '')
}

/** As it stands, but for the dropped parameters: order and encoding may matter to the server. */
function keptParams(search: string, dropParams: readonly string[]): string {
  if (search.length < 2) return ''
  const kept = search
    .slice(1)
    .split('&')
    .filter((param) => param !== '' && !isDropped(param, dropParams))
  return kept.length > 0 ? `?${kept.join('&')}` : ''
}

function nameOf(param: string): string {
  const end = param.indexOf('=')
  const name = end < 0 ? param : param.slice(0, end)
  try {
    return decodeURIComponent(name).toLowerCase()
  } catch {
    return name.toLowerCase()
  }
}

function isDropped(param: string, dropParams: readonly string[]): boolean {
  const name = nameOf(param)
  if (likelySessionIds.has(name) && !/=\d{1,9}$/.test(param)) return true
  return [trackers, sessionIds, dropParams].some((list) =>
    list.some((entry) => {
      const dropped = entry.toLowerCase()
      return dropped.endsWith('*') ? name.startsWith(dropped.slice(0, -1)) : name === dropped
    }),
  )
}

/** RFC 3986, 6.2.2: unreserved characters stand for themselves, the digits of other escapes are upper case. */
function normalizeEscapes(text: string): string {
  // An escape behind a broken one stays: decoded, it would complete it.
  return text.replace(/(?<!%[\da-f]?)%[\da-f]{2}/gi, (escape) => {
    const char = String.fromCharCode(Number.parseInt(escape.slice(1), 16))
    return /[\w.~-]/.test(char) ? char : escape.toUpperCase()
  })
}

/** Relative links that resolve to the same page under ever longer paths: `/a/a/a/a/`, `/a/b/a/b/a/b/a/b/`. */
function isEndless(path: string): boolean {
  const segments = path.split('/').slice(1)
  for (let period = 1; period <= maxPeriod; period += 1) {
    let equal = 0
    for (let at = period; at < segments.length; at += 1) {
      equal = segments[at] === segments[at - period] ? equal + 1 : 0
      if (equal >= period * maxRepeats) return true
    }
  }
  return false
}
