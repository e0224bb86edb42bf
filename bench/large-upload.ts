import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { makePdf } from '#server/samples/pdf.ts'
import { logInOwner, openBenchBrowser, startBenchSite } from './site.ts'

/**
 * Uploads a very large file with two interruptions: the browser loses its connection, and the server is killed. It must
 * arrive complete, and the server's memory must not grow with it.
 */

const megabytes = Number(process.env.MEGABYTES ?? 2048)
const maxGrowthMb = 100
const site = await startBenchSite()
try {
  await site.configure({
    'security.enable_captcha_login': 'false',
    'security.max_document_size': String(megabytes + 100),
  })
  const path = join(site.folder, 'large.pdf')
  const hash = await write(path)
  const browser = await openBenchBrowser()
  const page = await (await browser.newContext({ baseURL: site.url, locale: 'zh-CN' })).newPage()
  await logInOwner(page)
  await page.goto('/upload', { waitUntil: 'networkidle' })
  await sleep(3000)
  const idle = site.residentMb()
  let peak = idle
  const watch = setInterval(() => (peak = Math.max(peak, resident())), 200)

  const startedAt = performance.now()
  await page.locator('input[type=file]').first().setInputFiles(path)
  await page.getByRole('button', { name: /^开始上传/ }).click()
  await sentMoreThan(page, 25)
  await page.context().setOffline(true)
  await page.getByText('连接断开，恢复后自动继续').waitFor({ timeout: 120_000 })
  await page.context().setOffline(false)
  await sentMoreThan(page, 55)
  await site.killAndRestart()
  await page.getByText('已发布 1 个').last().waitFor({ timeout: 900_000 })
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  clearInterval(watch)
  const stored = join(site.folder, 'storage/files', hash.slice(0, 2), hash.slice(2, 4), hash)
  const hasArrived = existsSync(stored) && (await hashFile(stored)) === hash
  console.log(
    `${megabytes} MB in ${seconds} s, cut off twice: ${hasArrived ? 'arrived complete' : 'NOT COMPLETE'}; server idle ${idle} MB, at most ${peak} MB (+${peak - idle}, bar +${maxGrowthMb})`,
  )
  await browser.close()
  process.exitCode = hasArrived && peak - idle <= maxGrowthMb ? 0 : 1
} finally {
  site.stop()
}

/** A PDF padded with comments, which parsers skip. */
async function write(path: string): Promise<string> {
  const pdf = Buffer.from(makePdf({ title: '很大的文件', pages: 3 }))
  const start = /startxref\s+(\d+)/.exec(pdf.toString('latin1'))?.[1] ?? '0'
  const noise = Buffer.from(randomBytes(512 * 1024).toString('hex'))
  const file = createWriteStream(path)
  await pipeline(function* () {
    yield pdf
    for (let n = 0; n < megabytes; n++) {
      yield Buffer.from(`\n% ${n} `)
      yield noise
    }
    yield Buffer.from(`\nstartxref\n${start}\n%%EOF\n`)
  }, file)
  return hashFile(path)
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

async function sentMoreThan(page: Page, percent: number): Promise<void> {
  for (;;) {
    const texts = await page.getByText(/^上传 \d+%/).allInnerTexts()
    if (texts.some((text) => Number(/\d+/.exec(text)?.[0]) > percent)) return
    await sleep(50)
  }
}

/** Undefined while it restarts. */
function resident(): number {
  try {
    return site.residentMb() || 0
  } catch {
    return 0
  }
}
