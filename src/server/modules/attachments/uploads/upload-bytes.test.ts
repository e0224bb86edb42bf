import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Upload } from '@tus/server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStorage } from '#server/storage/open.ts'
import type { Storage } from '#server/storage/storage.ts'
import { PartUploads } from './upload-bytes.ts'
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

/** One process of those that share a storage. */
function process(): PartUploads {
  return new PartUploads(storage, join(folder, 'tmp'), { rows, expiresMs: 1000 })
}

function stretch(from: number, to: number): Readable {
  return Readable.from([content.subarray(from, to)])
}

/** A request that brings some bytes, and whose connection breaks when it is told. */
function dying(from: number, to: number) {
  const broken = Promise.withResolvers<never>()
  async function* body() {
    yield content.subarray(from, to)
    await broken.promise
  }
  return { body: Readable.from(body()), hangUp: () => broken.reject(new Error('connection lost')) }
}

test('what a dying request still writes takes nothing from what another process has got', async () => {
  const [here, there] = [process(), process()]
  await here.write(stretch(0, 1000), 'u', 0)
  const { body, hangUp } = dying(1000, 1200)
  const lost = here.write(body, 'u', 1000)
  await there.write(stretch(1000, 3000), 'u', 1000)
  hangUp()
  await expect(lost).rejects.toThrow('connection lost')
  expect((await there.getUpload('u')).offset).toBe(size)
  expect(await readFile(await there.whole('u'))).toEqual(content)
})

test('what a dying request has brought counts, and the upload goes on from there', async () => {
  const { body, hangUp } = dying(0, 700)
  const lost = process().write(body, 'u', 0)
  hangUp()
  await expect(lost).rejects.toThrow('connection lost')
  expect((await process().getUpload('u')).offset).toBe(700)
  await process().write(stretch(700, size), 'u', 700)
  expect(await readFile(await process().whole('u'))).toEqual(content)
})

test('of parts that overlap, those are taken that reach the furthest', async () => {
  const one = process()
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
    await one.write(stretch(from, to), 'u', from)
  expect((await one.getUpload('u')).offset).toBe(2600)
  await one.write(stretch(2600, size), 'u', 2600)
  expect(await readFile(await one.whole('u'))).toEqual(content)
})

test('two processes that put one upload together do not get into each other’s way', async () => {
  await process().write(stretch(0, size), 'u', 0)
  const paths = await Promise.all([process().whole('u'), process().whole('u')])
  expect(new Set(paths).size).toBe(2)
  for (const path of paths) expect(await readFile(path)).toEqual(content)
})

test('who comes when another has dropped the parts gets no file rather than a shorter one', async () => {
  const one = process()
  await one.write(stretch(0, 1000), 'u', 0)
  await one.write(stretch(1000, size), 'u', 1000)
  for await (const { key } of storage.list('uploads/u/'))
    if (key.includes('/000000000001000')) await storage.remove([key])
  await expect(one.whole('u')).rejects.toMatchObject({ reason: 'uploads.unfinished' })
  rows.finished = async (id) => new Upload({ id, size, offset: size })
  await expect(stat(await one.whole('u'))).rejects.toMatchObject({ code: 'ENOENT' })
})
