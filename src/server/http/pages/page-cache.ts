import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import { errors } from '#shared/errors.ts'
import type { Settings } from '#shared/settings.ts'
import { compressors, type Encoding, negotiateEncoding } from './encodings.ts'
import { openRenderBudget } from './render-budget.ts'
import { type RenderDeps, type RenderedPage, renderPage, type ReplyCache, type Web } from './render.ts'

export interface PageCache {
  /** `network` is charged for a page that has to be rendered. */
  serve(request: Request, network: string): Promise<Response>
  /** The whole response at once, if the page is cached and fresh: every header but the request id. */
  serveFresh(request: PageRequest): PageAnswer | undefined
  /** What pages show has changed. */
  invalidate(): void
}

/** What a cached response depends on. */
export interface PageRequest {
  method: string
  /** Path and query. */
  address: string
  encodings: string
  etag: string
}

export interface PageAnswer {
  status: number
  /** Names and values in turn, as Node writes them fastest. */
  headers: string[]
  body: Buffer<ArrayBuffer> | null
}

interface CachedPage extends RenderedPage {
  /** Compressed on demand: most pages are requested in one encoding. */
  bodies: Partial<Record<Encoding, EncodedBody>>
  renderedAt: number
  settings: Settings
}

interface EncodedBody {
  bytes: Buffer<ArrayBuffer>
  headers: PageAnswer['headers']
}

interface Rendering {
  page: Promise<CachedPage | Response>
  /** Unset while it waits for its turn. */
  settings?: Settings
}

interface Options extends Pick<RenderDeps, 'fetch'> {
  settings: () => Promise<Settings>
  /** Undefined unless they are known to be current without a query. */
  peekSettings: () => Settings | undefined
}

const maxBytes = 32 * 1024 * 1024
const renderConcurrency = 8
/** A request beyond this queue would not be answered in time. */
const maxQueued = 200

/**
 * Pages are rendered for an anonymous visitor, so that their HTML is the same for everyone: each is cached, compressed,
 * for a few seconds, with stale-while-revalidate, and concurrent requests for one page are coalesced.
 */
export function openPageCache(web: Web, options: Options): PageCache {
  const cache = new LRUCache<string, CachedPage>({ maxSize: maxBytes, sizeCalculation: sizeOf })
  const rendering = new Map<string, Rendering>()
  // Any value of a known query key is another page: rendering is limited, serving from the cache is not.
  const budget = openRenderBudget({ msPerSecond: 400, burstMs: 4000 })
  // Rendering needs memory for all data of a page, and more concurrency would not make it faster.
  const limit = pLimit(renderConcurrency)
  let queued = 0
  let replies: { cache: ReplyCache; settings: Settings; since: number } | undefined

  const repliesFor = (settings: Settings): ReplyCache => {
    const isFresh = replies?.settings === settings && Date.now() - replies.since < settings.ssr.cache_seconds * 1000
    if (!replies || !isFresh) replies = { cache: new Map(), settings, since: Date.now() }
    return replies.cache
  }

  const render = (key: string, settings: Settings, network: string): Promise<CachedPage | Response> => {
    const running = rendering.get(key)
    // One that was started with other settings is for the requests that already wait for it.
    if (running && (!running.settings || running.settings === settings)) return running.page
    if (queued >= maxQueued || !budget.reserve(network)) throw errors.request.tooMany(1)
    queued += 1
    const started: Pick<Rendering, 'settings'> = {}
    const page = limit(async () => {
      // It may have been queued for long: it uses the settings of this moment.
      const current = (started.settings = await options.settings())
      const deps = { fetch: options.fetch, replies: repliesFor(current) }
      const rendered = await budget.charge(network, () => renderPage(web, key, deps, current))
      if (rendered instanceof Response) return rendered
      return { ...rendered, bodies: {}, renderedAt: Date.now(), settings: current }
    })
      .then((page) => {
        const isCurrent = rendering.get(key)?.page === promise
        if (isCurrent && !(page instanceof Response) && page.status === 200) cache.set(key, page)
        return page
      })
      .finally(() => {
        queued -= 1
        if (rendering.get(key)?.page === promise) rendering.delete(key)
      })
    const promise: Promise<CachedPage | Response> = page
    rendering.set(key, Object.assign(started, { page: promise }))
    return promise
  }

  return {
    async serve(request, network) {
      const key = toKey(web, new URL(request.url))
      const settings = await options.settings()
      const { cache_seconds, stale_seconds } = settings.ssr
      const page = web.dev || cache_seconds === 0 ? undefined : cache.get(key)
      const age = page ? Date.now() - page.renderedAt : 0
      if (page && page.settings === settings && age < (cache_seconds + stale_seconds) * 1000) {
        if (age >= cache_seconds * 1000) Promise.try(render, key, settings, network).catch(() => {})
        return send(page, request)
      }
      const rendered = await render(key, settings, network)
      return rendered instanceof Response ? rendered.clone() : send(rendered, request)
    },
    serveFresh({ method, address, encodings, etag }) {
      if (web.dev || (method !== 'GET' && method !== 'HEAD')) return undefined
      const page = cache.get(address)
      const settings = page && options.peekSettings()
      if (!settings || page.settings !== settings) return undefined
      if (Date.now() - page.renderedAt >= settings.ssr.cache_seconds * 1000) return undefined
      const body = page.bodies[negotiateEncoding(encodings)]
      return notModified(page, etag) ?? (body && toAnswer(page, body, method))
    },
    invalidate() {
      cache.clear()
      // A page that is being rendered may be stale: it is sent to the waiting requests, but not cached. One that is still
      // queued will be rendered from the new state.
      for (const [key, { settings }] of rendering) if (settings) rendering.delete(key)
      replies = undefined
    },
  }
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

export function toResponse({ status, headers, body }: PageAnswer): Response {
  const fields = new Headers()
  for (let at = 0; at < headers.length; at += 2) fields.set(headers[at] ?? '', headers[at + 1] ?? '')
  return new Response(body, { status, headers: fields })
}

async function send(page: CachedPage, { method, headers }: Request): Promise<Response> {
  const encoding = negotiateEncoding(headers.get('accept-encoding') ?? '')
  const body = (page.bodies[encoding] ??= encodeBody(page, encoding, await compressors[encoding](page.html)))
  return toResponse(notModified(page, headers.get('if-none-match') ?? '') ?? toAnswer(page, body, method))
}

function notModified({ status, headers }: CachedPage, etag: string): PageAnswer | undefined {
  if (status !== 200 || etag !== headers.etag) return undefined
  return { status: 304, headers: Object.entries(headers).flat(), body: null }
}

function toAnswer({ status }: CachedPage, { headers, bytes }: EncodedBody, method: string): PageAnswer {
  return { status, headers, body: method === 'HEAD' ? null : bytes }
}

function encodeBody({ headers }: CachedPage, encoding: Encoding, bytes: Buffer<ArrayBuffer>): EncodedBody {
  const own = { ...headers, 'content-length': String(bytes.length) }
  const all = encoding === 'identity' ? own : { ...own, 'content-encoding': encoding }
  return { bytes, headers: Object.entries(all).flat() }
}

/** Two compressed bodies are smaller than the HTML. */
function sizeOf({ html }: CachedPage, key: string): number {
  return key.length * 2 + html.length * 2 + 2000
}
