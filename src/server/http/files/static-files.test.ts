import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSite, type Site } from '#server/testing/site.ts'
import { fileServer } from './static-files.ts'

const script = 'console.log("文豆")'

let site: Site
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wendou-files-'))
  write('secret.txt', 'outside the folder')
  write('client/assets/app-1a2b.js', script)
  write('client/assets/app-1a2b.js.br', brotliCompressSync(script))
  write('client/assets/app-1a2b.js.gz', gzipSync(script))
  write('client/assets/app-1a2b.js.map', '{"sources": ["secret.ts"]}')
  write('client/assets/count.worker-3c4d.js', script)
  write('client/favicon.svg', '<svg/>')
  write('client/.env', 'SECRET=1')
  write('client/.git/config', '[core]')
  write('client/notes.md', 'notes')
  symlinkSync(join(folder, 'secret.txt'), join(folder, 'client/link.txt'))
  site = await openSite({}, { files: fileServer(join(folder, 'client')) })
})
afterAll(async () => {
  await site.close()
  rmSync(folder, { recursive: true })
})

describe('a built file', () => {
  test('is served with its type, as immutable if its name has a hash', async () => {
    const { status, text, headers } = await site.send('GET', '/assets/app-1a2b.js')
    expect([status, text]).toEqual([200, script])
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    const icon = await site.send('GET', '/favicon.svg?v=2')
    expect(icon.headers.get('cache-control')).toBe('public, max-age=3600')
    expect(icon.headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
  })

  test('may use WebAssembly if it is a worker, but not the network', async () => {
    const { headers } = await site.send('GET', '/assets/count.worker-3c4d.js')
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; script-src 'wasm-unsafe-eval'")
    const page = await site.send('GET', '/assets/app-1a2b.js')
    expect(page.headers.get('content-security-policy')).not.toContain('wasm')
  })

  test.each([
    ['br, gzip', 'br'],
    ['gzip, deflate', 'gzip'],
    ['identity', null],
  ])('is served with an encoding that the browser accepts: %s', async (accepted, encoding) => {
    const response = await site.request('/assets/app-1a2b.js', { headers: { 'accept-encoding': accepted } })
    expect(response.headers.get('content-encoding')).toBe(encoding)
    expect(response.headers.get('vary')).toContain('accept-encoding')
    expect(response.headers.get('content-length')).toBe(String((await response.arrayBuffer()).byteLength))
  })

  test('is not sent to a browser that has it', async () => {
    const { headers } = await site.send('GET', '/favicon.svg')
    const second = await site.send('GET', '/favicon.svg', { headers: { 'if-none-match': headers.get('etag') ?? '' } })
    expect([second.status, second.text]).toEqual([304, ''])
  })

  test('has its length in the response to HEAD', async () => {
    const { headers, text, status } = await site.send('HEAD', '/assets/app-1a2b.js')
    expect([status, text]).toEqual([200, ''])
    expect(headers.get('content-length')).toBe(String(Buffer.byteLength(script)))
  })
})

test.each([
  '/',
  '/assets',
  '/assets/',
  '/assets/app-1a2b.js.map',
  '/assets/app-1a2b.js.br',
  '/assets/app-1a2b.js/',
  '/assets/APP-1a2b.js',
  '/assets/missing.js',
  '/.env',
  '/.git/config',
  '/notes.md',
  '/link.txt',
  '/../secret.txt',
  '/..%2fsecret.txt',
  '/%2e%2e/secret.txt',
  '/%2e%2e%2fsecret.txt',
  '/%252e%252e%252fsecret.txt',
  '/assets/..%2f..%2fsecret.txt',
  '/assets/..%5c..%5csecret.txt',
  '/assets/%2e%2e/%2e%2e/secret.txt',
  '//secret.txt',
  '/favicon.svg%00.js',
  '/%66avicon.svg/..%2f..%2fsecret.txt',
])('there is no file at %s', async (path) => {
  const { status, text } = await site.send('GET', `http://localhost${path}`)
  expect(status).toBe(404)
  expect(text).not.toMatch(/outside|SECRET|\[core\]|sources/)
})

function write(path: string, content: string | Buffer): void {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}
