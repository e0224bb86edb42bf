import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Converter, Prepared } from '../src/server/convert/converter.ts'
import { openConverter } from '../src/server/convert/open-converter.ts'
import { madePdf } from '../src/server/convert/render/made-pdf.ts'
import { makeEpub } from '../src/server/samples/books.ts'
import { makeDocx } from '../src/server/samples/word.ts'
import { chineseChapters } from './chinese-text.ts'
import { familyUse } from './family.ts'

/**
 * How fast pages appear. First the time from a file to its first page, beside the naive way: a cold soffice with a fresh
 * profile and the machine's own fonts, then mutool. Word files are measured on a converter that has seen two of them and
 * has had a moment since the last, as on a running site. Then all pages of a PDF drawn, minified, compressed and read by as many processes as there are
 * cores, beside `mutool draw -F svg` with as many. `--file a.pdf` measures that file instead of our own.
 */

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '400' },
    processes: { type: 'string', default: String(availableParallelism()) },
    file: { type: 'string' },
  },
})
const processes = Number(values.processes)
const limits = { timeoutMs: 300_000 }
/** At least half of mutool's speed, which draws only. */
const bar = 0.5
/** Between one document and the next. */
const restMs = 3000
const has = (program: string) => !spawnSync(program, ['--version']).error
const office = has('soffice')
const mutool = has('mutool')
const folder = mkdtempSync(join(tmpdir(), 'wendou-bench-'))
const work = join(folder, 'work')
mkdirSync(work)
const converter = openConverter({ folder: work, documents: [folder], processes })

try {
  console.log(`load ${loadavg()[0]?.toFixed(1)}, ${processes} processes`)
  await converter.page(saved('warm.pdf', madePdf([{ lines: ['一'] }])), 1)
  await firstPages()
  const book = await pdf()
  // Opened before: the other processes are started and warm, as they are on a running site.
  await Promise.all(Array.from({ length: processes }, (_, n) => converter.page(book, n + 1, { urgency: 2 })))
  await allPages(book)
} finally {
  await converter.close()
  rmSync(folder, { recursive: true, force: true })
}

async function firstPages(): Promise<void> {
  console.log('file to first page         ours      naive   times faster')
  if (office) {
    await firstPage('docx, 2 pages', '.docx', (title) => makeDocx({ title, chapters: chineseChapters(8) }))
    await firstPage('docx, 97 pages', '.docx', (title) => makeDocx({ title, chapters: chineseChapters(562) }))
  } else console.log('  docx: soffice is not installed')
  await firstPage('epub, 400 pages', '.epub', (title) => makeEpub({ title, chapters: chineseChapters(1220) }))
}

/** The median of five files beside that of three, each another file; the first two only warm it up. */
async function firstPage(name: string, ext: string, made: (title: string) => Uint8Array): Promise<void> {
  const file = (title: string) => {
    const path = join(folder, `${title}${ext}`)
    writeFileSync(path, made(title))
    return path
  }
  const ours: number[] = []
  let pages = 0
  for (let n = 0; n < 7; n += 1) {
    const path = file(`第 ${n} 份`)
    await pause(restMs)
    const started = performance.now()
    const drawn = (book: Prepared) => converter.page(book, 1, { urgency: 0 }).then(() => performance.now() - started)
    let early: Promise<number> | undefined
    const book = await prepared(converter, path, (first) => {
      early = drawn(first)
    })
    const took = await (early ?? drawn(book))
    if (n >= 2) ours.push(took)
    pages = (await converter.open(book)).pages
  }
  const naive: number[] = []
  for (let n = 0; n < (mutool ? 3 : 0); n += 1) naive.push(await timed(() => naiveFirstPage(file(`另 ${n} 份`))))
  const beside =
    naive.length === 0
      ? ''
      : `${seconds(median(naive))}  ${(median(naive) / median(ours)).toFixed(1)}   ${spread(naive)}`
  console.log(`  ${name.padEnd(18)} ${seconds(median(ours))}  ${spread(ours)}   ${beside}   (${pages} pages)`)
}

function median(numbers: number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN
}

function spread(numbers: number[]): string {
  return `[${seconds(Math.min(...numbers))} to ${seconds(Math.max(...numbers))}]`
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`
}

async function naiveFirstPage(path: string): Promise<void> {
  let drawn = path
  if (extname(path) === '.docx') {
    const out = mkdtempSync(join(folder, 'naive-'))
    const profile = `-env:UserInstallation=file://${join(out, 'profile')}`
    await ended('soffice', [profile, '--headless', '--convert-to', 'pdf', '--outdir', out, path])
    drawn = join(out, `${basename(path, '.docx')}.pdf`)
  }
  await ended('mutool', ['draw', '-q', '-F', 'svg', '-o', join(folder, 'naive.svg'), drawn, '1'])
}

