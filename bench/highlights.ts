import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import type { RenderSource } from '#server/convert/converter.ts'
import { silenceLog } from '#server/convert/render/engine.ts'
import { getDocument, loadPage } from '#server/convert/render/open-documents.ts'
import { toPageFrame } from '#server/convert/render/page-frame.ts'
import { readRawLines } from '#server/convert/render/text/structured-text.ts'
import { documents } from '#shared/contract/documents.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { type Box, overlap, unite } from '../e2e/glyphs.ts'
import { createUploadClient, type UploadClient } from '../e2e/upload-client.ts'
import { benchPassword, openBenchBrowser, startBenchSite } from './site.ts'

/**
 * How well highlights lie on the glyphs of real documents: `npm run bench:highlights -- folder`. Publishes each file, opens
 * its first pages, has words of every line highlighted, and compares the marks with the glyphs as MuPDF draws them.
 */

const [folder, width = '1440'] = process.argv.slice(2)
if (!folder) throw new Error('npm run bench:highlights -- folder [width of the window]')
const pagesOfEach = 3
const marksOfEachPage = 80
const bar = 0.9
/** Of the marks on lines of Chinese and Latin. */
const wantedShare = 0.99

/** A piece of a line, and where its glyphs are drawn, in points. */
interface Target {
  text: string
  line: number
  from: number
  to: number
  glyphs: Box
  isMixed: boolean
}

silenceLog()
const site = await startBenchSite()
try {
  await site.configure({
    'security.enable_captcha_login': 'false',
    'converter.max_preview_free': '0',
    'security.max_document_size': '200',
  })
  const client = await createUploadClient(site.url, { username: 'admin', password: benchPassword })
  const browser = await openBenchBrowser()
  const page = await (
    await browser.newContext({ baseURL: site.url, viewport: { width: Number(width), height: 900 } })
  ).newPage()
  const all: { value: number; isMixed: boolean }[] = []
  for (const file of findFiles(resolve(folder))) {
    const published = await publish(client, file)
    if (!published) continue
    const measured = await measureDocument(client, page, { file, ...published })
    if (measured.length === 0) continue
    all.push(...measured)
    console.log(`${file.slice(folder.length)}: ${summary(measured.map(({ value }) => value))}`)
  }
  const mixed = all.filter(({ isMixed }) => isMixed).map(({ value }) => value)
  console.log(`lines of Chinese and Latin: ${summary(mixed)}`)
  console.log(`all lines: ${summary(all.map(({ value }) => value))}`)
  await browser.close()
  process.exitCode = shareOfGood(mixed) >= wantedShare ? 0 : 1
} finally {
  site.stop()
}

function findFiles(folder: string): string[] {
  return globSync(join(folder, '**/*'))
    .filter((path) => statSync(path).isFile() && extname(path) !== '' && statSync(path).size < 30e6)
    .toSorted()
}

/** Undefined for files that are refused or cannot be shown: those are not the subject here. */
async function publish({ upload, create, waitUntilFinished, call }: UploadClient, file: string) {
  const bytes = readFileSync(file)
  const { id: attachment } = await upload(file.split('/').at(-1) ?? '', bytes)
  if (!attachment) return undefined
  const [document] = await create([attachment])
  if (!document) return undefined
  await waitUntilFinished([document.id], 120_000).catch(() => undefined)
  const { status, pages } = await call(documents.get, { id: document.id })
  return status === DocumentStatus.Converted
    ? { ...document, pages, hash: createHash('sha256').update(bytes).digest('hex') }
    : undefined
}

interface TriedDocument {
  file: string
  id: number
  uuid: string
  pages: number
  hash: string
}

async function measureDocument({ call }: UploadClient, page: Page, document: TriedDocument) {
  const { attachment } = await call(documents.get, { id: document.id })
  const source = renderSource(document)
  const measured: { value: number; isMixed: boolean }[] = []
  for (let number = 1; number <= Math.min(pagesOfEach, document.pages); number += 1) {
    const response = await fetch(`${site.url}/view/text/${attachment?.hash}/${number}.json`)
    const { lines } = (await response.json()) as { lines: [number, number, number, number, string, unknown, unknown][] }
    const targets = chooseTargets(lines, source, number)
    if (targets.length === 0) continue
    const marks = await readMarks(page, { uuid: document.uuid, number, targets })
    if (!marks) {
      console.log(`  page ${number} shows no marks`)
      continue
    }
    for (const [hit, { text, glyphs, isMixed }] of targets.entries()) {
      const boxes = marks.filter((mark) => mark.hit === hit)
      const value = boxes.length > 0 ? overlap(unite(boxes), glyphs) : 0
      if (value < bar) console.log(`  page ${number}, "${text}": ${value.toFixed(3)}`)
      measured.push({ value, isMixed })
    }
  }
  return measured
}

/** The file that the site draws pages from. */
function renderSource({ file, hash }: TriedDocument): RenderSource {
  const [derived] = globSync(join(site.folder, '**/renditions', hash.slice(0, 2), hash.slice(2, 4), hash, '*/book.*'))
  const path = derived && existsSync(derived) ? derived : file
  const type = extname(path).slice(1).toLowerCase()
  return { path, type: type === 'epub' || type === 'mobi' ? type : type === 'azw3' ? 'mobi' : 'pdf' }
}

