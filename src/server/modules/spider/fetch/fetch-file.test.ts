import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { type FileHandle, open as openFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { type LocalServer, type Routes, serveLocally } from '../../../testing/spider/local-server.ts'
import { openSite, type Site } from '../../../testing/site.ts'
import { fetchFile, type FileOutcome, removeAbandoned } from './fetch-file.ts'
import { claimHost } from './hosts.ts'
import type { FetchRequest } from './open-politely.ts'

let site: Site
let folder: string
beforeAll(async () => {
  site = await openSite()
  folder = mkdtempSync(join(tmpdir(), 'wendou-fetch-'))
  await site.configure({ 'spider.delay_ms': '0' })
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await site.close()
})

async function open(routes: Routes): Promise<LocalServer> {
  const server = await serveLocally(routes)
  await site.configure({ 'spider.private_hosts': server.address })
  return server
}

async function get(url: string, request: Partial<FetchRequest> = {}, into = folder): Promise<FileOutcome> {
  const ctx = await site.app.context()
  return fetchFile(ctx, { url, etag: '', lastModified: '', maxBytes: 10_000_000, ...request }, into)
}

const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(300_000, 'pdf ')])

test('a file is stored with its hash, its size and its name', async () => {
  const server = await open({
    '/get?id=5': (_, response) => {
      const disposition = `attachment; filename="x.pdf"; filename*=UTF-8''${encodeURIComponent('../年度报告.pdf')}`
      response.writeHead(200, { 'content-disposition': disposition, etag: '"5"', 'content-type': 'text/html' }).end(pdf)
    },
  })
  const outcome = await get(`${server.origin}/get?id=5`)
  expect(outcome).toMatchObject({
    kind: 'file',
    url: `${server.origin}/get?id=5`,
    status: 200,
    etag: '"5"',
    lastModified: '',
    hash: createHash('sha256').update(pdf).digest('hex'),
    size: pdf.length,
    name: '年度报告.pdf',
  })
  const path = outcome.kind === 'file' ? outcome.path : ''
  expect(path.startsWith(folder)).toBe(true)
  expect(readFileSync(path).equals(pdf)).toBe(true)
  rmSync(path)
})

test('the name may come from the address after redirects', async () => {
  const server = await open({
    '/latest': (_, response) => response.writeHead(302, { location: '/files/%B1%A8%B8%E6.pdf' }).end(),
    '/files/%B1%A8%B8%E6.pdf': (_, response) => response.end(pdf),
  })
  const outcome = await get(`${server.origin}/latest`)
  expect(outcome).toMatchObject({ kind: 'file', name: '报告.pdf', url: `${server.origin}/files/%B1%A8%B8%E6.pdf` })
  if (outcome.kind === 'file') rmSync(outcome.path)
})

test('what has not changed is not downloaded again', async () => {
  const server = await open({ '/a.pdf': (_, response) => response.writeHead(304).end() })
  expect(await get(`${server.origin}/a.pdf`, { etag: '"5"' })).toEqual({ kind: 'unchanged', status: 304 })
})

test('failures leave no file behind', async () => {
  const server = await open({
    '/login.pdf': '<!DOCTYPE html><html><title>请登录</title>',
    '/long.pdf': `<!-- ${'x'.repeat(100)} -->\n<html>${'x'.repeat(100_000)}`,
    '/xhtml.pdf': '<?xml version="1.0"?>\n<!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml">',
    '/empty.pdf': '',
    '/missing.pdf': (_, response) => response.writeHead(404).end(pdf),
    '/cut.pdf': (_, response) => {
      response.writeHead(200, { 'content-length': 1_000_000 }).write(pdf)
      response.socket?.destroySoon()
    },
    '/endless.pdf': (_, response) => {
      const more = setInterval(() => response.write(pdf), 1)
      response.on('close', () => clearInterval(more))
    },
  })
  const reason = async (path: string) => {
    const outcome = await get(`${server.origin}${path}`, { maxBytes: 2_000_000 })
    return outcome.kind === 'failed' && outcome.reason
  }
  expect(await reason('/login.pdf')).toBe('not_a_file')
  expect(await reason('/long.pdf')).toBe('not_a_file')
  expect(await reason('/xhtml.pdf')).toBe('not_a_file')
  expect(await reason('/empty.pdf')).toBe('empty')
  expect(await reason('/missing.pdf')).toBe('not_found')
  expect(await reason('/cut.pdf')).toBe('interrupted')
  expect(await reason('/endless.pdf')).toBe('too_large')
  expect(readdirSync(folder)).toEqual([])
})

