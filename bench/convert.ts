import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Prepared } from '../src/server/convert/converter.ts'
import { madePdf } from '../src/server/convert/render/made-pdf.ts'
import { startRenderers } from '../src/server/convert/render/pool.ts'

/**
 * How fast pages appear: all pages of a PDF drawn, minified, compressed and read by as many processes as there are
 * cores, beside `mutool draw -F svg` with as many processes. `--file a.pdf` measures that file instead of our own.
 */

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '400' },
    processes: { type: 'string', default: String(availableParallelism()) },
    file: { type: 'string' },
  },
})
const processes = Number(values.processes)
/** At least half of mutool's speed, which draws only. */
const bar = 0.5
const folder = mkdtempSync(join(tmpdir(), 'wendou-bench-'))

try {
  const book = givenOrMade()
  const ours = await measureOurs(book)
  const each = (ours.ms / ours.pages).toFixed(1)
  console.log(`pdf, ${ours.pages} pages, ${processes} processes`)
  console.log(
    `  first page   ${ours.coldMs.toFixed(0)} ms with the start of a process, ${ours.firstMs.toFixed(0)} ms after`,
  )
  console.log(
    `  ours         ${(ours.ms / 1000).toFixed(2)} s, ${each} ms a page (svg, minified, compressed, and text)`,
  )
  console.log(
    `  size         ${(ours.medianBytes / 1024).toFixed(1)} KB a page (median), ${ours.memoryMb} MB resident in all`,
  )
  const mutoolMs = await measureMutool(book.path, ours.pages)
  if (mutoolMs === undefined) console.log('  mutool       not installed (apt-get install mupdf-tools)')
  else {
    const ratio = mutoolMs / ours.ms
    console.log(
      `  mutool       ${(mutoolMs / 1000).toFixed(2)} s, ${(mutoolMs / ours.pages).toFixed(1)} ms a page (svg alone)`,
    )
    console.log(`  ratio        ${ratio.toFixed(2)} of mutool's speed (bar: ${bar})`)
    process.exitCode = ratio >= bar ? 0 : 1
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function givenOrMade(): Prepared {
  const path = join(folder, 'book.pdf')
  writeFileSync(path, values.file === undefined ? chineseBook(Number(values.pages)) : readFileSync(values.file))
  return { path, type: 'pdf' }
}

/** Pages of Chinese text: forty lines of some twenty-five hanzi, a few of them common and most of them rare. */
function chineseBook(pages: number): Uint8Array {
  let state = 1
  const next = (below: number) => (state = (state * 48_271) % 0x7fffffff) % below
  const hanzi = () => String.fromCodePoint(0x4e00 + Math.floor(2500 * (next(10_000) / 10_000) ** 3))
  const line = () => `${Array.from({ length: 24 }, hanzi).join('')}，${next(100)}。`
  return madePdf(
    Array.from({ length: pages }, (_, n) => ({ lines: [`第${n + 1}页`, ...Array.from({ length: 40 }, line)] })),
  )
}

async function measureOurs(book: Prepared) {
  const renderers = startRenderers({ processes, folders: [folder] })
  try {
    const coldMs = await timed(() => renderers.page(book, 1, { urgency: 0 }))
    const { pages } = await renderers.open(book)
    const firstMs = await timed(() => renderers.page(book, 1, { urgency: 0 }))
    const sizes: number[] = []
    const ms = await timed(() =>
      Promise.all(
        Array.from({ length: pages }, async (_, n) => {
          const page = await renderers.page(book, n + 1, { urgency: 2 })
          sizes.push(page.svg.length)
        }),
      ),
    )
    const medianBytes = sizes.toSorted((one, other) => one - other)[Math.floor(sizes.length / 2)] ?? 0
    return { pages, coldMs, firstMs, ms, medianBytes, memoryMb: residentMb() }
  } finally {
    await renderers.close()
  }
}

/** Each process takes its share of the pages, one after the other: they lie next to each other. */
async function measureMutool(path: string, pages: number): Promise<number | undefined> {
  if (spawnSync('mutool', ['-v']).error) return undefined
  const share = Math.ceil(pages / processes)
  const ranges = Array.from({ length: processes }, (_, n) => [n * share + 1, Math.min(pages, (n + 1) * share)] as const)
  return timed(() =>
    Promise.all(
      ranges
        .filter(([from, to]) => from <= to)
        .map(([from, to]) => ended(['draw', '-q', '-F', 'svg', '-o', join(folder, 'm%d.svg'), path, `${from}-${to}`])),
    ),
  )
}

function ended(args: string[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  spawn('mutool', args, { stdio: 'ignore' })
    .on('error', reject)
    .on('exit', () => resolve())
  return promise
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** Of this process and all that it started. */
function residentMb(): number {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid=,rss='], { encoding: 'utf8' })
  const rows = stdout
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number))
  const family = new Set([process.pid])
  for (const [pid = 0, parent = 0] of rows) if (family.has(parent)) family.add(pid)
  const kilobytes = rows.reduce((sum, [pid = 0, , rss = 0]) => sum + (family.has(pid) ? rss : 0), 0)
  return Math.round(kilobytes / 1024)
}
