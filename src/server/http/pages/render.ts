import { createHash, randomBytes } from 'node:crypto'
import { isOpenSite, type Settings } from '#shared/settings.ts'
import { escapeHtml } from '#shared/escape-html.ts'
import { withTimeout } from '../api/limits.ts'
import { commonHeaders } from '../server/security-headers.ts'
import { analyticsFor, withAnalytics } from './analytics.ts'
import { hashInlineScripts, pagePolicy } from './csp.ts'
import type { Source } from './page-cache.ts'
import { pictureFirst } from './picture-first.ts'

/** The built web part, as the server uses it. */
export interface Web {
  render(request: Request, deps: RenderDeps): Promise<Response>
  /** The query keys that the page at a path knows. Unset while the pages are compiled on the fly: all of them. */
  queryKeys?(pathname: string): readonly string[]
  dev: boolean
  /** A last change of the HTML. */
  finish?(html: string): string
  /** Where the pages find the API; empty for this site itself. */
  apiBaseUrl?: string
}

/** What a page is rendered with: the API as an anonymous visitor sees it, and the nonce of its own scripts. */
export interface RenderDeps {
  fetch: (request: Request) => Response | Promise<Response>
  nonce: string
  /** Replies that this and other pages have fetched, as fresh as pages are. */
  replies: ReplyCache
}

export type ReplyCache = Map<string, Promise<unknown>>

export interface RenderedPage {
  status: number
  headers: Record<string, string>
  html: Buffer<ArrayBuffer>
}

/** The pages of the site for the cache: `fetch` calls the API for an anonymous visitor. */
export function pageSource(web: Web, fetch: RenderDeps['fetch']): Source {
  let replies: { cache: ReplyCache; settings: Settings; since: number } | undefined
  const repliesFor = (settings: Settings): ReplyCache => {
    const isFresh = replies?.settings === settings && Date.now() - replies.since < settings.ssr.cache_seconds * 1000
    if (!replies || !isFresh) replies = { cache: new Map(), settings, since: Date.now() }
    return replies.cache
  }
  return {
    toKey: (url) => toKey(web, url),
    make: (address, settings) => renderPage(web, address, { fetch, replies: repliesFor(settings) }, settings),
    usualMs: 50,
    concurrency: 8,
    maxBytes: 32 * 1024 * 1024,
    dev: web.dev,
    invalidate: () => (replies = undefined),
  }
}

/**
 * Renders the page of a path and query for an anonymous visitor; a redirect, or anything else that is no HTML, is returned
 * as it is. The HTML is cached for everyone: the host by which one visitor reached the site must not get into it.
 */
async function renderPage(
  web: Web,
  address: string,
  deps: Omit<RenderDeps, 'nonce'>,
  settings: Settings,
): Promise<RenderedPage | Response> {
  const { finish = (html: string) => html } = web
  const nonce = randomBytes(16).toString('base64')
  const anonymous = new Request(`http://localhost${address}`, { headers: { accept: 'text/html' } })
  const response = await withTimeout(web.render(anonymous, { ...deps, nonce }))
  if (!response.headers.get('content-type')?.startsWith('text/html')) return response
  const analytics = analyticsFor(new URL(anonymous.url).pathname, settings.system.analytics)
  const page = withAnalytics(withApiBase(await response.text(), web.apiBaseUrl), analytics, nonce)
  const { html, hashes } = hashInlineScripts(web.dev ? page : pictureFirst(page, nonce), nonce)
  const headers = new Headers({ ...commonHeaders, ...Object.fromEntries(response.headers) })
  headers.set(
    'content-security-policy',
    pagePolicy(hashes, {
      dev: web.dev,
      isEmbeddable: isEmbed(anonymous.url) && settings.display.enable_embed,
      origins: analytics.origins,
      reportOrigins: [...apiOrigins(web.apiBaseUrl), ...analytics.reportOrigins],
    }),
  )
  headers.set('cache-control', 'no-cache')
  headers.set('vary', 'accept-encoding')
  headers.delete('content-length')
  const body = Buffer.from(finish(html))
  headers.set('etag', `"${createHash('sha1').update(body).digest('base64url')}"`)
  const isClosed = !isOpenSite(settings) && ofMembers.test(new URL(anonymous.url).pathname)
  const status = isClosed && response.ok ? 401 : response.status
  return { status, headers: Object.fromEntries(headers), html: body }
}

/**
 * Path and query in one spelling, without the query keys that the page does not know: they would make another page of
 * each visit.
 */
function toKey(web: Web, { pathname, search, searchParams }: URL): string {
  const path = normalizePath(pathname)
  if (search === '' || !web.queryKeys) return path + search
  const known = web.queryKeys(path).flatMap((name) => {
    const value = searchParams.get(name)
    return value === null ? [] : [[name, value]]
  })
  return known.length === 0 ? path : `${path}?${new URLSearchParams(known)}`
}

/** Trailing slashes and needless percent-encoding lead to the same page. */
function normalizePath(pathname: string): string {
  let end = pathname.length
  while (end > 1 && pathname[end - 1] === '/') end -= 1
  const path = pathname.slice(0, end)
  if (!path.includes('%')) return path
  try {
    return path
      .split('/')
      .map((segment) => encodeURIComponent(decodeURIComponent(segment)))
      .join('/')
  } catch {
    return path
  }
}

/** Their HTML is a frame that the browser fills: without data of their own they would not notice that the site is closed. */
const ofMembers = /^\/(?:me|order|upload|post|joinvip)(?:\/|$)/

/** A document for a frame of another site (routes/public/embed.tsx). */
function isEmbed(url: string): boolean {
  return new URL(url).pathname.startsWith('/embed/')
}

/** Read by web/lib/api-base.ts. */
function withApiBase(html: string, url = ''): string {
  return url === '' ? html : html.replace('<head>', `<head><meta name="api-base" content="${escapeHtml(url)}"/>`)
}

function apiOrigins(url = ''): string[] {
  const origin = URL.parse(url)?.origin
  return origin === undefined ? [] : [origin]
}
