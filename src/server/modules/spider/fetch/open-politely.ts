import { noAnswer } from '#shared/spider.ts'
import type { Ctx } from '#server/context.ts'
import { type OpenedResponse, openOutside } from '#server/gateways/outbound/open.ts'
import { OutboundError } from '#server/gateways/outbound/outbound-error.ts'
import {
  type FetchFailure,
  FetchRefusal,
  isTrouble,
  toFetchFailure,
  toRefusedFailure,
  toSentRefusal,
  toStatusFailure,
} from './failures.ts'
import { robotsFor } from './host-robots.ts'
import { claimHost, extendHost, type HostLease, noteAnswer, postponeHost, releaseHost } from './hosts.ts'
import { isAllowedPort, isAllowedPrivateHost } from './private-hosts.ts'
import { parseRetryAfter } from './retry-after.ts'
import { getUserAgent } from './user-agent.ts'
import { waitForTurn } from './wait-for-turn.ts'

export interface FetchRequest {
  url: string
  /** Of the content that is known; empty for none. */
  etag: string
  lastModified: string
  maxBytes: number
  /** The source's own port may be dialled beside 80 and 443. */
  port?: number
  /** Between two requests to a host, if it is longer than the site's delay and that of robots.txt. */
  delayMs?: number
  /** Of the host; it is extended while the request lasts. */
  lease?: HostLease
  signal?: AbortSignal
}

interface Options<T> {
  accept: string
  deadlineMs: number
  /** Reads the body of a successful answer. May throw a `FetchRefusal`. */
  read(opened: OpenedResponse): Promise<T>
}

export interface Unchanged {
  kind: 'unchanged'
  status: number
}

const extendEveryMs = 20_000

/**
 * One request of the crawler: robots.txt and the host's turn are asked before every address that is dialled, so that no
 * caller and no redirect can leave them out. Throws only when `signal` stops it, or when our side fails.
 */
export async function openPolitely<T>(
  ctx: Ctx,
  request: FetchRequest,
  { accept, deadlineMs, read }: Options<T>,
): Promise<T | Unchanged | FetchFailure> {
  const { settings } = ctx
  const { port, delayMs = 0, signal } = request
  const leases = keepLeases(ctx, request)
  let current: URL | undefined
  let pauseMs = 0
  let opened: OpenedResponse | undefined
  let isRedirected = false
  // Begins when an answer has ended, redirects too: a slow server is not asked without any.
  const pause = async () => {
    if (current && pauseMs > 0) await postponeHost(ctx, current.origin, ctx.now() + pauseMs)
  }
  const admit = async (url: URL) => {
    await pause()
    isRedirected = current !== undefined
    if (!isAllowedPort(settings, url, port)) throw new FetchRefusal('port', url.href)
    if (current && current.origin !== url.origin) {
      await noteAnswer(ctx, current.origin, { status: 302 })
      await leases.add(url.origin)
    }
    current = url
    pauseMs = 0
    const { rules, unknownUntil } = await robotsFor(ctx, url, { delayMs, port, signal, enter: leases.add })
    if (unknownUntil !== undefined) throw new FetchRefusal('robots_unknown', url.origin, unknownUntil)
    if (!rules.isAllowed(url)) throw new FetchRefusal('robots', url.href)
    const wantedMs = Math.max(delayMs, rules.crawlDelayMs, settings.spider.delay_ms)
    await waitForTurn(ctx, url.origin, { delayMs: wantedMs, signal })
    pauseMs = wantedMs
  }
  try {
    opened = await openOutside(request.url, {
      headers: {
        'user-agent': getUserAgent(settings),
        accept,
        ...(request.etag !== '' && { 'if-none-match': request.etag }),
        ...(request.lastModified !== '' && { 'if-modified-since': request.lastModified }),
      },
      maxBytes: request.maxBytes,
      deadlineMs,
      signal,
      admit,
      allowsPrivate: (url) => isAllowedPrivateHost(settings, url),
    })
    const { status } = opened
    if (status >= 200 && status < 300) {
      const result = await read(opened)
      await noteAnswer(ctx, opened.url.origin, { status })
      return result
    }
    const retryAt = parseRetryAfter(opened.headers['retry-after'], ctx.now())
    const readyAt = await noteAnswer(ctx, opened.url.origin, { status, retryAt })
    if (status === 304 && (request.etag !== '' || request.lastModified !== '')) return { kind: 'unchanged', status }
    const failure = toStatusFailure(status)
    return failure.isTemporary ? { ...failure, retryAt: readyAt } : failure
  } catch (error) {
    signal?.throwIfAborted()
    const status = opened?.status ?? noAnswer
    if (error instanceof FetchRefusal) {
      if (opened) await noteAnswer(ctx, opened.url.origin, { status })
      return toRefusedFailure(isRedirected ? toSentRefusal(error) : error, status)
    }
    if (!(error instanceof OutboundError)) throw error
    const failure = toFetchFailure(error, status)
    if (!isTrouble(error) || !current) return failure
    return { ...failure, retryAt: await noteAnswer(ctx, current.origin, { status: noAnswer }) }
  } finally {
    opened?.body.destroy()
    await pause()
    await leases.end()
  }
}

/** Holds the caller's host, and those that redirects lead to, until the end. */
function keepLeases(ctx: Ctx, { url, lease }: FetchRequest) {
  const own = URL.parse(url)?.origin
  const added: HostLease[] = []
  const timer = setInterval(() => {
    for (const each of lease ? [lease, ...added] : added) {
      extendHost(ctx, each).catch((error: unknown) => ctx.log.warn({ error }, 'lease of a crawled host not extended'))
    }
  }, extendEveryMs)
  return {
    async add(origin: string) {
      if (origin === own || added.some((each) => each.origin === origin)) return
      // Beyond the limit of hosts: this worker is still the same one, and has one connection.
      const claimed = await claimHost(ctx, origin, { isBeyondLimit: true })
      if (!claimed) throw new FetchRefusal('waiting', origin, ctx.now() + 60_000)
      added.push(claimed)
    },
    async end() {
      clearInterval(timer)
      for (const each of added) await releaseHost(ctx, each)
    },
  }
}
