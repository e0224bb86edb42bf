import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startSiteForTest } from './running-site.ts'

/** `deploy/nginx.conf`, as an owner would copy it, on this machine's ports. */

const nginx = process.env.NGINX_PATH ?? ''
const given = readFileSync(resolve(import.meta.dirname, '../deploy/nginx.conf'), 'utf8')

test.runIf(nginx)('nginx loads its configuration as it is', () => {
  const { folder, config } = write(
    // The certificate is the owner's.
    given.replace(/ssl_certificate .*;/, 'ssl_reject_handshake on;').replace(/ssl_certificate_key .*;/, ''),
  )
  const { status: exitCode, stderr } = spawnSync(nginx, ['-t', '-p', folder, '-c', config])
  expect(String(stderr)).toContain('test is successful')
  expect(exitCode).toBe(0)
})

test.runIf(nginx)('behind nginx pages are shown, large files arrive, and figures stay inside', async () => {
  const site = await startSiteForTest('sqlite', { TRUST_PROXY: '127.0.0.1,::1' })
  const port = await freePort()
  const { folder, config } = write(
    given
      .replace('127.0.0.1:8880', new URL(site.url).host.replace('localhost', '127.0.0.1'))
      .replace(/server \{\s*listen 80;[\s\S]*?\n\}/, '')
      .replace(/ *listen \[::\]:443.*\n/, '')
      .replace(/listen 443.*;/, `listen 127.0.0.1:${port};`)
      .replace(/ *ssl_certificate.*\n/g, ''),
  )
  const proxy = spawn(nginx, ['-p', folder, '-c', config, '-g', 'daemon off;'], { stdio: 'ignore' })
  onTestFinished(async () => {
    proxy.kill('SIGTERM')
    await once(proxy, 'exit')
  })
  const url = `http://127.0.0.1:${port}`
  const statusOf = (path: string) =>
    fetch(url + path).then(
      ({ status }) => status,
      () => 0,
    )
  await expect.poll(() => statusOf('/')).toBe(200)
  expect(await statusOf('/metrics')).toBe(404)
  // The site itself refuses the visitor's upload, in words, after nginx has passed on more than it allows by default.
  const form = new FormData()
  form.append('file', new File([Buffer.alloc(2_000_000, '一')], '大.txt'))
  const refused = await fetch(`${url}/api/v1/upload/document`, { method: 'POST', body: form })
  expect([refused.status, await refused.json()]).toEqual([401, expect.objectContaining({ message: '请先登录' })])
})

function write(site: string): { folder: string; config: string } {
  const folder = mkdtempSync(join(tmpdir(), 'wendou-nginx-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const config = join(folder, 'nginx.conf')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${kind};`)
  const account = process.getuid?.() === 0 ? 'user root;' : ''
  writeFileSync(
    config,
    `${account} pid nginx.pid; error_log error.log; events {} http { access_log off; ${temporary.join(' ')}\n${site}\n}\n`,
  )
  return { folder, config }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
