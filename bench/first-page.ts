import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Page } from 'playwright-core'
import { makeEpub } from '#server/samples/books.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { makeDocx } from '#server/samples/word.ts'
import { logInOwner, openBenchBrowser, startBenchSite } from './site.ts'

/**
 * The time from the last byte of an upload to the first page in the browser: a member uploads with the upload page, and
 * follows its link to the document, which opens a new tab, the moment it is there. Each kind is measured several times, on a
 * warm server, each time beside what the same browser takes in the same round to open a static page with the same picture by
 * such a link. All times are the browser's own. A server that has just started runs code that V8 has not optimized yet, and
 * takes some 100 ms more: it first renders as many pages as visitors soon have it do.
 */

const rounds = Number(process.env.ROUNDS ?? 16)
interface Kind {
  name: string
  ext: string
  /** Whether the ratio must stay below the bar: office files wait for LibreOffice. */
  isBarred: boolean
  /** A new file in each round, as a file that the site has is not converted again. */
  make: (round: number) => Uint8Array
}

const kinds: Kind[] = [
  { name: 'PDF, 400 pages', ext: '.pdf', isBarred: true, make: (n) => makePdf({ title: `年报 ${n}`, pages: 400 }) },
  {
    name: 'epub, over 400 pages',
    ext: '.epub',
    isBarred: true,
    make: (n) => makeEpub({ title: `书 ${n}`, chapters: 220 }),
  },
  { name: 'docx, 2 pages', ext: '.docx', isBarred: false, make: (n) => makeDocx({ title: `说明 ${n}`, pages: 2 }) },
  { name: 'docx, 97 pages', ext: '.docx', isBarred: false, make: (n) => makeDocx({ title: `长文 ${n}`, pages: 97 }) },
]

const linkTimeoutMs = 30_000
const settleMs = 6000
const warmUpPages = 300

/** Times what opening a static page with the same picture takes. */
const bar = 2.5

const staticPages: Record<string, string> = {
  '/': '<!doctype html><a href="/page" target="_blank">查看</a>',
  '/page': '<!doctype html><img src="/picture.svg" width="860" height="1217">',
}

let readerUrl = ''
let picture = new Uint8Array()
const staticSite = createServer((request, response) => {
  const isPicture = request.url === '/picture.svg'
  response.setHeader('content-type', isPicture ? 'image/svg+xml' : 'text/html; charset=utf-8')
  response.setHeader('cache-control', 'no-store')
  response.end(isPicture ? picture : staticPages[request.url ?? ''])
}).listen(0)
const staticUrl = `http://localhost:${(staticSite.address() as AddressInfo).port}/`

const site = await startBenchSite()
try {
  await site.configure({ 'security.enable_captcha_login': 'false' })
  const browser = await openBenchBrowser()
  const context = await browser.newContext({ baseURL: site.url, locale: 'zh-CN' })
  await logInOwner(await context.newPage())
  let slow = 0
  // In turns, so that a busy minute of the machine slows all of them.
  const times = kinds.map((): Awaited<ReturnType<typeof once>>[] => [])
  for (let round = 0; round <= rounds; round++) {
    for (const [index, kind] of kinds.entries()) {
      const time = await once(context, kind, round)
      // The first round is a warm-up.
      if (round > 0) times[index]?.push(time)
      else await renderPages()
    }
  }
  for (const [index, kind] of kinds.entries()) {
    const of = (name: keyof Awaited<ReturnType<typeof once>>) => median((times[index] ?? []).map((time) => time[name]))
    const ratio = of('reading') / of('plain')
    console.log(
      `${kind.name}: first page ${of('reading').toFixed(0)} ms, static page ${of('plain').toFixed(0)} ms, ` +
        `ratio ${ratio.toFixed(2)}${kind.isBarred ? ` (bar ${bar})` : ''}; the same document again ${of('again').toFixed(0)} ms, ` +
        `ratio ${(of('again') / of('plain')).toFixed(2)}`,
    )
    if (kind.isBarred && ratio > bar) slow++
  }
  await browser.close()
  process.exitCode = slow === 0 ? 0 : 1
} finally {
  site.stop()
  staticSite.close()
}

