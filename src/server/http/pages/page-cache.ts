import { createHash, randomBytes } from 'node:crypto'
import type { Settings } from '#shared/settings.ts'
import { errors } from '#shared/errors.ts'
import { turns } from '#server/convert/turns.ts'
import { analyticsFor, withAnalytics } from './analytics.ts'
import { compressed, type Encoding, encodingOf } from './encodings.ts'
import { always, pagePolicy } from '../server/security-headers.ts'
import { buckets } from '../api/limits.ts'

/** The built web part, as this file needs it. */
export interface Web {
  render(request: Request, given: Rendering): Promise<Response>
  dev: boolean
}

/** What a page is made with: the interface as a stranger sees it, and the mark of its own scripts. */
export interface Rendering {
  fetch: (request: Request) => Response | Promise<Response>
  nonce: string
  /** Replies that this and other pages have asked for, as fresh as pages are. */
  memory: Memory
}

export type Memory = Map<string, Promise<unknown>>

export interface Pages {
  /** `network` is whom a page that has to be made counts for. */
  answer(request: Request, network: string): Promise<Response>
  /** The answer to who asks for a page that is kept and fresh, at once and whole: with every header but its number. */
  fresh(asked: Asked): Answer | undefined
  /** Something that pages show has changed. */
  forget(): void
}

/** All of a request that makes a difference to a kept page. */
export interface Asked {
  method: string
  /** Path and query. */
  address: string
  encodings: string
  etag: string
}

export interface Answer {
  status: number
  /** Names and values in turn, as Node writes them fastest. */
  headers: string[]
  body: Buffer<ArrayBuffer> | null
}

interface Page {
  status: number
  headers: Record<string, string>
  html: Buffer<ArrayBuffer>
  /** As they were asked for: most pages are wanted in one. */
  bodies: Partial<Record<Encoding, Body>>
  madeAt: number
  settings: Settings
}

interface Making {
  made: Promise<Page | Response>
  /** Unset as long as it waits for its turn. */
  settings?: Settings
}

/** With its headers, which are the same for all who ask. */
interface Body {
  bytes: Buffer<ArrayBuffer>
  headers: Answer['headers']
}

interface Options extends Pick<Rendering, 'fetch'> {
  settings: () => Promise<Settings>
  /** If they are known for sure without asking the database. */
  knownSettings: () => Settings | undefined
}

/** With what is counted for each page, and a little that is not. */
const mostBytes = 32 * 1024 * 1024
const atOnce = 8
/** Whoever comes when so many wait would not get an answer in time. */
const mostWaiting = 200
/** A page that takes longer gives its turn to the next. */
const renderMs = 30_000

/**
 * Pages are rendered for an anonymous visitor, so their HTML is the same for everyone: each is kept, compressed,
 * for a few seconds, and served once more while it is being made anew.
 */
export function pages(web: Web, options: Options): Pages {
  const kept = shelf()
  const rendering = new Map<string, Making>()
  // Any made-up query makes a new page: kept ones cost nothing, made ones are counted.
  const mayRender = buckets({ perSecond: 20, burst: 300 })
  // A page in the making holds all it shows: a crowd's at once would fill the memory, and none would be ready sooner.
  const inTurn = turns(atOnce)
  let waiting = 0
  let known: { memory: Memory; settings: Settings; since: number } | undefined

  const memoryFor = (settings: Settings): Memory => {
    const isFresh = known?.settings === settings && Date.now() - known.since < settings.ssr.cache_seconds * 1000
    if (!known || !isFresh) known = { memory: new Map(), settings, since: Date.now() }
    return known.memory
  }

  const render = (key: string, request: Request, settings: Settings): Promise<Page | Response> => {
    const running = rendering.get(key)
    // One that began under other settings is for those who have been waiting for it.
    if (running && (!running.settings || running.settings === settings)) return running.made
    if (waiting >= mostWaiting) throw errors.request.tooMany(1)
    waiting += 1
    const making: Pick<Making, 'settings'> = {}
    const made = inTurn(async () => {
      // It shows what holds when its turn comes, which may be much later.
      const current = (making.settings = await options.settings())
      const given = { fetch: options.fetch, memory: memoryFor(current) }
      return withinMs(renderMs, makePage(web, request, given, current))
    })
      .then((page) => {
        const isWanted = rendering.get(key)?.made === made
        if (isWanted && !(page instanceof Response) && page.status === 200) kept.put(key, page)
        return page
      })
      .finally(() => {
        waiting -= 1
        if (rendering.get(key)?.made === made) rendering.delete(key)
      })
    rendering.set(key, Object.assign(making, { made }))
    return made
  }

  return {
    async answer(request, network) {
      const { pathname, search } = new URL(request.url)
      const key = pathname + search
      const settings = await options.settings()
      const { cache_seconds, stale_seconds } = settings.ssr
      const page = web.dev || cache_seconds === 0 ? undefined : kept.get(key)
      const age = page ? Date.now() - page.madeAt : 0
      if (page && page.settings === settings && age < (cache_seconds + stale_seconds) * 1000) {
        if (age >= cache_seconds * 1000) Promise.try(render, key, request, settings).catch(() => {})
        return send(page, request)
      }
      if (!rendering.has(key) && !mayRender(network)) throw errors.request.tooMany(1)
      const fresh = await render(key, request, settings)
      return fresh instanceof Response ? fresh.clone() : send(fresh, request)
    },
    fresh(asked) {
      if (web.dev || (asked.method !== 'GET' && asked.method !== 'HEAD')) return undefined
      const page = kept.get(asked.address)
      const settings = page && options.knownSettings()
      if (!settings || page.settings !== settings) return undefined
      if (Date.now() - page.madeAt >= settings.ssr.cache_seconds * 1000) return undefined
      const body = page.bodies[encodingOf(asked.encodings)]
      return unchanged(page, asked.etag) ?? (body && whole(page, body, asked.method))
    },
    forget() {
      kept.clear()
      // What is being made may show the old state: it goes to who waits for it, and to nobody else. What still waits for
      // its turn will show the new one: made twice, pages would be asked for faster than they come.
      for (const [key, { settings }] of rendering) if (settings) rendering.delete(key)
      known = undefined
    },
  }
}