test('a caller that stops leaves no file behind, and no connection', async () => {
  const stop = new AbortController()
  const closed = vi.fn<() => void>()
  const server = await open({
    '/a.pdf': (_, response) => {
      response.on('close', closed)
      response.write(pdf, () => stop.abort(new Error('shutting down')))
    },
  })
  await expect(get(`${server.origin}/a.pdf`, { signal: stop.signal })).rejects.toThrow('shutting down')
  expect(readdirSync(folder)).toEqual([])
  await vi.waitFor(() => expect(closed).toHaveBeenCalled())
})

test('a folder that cannot be written to is our own failure, and the connection is closed', async () => {
  const closed = vi.fn<() => void>()
  const server = await open({
    '/a.pdf': (_, response) => {
      response.on('close', closed)
      response.write(pdf)
    },
  })
  await expect(get(`${server.origin}/a.pdf`, {}, join(folder, 'missing'))).rejects.toMatchObject({ code: 'ENOENT' })
  await vi.waitFor(() => expect(closed).toHaveBeenCalled())
})

test('a disk that is full is waited for', async () => {
  const server = await open({ '/a.pdf': (_, response) => response.end(pdf) })
  await using handle = await openFile('/dev/null', 'r')
  const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' })
  const append = vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, 'appendFile').mockRejectedValueOnce(full)
  onTestFinished(() => append.mockRestore())
  const outcome = await get(`${server.origin}/a.pdf`)
  expect(outcome).toMatchObject({ kind: 'failed', reason: 'disk_full', isTemporary: true })
  expect(readdirSync(folder)).toEqual([])
})

test('what a killed process has left is removed once no download can last so long', async () => {
  const shared = join(folder, 'shared')
  mkdirSync(shared)
  onTestFinished(() => rmSync(shared, { recursive: true }))
  const addFile = (name: string, minutes: number) => {
    writeFileSync(join(shared, name), 'x')
    const at = new Date(Date.now() - minutes * 60_000)
    utimesSync(join(shared, name), at, at)
  }
  addFile('abandoned.download', 61)
  addFile('slow.download', 31)
  addFile('other', 61)
  await removeAbandoned(shared)
  expect(readdirSync(shared).toSorted()).toEqual(['other', 'slow.download'])
})

test('the host stays held during a long download', async () => {
  const server = await open({
    '/a.pdf': (_, response) => {
      response.write(pdf)
      finish = () => response.end()
    },
  })
  let finish = () => {}
  const ctx = await site.app.context()
  const lease = await claimHost(ctx, server.origin)
  if (!lease) throw new Error('The host is not free')
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const download = get(`${server.origin}/a.pdf`, { lease })
  await vi.waitFor(() => expect(server.requests).toContain('GET /a.pdf'))
  site.advanceClock(50_000)
  const before = ctx.now()
  vi.advanceTimersByTime(20_000)
  await vi.waitFor(async () => {
    const host = site.db.selectFrom('spider_host').select('busy_until').where('origin', '=', server.origin)
    expect((await host.executeTakeFirstOrThrow()).busy_until).toBeGreaterThanOrEqual(before + 60_000)
  })
  finish()
  const outcome = await download
  expect(outcome).toMatchObject({ kind: 'file' })
  if (outcome.kind === 'file') rmSync(outcome.path)
})
