import type { FulltextIndex } from '../src/server/fulltext/fulltext.ts'
import type { SearchFixture } from './search-fixtures.ts'
import type { QueriesByKind } from './search-queries.ts'

/** How many times longer than before a search may take. */
const maxRatio = 1.3
const page = { offset: 0, limit: 10, maxTotal: 1000 }
/** As a site searches. */
const asSite = { regional: true, fallback: true }

interface Times {
  here: number[]
  there: number[]
}

/**
 * Asks every query for the first time here and there in turn, so that whatever else the machine does slows down both.
 * Returns what takes longer than it may.
 */
export async function compareCost(
  fixture: SearchFixture,
  series: readonly QueriesByKind[],
  other: string,
): Promise<string[]> {
  // Each of the two has its own process and its own cache.
  const there = await fixture.openWith(other === 'plain' ? `${import.meta.dirname}/..` : other)
  const [first = {}] = series
  const byKind = new Map(Object.keys(first).map((kind): [string, Times] => [kind, { here: [], there: [] }]))
  const ask = async (index: FulltextIndex, words: string, list: number[] | undefined) => {
    const extent = index === fixture.search || other !== 'plain' ? asSite : {}
    const startedAt = performance.now()
    await index.search({ kind: 'document', words, visibility: fixture.visibility, ...page, ...extent })
    list?.push(performance.now() - startedAt)
  }
  for (const list of Object.values(first))
    for (const { words } of list.slice(0, 5)) await ask(fixture.search, words, [])
  for (const list of Object.values(first)) for (const { words } of list.slice(0, 5)) await ask(there, words, [])
  let isHereFirst = true
  for (const queries of series)
    for (const [kind, list] of Object.entries(queries))
      for (const { words } of list) {
        const times = byKind.get(kind)
        if (isHereFirst) await ask(fixture.search, words, times?.here)
        await ask(there, words, times?.there)
        if (!isHereFirst) await ask(fixture.search, words, times?.here)
        isHereFirst = !isHereFirst
      }
  await there.close()
  const all = [...byKind.values()]
  const rows = [
    ...byKind,
    ['all', { here: all.flatMap(({ here }) => here), there: all.flatMap(({ there }) => there) }] as const,
  ]
  console.log(`  first answer, ms       p50 here   there   ratio     p95 here   there   ratio    mean ratio`)
  const failures: string[] = []
  for (const [kind, { here, there }] of rows) {
    const [p50, p95, sum] = [quantile(0.5), quantile(0.95), mean].map((measure) => [measure(here), measure(there)])
    console.log(`  ${kind.padEnd(20)}${columns(p50)}   ${columns(p95)}   ${columns(sum).slice(-8)}`)
    if (kind === 'all')
      for (const [name, [a = 0, b = 1] = []] of Object.entries({ p50, p95, mean: sum }))
        if (a / b > maxRatio) failures.push(`${name} is ${(a / b).toFixed(2)} of that of ${other}`)
  }
  return failures
}

function columns([here = 0, there = 1]: readonly number[] = []): string {
  return [here.toFixed(1), there.toFixed(1), (here / there).toFixed(2)].map((text) => text.padStart(8)).join('')
}

function mean(times: readonly number[]): number {
  return times.reduce((sum, time) => sum + time, 0) / Math.max(1, times.length)
}

function quantile(share: number): (times: readonly number[]) => number {
  return (times) => times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)] ?? 0
}
