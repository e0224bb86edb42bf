import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Converter, RenderSource } from '../src/server/convert/converter.ts'
import { openConverter } from '../src/server/convert/open-converter.ts'
import { makeRawPdf } from '../src/server/samples/raw-pdf.ts'
import { makeEpub } from '../src/server/samples/books.ts'
import { makeDocx } from '../src/server/samples/word.ts'
import { chineseChapters } from './chinese-text.ts'
import { processTreeUsage } from './process-tree.ts'

/**
 * Conversion speed. First the time from a file to its first page, compared with a naive conversion: a cold soffice with a
 * fresh profile and the system fonts, then mutool. Word files are measured on a converter that has converted two of them and
 * has been idle for a moment, as on a running site. Then the throughput of all pages of a PDF (rendered, minified, compressed,
 * text extracted) with as many processes as cores, compared with `mutool draw -F svg`. `--file a.pdf` measures that file.
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
/** At least half the speed of mutool, which only renders. */
const bar = 0.5
/** Between two documents. */
const restMs = 3000
const has = (program: string) => !spawnSync(program, ['--version']).error
const office = has('soffice')
const mutool = has('mutool')
const folder = mkdtempSync(join(tmpdir(), 'wendou-bench-'))
const work = join(folder, 'work')
mkdirSync(work)
const converter = openConverter({ workDir: work, documentFolders: [folder], processes })

try {
  console.log(`load ${loadavg()[0]?.toFixed(1)}, ${processes} processes`)
  await converter.renderPage(savePdf('warm.pdf', makeRawPdf([{ lines: ['一'] }])), 1)
  await firstPages()
  const book = await pdf()
  // A warm-up: on a running site all processes are started.
  await Promise.all(Array.from({ length: processes }, (_, n) => converter.renderPage(book, n + 1, { priority: 2 })))
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

/** The median of five files, compared with that of three naive conversions. All files differ; the first two are a warm-up. */
async function firstPage(name: string, ext: string, make: (title: string) => Uint8Array): Promise<void> {
  const file = (title: string) => {
    const path = join(folder, `${title}${ext}`)
    writeFileSync(path, make(title))
    return path
  }
  const ours: number[] = []
  let pages = 0
  for (let n = 0; n < 7; n += 1) {
    const path = file(`第 ${n} 份`)
    await pause(restMs)
    const started = performance.now()
    const renderFirst = (book: RenderSource) =>
      converter.renderPage(book, 1, { priority: 0 }).then(() => performance.now() - started)
    let early: Promise<number> | undefined
    const book = await prepareFile(converter, path, (first) => {
      early = renderFirst(first)
    })
    const took = await (early ?? renderFirst(book))
    if (n >= 2) ours.push(took)
    pages = (await converter.open(book)).pages
  }
  const naive: number[] = []
  for (let n = 0; n < (mutool ? 3 : 0); n += 1) naive.push(await measureMs(() => naiveFirstPage(file(`另 ${n} 份`))))
  const beside =
    naive.length === 0
      ? ''
      : `${seconds(median(naive))}  ${(median(naive) / median(ours)).toFixed(1)}   ${spread(naive)}`
  console.log(`  ${name.padEnd(18)} ${seconds(median(ours))}  ${spread(ours)}   ${beside}   (${pages} pages)`)
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}

function spread(numbers: number[]): string {
  return `[${seconds(Math.min(...numbers))} to ${seconds(Math.max(...numbers))}]`
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`
}

async function naiveFirstPage(path: string): Promise<void> {
  let source = path
  if (extname(path) === '.docx') {
    const out = mkdtempSync(join(folder, 'naive-'))
    const profile = `-env:UserInstallation=file://${join(out, 'profile')}`
    await runProgram('soffice', [profile, '--headless', '--convert-to', 'pdf', '--outdir', out, path])
    source = join(out, `${basename(path, '.docx')}.pdf`)
  }
  await runProgram('mutool', ['draw', '-q', '-F', 'svg', '-o', join(folder, 'naive.svg'), source, '1'])
}

