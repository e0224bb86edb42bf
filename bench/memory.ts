import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { documents } from '#shared/contract/documents.ts'
import { hostileFiles } from '#server/testing/hostile-files.ts'
import { createUploadClient, isFinished, type UploadClient } from '../e2e/upload-client.ts'

/**
 * Memory of the server process: idle after a start; then after hostile documents, pages that are not cached and pictures,
 * and how far it comes back within two minutes. `--corpus folder` sends the files of a folder as well.
 */

const { values } = parseArgs({
  options: {
    corpus: { type: 'string' },
    pages: { type: 'string', default: '500' },
    pictures: { type: 'string', default: '40' },
  },
})
const folder = mkdtempSync(join(tmpdir(), 'wendou-bench-'))
const source = resolve(import.meta.dirname, '../src/server')
const owner = { username: 'admin', password: 'bench-password' }
const prepare = new URL('../scripts/prepare/node.mjs', import.meta.url)
const { mallocEnv } = (await import(prepare.href)) as { mallocEnv: Record<string, string> }
const env = {
  ...mallocEnv,
  ...process.env,
  PORT: '0',
  DATA_DIR: folder,
  LOG_LEVEL: 'silent',
  ADMIN_PASSWORD: owner.password,
  NODE_ENV: 'production',
  TRUST_PROXY: '127.0.0.1,::1',
}
const maxIdleMb = 200
const maxRestMb = 350
const restMs = 120_000
const concurrency = 8

let server = start()
try {
  // A new site indexes its built-in content once.
  await readAddress()
  configure('security.enable_captcha_login', 'false')
  configure('security.upload_count_every_day', '0')
  await setTimeout(6000)
  server.kill()
  await once(server, 'exit')
  server = start()
  const address = await readAddress()
  await setTimeout(3000)
  const idle = residentMb()
  console.log(`idle ${idle} MB (bar ${maxIdleMb}: ${(idle / maxIdleMb).toFixed(2)})`)

  let most = idle
  const watching = setInterval(() => (most = Math.max(most, residentMb())), 200)
  const uploader = await createUploadClient(address, owner)
  await sendHostile(uploader)
  console.log(`after hostile documents ${residentMb()} MB`)
  await openPages(address)
  console.log(`after ${values.pages} pages that were not cached ${residentMb()} MB`)
  await sendPictures(address, uploader.token)
  clearInterval(watching)
  console.log(`after ${values.pictures} pictures ${residentMb()} MB, ${most} MB at most`)

  const calmSince = performance.now()
  while (residentMb() > maxRestMb && performance.now() - calmSince < restMs) await setTimeout(500)
  const seconds = Math.round((performance.now() - calmSince) / 1000)
  const rest = residentMb()
  await setTimeout(Math.max(0, restMs - (performance.now() - calmSince)))
  console.log(
    `at rest ${rest} MB after ${seconds} s (bar ${maxRestMb}: ${(rest / maxRestMb).toFixed(2)}), ${residentMb()} MB after ${restMs / 1000} s`,
  )
  process.exitCode = idle <= maxIdleMb && rest <= maxRestMb ? 0 : 1
} finally {
  server.kill()
  rmSync(folder, { recursive: true, force: true })
}

/** All that break or attack a converter; they are refused, fail, or are shown. */
async function sendHostile({ upload, create, call }: UploadClient): Promise<void> {
  const made = hostileFiles.map(({ name, bytes }) => [name, bytes('内存')] as const)
  const given = values.corpus
    ? readdirSync(values.corpus).map((name) => [name, readFileSync(join(values.corpus ?? '', name))] as const)
    : []
  const ids: number[] = []
  for (const [name, bytes] of [...made, ...given]) {
    // A refusal may come, and end the connection, before all bytes have been sent.
    const { id, refusal } = await upload(name, bytes).catch((error: unknown) => ({ id: 0, refusal: String(error) }))
    if (!refusal) ids.push(...(await create([id])).map((document) => document.id))
  }
  for (;;) {
    const { document } = await call(documents.progress, { id: ids })
    if (document.every(isFinished)) return
    await setTimeout(500)
  }
}

/** Searches for different words: no two pages are the same. */
async function openPages(address: string): Promise<void> {
  const count = Number(values.pages)
  let next = 0
  const visit = async (visitor: number) => {
    while (next < count) {
      const n = next++
      // Each visitor of another network, as one alone may not ask for so much.
      const headers = { 'x-forwarded-for': `10.${visitor}.${n >> 4}.1` }
      const page = await fetch(`${address}/search?wd=${encodeURIComponent(`文档${n}`)}`, { headers })
      await page.text()
      if (!page.ok) throw new Error(`page ${n}: ${page.status}`)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, (_, visitor) => visit(visitor)))
}

/** One picture, many times: each is decoded and encoded anew. */
async function sendPictures(address: string, token: string): Promise<void> {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
  const picture = sharp({ create: { width: 4000, height: 3000, channels: 3, background: '#888', noise } })
  const file = new File([new Uint8Array(await picture.jpeg({ quality: 60 }).toBuffer())], 'noise.jpg')
  for (let n = 0; n < Number(values.pictures); n++) {
    const form = new FormData()
    form.append('file', file)
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(`${address}/api/v1/upload/article`, { method: 'POST', headers, body: form })
    if (!response.ok) throw new Error(`picture ${n}: ${response.status} ${await response.text()}`)
  }
}

/** As `npm start` does. */
function start() {
  return spawn(process.execPath, [join(source, 'main.ts')], { env, stdio: ['ignore', 'pipe', 'inherit'] })
}

function configure(name: string, value: string): void {
  execFileSync(process.execPath, [join(source, 'cli/main.ts'), 'settings', 'set', name, value], { env })
}

async function readAddress(): Promise<string> {
  for await (const chunk of server.stdout) {
    const address = /http:\/\/localhost:\d+/.exec(String(chunk))?.[0]
    if (address) return address
  }
  throw new Error('the server did not start')
}

function residentMb(): number {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
}
