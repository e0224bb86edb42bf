import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, request as httpRequest, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { attachments, uploads } from '#shared/contract/attachments.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { startS3 } from '#server/testing/s3/server.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'
import { begin, patch, type TusAsk, tusFor, tusMetadata } from '#server/testing/tus.ts'
import { openUploads, sha256, somePdf, uploadForm } from '#server/testing/upload.ts'
import { contentKey } from '../storage-keys.ts'

const hour = 60 * 60_000

describe.each(['disk', 's3'])('on %s', (kind) => {
  let site: Site
  let member: Person
  let ask: TusAsk
  let folder: string
  let close: () => Promise<void> = async () => {}
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'wendou-tus-'))
    const s3 = kind === 's3' ? await startS3() : undefined
    site = await openSite({ DATA_DIR: folder, ...(s3 && { STORAGE_URL: s3.url }) })
    close = async () => {
      await site.close()
      await s3?.close()
      rmSync(folder, { recursive: true, force: true })
    }
    await openUploads(site)
    member = await site.member()
    ask = tusFor(site, member)
  })
  afterAll(() => close())

  const idOf = (location: string) => location.split('/').at(-1) ?? ''
  const resultOf = (location: string, person = member) => person.call(uploads.result, { upload: idOf(location) })
  const rowOf = (id: number) =>
    site.db.selectFrom('attachment').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  const rowsWith = (bytes: Uint8Array) =>
    site.db.selectFrom('attachment').select('id').where('hash', '=', sha256(bytes)).execute()

  /** Bytes of which the process that took them told nobody any more. */
  async function arrive(id: string, at: number, bytes: Uint8Array): Promise<void> {
    if (kind === 'disk') return appendFileSync(join(folder, 'uploads', id), bytes)
    const { storage } = await site.app.context()
    return storage.put(`uploads/${id}/${String(at).padStart(15, '0')}`, bytes)
  }

  async function leftovers(): Promise<string[]> {
    if (kind === 'disk') return readdirSync(join(folder, 'uploads'))
    const { storage } = await site.app.context()
    const keys: string[] = []
    for await (const { key } of storage.list('uploads/')) keys.push(key)
    return keys
  }

  /** All of it in pieces of `step` bytes. */
  async function send(bytes: Uint8Array<ArrayBuffer>, name: string, step: number, hash = sha256(bytes)) {
    const { location } = await begin(ask, { name, size: bytes.length, hash })
    let last = await ask('HEAD', location)
    for (let at = 0; at < bytes.length; at += step) last = await patch(ask, location, at, bytes.slice(at, at + step))
    return { location, last }
  }

  test('a file may come whole with its creation', async () => {
    const bytes = somePdf('all at once')
    const headers = {
      'upload-length': String(bytes.length),
      'upload-metadata': tusMetadata({ filename: '一次传完.pdf', sha256: sha256(bytes) }),
      'content-type': 'application/offset+octet-stream',
    }
    const made = await ask('POST', '/api/v1/upload/tus', headers, bytes)
    expect(made).toMatchObject({ status: 201, offset: bytes.length })
    const { id } = await resultOf(made.location)
    expect(await rowOf(id)).toMatchObject({ name: '一次传完.pdf', hash: sha256(bytes) })
  })

  test('a file that comes in pieces becomes an attachment, and its result can be asked again and again', async () => {
    const bytes = somePdf(`pieces ${kind}`)
    const { location, last } = await send(bytes, '分段上传.pdf', 50)
    expect(last).toMatchObject({ status: 204, offset: bytes.length })
    const { id } = await resultOf(location)
    expect(await resultOf(location)).toEqual({ id })
    expect(await rowOf(id)).toMatchObject({
      name: '分段上传.pdf',
      hash: sha256(bytes),
      size: bytes.length,
      user_id: member.id,
    })
    expect(await ask('HEAD', location)).toMatchObject({ status: 200, offset: bytes.length })
    const ctx = await site.app.context()
    expect(await ctx.storage.find(contentKey(sha256(bytes)))).toMatchObject({ size: bytes.length })
    expect(await leftovers()).toEqual([])
  })

  test('the server says where to go on, and pages elsewhere may read it', async () => {
    const { status, location, headers } = await begin(ask, { name: 'a.txt', size: 10 })
    expect(status).toBe(201)
    expect(location).toMatch(/^\/api\/v1\/upload\/tus\/[\w-]{22}$/)
    expect(headers.get('upload-expires')).toBeTruthy()
    expect(headers.get('access-control-expose-headers')).toContain('upload-offset')
    await patch(ask, location, 0, 'abcd')
    const head = await ask('HEAD', location)
    expect(head).toMatchObject({ status: 200, offset: 4 })
    expect(head.headers.get('cache-control')).toBe('no-store')
    expect(await ask('DELETE', location)).toMatchObject({ status: 204 })
    expect(await ask('HEAD', location)).toMatchObject({ status: 404 })
    expect(await leftovers()).toEqual([])
  })

  test('pieces out of order, repeated, too long or for a finished file are refused, and the file stays right', async () => {
    const bytes = somePdf(`order ${kind}`)
    const { location } = await begin(ask, { name: 'a.pdf', size: bytes.length, hash: sha256(bytes) })
    expect(await patch(ask, location, 10, bytes.slice(10, 20))).toMatchObject({
      status: 409,
      reason: 'uploads.wrongOffset',
    })
    expect(await patch(ask, location, 0, bytes.slice(0, 20))).toMatchObject({ status: 204, offset: 20 })
    expect(await patch(ask, location, 0, bytes.slice(0, 20))).toMatchObject({
      status: 409,
      reason: 'uploads.wrongOffset',
    })
    const beyond = new Uint8Array(bytes.length + 5)
    expect((await patch(ask, location, 20, beyond)).status).toBe(413)
    const { offset } = await ask('HEAD', location)
    expect(await patch(ask, location, offset, bytes.slice(offset))).toMatchObject({ offset: bytes.length })
    expect((await resultOf(location)).id).toBeGreaterThan(0)
    expect(await patch(ask, location, bytes.length, 'x')).toMatchObject({ status: 409 })
    expect((await ask('DELETE', location)).status).toBe(409)
  })

  test('with a wrong content type, without an offset or without the protocol version it is refused', async () => {
    const { location } = await begin(ask, { name: 'a.txt', size: 10 })
    const wrong = await ask('PATCH', location, { 'content-type': 'text/plain', 'upload-offset': '0' }, 'abc')
    expect(wrong).toMatchObject({ status: 400, reason: 'request.invalid' })
    const without = await ask('PATCH', location, { 'content-type': 'application/offset+octet-stream' }, 'abc')
    expect(without).toMatchObject({ status: 400, reason: 'request.invalid' })
    const headers = { authorization: `Bearer ${member.token}` }
    const old = await site.request('/api/v1/upload/tus', { method: 'POST', headers })
    expect(old.status).toBe(400)
  })

  test('another member has no part in it', async () => {
    const bytes = somePdf(`mine ${kind}`)
    const { location } = await begin(ask, { name: 'a.pdf', size: bytes.length })
    const other = await site.member()
    const theirs = tusFor(site, other)
    expect(await patch(theirs, location, 0, bytes)).toMatchObject({ status: 404, reason: 'uploads.notFound' })
    expect((await theirs('HEAD', location)).status).toBe(404)
    expect((await theirs('DELETE', location)).status).toBe(404)
    expect((await tusFor(site, { token: '' })('HEAD', location)).status).toBe(401)
    expect(await refusal(resultOf(location, other))).toMatchObject({ status: 404 })
    expect(await refusal(resultOf(location))).toMatchObject({ status: 409, reason: 'uploads.unfinished' })
    await patch(ask, location, 0, bytes)
    expect(await refusal(resultOf(location, other))).toMatchObject({ status: 404 })
    expect((await resultOf(location)).id).toBeGreaterThan(0)
  })

  test('what may not be uploaded is refused before it is sent', async () => {
    expect(await begin(ask, { name: 'a.exe', size: 5 })).toMatchObject({ status: 400, reason: 'uploads.extDenied' })
    expect(await begin(ask, { name: 'a.pdf', size: 0 })).toMatchObject({ status: 400, reason: 'uploads.empty' })
    expect(await begin(ask, { name: '', size: 5 })).toMatchObject({ status: 400, reason: 'uploads.nameNeeded' })
    const tooLarge = await begin(ask, { name: 'a.pdf', size: 51 * 1024 * 1024 })
    expect(tooLarge).toMatchObject({ status: 413, reason: 'uploads.tooLarge' })
    expect(await begin(ask, { name: 'a.pdf', size: 5, hash: 'xyz' })).toMatchObject({ status: 400 })
    const outsider = tusFor(site, await site.staff('UserAPI/ListUser'))
    expect(await begin(outsider, { name: 'a.pdf', size: 5 })).toMatchObject({
      status: 403,
      reason: 'users.uploadDenied',
    })
    const deferred = { 'upload-defer-length': '1', 'upload-metadata': tusMetadata({ filename: 'a.pdf' }) }
    expect((await ask('POST', '/api/v1/upload/tus', deferred)).status).toBeGreaterThanOrEqual(400)
  })

  test('a file that was damaged on its way, is not what it is called or is banned is refused, and nothing of it stays', async () => {
    const bytes = somePdf(`damaged ${kind}`)
    const damaged = await send(bytes, 'a.pdf', 1000, sha256(somePdf('other')))
    expect(damaged.last).toMatchObject({ status: 400, reason: 'uploads.hashMismatch' })
    expect((await ask('HEAD', damaged.location)).status).toBe(404)
    const text = new Uint8Array(Buffer.from('不是 PDF'))
    expect((await send(text, 'a.pdf', 1000)).last).toMatchObject({ status: 400, reason: 'uploads.mismatch' })

    const banned = somePdf(`banned ${kind}`)
    const { id } = await uploadForm(site, member, { name: 'b.pdf', bytes: banned })
    await site.root.call(attachments.update, { id, name: 'b.pdf', enable: false })
    expect(await begin(ask, { name: 'c.pdf', size: banned.length, hash: sha256(banned) })).toMatchObject({
      status: 403,
      reason: 'uploads.banned',
    })
    const { location } = await begin(ask, { name: 'c.pdf', size: banned.length })
    expect(await patch(ask, location, 0, banned)).toMatchObject({ status: 403, reason: 'uploads.banned' })
    expect((await leftovers()).filter((name) => name.includes(idOf(location)))).toEqual([])
  })

  test('another process goes on where the first has stopped', async () => {
    const bytes = somePdf(`sibling ${kind}`)
    const { location } = await begin(ask, { name: 'a.pdf', size: bytes.length, hash: sha256(bytes) })
    await patch(ask, location, 0, bytes.slice(0, 30))
    const sibling = await site.sibling()
    const elsewhere = tusFor(
      { request: async (path, init) => sibling.fetch(new Request(new URL(path, 'http://localhost'), init)) },
      member,
    )
    expect(await elsewhere('HEAD', location)).toMatchObject({ offset: 30 })
    expect(await patch(elsewhere, location, 30, bytes.slice(30))).toMatchObject({ status: 204 })
    expect((await resultOf(location)).id).toBeGreaterThan(0)
  })

  test('a process that died after the last byte costs nothing: the result is made when it is asked for', async () => {
    const bytes = somePdf(`killed ${kind}`)
    const { location } = await begin(ask, { name: 'a.pdf', size: bytes.length, hash: sha256(bytes) })
    const cut = bytes.length - 10
    await patch(ask, location, 0, bytes.slice(0, cut))
    await arrive(idOf(location), cut, bytes.slice(cut))
    expect(await ask('HEAD', location)).toMatchObject({ status: 200, offset: bytes.length })
    const made = await Promise.all([resultOf(location), resultOf(location), resultOf(location)])
    expect(new Set(made.map(({ id }) => id)).size).toBe(1)
    expect(await rowsWith(bytes)).toHaveLength(1)
  })

  test('nor does one that died after it had put the file in its place', async () => {
    const bytes = somePdf(`killed later ${kind}`)
    const { location } = await begin(ask, { name: 'a.pdf', size: bytes.length, hash: sha256(bytes) })
    await patch(ask, location, 0, bytes)
    const { id } = await resultOf(location)
    await site.db.deleteFrom('attachment').where('id', '=', id).execute()
    await site.db.updateTable('upload').set({ attachment_id: 0 }).where('id', '=', idOf(location)).execute()
    expect(await ask('HEAD', location)).toMatchObject({ status: 200, offset: bytes.length })
    expect((await resultOf(location)).id).toBeGreaterThan(id)
    expect(await rowsWith(bytes)).toHaveLength(1)
  })

  test('an upload that goes on does not expire, however long ago it began', async () => {
    const bytes = somePdf(`slow ${kind}`)
    const { location } = await begin(ask, { name: 'a.pdf', size: bytes.length, hash: sha256(bytes) })
    for (let at = 0; at < 80; at += 20) {
      site.pass(20 * hour)
      expect(await patch(ask, location, at, bytes.slice(at, at + 20))).toMatchObject({ status: 204 })
      await enqueue(await site.app.context(), { kind: 'attachments.sweep' })
      await site.settle()
    }
    // The library goes by a clock of its own.
    const begun = await site.db.selectFrom('upload').select('state').where('id', '=', idOf(location)).executeTakeFirst()
    const state = { ...(JSON.parse(begun?.state ?? '{}') as object), creation_date: '2020-01-01T00:00:00.000Z' }
    await site.db
      .updateTable('upload')
      .set({ state: JSON.stringify(state) })
      .where('id', '=', idOf(location))
      .execute()
    expect((await ask('HEAD', location)).offset).toBe(80)
    expect(await patch(ask, location, 80, bytes.slice(80))).toMatchObject({ status: 204 })
    expect((await resultOf(location)).id).toBeGreaterThan(0)
  })

  test('abandoned uploads expire, and the space returns', async () => {
    const { location } = await begin(ask, { name: 'a.txt', size: 1000 })
    await patch(ask, location, 0, 'x'.repeat(500))
    expect((await leftovers()).length).toBeGreaterThan(0)
    site.pass(25 * hour)
    expect((await ask('HEAD', location)).status).toBe(404)
    expect((await patch(ask, location, 500, 'y')).status).toBe(404)
    await enqueue(await site.app.context(), { kind: 'attachments.sweep' })
    await site.settle()
    expect(await leftovers()).toEqual([])
    expect(await site.db.selectFrom('upload').select('id').execute()).toEqual([])
  })

  // To send so much to S3 takes long, and the database has no part in it: once is enough.
  const isOnce = kind === 'disk' || inject('database').engine === 'sqlite'
  test.runIf(isOnce)('a large file takes no more memory than a small one', { timeout: 120_000 }, async () => {
    await site.configure({ 'security.max_document_size': '300' })
    const step = 8 * 1024 * 1024
    const pieces = kind === 'disk' ? 32 : 20
    const piece = new Uint8Array(64 * 1024).fill(97)
    const hash = createHash('sha256')
    for (let at = 0; at < (pieces * step) / piece.length; at += 1) hash.update(piece)
    const { location } = await begin(ask, { name: '大.txt', size: pieces * step, hash: hash.digest('hex') })
    await patch(ask, location, 0, flow(piece, step))
    const idle = process.memoryUsage.rss()
    let most = 0
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss())
    }, 20)
    for (let at = 1; at < pieces; at += 1) {
      expect((await patch(ask, location, at * step, flow(piece, step))).status).toBe(204)
    }
    clearInterval(watch)
    const { id } = await resultOf(location)
    expect(await rowOf(id)).toMatchObject({ size: pieces * step })
    // What is thrown away lies around for a while; the file as a whole never does. The bench measures it exactly.
    expect(most - idle).toBeLessThan(0.75 * pieces * step)
  })
})

