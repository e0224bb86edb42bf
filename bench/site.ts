import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { residentMb } from './server.ts'

interface Start {
  mallocEnv: Record<string, string>
  serverFlags: string[]
  productEnv(): Record<string, string>
}

const source = resolve(import.meta.dirname, '../src/server')
const start = new URL('../scripts/prepare/node.mjs', import.meta.url)
const { mallocEnv, serverFlags, productEnv } = (await import(start.href)) as Start
export const benchPassword = 'bench-password'

/** A site for a measurement, as `npm start` starts it. */
export interface BenchSite {
  url: string
  folder: string
  process(): ChildProcess
  /** SIGKILL, then a restart under the same address. */
  killAndRestart(): Promise<void>
  /** Changes settings, and restarts it so that they hold at once. */
  configure(settings: Record<string, string>): Promise<void>
  /** The server alone, without its child processes. */
  residentMb(): number
  stop(): void
}

export async function startBenchSite(): Promise<BenchSite> {
  const folder = mkdtempSync(join(tmpdir(), 'wendou-bench-'))
  const port = await freePort()
  const env = {
    ...mallocEnv,
    ...process.env,
    ...productEnv(),
    PORT: String(port),
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    ADMIN_PASSWORD: benchPassword,
    NODE_ENV: 'production',
  }
  let server = await startServer(env)
  const killAndRestart = async () => {
    server.kill('SIGKILL')
    await once(server, 'exit')
    server = await startServer(env)
  }
  return {
    url: `http://localhost:${port}`,
    folder,
    process: () => server,
    killAndRestart,
    async configure(settings) {
      for (const [name, value] of Object.entries(settings))
        execFileSync(process.execPath, [join(source, 'cli/main.ts'), 'settings', 'set', name, value], { env })
      await killAndRestart()
    },
    residentMb: () => residentMb(server),
    stop() {
      server.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export function openBenchBrowser(): Promise<Browser> {
  const executablePath = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((path) => existsSync(path))
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
}

/** Logs in as the owner, in this window and all others of its context. */
export async function logInOwner(page: Page): Promise<void> {
  await page.goto('/login', { waitUntil: 'networkidle' })
  await page.getByLabel('用户名').fill('admin')
  await page.getByLabel('密码', { exact: true }).fill(benchPassword)
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await page.waitForURL((to) => !to.pathname.startsWith('/login'))
}

async function startServer(env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const server = spawn(process.execPath, [...serverFlags, join(source, 'main.ts')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const chunk of server.stdout) if (/http:\/\/localhost:\d+/.test(String(chunk))) break
  return server
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