/** Words and pieces of Chinese text, each with its glyphs. */
function chooseTargets(
  lines: readonly [number, number, number, number, string, unknown, unknown][],
  source: RenderSource,
  number: number,
): Target[] {
  const loaded = loadPage(getDocument(source), number)
  if (!loaded) return []
  const { scale, matrix } = toPageFrame(loaded.getBounds())
  const list = loaded.toDisplayList(true)
  const drawn = readRawLines(list).map(({ text, quads }) =>
    Array.from(text).flatMap((char, at) => (isBlank(char) ? [] : [{ char, quad: quads[at] ?? [] }])),
  )
  list.destroy()
  loaded.destroy()
  const targets: Target[] = []
  let next = 0
  for (const [line, [, , , , text, , slant]] of lines.entries()) {
    const wanted = withoutBlanks(text).join('')
    const found = drawn.findIndex((glyphs, at) => at >= next && glyphs.map(({ char }) => char).join('') === wanted)
    if (found < 0) continue
    next = found + 1
    if (slant) continue
    const isMixed = /\p{Script=Han}/u.test(text) && /[a-z0-9]{2}/i.test(text)
    for (const [from, to] of pieces(text)) {
      const before = withoutBlanks(text.slice(0, from)).length
      const count = withoutBlanks(text.slice(from, to)).length
      const quads = (drawn[found] ?? []).slice(before, before + count).map(({ quad }) => {
        // Halfway up: the corners of oblique letters reach over their neighbours.
        const xs = [0, 2].map((at) => (((quad[at] ?? 0) + (quad[at + 4] ?? 0)) / 2) * scale + matrix[4])
        const ys = [1, 3, 5, 7].map((at) => (quad[at] ?? 0) * scale + matrix[5])
        return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) }
      })
      targets.push({ text: text.slice(from, to), line, from, to, glyphs: unite(quads), isMixed })
    }
  }
  // Evenly from the whole page.
  const step = Math.max(1, targets.length / marksOfEachPage)
  return targets.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step))
}

/** Latin words, and two to four Chinese characters at a time. */
function pieces(text: string): [number, number][] {
  return [...text.matchAll(/[[\p{L}\p{N}]--\p{Script=Han}]{2,}|\p{Script=Han}{2,4}/gv)].map(({ index, 0: piece }) => [
    index,
    index + piece.length,
  ])
}

function withoutBlanks(text: string): string[] {
  return Array.from(text).filter((char) => !isBlank(char))
}

function isBlank(char: string): boolean {
  return /[\s\p{Cc}\u3000\u00a0\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\uffff]/u.test(char)
}

/** The page's marks in points; undefined if the page shows none, as a spreadsheet that is read as a table. The site's answers to find are replaced: they tell the chosen targets. */
async function readMarks(page: Page, shown: { uuid: string; number: number; targets: readonly Target[] }) {
  const { uuid, number, targets } = shown
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.route(/\/document\/find\?/, async (route) => {
    const isPage = new URL(route.request().url()).searchParams.has('page')
    const mark = targets.map(({ line, from, to }, hit) => [line, from, to, hit])
    await route.fulfill({ json: isPage ? { mark } : { page: [{ page: number, hits: targets.length }] } })
  })
  await page.goto(`/document/${uuid}?page=${number}&find=x`)
  const isMarked = await page
    .locator(`figure[data-page="${number}"] mark`)
    .first()
    .waitFor({ timeout: 30_000 })
    .then(() => true)
    .catch(() => false)
  if (!isMarked) return undefined
  const { width, height } = await page.evaluate(
    async ([number]) => {
      const image = document.querySelector(`figure[data-page="${number}"] img`)
      const address = image?.getAttribute('src')?.replace('/page/', '/text/').replace('.svg', '.json') ?? ''
      return (await (await fetch(address)).json()) as { width: number; height: number }
    },
    [number],
  )
  return page.evaluate(
    ([number, width, height]) => {
      const figure = document.querySelector(`figure[data-page="${number}"]`)
      const area = figure?.querySelector('img')?.getBoundingClientRect() ?? new DOMRect()
      return [...(figure?.querySelectorAll('mark') ?? [])].flatMap((mark) => {
        const box = mark.getBoundingClientRect()
        const x = (at: number) => ((at - area.left) / area.width) * width
        const y = (at: number) => ((at - area.top) / area.height) * height
        const place = { left: x(box.left), right: x(box.right), top: y(box.top), bottom: y(box.bottom) }
        return (mark.dataset.hit ?? '').split(' ').map((hit) => ({ hit: Number(hit), ...place }))
      })
    },
    [number, width, height] as const,
  )
}

function summary(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const tenth = sorted[Math.floor(sorted.length / 10)] ?? 0
  return `${values.length} marks, mean overlap ${mean(values).toFixed(3)}, lowest tenth ${tenth.toFixed(3)}, at least ${bar}: ${(shareOfGood(values) * 100).toFixed(1)} %`
}

function shareOfGood(values: readonly number[]): number {
  return values.filter((value) => value >= bar).length / values.length
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
