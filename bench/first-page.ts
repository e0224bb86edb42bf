import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext } from 'playwright-core'
import { makeEpub } from '#server/samples/books.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { makeDocx } from '#server/samples/word.ts'
import { logInOwner, openBenchBrowser, startBenchSite } from './site.ts'

/**
 * The time from the last byte of an upload to the first page in the browser: a member uploads with the upload page, and
 * opens the document as soon as possible. Each kind is measured several times, on a warm server.
 */

const rounds = Number(process.env.ROUNDS ?? 5)
interface Kind {
  name: string
  ext: string
  limitMs: number
  /** A new file in each round, as a file that the site has is not converted again. */
  make: (round: number) => Uint8Array
}

const kinds: Kind[] = [
  { name: 'PDF, 400 pages', ext: '.pdf', limitMs: 700, make: (n) => makePdf({ title: `年报 ${n}`, pages: 400 }) },
  {
    name: 'epub, over 400 pages',
    ext: '.epub',
    limitMs: 800,
    make: (n) => makeEpub({ title: `书 ${n}`, chapters: 220 }),
  },
  { name: 'docx, 2 pages', ext: '.docx', limitMs: 1500, make: (n) => makeDocx({ title: `说明 ${n}`, pages: 2 }) },
  { name: 'docx, 97 pages', ext: '.docx', limitMs: 4000, make: (n) => makeDocx({ title: `长文 ${n}`, pages: 97 }) },
]

const site = await startBenchSite()
try {
  await site.configure({ 'security.enable_captcha_login': 'false' })
  const browser = await openBenchBrowser()
  const context = await browser.newContext({ baseURL: site.url, locale: 'zh-CN' })
  await logInOwner(await context.newPage())
  let slow = 0
  for (const kind of kinds) {
    const times = []
    for (let round = 0; round <= rounds; round++) times.push(await once(context, kind, round))
    // The first round is a warm-up.
    const reading = median(times.slice(1).map((time) => time.reading))
    const listed = median(times.slice(1).map((time) => time.listed))
    const pages = times[0]?.pages
    console.log(
      `${kind.name} (${pages} pages): first page on the reading page ${reading} ms (bar ${kind.limitMs}: ${(reading / kind.limitMs).toFixed(2)}), cover in the upload list ${listed} ms`,
    )
    if (reading > kind.limitMs) slow++
  }
  await browser.close()
  process.exitCode = slow === 0 ? 0 : 1
} finally {
  site.stop()
}

async function once(context: BrowserContext, kind: Kind, round: number) {
  const path = join(site.folder, `${kind.name.replaceAll(/\W+/g, '-')}-${round}${kind.ext}`)
  writeFileSync(path, kind.make(round))
  const [uploader, reader] = [await context.newPage(), await context.newPage()]
  await reader.goto('/category', { waitUntil: 'networkidle' })
  await uploader.goto('/upload', { waitUntil: 'networkidle' })
  let lastSent = 0
  uploader.on('request', (request) => {
    // Its body is at most one chunk over the loopback: its start counts as its last byte.
    if (request.method() === 'PATCH') lastSent = performance.now()
  })
  await uploader.locator('input[type=file]').first().setInputFiles(path)
  await uploader.getByRole('button', { name: /^开始上传/ }).click()
  const link = uploader.getByRole('link', { name: /^查看/ })
  const listed = uploader
    .locator('li img[src^="/view/"]')
    .first()
    .evaluate(decoded)
    .then(() => performance.now() - lastSent)
  const address = (await link.getAttribute('href')) ?? ''
  await reader.goto(address, { waitUntil: 'commit' })
  await reader.locator('img[src^="/view/page/"]').first().evaluate(decoded)
  const reading = performance.now() - lastSent
  const pages = await reader.evaluate(() => /(\d+) 页/.exec(document.body.innerText)?.[1])
  const times = { reading: Math.round(reading), listed: Math.round(await listed), pages }
  await uploader.close()
  await reader.close()
  return times
}

async function decoded(image: SVGElement | HTMLElement): Promise<void> {
  await (image as HTMLImageElement).decode()
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