/** Pages that are in no cache. */
async function renderPages(): Promise<void> {
  for (let page = 1; page <= warmUpPages; page++) await (await fetch(`${readerUrl}?page=${page}`)).text()
}

async function once(context: BrowserContext, kind: Kind, round: number) {
  const path = join(site.folder, `${kind.name.replaceAll(/\W+/g, '-')}-${round}${kind.ext}`)
  writeFileSync(path, kind.make(round))
  const [uploader, plainLinks] = [await context.newPage(), await context.newPage()]
  await plainLinks.goto(staticUrl)
  await uploader.goto('/upload', { waitUntil: 'networkidle' })
  await uploader.locator('input[type=file]').first().setInputFiles(path)
  await uploader.getByRole('checkbox', { name: /^我是这些文件的作者/ }).check()
  const opened = context.waitForEvent('page', { timeout: linkTimeoutMs })
  await uploader.evaluate(followLink)
  await uploader.getByRole('button', { name: /^开始上传/ }).click()
  const reader = await opened
  const reading = (await shownAt(reader)) - (await uploader.evaluate(lastSentAt))
  readerUrl = reader.url()
  picture = new TextEncoder().encode(await reader.evaluate(readPicture))
  // The server is still busy with the rest of the document.
  await sleep(settleMs)
  const again = await openByLink(context, uploader)
  const plain = await openByLink(context, plainLinks)
  for (const page of [uploader, reader, plainLinks]) await page.close()
  return { reading, again, plain }
}

async function shownAt(page: Page): Promise<number> {
  await page.waitForURL(/\/(document\/\w+|page)$/, { waitUntil: 'commit' })
  return page.evaluate(decodedAt)
}

/** In the page, as a driver outside looks only now and then. */
function decodedAt(): Promise<number> {
  return new Promise((resolve) => {
    const look = async () => {
      const image = document.querySelector<HTMLImageElement>('img[src^="/view/page/"], img[src="/picture.svg"]')
      if (!image) return
      observer.disconnect()
      await image.decode().catch(() => {})
      resolve(performance.timeOrigin + performance.now())
    }
    const observer = new MutationObserver(() => void look())
    observer.observe(document, { childList: true, subtree: true, attributeFilter: ['src'] })
    void look()
  })
}

/** From a click on the link 查看 to the picture in the new tab. */
async function openByLink(context: BrowserContext, page: Page): Promise<number> {
  const opened = context.waitForEvent('page')
  const clickedAt = await page.evaluate(clickLink)
  const tab = await opened
  const shown = await shownAt(tab)
  await tab.close()
  return shown - clickedAt
}

/** Follows the link to the published document the moment it is on the upload page. */
function followLink(): void {
  const observer = new MutationObserver(() => {
    const link = [...document.querySelectorAll('a')].find(({ textContent }) => textContent?.startsWith('查看'))
    if (!link) return
    observer.disconnect()
    link.click()
  })
  observer.observe(document, { childList: true, subtree: true })
}

/** The start of the last request of the upload: its body is at most one chunk over the loopback. */
function lastSentAt(): number {
  const requests = performance.getEntriesByType('resource').filter(({ name }) => /\/upload\/tus\/./.test(name))
  return performance.timeOrigin + (requests.at(-1)?.startTime ?? Number.NaN)
}

function clickLink(): number {
  const clickedAt = performance.timeOrigin + performance.now()
  const link = [...document.querySelectorAll('a')].find(({ textContent }) => textContent?.startsWith('查看'))
  link?.click()
  return clickedAt
}

async function readPicture(): Promise<string> {
  const image = document.querySelector<HTMLImageElement>('img[src^="/view/page/"]')
  return (await fetch(image?.src ?? '')).text()
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
