import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import { errors } from '#shared/errors.ts'
import type { Settings } from '#shared/settings.ts'
import { compressors, type Encoding, negotiateEncoding } from './encodings.ts'
import type { RenderBudget } from './render-budget.ts'
import type { RenderedPage } from './render.ts'

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
  /** Compressed on demand, once: most pages are requested in one encoding. */
  bodies: Partial<Record<Encoding, EncodedBody>>
  compressing: Partial<Record<Encoding, Promise<EncodedBody>>>
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

/** Makes the answers: pages, or replies to calls. */
export interface Source {
  /** Path and query in one spelling, without the query keys that make no difference to the answer. */
  toKey(url: URL): string
  /** Makes the answer to a path and query for an anonymous visitor; a `Response` is not cached. */
  make(address: string, settings: Settings): Promise<RenderedPage | Response>
  /** About the CPU time that an answer takes. */
  usualMs: number
  /** More at the same time would need more memory, and would not be faster. */
  concurrency: number
  maxBytes: number
  /** Nothing is cached. */
  dev?: boolean
  /** The content of the answers has changed. */
  invalidate?(): void
}

interface Options {
  budget: RenderBudget
  settings: () => Promise<Settings>
  /** Undefined unless they are known to be current without a query. */
  peekSettings: () => Settings | undefined
}

/** A request beyond this queue would not be answered in time. */
const maxQueued = 200

/**
 * Pages and replies are made for an anonymous visitor, so that they are the same for all: each is cached, compressed, for
 * a few seconds, with stale-while-revalidate, and concurrent requests for one are coalesced.
 */
export function openPageCache(source: Source, { budget, ...options }: Options): PageCache {
  const cache = new LRUCache<string, CachedPage>({ maxSize: source.maxBytes, sizeCalculation: sizeOf })
  const rendering = new Map<string, Rendering>()
  const limit = pLimit(source.concurrency)
  let queued = 0

  const render = (key: string, settings: Settings, network: string): Promise<CachedPage | Response> => {
    const running = rendering.get(key)
    // One that was started with other settings is for the requests that already wait for it.
    if (running && (!running.settings || running.settings === settings)) return running.page
    // Any value of a known query key is another page: rendering is limited, serving from the cache is not.
    if (queued >= maxQueued || !budget.reserve(network, source.usualMs)) throw errors.request.tooMany(1)
    queued += 1
    const started: Pick<Rendering, 'settings'> = {}
    const page = limit(async () => {
      // It may have been queued for long: it uses the settings of this moment.
      const current = (started.settings = await options.settings())
      const rendered = await budget.charge(network, source.usualMs, () => source.make(key, current))
      if (rendered instanceof Response) return rendered
      return { ...rendered, bodies: {}, compressing: {}, renderedAt: Date.now(), settings: current }
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
      const key = source.toKey(new URL(request.url))
      const settings = await options.settings()
      const { cache_seconds, stale_seconds } = settings.ssr
      const page = source.dev || cache_seconds === 0 ? undefined : cache.get(key)
      const age = page ? Date.now() - page.renderedAt : 0
      if (page && page.settings === settings && age < (cache_seconds + stale_seconds) * 1000) {
        if (age >= cache_seconds * 1000) Promise.try(render, key, settings, network).catch(() => {})
        return send(page, request)
      }
      const rendered = await render(key, settings, network)
      return rendered instanceof Response ? rendered.clone() : send(rendered, request)
    },
    serveFresh({ method, address, encodings, etag }) {
      if (source.dev || (method !== 'GET' && method !== 'HEAD')) return undefined
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
      source.invalidate?.()
    },
  }
}

export function toResponse({ status, headers, body }: PageAnswer): Response {
  const fields = new Headers()
  for (let at = 0; at < headers.length; at += 2) fields.set(headers[at] ?? '', headers[at + 1] ?? '')
  return new Response(body, { status, headers: fields })
}

async function send(page: CachedPage, { method, headers }: Request): Promise<Response> {
  const encoding = negotiateEncoding(headers.get('accept-encoding') ?? '')
  // A popular page has many requests waiting for it.
  const body = await (page.compressing[encoding] ??= compress(page, encoding))
  return toResponse(notModified(page, headers.get('if-none-match') ?? '') ?? toAnswer(page, body, method))
}

function notModified({ status, headers }: CachedPage, etag: string): PageAnswer | undefined {
  if (status !== 200 || etag !== headers.etag) return undefined
  return { status: 304, headers: Object.entries(headers).flat(), body: null }
}

function toAnswer({ status }: CachedPage, { headers, bytes }: EncodedBody, method: string): PageAnswer {
  return { status, headers, body: method === 'HEAD' ? null : bytes }
}

async function compress(page: CachedPage, encoding: Encoding): Promise<EncodedBody> {
  const bytes = await compressors[encoding](page.html)
  const own = { ...page.headers, 'content-length': String(bytes.length) }
  const all = encoding === 'identity' ? own : { ...own, 'content-encoding': encoding }
  return (page.bodies[encoding] = { bytes, headers: Object.entries(all).flat() })
}

/** Two compressed bodies are smaller than the HTML. */
function sizeOf({ html }: CachedPage, key: string): number {
  return key.length * 2 + html.length * 2 + 2000
}
