import { createHash, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Settings } from '#shared/settings.ts'
import { errors } from '#shared/errors.ts'
import { pagePolicy } from './headers.ts'
import { buckets } from './limits.ts'

/** The built web part, as this file needs it. */
export interface Web {
  render(request: Request, given: Rendering): Promise<Response>
  dev: boolean
}

/** What a page is made with: the interface as a stranger sees it, and the mark of its own scripts. */
export interface Rendering {
  fetch: (request: Request) => Response | Promise<Response>
  nonce: string
}

export interface Pages {
  /** `network` is whom a page that has to be made counts for. */
  answer(request: Request, network: string): Promise<Response>
  /** Something that pages show has changed. */
  forget(): void
}

interface Page {
  status: number
  headers: [string, string][]
  etag: string
  html: Buffer<ArrayBuffer>
  br: Buffer<ArrayBuffer>
  gzip: Buffer<ArrayBuffer>
  madeAt: number
  settings: Settings
}

const mostPages = 500
const compressGzip = promisify(gzip)
const compressBrotli = promisify(brotliCompress)

/**
 * Pages are rendered for an anonymous visitor, so their HTML is the same for everyone: each is kept, compressed,
 * for a few seconds, and served once more while it is being made anew.
 */
export function pages(web: Web, options: Pick<Rendering, 'fetch'> & { settings: () => Promise<Settings> }): Pages {
  const kept = new Map<string, Page>()
  const rendering = new Map<string, Promise<Page | Response>>()
  // Any made-up query makes a new page: kept ones cost nothing, made ones are counted.
  const mayRender = buckets({ perSecond: 20, burst: 300 })

  const render = (key: string, request: Request, settings: Settings): Promise<Page | Response> => {
    const running = rendering.get(key)
    if (running) return running
    const made = makePage(web, request, options.fetch, settings)
      .then((page) => {
        if (rendering.get(key) === made && !(page instanceof Response) && page.status === 200) keep(kept, key, page)
        return page
      })
      .finally(() => {
        if (rendering.get(key) === made) rendering.delete(key)
      })
    rendering.set(key, made)
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
        if (age >= cache_seconds * 1000) render(key, request, settings).catch(() => {})
        return send(page, request)
      }
      if (!rendering.has(key) && !mayRender(network)) throw errors.request.tooMany(1)
      const fresh = await render(key, request, settings)
      return fresh instanceof Response ? fresh.clone() : send(fresh, request)
    },
    forget() {
      kept.clear()
      // What is being made may show the old state: it goes to who waits for it, and to nobody else.
      rendering.clear()
    },
  }
}

async function makePage(
  web: Web,
  request: Request,
  fetch: Rendering['fetch'],
  settings: Settings,
): Promise<Page | Response> {
  const nonce = randomBytes(16).toString('base64')
  const asked = new Request(withoutHost(request.url), { headers: { accept: 'text/html' } })
  const response = await web.render(asked, { fetch, nonce })
  if (!response.headers.get('content-type')?.startsWith('text/html')) return response
  const { html, hashes } = sealScripts(await response.text(), nonce)
  const headers = new Headers(response.headers)
  headers.set('content-security-policy', pagePolicy(hashes, web))
  headers.set('cache-control', 'no-cache')
  headers.set('vary', 'accept-encoding')
  const body = Buffer.from(html)
  return {
    status: response.status,
    headers: [...headers].filter(([name]) => name !== 'content-length'),
    etag: `"${createHash('sha1').update(body).digest('base64url')}"`,
    html: body,
    br: Buffer.from(await compressBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })),
    gzip: Buffer.from(await compressGzip(body)),
    madeAt: Date.now(),
    settings,
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

function send(page: Page, request: Request): Response {
  const headers = new Headers(page.headers)
  headers.set('etag', page.etag)
  if (page.status === 200 && request.headers.get('if-none-match') === page.etag) {
    return new Response(null, { status: 304, headers })
  }
  const accepted = request.headers.get('accept-encoding') ?? ''
  const encoding = (['br', 'gzip'] as const).find((name) => accepted.includes(name))
  if (encoding) headers.set('content-encoding', encoding)
  const body = encoding ? page[encoding] : page.html
  headers.set('content-length', String(body.length))
  return new Response(request.method === 'HEAD' ? null : body, { status: page.status, headers })
}

function keep(kept: Map<string, Page>, key: string, page: Page): void {
  kept.delete(key)
  kept.set(key, page)
  if (kept.size <= mostPages) return
  const [oldest] = kept.keys()
  if (oldest !== undefined) kept.delete(oldest)
}
