import type { CDPSession, Page } from 'playwright-core'
import { makePdf } from '#server/samples/pdf.ts'
import { createUploadClient } from '../e2e/upload-client.ts'
import { benchPassword, openBenchBrowser, startBenchSite } from './site.ts'

/**
 * Reading a document of 2,000 pages in Chromium: how long a page takes to be shown after its key or its number was entered,
 * from the server's cache and when it has to be drawn first, and what the browser holds after all of them.
 */

const pages = Number(process.env.PAGES ?? 2000)
const rounds = Number(process.env.ROUNDS ?? 60)
/** Chromium without a screen sometimes stops drawing for good: not even a screenshot can be taken then. */
const maxTurnMs = 30_000
const bars = { cachedMs: 100, drawnMs: 300, heapMb: 32, nodes: 3 }

const site = await startBenchSite()
try {
  await site.configure({
    'security.enable_captcha_login': 'false',
    'converter.max_preview_free': '0',
    'display.pages_per_read': '0',
  })
  const client = await createUploadClient(site.url, { username: 'admin', password: benchPassword })
  const [book] = await client.publish(['两千页.pdf', makePdf({ title: '两千页', pages })])
  if (!book) throw new Error('not published')
  await client.waitUntilFinished([book.id], 300_000)
  const browser = await openBenchBrowser()
  const page = await (await browser.newContext({ baseURL: site.url, viewport: { width: 1440, height: 900 } })).newPage()
  await page.goto(`/document/${book.uuid}`, { waitUntil: 'networkidle' })
  const session = await page.context().newCDPSession(page)
  const before = await readMemory(session)

  const fillCache = async (numbers: readonly number[]) => {
    const key = publicKey(await pictureOf(page))
    for (const number of numbers) await fetch(`${site.url}/view/page/${key}/${number}.svg`)
  }
  // Of a new document the server has only rendered the first pages.
  await fillCache(Array.from({ length: rounds }, (_, index) => index + 2))
  const next: number[] = []
  for (let number = 2; number <= rounds + 1; number += 1)
    next.push(await timeTurn(page, number, () => page.keyboard.press('ArrowRight')))
  const drawn: number[] = []
  const numbers = Array.from({ length: rounds }, (_, index) => 1000 + ((index * 617) % 900))
  for (const number of numbers) drawn.push(await timeTurn(page, number, () => goTo(page, number)))
  const cached: number[] = []
  const visited = numbers.map((number) => number - 900)
  await fillCache(visited)
  for (const number of visited) cached.push(await timeTurn(page, number, () => goTo(page, number)))
  for (let number = 1; number <= pages; number += 10) await timeTurn(page, number, () => goTo(page, number))
  const after = await readMemory(session)
  await browser.close()

  const results = [
    turnResult('next page, from the cache', next, bars.cachedMs),
    turnResult('jump to a cached page', cached, bars.cachedMs),
    turnResult('jump to a page that is drawn', drawn, bars.drawnMs),
  ]
  const heapMb = after.heapMb - before.heapMb
  const nodes = after.nodes / before.nodes
  console.log(
    `memory: heap ${before.heapMb.toFixed(1)} MB at the start, ${after.heapMb.toFixed(1)} MB after ${pages} pages (bar: ${bars.heapMb} MB more); ` +
      `DOM nodes ${before.nodes}, then ${after.nodes} (bar: ${bars.nodes} times)`,
  )
  process.exitCode = results.every(Boolean) && heapMb <= bars.heapMb && nodes <= bars.nodes ? 0 : 1
} finally {
  site.stop()
}

async function goTo(page: Page, number: number): Promise<void> {
  const input = page.getByLabel(/^页码/)
  await input.fill(String(number))
  await input.press('Enter')
}

/** From the key to the frame after the picture of the page is decoded, by the browser's clock. */
async function timeTurn(page: Page, number: number, turn: () => Promise<void>): Promise<number> {
  await page.evaluate((number) => {
    const listening = new AbortController()
    let startedAt = 0
    const onKey = ({ key, timeStamp }: KeyboardEvent) => {
      if (key === 'ArrowRight' || key === 'Enter') startedAt ||= timeStamp
    }
    window.addEventListener('keydown', onKey, { capture: true, signal: listening.signal })
    const shown = new Promise<number>((resolve) => {
      const look = () => {
        const image = document.querySelector<HTMLImageElement>(`figure[data-page="${number}"] img`)
        const box = image?.getBoundingClientRect()
        const isVisible = box && box.top < innerHeight && box.bottom > 0
        if (startedAt > 0 && image?.complete && image.naturalWidth > 0 && isVisible)
          void image.decode().finally(() => requestAnimationFrame((at) => resolve(at - startedAt)))
        else requestAnimationFrame(look)
      }
      look()
    })
    void shown.then(() => listening.abort())
    Object.assign(window, { shown })
  }, number)
  await turn()
  const shown = page.evaluate(() => (window as unknown as { shown: Promise<number> }).shown)
  const late = new Promise<never>((_, reject) =>
    setTimeout(
      () => reject(new Error(`page ${number} was not shown, or the browser draws no frames`)),
      maxTurnMs,
    ).unref(),
  )
  return Promise.race([shown, late])
}

async function pictureOf(page: Page): Promise<string> {
  return (await page.locator('img[src^="/view/page/"]').first().getAttribute('src')) ?? ''
}

function publicKey(address: string): string {
  return address.split('/')[3] ?? ''
}

async function readMemory(session: CDPSession) {
  await session.send('Performance.enable')
  await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  const value = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? 0
  return { heapMb: value('JSHeapUsedSize') / 1e6, nodes: value('Nodes') }
}

function turnResult(name: string, times: number[], barMs: number): boolean {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  console.log(`${name}: median ${at(0.5).toFixed(0)} ms, p95 ${at(0.95).toFixed(0)} ms (bar ${barMs})`)
  return at(0.95) <= barMs
}