async function allPages(book: Prepared): Promise<void> {
  const fresh = saved(`again${extname(book.path)}`, undefined, book.path)
  const firstMs = await timed(() => converter.page(fresh, 1, { urgency: 0 }))
  const { pages } = await converter.open(book)
  const sizes: number[] = []
  const ours = await used(() =>
    Promise.all(
      Array.from({ length: pages }, async (_, n) => {
        const page = await converter.page(book, n + 1, { urgency: 2 })
        sizes.push(page.svg.length)
      }),
    ),
  )
  sizes.sort((one, other) => one - other)
  const kilobytes = (share: number) => ((sizes[Math.floor(pages * share)] ?? 0) / 1024).toFixed(1)
  console.log(`pdf, ${pages} pages`)
  console.log(`  first page   ${firstMs.toFixed(0)} ms`)
  console.log(`  ours         ${spent(ours, pages)} (svg, minified, compressed, and text)`)
  console.log(`  size         ${kilobytes(0.5)} KB a page (median), ${kilobytes(0.95)} KB (p95)`)
  console.log(`  memory       ${familyUse().residentMb} MB resident in all`)
  if (!mutool) return console.log('  mutool       not installed (apt-get install mupdf-tools)')
  const theirs = await used(() => mutoolPages(book.path, pages))
  const ratio = theirs.ms / ours.ms
  console.log(`  mutool       ${spent(theirs, pages)} (svg alone)`)
  console.log(
    `  ratio        ${ratio.toFixed(2)} of mutool's speed (bar: ${bar}), ${(theirs.cpuMs / ours.cpuMs).toFixed(2)} by CPU time`,
  )
  process.exitCode = ratio >= bar ? 0 : 1
}

/** The given one, or our own: embedded, subset fonts where LibreOffice is there to make it, else none embedded. */
async function pdf(): Promise<Prepared> {
  if (values.file !== undefined) return saved('book.pdf', undefined, values.file)
  const wanted = Number(values.pages)
  if (!office) {
    const lines = chineseChapters(wanted * 6).flatMap(({ paragraphs }) =>
      paragraphs.flatMap((text) => text.match(/.{1,38}/gu) ?? []),
    )
    return saved(
      'book.pdf',
      madePdf(Array.from({ length: wanted }, (_, n) => ({ lines: lines.slice(n * 40, n * 40 + 40) }))),
    )
  }
  const path = join(folder, 'whole.docx')
  writeFileSync(path, makeDocx({ title: '全书', chapters: chineseChapters(Math.round(wanted * 5.8)) }))
  return prepared(converter, path)
}

async function prepared(
  { probe, prepare }: Converter,
  path: string,
  onFirstPages?: (first: Prepared) => void,
): Promise<Prepared> {
  const source = { path, ext: extname(path), size: statSync(path).size }
  const asked = { ...limits, ...(onFirstPages && { onFirstPages }) }
  return prepare(source, await probe(source), mkdtempSync(join(folder, 'made-')), asked)
}

function saved(name: string, bytes: Uint8Array | undefined, from?: string): Prepared {
  const path = join(folder, name)
  if (bytes) writeFileSync(path, bytes)
  else if (from !== undefined) copyFileSync(from, path)
  return { path, type: 'pdf' }
}

/** Each process takes its share of the pages, one after the other: they lie next to each other. */
async function mutoolPages(path: string, pages: number): Promise<void> {
  const share = Math.ceil(pages / processes)
  const ranges = Array.from({ length: processes }, (_, n) => [n * share + 1, Math.min(pages, (n + 1) * share)] as const)
  await Promise.all(
    ranges
      .filter(([from, to]) => from <= to)
      .map(([from, to]) =>
        ended('mutool', ['draw', '-q', '-F', 'svg', '-o', join(folder, 'm%d.svg'), path, `${from}-${to}`]),
      ),
  )
}

/** With the machine's own fonts, whatever is set here. A failure would look fast. */
function ended(program: string, args: string[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const { FONTCONFIG_FILE: _, ...env } = process.env
  spawn(program, args, { stdio: 'ignore', env })
    .on('error', reject)
    .on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}`))))
  return promise
}

async function timed(doing: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await doing()
  return performance.now() - started
}

async function used(doing: () => Promise<unknown>): Promise<{ ms: number; cpuMs: number }> {
  const before = familyUse().cpuMs
  const ms = await timed(doing)
  return { ms, cpuMs: familyUse().cpuMs - before }
}

function spent({ ms, cpuMs }: { ms: number; cpuMs: number }, pages: number): string {
  const rate = ((pages / ms) * 1000).toFixed(0)
  return `${(ms / 1000).toFixed(2)} s, ${rate} pages/s, ${(cpuMs / pages).toFixed(1)} ms CPU a page`
}
