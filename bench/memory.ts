import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** Idle memory of the server process: after the start, after a few hundred pages, and at rest again. */

const folder = mkdtempSync(join(tmpdir(), 'wendou-bench-'))
const limitMb = 200

let server = start()
try {
  // A new site indexes its built-in content once.
  await readAddress()
  await setTimeout(6000)
  server.kill()
  await once(server, 'exit')
  server = start()
  const address = await readAddress()
  await setTimeout(3000)
  const idle = residentMb()
  for (let n = 0; n < 300; n++)
    await fetch(`${address}${['/', '/login', '/category'][n % 3]}?n=${n}`).then((page) => page.text())
  const busy = residentMb()
  await setTimeout(5000)
  const rest = residentMb()
  console.log(
    `idle ${idle} MB, after 300 uncached pages ${busy} MB, at rest ${rest} MB (limit ${limitMb} MB idle: ${(idle / limitMb).toFixed(2)})`,
  )
  process.exitCode = idle <= limitMb ? 0 : 1
} finally {
  server.kill()
  rmSync(folder, { recursive: true, force: true })
}

function start() {
  return spawn(process.execPath, [resolve(import.meta.dirname, '../src/server/main.ts')], {
    env: { ...process.env, PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'silent', ADMIN_PASSWORD: 'bench-password' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
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
