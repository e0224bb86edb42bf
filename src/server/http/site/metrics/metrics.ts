import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type Context, Hono } from 'hono'
import type { Settings } from '#shared/settings.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/open.ts'
import { timingSafeEqualText } from '#server/keys.ts'
import type { Logger } from '#server/log.ts'
import type { Source } from '../../pages/page-cache.ts'
import { databaseMetrics } from './database.ts'
import { type ObservedRequest, openRequestMetrics } from './requests.ts'
import { exposition, type Metric } from './text-format.ts'

type Delay = ReturnType<typeof monitorEventLoopDelay>

interface Env {
  incoming?: { socket: { remoteAddress?: string } }
}

interface Options {
  db: Db
  log: Logger
  now: () => number
  version: string
  config: Pick<Config, 'metricsToken' | 'trustProxy'>
  settings: () => Promise<Settings>
}

export interface Metrics {
  observe(request: ObservedRequest): void
  /** Wraps what makes pages or replies to count them: all others came from the cache. */
  countMade(kind: 'page' | 'reply', source: Source): Source
  routes: Hono<{ Bindings: Env }>
}

/** For Prometheus. Costs next to nothing while nothing scrapes it. */
export function openMetrics({ db, log, now, version, config, settings }: Options): Metrics {
  const requests = openRequestMetrics()
  const database = databaseMetrics({ db, log, now })
  const made = { page: { ok: 0, failed: 0 }, reply: { ok: 0, failed: 0 } }
  let delay: Delay | undefined
  let domain: string | undefined

  /** While the database does not answer, the last known domain counts. */
  const isPublished = async () => {
    domain = await settings().then(
      ({ system }) => system.domain,
      () => domain,
    )
    return config.trustProxy.length > 0 || domain !== ''
  }
  const mayRead = async (context: Context<{ Bindings: Env }>) => {
    const { metricsToken } = config
    if (metricsToken) return timingSafeEqualText(context.req.header('authorization') ?? '', `Bearer ${metricsToken}`)
    return isLocal(context) && !(await isPublished())
  }

  const routes = new Hono<{ Bindings: Env }>()
  routes.get('/metrics', async (context) => {
    if (!(await mayRead(context))) return context.notFound()
    delay ??= startDelayMonitor()
    const metrics = [
      ...processMetrics(version, delay),
      ...requests.metrics(),
      {
        name: 'wendou_pages_rendered_total',
        help: 'Pages that were rendered; the other requests of route "page" came from the cache.',
        type: 'counter' as const,
        values: Object.entries(made.page).map(([result, value]) => ({ labels: { result }, value })),
      },
      {
        name: 'wendou_replies_made_total',
        help: 'Replies that visitors share and that were made; the other requests of their routes came from the cache.',
        type: 'counter' as const,
        values: Object.entries(made.reply).map(([result, value]) => ({ labels: { result }, value })),
      },
      ...(await database()),
    ]
    delay.reset()
    return context.text(exposition(metrics), 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
  })

  return {
    observe: requests.observe,
    countMade: (kind, source) => ({
      ...source,
      async make(address, current) {
        try {
          const answer = await source.make(address, current)
          made[kind][answer.status < 500 ? 'ok' : 'failed'] += 1
          return answer
        } catch (error) {
          made[kind].failed += 1
          throw error
        }
      },
    }),
    routes,
  }
}

/**
 * A request through a proxy is not local, although its connection is. Not every proxy sets a header, nor does a tunnel: a
 * site with a domain or a proxy requires the token.
 */
function isLocal({ req, env }: Context<{ Bindings: Env }>): boolean {
  const address = env?.incoming?.socket.remoteAddress ?? ''
  const isLoopback = address === '::1' || /^(::ffff:)?127(\.\d+){3}$/.test(address)
  return isLoopback && !forwarding.some((name) => req.header(name) !== undefined)
}

const forwarding = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

/** From the first scrape on: a timer that is not read is not worth running. */
function startDelayMonitor(): Delay {
  const histogram = monitorEventLoopDelay({ resolution: 20 })
  histogram.enable()
  return histogram
}

function processMetrics(version: string, delay: Delay): Metric[] {
  const { rss, heapUsed, external } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  const seconds = (nanoseconds: number) => (Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds) / 1e9 : 0)
  const [p50, p99] = [50, 99].map((percent) => seconds(delay.percentile(percent)))
  const gauge = (name: string, help: string, value: number): Metric => ({
    name,
    help,
    type: 'gauge',
    values: [{ value }],
  })
  return [
    {
      name: 'wendou_info',
      help: 'The version that runs.',
      type: 'gauge',
      values: [{ labels: { version, node: process.version }, value: 1 }],
    },
    {
      name: 'process_cpu_seconds_total',
      help: 'Processor time used.',
      type: 'counter',
      values: [{ value: (user + system) / 1e6 }],
    },
    gauge('process_resident_memory_bytes', 'Memory of the process.', rss),
    gauge('nodejs_heap_used_bytes', 'Heap in use.', heapUsed),
    gauge('nodejs_external_memory_bytes', 'Memory outside the heap.', external),
    gauge('process_start_time_seconds', 'When the process started.', performance.timeOrigin / 1000),
    gauge('process_uptime_seconds', 'How long the process has been running.', process.uptime()),
    {
      name: 'nodejs_eventloop_delay_seconds',
      help: 'Delay of the event loop since the last scrape.',
      type: 'gauge',
      values: [
        { labels: { quantile: '0.5' }, value: p50 ?? 0 },
        { labels: { quantile: '0.99' }, value: p99 ?? 0 },
        { labels: { quantile: '1' }, value: seconds(delay.max) },
      ],
    },
  ]
}
