import { noAnswer } from '#shared/spider.ts'
import type { Ctx } from '#server/context.ts'
import { openOutside } from '#server/gateways/outbound/open.ts'
import { OutboundError } from '#server/gateways/outbound/outbound-error.ts'
import { FetchRefusal, toSentRefusal } from './failures.ts'
import { isTroubled, noteAnswer, postponeHost } from './hosts.ts'
import { isAllowedPort, isAllowedPrivateHost } from './private-hosts.ts'
import { parseRetryAfter } from './retry-after.ts'
import { allAllowed, maxRobotsBytes, nothingAllowed, parseRobots, type RobotsRules } from './robots.ts'
import { getProduct, getUserAgent } from './user-agent.ts'
import { waitForTurn } from './wait-for-turn.ts'

export interface HostRobots {
  rules: RobotsRules
  /** Set when robots.txt cannot be read, and therefore nothing is allowed: until it is asked for again. */
  unknownUntil?: number
}

export interface RobotsOptions {
  /** Between two requests, if it is longer than the site's delay. */
  delayMs?: number
  /** The source's own. */
  port?: number | undefined
  signal?: AbortSignal | undefined
  /** Asked before a redirect leads to another origin; it throws to refuse. */
  enter?: (origin: string) => Promise<void>
}

interface StoredRobots {
  robots: string
  /** The HTTP status; 0 when there was no answer. */
  robots_status: number
  robots_at: number
  robots_failing_since: number | null
}

const minute = 60_000
const day = 24 * 60 * minute
const freshMs = day
const treatedAsMissingMs = 30 * day
const deadlineMs = 30_000

/**
 * What the robots.txt of an origin allows. The stored one is used for a day. Throws if the origin may not be dialled.
 */
export async function robotsFor(ctx: Ctx, url: URL, options: RobotsOptions = {}): Promise<HostRobots> {
  const { origin } = url
  const stored = await findStored(ctx, origin)
  if (stored && ctx.now() < stored.robots_at + getLifeMs(stored)) return interpret(ctx, stored)
  const asked = await askForRobots(ctx, origin, options)
  const failingSince = isTroubled(asked.status) ? (stored?.robots_failing_since ?? ctx.now()) : null
  const row: StoredRobots = {
    // A file that was read before is kept, so that it can be shown.
    robots: isTroubled(asked.status) ? (stored?.robots ?? '') : asked.text,
    robots_status: asked.status,
    robots_at: ctx.now(),
    robots_failing_since: failingSince,
  }
  await ctx.db
    .updateTable('spider_host')
    .set({ ...row, updated_at: ctx.now() })
    .where('origin', '=', origin)
    .execute()
  const robots = interpret(ctx, row)
  const pauseMs = Math.max(options.delayMs ?? 0, robots.rules.crawlDelayMs, ctx.settings.spider.delay_ms)
  if (pauseMs > 0) await postponeHost(ctx, origin, ctx.now() + pauseMs)
  return robots
}

async function findStored({ db }: Ctx, origin: string): Promise<StoredRobots | undefined> {
  const row = await db
    .selectFrom('spider_host')
    .select(['robots', 'robots_status', 'robots_at', 'robots_failing_since'])
    .where('origin', '=', origin)
    .executeTakeFirst()
  return row && row.robots_at !== null ? { ...row, robots_at: row.robots_at } : undefined
}

/** As long as it cannot be read, it is asked for after a time that doubles. */
function getLifeMs({ robots_status, robots_at, robots_failing_since }: StoredRobots): number {
  if (!isTroubled(robots_status)) return freshMs
  return Math.min(Math.max(robots_at - (robots_failing_since ?? robots_at), minute), 60 * minute)
}

function interpret({ settings, now }: Ctx, stored: StoredRobots): HostRobots {
  const { robots, robots_status: status, robots_at, robots_failing_since } = stored
  if (status >= 200 && status < 300) return { rules: parseRobots(robots, getProduct(settings)) }
  // By RFC 9309 these forbid everything, and other errors allow everything.
  if (isTroubled(status)) {
    const isMissing = robots_failing_since !== null && now() - robots_failing_since >= treatedAsMissingMs
    return isMissing ? { rules: allAllowed } : { rules: nothingAllowed, unknownUntil: robots_at + getLifeMs(stored) }
  }
  const isRefused = status === 401 || status === 403
  return { rules: isRefused && settings.spider.strict_robots ? nothingAllowed : allAllowed }
}

interface AskedRobots {
  status: number
  text: string
}

async function askForRobots(ctx: Ctx, origin: string, options: RobotsOptions): Promise<AskedRobots> {
  const { settings } = ctx
  const { delayMs = 0, port, signal, enter } = options
  let hops = 0
  try {
    const { status, headers, body } = await openOutside(`${origin}/robots.txt`, {
      headers: { 'user-agent': getUserAgent(settings), accept: 'text/plain, */*;q=0.5' },
      // What is beyond the part that counts is not read.
      maxBytes: Number.MAX_SAFE_INTEGER,
      deadlineMs,
      signal,
      async admit(url) {
        hops += 1
        if (!isAllowedPort(settings, url, port)) throw new FetchRefusal('port', url.href)
        if (url.origin !== origin) await enter?.(url.origin)
        await waitForTurn(ctx, url.origin, { delayMs, signal })
      },
      allowsPrivate: (url) => isAllowedPrivateHost(settings, url),
    })
    const text = await readStart(body)
    await noteAnswer(ctx, origin, { status, retryAt: parseRetryAfter(headers['retry-after'], ctx.now()) })
    return { status, text }
  } catch (error) {
    signal?.throwIfAborted()
    if (!(error instanceof OutboundError || error instanceof FetchRefusal)) throw error
    // A redirect to where it may not go is no robots.txt; the origin itself is refused.
    const isRefused = error instanceof FetchRefusal || error.reason === 'private' || error.reason === 'address'
    if (isRefused && hops <= 1) throw error
    if (error instanceof FetchRefusal && error.retryAt !== undefined) {
      // All addresses of the origin need its robots.txt: not each is to ask for it meanwhile.
      await postponeHost(ctx, origin, error.retryAt)
      throw toSentRefusal(error)
    }
    if (error instanceof OutboundError && error.reason === 'redirects') return { status: 404, text: '' }
    await noteAnswer(ctx, origin, { status: noAnswer })
    return { status: noAnswer, text: '' }
  }
}

/** A line that is cut is left out. */
async function readStart(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    // Leaving the loop closes the connection.
    if (size > maxRobotsBytes) break
  }
  const text = Buffer.concat(chunks).subarray(0, maxRobotsBytes).toString('utf8').replaceAll('\0', '')
  return size > maxRobotsBytes ? text.replace(/[^\r\n]*$/, '') : text
}