/** As everything but Node's own server takes it. */
export function responseOf({ status, headers, body }: Answer): Response {
  const named = new Headers()
  for (let at = 0; at < headers.length; at += 2) named.set(headers[at] ?? '', headers[at + 1] ?? '')
  return new Response(body, { status, headers: named })
}

async function makePage(
  web: Web,
  request: Request,
  given: Omit<Rendering, 'nonce'>,
  settings: Settings,
): Promise<Page | Response> {
  const nonce = randomBytes(16).toString('base64')
  const asked = new Request(withoutHost(request.url), { headers: { accept: 'text/html' } })
  const response = await web.render(asked, { ...given, nonce })
  if (!response.headers.get('content-type')?.startsWith('text/html')) return response
  const analytics = analyticsFor(new URL(asked.url).pathname, settings.system.analytics)
  const { html, hashes } = sealScripts(withAnalytics(await response.text(), analytics, nonce), nonce)
  const headers = new Headers({ ...always, ...Object.fromEntries(response.headers) })
  headers.set('content-security-policy', pagePolicy(hashes, { dev: web.dev, ...analytics }))
  headers.set('cache-control', 'no-cache')
  headers.set('vary', 'accept-encoding')
  headers.delete('content-length')
  const body = Buffer.from(html)
  headers.set('etag', `"${createHash('sha1').update(body).digest('base64url')}"`)
  return {
    status: response.status,
    headers: Object.fromEntries(headers),
    html: body,
    bodies: {},
    madeAt: Date.now(),
    settings,
  }
}

async function withinMs<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(errors.request.timeout()), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** A page is kept for everyone, so the name by which one visitor reached us must not get into it. */
function withoutHost(address: string): URL {
  const url = new URL(address)
  url.protocol = 'http:'
  url.host = 'localhost'
  url.port = ''
  return url
}

/**
 * The scripts that we rendered carry the nonce; each is allowed by its hash instead, which survives caching.
 * A script that got into the page in any other way has no nonce, so no hash, and does not run.
 */
function sealScripts(html: string, nonce: string): { html: string; hashes: string[] } {
  const hashes: string[] = []
  const mark = ` nonce="${nonce}"`
  const sealed = html.replace(/<script([^>]*)>([\s\S]*?)<\/script>/g, (script, attributes: string, code: string) => {
    if (!attributes.includes(mark)) return script
    if (code) hashes.push(createHash('sha256').update(code).digest('base64'))
    return `<script${attributes.replace(mark, '')}>${code}</script>`
  })
  return { html: sealed.replaceAll(mark, ''), hashes: [...new Set(hashes)] }
}

async function send(page: Page, { method, headers }: Request): Promise<Response> {
  const encoding = encodingOf(headers.get('accept-encoding') ?? '')
  const body = (page.bodies[encoding] ??= bodyOf(page, encoding, await compressed[encoding](page.html)))
  return responseOf(unchanged(page, headers.get('if-none-match') ?? '') ?? whole(page, body, method))
}

/** To who has it already. */
function unchanged({ status, headers }: Page, etag: string): Answer | undefined {
  if (status !== 200 || etag !== headers.etag) return undefined
  return { status: 304, headers: Object.entries(headers).flat(), body: null }
}

function whole({ status }: Page, { headers, bytes }: Body, method: string): Answer {
  return { status, headers, body: method === 'HEAD' ? null : bytes }
}

function bodyOf({ headers }: Page, encoding: Encoding, bytes: Buffer<ArrayBuffer>): Body {
  const own = { ...headers, 'content-length': String(bytes.length) }
  const all = encoding === 'identity' ? own : { ...own, 'content-encoding': encoding }
  return { bytes, headers: Object.entries(all).flat() }
}

/** Pages by their address, as many as there is room for: the oldest goes first. */
function shelf() {
  const pages = new Map<string, Page>()
  let bytes = 0
  // Compressed twice it is a third of itself each time, or less.
  const weightOf = (key: string, { html }: Page) => key.length * 2 + html.length * 2 + 2000
  const drop = (key: string) => {
    const page = pages.get(key)
    if (!page) return
    bytes -= weightOf(key, page)
    pages.delete(key)
  }
  return {
    get: (key: string) => pages.get(key),
    put(key: string, page: Page) {
      drop(key)
      pages.set(key, page)
      bytes += weightOf(key, page)
      for (const oldest of pages.keys()) {
        if (bytes <= mostBytes) break
        drop(oldest)
      }
    },
    clear() {
      pages.clear()
      bytes = 0
    },
  }
}
