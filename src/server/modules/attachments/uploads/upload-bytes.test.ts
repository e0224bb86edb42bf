import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Upload } from '@tus/server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStorage } from '#server/storage/open.ts'
import type { Storage } from '#server/storage/storage.ts'
import { PartUploadStore } from './upload-bytes.ts'
import type { UploadRows } from './upload-rows.ts'

const size = 3000
let folder: string
let storage: Storage
let content: Buffer
let rows: UploadRows
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wendou-parts-'))
  storage = await openStorage('', { dataDir: folder })
  content = randomBytes(size)
  rows = {
    get: async (id) => new Upload({ id, size, offset: 0 }),
    set: async () => {},
    delete: async () => {},
    finished: async () => undefined,
  }
})
afterEach(async () => {
  await storage.close()
  await rm(folder, { recursive: true })
})

/** One of the processes that share the storage. */
function openStore(): PartUploadStore {
  return new PartUploadStore(storage, join(folder, 'tmp'), { rows, expiresMs: 1000 })
}

function slice(from: number, to: number): Readable {
  return Readable.from([content.subarray(from, to)])
}

/** A request whose connection breaks after some bytes, when `hangUp` is called. */
function breakingRequest(from: number, to: number) {
  const broken = Promise.withResolvers<never>()
  async function* body() {
    yield content.subarray(from, to)
    await broken.promise
  }
  return { body: Readable.from(body()), hangUp: () => broken.reject(new Error('connection lost')) }
}

test('late writes of an aborted request do not damage what another process has received', async () => {
  const [firstProcess, secondProcess] = [openStore(), openStore()]
  await firstProcess.write(slice(0, 1000), 'u', 0)
  const { body, hangUp } = breakingRequest(1000, 1200)
  const lost = firstProcess.write(body, 'u', 1000)
  await secondProcess.write(slice(1000, 3000), 'u', 1000)
  hangUp()
  await expect(lost).rejects.toThrow('connection lost')
  expect((await secondProcess.getUpload('u')).offset).toBe(size)
  expect(await readFile(await secondProcess.assemble('u'))).toEqual(content)
})

test('the bytes of an aborted request count, and the upload continues after them', async () => {
  const { body, hangUp } = breakingRequest(0, 700)
  const lost = openStore().write(body, 'u', 0)
  hangUp()
  await expect(lost).rejects.toThrow('connection lost')
  expect((await openStore().getUpload('u')).offset).toBe(700)
  await openStore().write(slice(700, size), 'u', 700)
  expect(await readFile(await openStore().assemble('u'))).toEqual(content)
})

test('of overlapping parts the longest chain is used', async () => {
  const store = openStore()
  for (const [from, to] of [
    [2000, 2500],
    [0, 500],
    [0, 1000],
    [500, 900],
    [1000, 2000],
    [1000, 1100],
    [1100, 1300],
    [2500, 2600],
    [2900, 3000],
  ] as const)
    await store.write(slice(from, to), 'u', from)
  expect((await store.getUpload('u')).offset).toBe(2600)
  await store.write(slice(2600, size), 'u', 2600)
  expect(await readFile(await store.assemble('u'))).toEqual(content)
})

test('two processes can assemble the same upload', async () => {
  await openStore().write(slice(0, size), 'u', 0)
  const paths = await Promise.all([openStore().assemble('u'), openStore().assemble('u')])
  expect(new Set(paths).size).toBe(2)
  for (const path of paths) expect(await readFile(path)).toEqual(content)
})

test('after another process has dropped the parts there is no file, rather than a shorter one', async () => {
  const store = openStore()
  await store.write(slice(0, 1000), 'u', 0)
  await store.write(slice(1000, size), 'u', 1000)
  for await (const { key } of storage.list('uploads/u/'))
    if (key.includes('/000000000001000')) await storage.remove([key])
  await expect(store.assemble('u')).rejects.toMatchObject({ reason: 'uploads.unfinished' })
  rows.finished = async (id) => new Upload({ id, size, offset: size })
  await expect(stat(await store.assemble('u'))).rejects.toMatchObject({ code: 'ENOENT' })
})