function flow(piece: Uint8Array, size: number): ReadableStream<Uint8Array> {
  let left = size / piece.length
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (left === 0) return controller.close()
      left -= 1
      controller.enqueue(piece)
    },
  })
}

describe('over a bad line', () => {
  let site: Site
  let member: Person
  let server: Server
  let port: number
  beforeAll(async () => {
    site = await openSite()
    await openUploads(site)
    member = await site.member()
    server = createServer(
      getRequestListener((request, env) => site.app.fetch(request, env), { overrideGlobalObjects: false }),
    )
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  })
  afterAll(async () => {
    server.closeAllConnections()
    server.close()
    await site.close()
  })

  /** Sends from `offset` on, and hangs up after `most` bytes. */
  async function sendSome(path: string, bytes: Uint8Array, offset: number, most: number): Promise<void> {
    const rest = bytes.subarray(offset)
    const request = httpRequest({
      port,
      path,
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${member.token}`,
        'tus-resumable': '1.0.0',
        'content-type': 'application/offset+octet-stream',
        'upload-offset': offset,
        'content-length': rest.length,
      },
    })
    request.on('error', () => {})
    const answered = once(request, 'response').catch(() => {})
    if (most >= rest.length) {
      request.end(rest)
      await answered
      return
    }
    request.write(rest.subarray(0, most))
    await sleep(60)
    request.destroy()
    await sleep(30)
  }

  test('an upload that is cut off at any byte goes on, and arrives whole', { timeout: 60_000 }, async () => {
    const bytes = new Uint8Array(Buffer.from(randomBytes(1_500_000).toString('base64')))
    const ask = tusFor(site, member)
    const { location } = await begin(ask, { name: '断线.txt', size: bytes.length, hash: sha256(bytes) })
    const offsets: number[] = []
    for (let cuts = 0; cuts < 8; cuts += 1) {
      const { offset } = await ask('HEAD', location)
      offsets.push(offset)
      await sendSome(location, bytes, offset, Math.floor(Math.random() * 250_000))
    }
    const { offset } = await ask('HEAD', location)
    await sendSome(location, bytes, offset, bytes.length)
    const { id } = await member.call(uploads.result, { upload: location.split('/').at(-1) ?? '' })
    const row = await site.db.selectFrom('attachment').select('hash').where('id', '=', id).executeTakeFirstOrThrow()
    expect(row.hash).toBe(sha256(bytes))
    expect(Math.max(...offsets)).toBeGreaterThan(0)
  })
})