async function allPages(book: RenderSource): Promise<void> {
  const fresh = savePdf(`again${extname(book.path)}`, undefined, book.path)
  const firstMs = await measureMs(() => converter.renderPage(fresh, 1, { priority: 0 }))
  const { pages } = await converter.open(book)
  const sizes: number[] = []
  const ours = await measureUsage(() =>
    Promise.all(
      Array.from({ length: pages }, async (_, n) => {
        const page = await converter.renderPage(book, n + 1, { priority: 2 })
        sizes.push(page.svg.length)
      }),
    ),
  )
  sizes.sort((a, b) => a - b)
  const kilobytes = (share: number) => ((sizes[Math.floor(pages * share)] ?? 0) / 1024).toFixed(1)
  console.log(`pdf, ${pages} pages`)
  console.log(`  first page   ${firstMs.toFixed(0)} ms`)
  console.log(`  ours         ${formatUsage(ours, pages)} (svg, minified, compressed, and text)`)
  console.log(`  size         ${kilobytes(0.5)} KB a page (median), ${kilobytes(0.95)} KB (p95)`)
  console.log(`  memory       ${processTreeUsage().residentMb} MB resident in all`)
  if (!mutool) return console.log('  mutool       not installed (apt-get install mupdf-tools)')
  const theirs = await measureUsage(() => mutoolPages(book.path, pages))
  const ratio = theirs.ms / ours.ms
  console.log(`  mutool       ${formatUsage(theirs, pages)} (svg alone)`)
  console.log(
    `  ratio        ${ratio.toFixed(2)} of mutool's speed (bar: ${bar}), ${(theirs.cpuMs / ours.cpuMs).toFixed(2)} by CPU time`,
  )
  process.exitCode = ratio >= bar ? 0 : 1
}

/** `--file`, or a generated PDF: with embedded, subset fonts where LibreOffice is installed, else without. */
async function pdf(): Promise<RenderSource> {
  if (values.file !== undefined) return savePdf('book.pdf', undefined, values.file)
  const pageCount = Number(values.pages)
  if (!office) {
    const lines = chineseChapters(pageCount * 6).flatMap(({ paragraphs }) =>
      paragraphs.flatMap((text) => text.match(/.{1,38}/gu) ?? []),
    )
    return savePdf(
      'book.pdf',
      makeRawPdf(Array.from({ length: pageCount }, (_, n) => ({ lines: lines.slice(n * 40, n * 40 + 40) }))),
    )
  }
  const path = join(folder, 'whole.docx')
  writeFileSync(path, makeDocx({ title: '全书', chapters: chineseChapters(Math.round(pageCount * 5.8)) }))
  return prepareFile(converter, path)
}

async function prepareFile(
  { probe, prepare }: Converter,
  path: string,
  onFirstPages?: (first: RenderSource) => void,
): Promise<RenderSource> {
  const source = { path, ext: extname(path), size: statSync(path).size }
  const options = { ...limits, ...(onFirstPages && { onFirstPages }) }
  return prepare(source, await probe(source), mkdtempSync(join(folder, 'made-')), options)
}

function savePdf(name: string, bytes: Uint8Array | undefined, from?: string): RenderSource {
  const path = join(folder, name)
  if (bytes) writeFileSync(path, bytes)
  else if (from !== undefined) copyFileSync(from, path)
  return { path, type: 'pdf' }
}

/** Each process renders a contiguous share of the pages. */
async function mutoolPages(path: string, pages: number): Promise<void> {
  const share = Math.ceil(pages / processes)
  const ranges = Array.from({ length: processes }, (_, n) => [n * share + 1, Math.min(pages, (n + 1) * share)] as const)
  await Promise.all(
    ranges
      .filter(([from, to]) => from <= to)
      .map(([from, to]) =>
        runProgram('mutool', ['draw', '-q', '-F', 'svg', '-o', join(folder, 'm%d.svg'), path, `${from}-${to}`]),
      ),
  )
}

/** With the system fonts. Rejects on failure, which would look fast. */
function runProgram(program: string, args: string[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const { FONTCONFIG_FILE: _, ...env } = process.env
  spawn(program, args, { stdio: 'ignore', env })
    .on('error', reject)
    .on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}`))))
  return promise
}

async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

async function measureUsage(work: () => Promise<unknown>): Promise<{ ms: number; cpuMs: number }> {
  const before = processTreeUsage().cpuMs
  const ms = await measureMs(work)
  return { ms, cpuMs: processTreeUsage().cpuMs - before }
}

function formatUsage({ ms, cpuMs }: { ms: number; cpuMs: number }, pages: number): string {
  const rate = ((pages / ms) * 1000).toFixed(0)
  return `${(ms / 1000).toFixed(2)} s, ${rate} pages/s, ${(cpuMs / pages).toFixed(1)} ms CPU a page`
}
