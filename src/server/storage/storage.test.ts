import { mkdir, mkdtemp, open, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { startS3 } from '#server/testing/s3/server.ts'
import { diskStorage, sweepTemp } from './disk.ts'
import { openStorage } from './open.ts'
import { s3Storage } from './s3.ts'
import { storageSuite } from './storage.suite.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wendou-storage-'))
})

afterEach(async () => {
  vi.restoreAllMocks()
  await rm(folder, { recursive: true, force: true })
})

const filesIn = async (path: string) =>
  (await readdir(path, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)

storageSuite('disk', async () => {
  const root = await mkdtemp(join(tmpdir(), 'wendou-disk-'))
  const storage = await diskStorage(root)
  return {
    storage,
    leftovers: async () => (await filesIn(join(root, 'tmp'))).length,
    async close() {
      await storage.close()
      await rm(root, { recursive: true, force: true })
    },
  }
})

storageSuite('S3', async () => {
  const cacheFolder = await mkdtemp(join(tmpdir(), 'wendou-cache-'))
  const server = await startS3()
  const storage = await s3Storage(server.url.replace('?', '/some/prefix?'), { cacheFolder })
  return {
    storage,
    leftovers: async () => server.openUploads() + (await filesIn(join(cacheFolder, 'tmp'))).length,
    async close() {
      await storage.close()
      await server.close()
      await rm(cacheFolder, { recursive: true, force: true })
    },
  }
})

describe('on disk', () => {
  test('a folder is removed with its last file', async () => {
    const storage = await diskStorage(folder)
    await storage.put('files/ab/cd/one', Buffer.from('1'))
    await storage.put('files/ab/two', Buffer.from('2'))
    await storage.remove(['files/ab/cd/one'])
    expect(await readdir(join(folder, 'files/ab'))).toEqual(['two'])
    await storage.remove(['files/ab/two'])
    expect(await readdir(folder)).toEqual(['tmp'])
  })

  test('a full disk is reported as such, and nothing is left', async () => {
    const storage = await diskStorage(folder)
    const probe = await open(join(folder, 'probe'), 'w')
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    vi.spyOn(Object.getPrototypeOf(probe), 'sync').mockRejectedValue(full)
    await probe.close()
    await rm(join(folder, 'probe'))

    await expect(storage.put('files/ab/one', Buffer.from('1'))).rejects.toMatchObject({ code: 'ENOSPC' })
    await expect(storage.put('files/ab/one', Readable.from(['1']))).rejects.toMatchObject({ code: 'ENOSPC' })
    expect(await readdir(folder, { recursive: true })).toEqual(['tmp'])
  })

  test('incomplete files of a crash are removed at a start a day later', async () => {
    const temp = join(folder, 'tmp')
    await mkdir(temp)
    const twoDaysAgo = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000)
    await writeFile(join(temp, 'old'), 'x')
    await utimes(join(temp, 'old'), twoDaysAgo, twoDaysAgo)
    await writeFile(join(temp, 'young'), 'x')
    await diskStorage(folder)
    expect(await filesIn(folder)).toEqual(['young'])
    await sweepTemp(folder, -1000)
    expect(await filesIn(folder)).toEqual([])
  })
})

