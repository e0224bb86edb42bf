import type { Metric, Sample } from './text-format.ts'

export interface ObservedRequest {
  method: string
  path: string
  status: number
  seconds: number
}

const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])

/** Paths in few classes: a series for each path would be of unbounded cardinality. */
const classes: readonly [prefix: string, route: string][] = [
  ['/api/v1/upload', 'upload'],
  ['/api/', 'api'],
  ['/view/', 'view'],
  ['/download/', 'download'],
  ['/assets/', 'asset'],
  ['/uploads/', 'picture'],
  ['/feed', 'feed'],
  ['/sitemap', 'sitemap'],
  ['/healthz', 'health'],
  ['/readyz', 'health'],
  ['/metrics', 'health'],
]

interface Histogram {
  buckets: number[]
  sum: number
  count: number
}

export function openRequestMetrics() {
  const totals = new Map<string, { labels: Record<string, string>; value: number }>()
  const durations = new Map<string, Histogram>()

  return {
    observe({ method, path, status, seconds }: ObservedRequest): void {
      const route = toRoute(path)
      const methodLabel = methods.has(method) ? method : 'other'
      const key = `${methodLabel} ${route} ${status}`
      const total = totals.get(key)
      if (total) total.value += 1
      else totals.set(key, { labels: { method: methodLabel, route, status: String(status) }, value: 1 })
      add(durations, route, seconds)
    },
    metrics: (): Metric[] => [
      {
        name: 'wendou_http_requests_total',
        help: 'Requests that were answered.',
        type: 'counter',
        values: [...totals.values()],
      },
      {
        name: 'wendou_http_request_duration_seconds',
        help: 'Time until the answer began.',
        type: 'histogram',
        values: [...durations].flatMap(([route, measured]) => histogram(route, measured)),
      },
    ],
  }
}

function toRoute(path: string): string {
  return classes.find(([prefix]) => path.startsWith(prefix))?.[1] ?? (/\.\w{2,5}$/.test(path) ? 'file' : 'page')
}

function add(durations: Map<string, Histogram>, route: string, seconds: number): void {
  const measured = durations.get(route) ?? { buckets: bounds.map(() => 0), sum: 0, count: 0 }
  durations.set(route, measured)
  const at = bounds.findIndex((bound) => seconds <= bound)
  if (at >= 0) measured.buckets[at] = (measured.buckets[at] ?? 0) + 1
  measured.sum += seconds
  measured.count += 1
}

function histogram(route: string, { buckets, sum, count }: Histogram): Sample[] {
  let upTo = 0
  const cumulative = bounds.map((bound, index): Sample => {
    upTo += buckets[index] ?? 0
    return { suffix: '_bucket', labels: { route, le: String(bound) }, value: upTo }
  })
  return [
    ...cumulative,
    { suffix: '_bucket', labels: { route, le: '+Inf' }, value: count },
    { suffix: '_sum', labels: { route }, value: sum },
    { suffix: '_count', labels: { route }, value: count },
  ]
}
