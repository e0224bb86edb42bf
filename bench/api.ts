import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { compareKept, type Comparison, figures, kb, ms, openComparison } from './compare.ts'
import { residentMb } from './server.ts'

/**
 * Calls that visitors make most, of sites with a few and with many documents: kept, compared with the same bytes from a
 * bare `node:http` server, and made anew, with the cache off, one at a time. That a reply was made anew is seen in the
 * site's own count; replies that are never kept have none.
 */

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '40,10000,100000' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
  },
})
const forMs = Number(values.seconds) * 1000
const calls: Record<string, { path: string; isKept: boolean; madeMs: number }> = {
  documents: { path: '/document/list?page=1&size=10', isKept: true, madeMs: 1.2 },
  categories: { path: '/category/list', isKept: true, madeMs: 1 },
  articles: { path: '/article/list?page=1&size=10', isKept: true, madeMs: 1 },
  // Each search is recorded.
  search: { path: `/document/search?wd=${encodeURIComponent('文档')}`, isKept: false, madeMs: 2 },
  settings: { path: '/settings', isKept: true, madeMs: 1 },
}
const bars = { kept: 0.55, growth: 1.3 }
const failures: string[] = []
const costs = new Map<string, number>()

for (const count of values.documents.split(',')) {
  const site = await openComparison(Number(count))
  try {
    await measure(site, count)
  } finally {
    site.close()
  }
}
console.log(failures.length === 0 ? 'all bars hold' : `MISSED:\n  ${failures.join('\n  ')}`)
process.exitCode = failures.length === 0 ? 0 : 1

async function measure(site: Comparison, count: string): Promise<void> {
  await site.jobsDone()
  const machine = `${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}`
  console.log(`\n${count} documents, ${machine}; idle ${residentMb(site.server)} MB`)
  console.log('kept: requests/s (p99) over 50 connections, the same bytes from bare node:http, ratio')
  for (const [name, { path, isKept }] of Object.entries(calls)) {
    if (!isKept) continue
    const address = `/api/v1${path}`
    const size = await site.copy(address)
    const before = await site.made('reply')
    const { ratio, byCpu, ours, theirs } = await compareKept(site, address, {
      rounds: Number(values.rounds),
      ms: forMs,
    })
    const made = (await site.made('reply')) - before
    console.log(
      `  ${name.padEnd(11)}${figures(ours)} ${figures(theirs)}  ${ratio.toFixed(2)}, by CPU time ${byCpu.toFixed(2)}  ${kb(size)}, made ${made} times`,
    )
    if (ours.errors.length > 0) failures.push(`${name}: ${ours.errors.length} errors, like ${ours.errors[0]}`)
    if (ratio < bars.kept) failures.push(`${name}, ${count} documents: ${ratio.toFixed(2)} of bare node:http`)
  }

  await site.set({ 'ssr.cache_seconds': '0' })
  console.log('made anew, one at a time: p50 and p99, CPU time of the whole server')
  for (const [name, { path, isKept, madeMs }] of Object.entries(calls)) {
    const address = `/api/v1${path}`
    await site.load({ paths: [address], connections: 1, ms: 2000 })
    const before = await site.made('reply')
    const alone = await site.load({ paths: [address], connections: 1, ms: forMs })
    const made = (await site.made('reply')) - before
    if (isKept && made < alone.requests) failures.push(`${name}: ${made} made for ${alone.requests} requests`)
    if (alone.errors.length > 0) failures.push(`${name}: ${alone.errors.length} errors, like ${alone.errors[0]}`)
    const first = costs.get(name) ?? alone.cpu
    costs.set(name, first)
    console.log(
      `  ${name.padEnd(11)} ${ms(alone.p50)} ${ms(alone.p99)}, ${alone.cpu.toFixed(2)} ms of CPU, ${(alone.cpu / first).toFixed(2)} of the first site`,
    )
    if (alone.cpu > madeMs * (alone.cpu === first ? 1 : bars.growth))
      failures.push(`${name}, ${count} documents: ${alone.cpu.toFixed(2)} ms of CPU`)
  }
  console.log(`  memory ${residentMb(site.server)} MB`)
}