describe('on S3', () => {
  let server: Awaited<ReturnType<typeof startS3>>

  beforeEach(async () => {
    server = await startS3()
  })

  afterEach(() => server.close())

  const connect = (url = server.url, cacheBytes?: number) => s3Storage(url, { cacheFolder: folder, cacheBytes })

  test.each([
    ['the secret', (url: string) => url.replace('%40store', '%40other')],
    ['the key', (url: string) => url.replace('//', '//OTHER')],
  ])('a wrong value for %s is reported, and not taken for a missing object', async (_what, corrupt) => {
    expect(corrupt(server.url)).not.toBe(server.url)
    const storage = await connect(corrupt(server.url))
    const refusal = '对象存储不认可密钥'
    await expect(storage.find('files/a')).rejects.toThrow(refusal)
    await expect(storage.read('files/a')).rejects.toThrow(refusal)
    await expect(storage.local('files/a')).rejects.toThrow(refusal)
    await expect(storage.put('files/a', Buffer.from('a'))).rejects.toThrow(refusal)
    await expect(storage.put('files/a', Buffer.alloc(9 * 1024 ** 2))).rejects.toThrow(refusal)
    await expect(storage.remove(['files/a'])).rejects.toThrow(refusal)
    await expect(Array.fromAsync(storage.list(''))).rejects.toThrow(refusal)
  })

  test('a missing bucket or server is reported as such', async () => {
    const noBucket = await connect(server.url.replace('/wendou?', '/other?'))
    await expect(noBucket.put('files/a', Buffer.from('a'))).rejects.toThrow('没有这个桶')
    const noServer = await connect(server.url.replace(/:\d+\//, ':1/'))
    await expect(noServer.put('files/a', Buffer.from('a'))).rejects.toThrow('连接不上对象存储')
  })

  test('requests that fail for a moment are retried', async () => {
    const storage = await connect()
    server.failNext('busy', 2)
    await storage.put('files/a', Buffer.from('once more'))
    server.failNext('busy', 2)
    expect(await text((await storage.read('files/a')) ?? Readable.from([]))).toBe('once more')
    server.failNext('broken', 2)
    expect(await storage.local('files/a')).toBe(join(folder, 'files/a'))
    expect(await filesIn(folder)).toEqual(['a'])
  })

  test('a file that was moved in is cached without a download', async () => {
    const storage = await connect()
    const path = join(folder, 'uploaded')
    await writeFile(path, 'just uploaded')
    await storage.moveIn('files/a', path)
    server.failNext('busy', 1000)
    const copy = await storage.local('files/a')
    server.failNext('busy', 0)
    expect(await readFile(copy ?? '', 'utf8')).toBe('just uploaded')
    expect(await text((await storage.read('files/a')) ?? Readable.from([]))).toBe('just uploaded')
    await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('a file that was moved in counts towards the cache size, and is removed with its object', async () => {
    const storage = await connect(server.url, 1500)
    const take = async (key: string) => {
      await writeFile(join(folder, 'uploaded'), Buffer.alloc(1000))
      await storage.moveIn(key, join(folder, 'uploaded'))
    }
    await take('files/a')
    const longAgo = new Date(Date.now() - 60 * 60 * 1000)
    await utimes(join(folder, 'files/a'), longAgo, longAgo)
    await take('files/b')
    expect(await filesIn(folder)).toEqual(['b'])
    await storage.remove(['files/b'])
    expect(await filesIn(folder)).toEqual([])
    expect(await storage.local('files/b')).toBeUndefined()
  })

  test('a file is moved in even when it cannot be cached', async () => {
    const storage = await connect()
    await writeFile(join(folder, 'uploaded'), 'just uploaded')
    await writeFile(join(folder, 'files'), 'in the way')
    await storage.moveIn('files/a', join(folder, 'uploaded'))
    expect(await filesIn(folder)).toEqual(['files'])
    expect(await text((await storage.read('files/a')) ?? Readable.from([]))).toBe('just uploaded')
  })

  test('the cache stays within its size, and copies in use are not evicted', async () => {
    const storage = await connect(server.url, 2500)
    const longAgo = (minutes: number) => new Date(Date.now() - minutes * 60 * 1000)
    for (const name of ['a', 'b', 'c', 'd']) await storage.put(`files/${name}`, Buffer.alloc(1000))
    const [a = '', b = ''] = [await storage.local('files/a'), await storage.local('files/b')]
    await utimes(a, longAgo(60), longAgo(60))
    await utimes(b, longAgo(90), longAgo(90))
    await storage.local('files/c')
    expect((await filesIn(folder)).toSorted()).toEqual(['a', 'c'])

    await storage.local('files/a')
    await storage.local('files/d')
    expect((await filesIn(folder)).toSorted()).toEqual(['a', 'c', 'd'])
  })
})

describe('STORAGE_URL', () => {
  test('empty means the disk, in the data folder', async () => {
    const storage = await openStorage('', { dataDir: folder })
    await storage.put('files/a', Buffer.from('a'))
    expect(await storage.local('files/a')).toBe(join(folder, 'storage/files/a'))
  })

  test('s3 means a bucket', async () => {
    const server = await startS3()
    const storage = await openStorage(server.url, { dataDir: folder })
    await storage.put('files/a', Buffer.from('a'))
    expect(await storage.find('files/a')).toMatchObject({ size: 1 })
    await storage.close()
    await server.close()
  })

  test.each([
    ['/var/files', '应留空（存到磁盘）或写成'],
    ['https://key:secret@host/bucket', '应留空（存到磁盘）或写成'],
    ['s3://key:sec/ret@host/bucket', '百分号编码'],
    ['s3://key:sec%@host/bucket', '%25'],
    ['s3://host/bucket', '缺少密钥'],
    ['s3://key@host/bucket', '缺少密钥'],
    ['s3://key:secret@host', '缺少桶'],
    ['s3://key:secret@host/b', '缺少桶'],
    ['s3://key:secret@host/bucket/a b', '路径只能用'],
    ['s3://key:secret@host/bucket?regoin=x', '不认识参数 regoin'],
    ['s3://key:secret@host/bucket?ssl=yes', '参数 ssl 写错了'],
  ])('%s is refused with a message that does not contain the secret', async (url, sentence) => {
    const refused = openStorage(url, { dataDir: folder })
    await expect(refused).rejects.toThrow(sentence)
    await expect(refused).rejects.not.toThrow('sec/ret')
  })
})
