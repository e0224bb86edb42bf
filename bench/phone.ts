import { execFileSync } from 'node:child_process'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Browser, devices } from 'playwright-core'
import { openBenchBrowser, startBenchSite } from './site.ts'

/**
 * What a visitor with a phone and a slow connection waits for: the largest contentful paint of home, document and search with
 * an empty cache, beside a static page of the same weight in the same run: the same HTML with its styles in it, the same
 * pictures, and the same bytes of scripts, which nothing waits for.
 */

const rounds = Number(process.env['ROUNDS'] ?? 3)
const maxLcpMs = 1800
/** Of one page: a busy machine ends no run. */
const loadTimeoutMs = 120_000
/** The demo has two pages of hits for it. */
const searched = '问题'

/** "Slow 4G" of Chromium's developer tools, and a processor four times as slow. */
const network = { latency: 150, downloadThroughput: (1.6 * 1024 * 1024) / 8, uploadThroughput: (750 * 1024) / 8 }
const processorSlowdown = 4

interface Vitals {
  lcp: number
  cls: number
  element: string
  /** As transferred, by kind. */
  bytes: Record<string, number>
}

const running = process.env['SITE']
const site = running ? undefined : await startBenchSite()
const url = running ?? site?.url ?? ''
try {
  if (site) {
    const demo = [resolve(import.meta.dirname, '../src/server/cli/main.ts'), 'demo']
    execFileSync(process.execPath, demo, { env: { ...process.env, DATA_DIR: site.folder }, stdio: 'ignore' })
  }
  const browser = await openBenchBrowser()
  const list = await fetch(`${url}/api/v1/document/list?page=1&size=40&ext=pdf`)
  const { document: documents } = (await list.json()) as { document: { uuid: string; pages: number }[] }
  const longest = documents.toSorted((a, b) => b.pages - a.pages)[0]
  const pages = {
    home: '/',
    document: `/document/${longest?.uuid}`,
    search: `/search?wd=${encodeURIComponent(searched)}`,
  }
  let slow = 0
  for (const [name, path] of Object.entries(pages)) {
    const twin = await serveTwin(url, path)
    const own: Vitals[] = []
    const fixed: Vitals[] = []
    for (let round = 0; round <= rounds; round++) {
      own.push(await measure(browser, url + path))
      fixed.push(await measure(browser, twin.url))
    }
    twin.close()
    // The first round is a warm-up.
    const lcp = median(own.slice(1).map((vitals) => vitals.lcp))
    const twinLcp = median(fixed.slice(1).map((vitals) => vitals.lcp))
    const last = own.at(-1)
    const kb = Object.entries(last?.bytes ?? {}).map(([kind, bytes]) => `${kind} ${(bytes / 1024).toFixed(0)}`)
    console.log(
      `${name.padEnd(9)} LCP ${lcp} ms (bar ${maxLcpMs}: ${(lcp / maxLcpMs).toFixed(2)}), static page ${twinLcp} ms (×${(lcp / twinLcp).toFixed(2)}), ` +
        `CLS ${Math.max(...own.map(({ cls }) => cls)).toFixed(3)}, KB ${kb.join(', ')}; ${last?.element}`,
    )
    if (lcp > maxLcpMs) slow++
  }
  await browser.close()
  process.exitCode = slow === 0 ? 0 : 1
} finally {
  site?.stop()
}

async function measure(browser: Browser, address: string): Promise<Vitals> {
  const context = await browser.newContext({ ...devices['iPhone 13'], viewport: { width: 390, height: 844 } })
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', { offline: false, ...network })
    await session.send('Emulation.setCPUThrottlingRate', { rate: processorSlowdown })
    const kinds = new Map<string, string>()
    const bytes: Record<string, number> = {}
    session.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type))
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const kind = kinds.get(requestId) ?? 'Other'
      bytes[kind] = (bytes[kind] ?? 0) + encodedDataLength
    })
    await page.addInitScript(() => {
      const seen = { lcp: 0, cls: 0, element: '' }
      Object.assign(globalThis, { vitals: seen })
      new PerformanceObserver((entries) => {
        for (const entry of entries.getEntries() as (PerformanceEntry & { element?: Element })[]) {
          seen.lcp = entry.startTime
          seen.element = entry.element?.outerHTML.slice(0, 60) ?? ''
        }
      }).observe({ type: 'largest-contentful-paint', buffered: true })
      new PerformanceObserver((entries) => {
        for (const entry of entries.getEntries() as (PerformanceEntry & { value: number })[]) seen.cls += entry.value
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await page.goto(address, { waitUntil: 'networkidle', timeout: loadTimeoutMs })
    const seen = await page.evaluate(() => (globalThis as unknown as { vitals: Omit<Vitals, 'bytes'> }).vitals)
    return { ...seen, lcp: Math.round(seen.lcp), bytes }
  } finally {
    await context.close()
  }
}

/** The same page as a static one, on a server of its own. */
async function serveTwin(origin: string, path: string) {
  const html = await (await fetch(origin + path)).text()
  const scripts = [...html.matchAll(/(?:modulepreload" href|src)="(\/assets\/[^"]+\.js)"/g)].map(
    ([, file]) => file ?? '',
  )
  const sizes = await Promise.all(
    [...new Set(scripts)].map(async (file) => gzipSync(await (await fetch(origin + file)).bytes()).length),
  )
  const weight = sizes.reduce((sum, size) => sum + size, 0)
  const style = /<link rel="stylesheet" href="([^"]+)"/.exec(html)?.[1]
  const css = style ? await (await fetch(origin + style)).text() : ''
  const page = html
    .replaceAll(/<script[^>]*>.*?<\/script>/gs, '')
    .replaceAll(/<link rel="(?:modulepreload|stylesheet)"[^>]*>/g, '')
    .replace('<head>', `<head><style>${css}</style>`)
    .replace('</body>', '<script async fetchpriority="low" src="/weight.js"></script></body>')
  const compressed = gzipSync(page)
  const server = createServer((request, response) => {
    if (request.url === '/weight.js') {
      response.setHeader('content-type', 'text/javascript')
      response.end(`//${'x'.repeat(weight)}`)
    } else if (request.url === '/') {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.setHeader('content-encoding', 'gzip')
      response.end(compressed)
    } else {
      void forward(origin + request.url, response)
    }
  }).listen(0)
  await new Promise((done) => server.once('listening', done))
  return { url: `http://localhost:${(server.address() as AddressInfo).port}/`, close: () => server.close() }
}

async function forward(address: string, response: ServerResponse): Promise<void> {
  const reply = await fetch(address)
  response.setHeader('content-type', reply.headers.get('content-type') ?? '')
  response.end(await reply.bytes())
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
