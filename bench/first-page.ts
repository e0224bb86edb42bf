import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { makeEpub } from '#server/samples/books.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { makeDocx } from '#server/samples/word.ts'

/**
 * From the last byte of an upload to the first page in the browser: a member uploads through the upload page, and opens
 * the document the moment it can be opened. Each kind is measured several times, on a server that has converted before.
 */

const rounds = Number(process.env.ROUNDS ?? 5)
const password = 'bench-password'
const folder = mkdtempSync(join(tmpdir(), 'wendou-bench-'))
const env = { ...process.env, DATA_DIR: folder, LOG_LEVEL: 'silent', ADMIN_PASSWORD: password }
const source = resolve(import.meta.dirname, '../src/server')
const server = spawn(process.execPath, [join(source, 'main.ts')], {
  env: { ...env, PORT: '0', NODE_ENV: 'production' },
  stdio: ['ignore', 'pipe', 'inherit'],
})

interface Kind {
  name: string
  ext: string
  limitMs: number
  /** Each round a file of its own: what the site has already would be there at once. */
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

try {
  const url = await addressOf()
  execFileSync(
    process.execPath,
    [join(source, 'cli/main.ts'), 'settings', 'set', 'security.enable_captcha_login', 'false'],
    { env },
  )
  const executablePath = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((path) => existsSync(path))
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  const context = await browser.newContext({ baseURL: url, locale: 'zh-CN' })
  await logIn(await context.newPage())
  let slow = 0
  for (const kind of kinds) {
    const times = []
    for (let round = 0; round <= rounds; round++) times.push(await once(context, kind, round))
    // The first one warms up what belongs to its kind.
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
  server.kill()
  rmSync(folder, { recursive: true, force: true })
}

async function logIn(page: Page): Promise<void> {
  await page.goto('/login', { waitUntil: 'networkidle' })
  await page.getByLabel('用户名').fill('admin')
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await page.waitForURL((to) => !to.pathname.startsWith('/login'))
  await page.close()
}

async function once(context: BrowserContext, kind: Kind, round: number) {
  const path = join(folder, `${kind.name.replaceAll(/\W+/g, '-')}-${round}${kind.ext}`)
  writeFileSync(path, kind.make(round))
  const [desk, reader] = [await context.newPage(), await context.newPage()]
  await reader.goto('/category', { waitUntil: 'networkidle' })
  await desk.goto('/upload', { waitUntil: 'networkidle' })
  let lastSent = 0
  desk.on('request', (request) => {
    // Its body is at most one piece, and goes over the loopback: its start stands for its last byte.
    if (request.method() === 'PATCH') lastSent = performance.now()
  })
  await desk.locator('input[type=file]').first().setInputFiles(path)
  await desk.getByRole('button', { name: /^开始上传/ }).click()
  const link = desk.getByRole('link', { name: /^查看/ })
  const listed = desk
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
  await desk.close()
  await reader.close()
  return times
}

async function decoded(image: SVGElement | HTMLElement): Promise<void> {
  await (image as HTMLImageElement).decode()
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

async function addressOf(): Promise<string> {
  for await (const chunk of server.stdout) {
    const address = /http:\/\/localhost:\d+/.exec(String(chunk))?.[0]
    if (address) return address
  }
  throw new Error('the server did not start')
}
