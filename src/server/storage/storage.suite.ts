import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Range, Storage } from './storage.ts'

interface OpenStorage {
  storage: Storage
  /** The number of incomplete files and unfinished uploads, anywhere. */
  leftovers(): Promise<number>
  close(): Promise<void>
}

/** The tests of every storage. */
export function storageSuite(name: string, open: () => Promise<OpenStorage>): void {
  describe(name, () => {
    let opened: OpenStorage
    let storage: Storage
    let folder: string

    beforeAll(async () => {
      opened = await open()
      storage = opened.storage
      folder = await mkdtemp(join(tmpdir(), 'wendou-storage-'))
    })

    afterAll(async () => {
      await opened.close()
      await rm(folder, { recursive: true, force: true })
    })

    const bytes = async (key: string, range?: Range) => {
      const stream = await storage.read(key, range)
      return stream && (await buffer(stream)).toString()
    }

    const keysUnder = async (prefix: string) => {
      const keys: string[] = []
      for await (const { key } of storage.list(prefix)) keys.push(key)
      return keys.toSorted()
    }

    test('an object is read back as it was put, from bytes and from a stream', async () => {
      await storage.put('files/ab/bytes', Buffer.from('文豆'))
      await storage.put('files/ab/stream', Readable.from([Buffer.from('one '), Buffer.from('two')]))
      expect(await bytes('files/ab/bytes')).toBe('文豆')
      expect(await bytes('files/ab/stream')).toBe('one two')
    })

    test('an object has its size and its time', async () => {
      const before = Date.now()
      await storage.put('files/ab/dated', Buffer.from('12345'))
      const object = await storage.find('files/ab/dated')
      expect(object).toMatchObject({ key: 'files/ab/dated', size: 5 })
      // S3 gives whole seconds.
      expect(object?.modifiedAt).toBeGreaterThan(before - 1000)
      expect(object?.modifiedAt).toBeLessThanOrEqual(Date.now())
    })

    test('a missing object is undefined, and so is a folder', async () => {
      await storage.put('files/there/object', Buffer.from('x'))
      for (const key of ['files/none', 'files/there', 'files/there/object/below']) {
        expect(await storage.find(key), key).toBeUndefined()
        expect(await storage.read(key), key).toBeUndefined()
        expect(await storage.read(key, { start: 0, end: 1 }), key).toBeUndefined()
        expect(await storage.local(key), key).toBeUndefined()
      }
    })

    test('a range is read: first bytes, middle, last byte, beyond the end', async () => {
      await storage.put('files/range', Buffer.from('0123456789'))
      expect(await bytes('files/range', { start: 0, end: 0 })).toBe('0')
      expect(await bytes('files/range', { start: 0, end: 2 })).toBe('012')
      expect(await bytes('files/range', { start: 4, end: 6 })).toBe('456')
      expect(await bytes('files/range', { start: 9, end: 9 })).toBe('9')
      expect(await bytes('files/range', { start: 8, end: 100 })).toBe('89')
      expect(await bytes('files/range', { start: 10, end: 20 })).toBe('')
      await expect(storage.read('files/range', { start: 5, end: 4 })).rejects.toThrow('读取范围不合法')
      await expect(storage.read('files/range', { start: -1, end: 4 })).rejects.toThrow('读取范围不合法')
    })

    test('an object may be empty', async () => {
      await storage.put('files/empty', Buffer.alloc(0))
      await storage.put('files/empty-stream', Readable.from([]))
      for (const key of ['files/empty', 'files/empty-stream']) {
        expect(await storage.find(key)).toMatchObject({ size: 0 })
        expect(await bytes(key)).toBe('')
        expect(await bytes(key, { start: 0, end: 0 })).toBe('')
        expect((await readFile((await storage.local(key)) ?? '')).length).toBe(0)
      }
    })

    test('of ten concurrent writers of a key one wins, and its object is complete', async () => {
      const bodies = Array.from({ length: 10 }, (_, at) => Buffer.alloc(300_000 + at * 1000, 65 + at))
      await Promise.all(bodies.map((body) => storage.put('files/contested', Readable.from(slices(body)))))
      const stored = await bytes('files/contested')
      expect(bodies.map(String)).toContain(stored)
      expect(await opened.leftovers()).toBe(0)
    })

    test.each([
      ['small', 100_000],
      ['large', 20_000_000],
    ])('a %s body that fails in the middle leaves nothing', async (size, failAfter) => {
      const key = `broken/${size}`
      await expect(storage.put(key, failingBody(failAfter))).rejects.toThrow('the connection is gone')
      expect(await storage.find(key)).toBeUndefined()
      expect(await keysUnder('broken/')).toEqual([])
      expect(await opened.leftovers()).toBe(0)
    })

    test('a body that fails before it is read is refused, and so is one that is cut off', async () => {
      const failed = new Readable({ read() {} })
      const put = storage.put('broken/early', failed)
      failed.destroy(new Error('gone at once'))
      await expect(put).rejects.toThrow('gone at once')

      const cut = new Readable({ read() {} })
      cut.push('half')
      setTimeout(() => cut.destroy(), 50)
      await expect(storage.put('broken/cut', cut)).rejects.toThrow('Premature close')
      expect(await keysUnder('broken/')).toEqual([])
      expect(await opened.leftovers()).toBe(0)
    })

    test('a local file is moved in', async () => {
      const path = join(folder, 'upload')
      await writeFile(path, 'uploaded')
      await storage.moveIn('taken/ab/cd/file', path)
      expect(await bytes('taken/ab/cd/file')).toBe('uploaded')
      await expect(stat(path)).rejects.toThrow('ENOENT')
      await expect(storage.moveIn('taken/ab/cd/none', path)).rejects.toThrow('ENOENT')
      expect(await keysUnder('taken/')).toEqual(['taken/ab/cd/file'])
    })

    test('a list of more than a thousand objects is complete, and a prefix may end anywhere', async () => {
      const keys = Array.from({ length: 1100 }, (_, at) => `many/${at % 7}/${String(at).padStart(4, '0')}`)
      for (let at = 0; at < keys.length; at += 50) {
        await Promise.all(keys.slice(at, at + 50).map((key) => storage.put(key, Buffer.from(key))))
      }
      expect(await keysUnder('many/')).toEqual(keys.toSorted())
      expect(await keysUnder('many/3/')).toEqual(keys.filter((key) => key.startsWith('many/3/')).toSorted())
      expect(await keysUnder('many/3/001')).toEqual(keys.filter((key) => key.startsWith('many/3/001')).toSorted())
      expect(await keysUnder('man')).toHaveLength(1100)
      expect(await keysUnder('none/')).toEqual([])
      for await (const { size } of storage.list('many/5/')) expect(size).toBe('many/5/0005'.length)

      await storage.remove(keys)
      expect(await keysUnder('many/')).toEqual([])
    })

    test('objects are removed, and missing keys are ignored', async () => {
      await storage.put('gone/a', Buffer.from('a'))
      await storage.put('gone/b', Buffer.from('b'))
      await storage.remove(['gone/a', 'gone/never', 'never/at/all', 'gone'])
      expect(await keysUnder('gone/')).toEqual(['gone/b'])
      await storage.remove([])
    })

    test('removing an object removes its local copy', async () => {
      await storage.put('gone/local', Buffer.from('secret'))
      const path = (await storage.local('gone/local')) ?? ''
      await storage.remove(['gone/local'])
      expect(await storage.local('gone/local')).toBeUndefined()
      await expect(stat(path)).rejects.toThrow('ENOENT')
    })

    test('concurrent writes and removals in one folder lose nothing', async () => {
      const rounds = Array.from({ length: 40 }, (_, at) => at)
      await Promise.all([
        ...rounds.map((at) => storage.put(`busy/deep/${at % 2}/keep-${at}`, Buffer.from('x'))),
        ...rounds.map(async (at) => {
          await storage.put(`busy/deep/${at % 2}/go-${at}`, Buffer.from('x'))
          await storage.remove([`busy/deep/${at % 2}/go-${at}`])
        }),
      ])
      expect(await keysUnder('busy/')).toEqual(rounds.map((at) => `busy/deep/${at % 2}/keep-${at}`).toSorted())
    })

    test.each([
      '',
      '/',
      '/etc/passwd',
      '../outside',
      'files/../../outside',
      'files/./a',
      'files//a',
      'files/',
      '.',
      '..',
      'files/a b',
      'files/文',
      'files\\a',
      'files/a\0b',
      'files/%2e%2e/a',
      'files/a?b',
      'tmp/a',
      'tmp',
      `files/${'a'.repeat(201)}`,
    ])('the unsafe key %j is refused by every operation', async (key) => {
      const path = join(folder, 'stays')
      await writeFile(path, 'stays')
      await expect(storage.put(key, Buffer.from('x'))).rejects.toThrow('存储的键不合法')
      await expect(storage.put(key, Readable.from(['x']))).rejects.toThrow('存储的键不合法')
      await expect(storage.moveIn(key, path)).rejects.toThrow('存储的键不合法')
      await expect((async () => storage.read(key))()).rejects.toThrow('存储的键不合法')
      await expect((async () => storage.find(key))()).rejects.toThrow('存储的键不合法')
      await expect((async () => storage.local(key))()).rejects.toThrow('存储的键不合法')
      await expect(storage.remove(['files/fine', key])).rejects.toThrow('存储的键不合法')
      expect(await readFile(path, 'utf8')).toBe('stays')
    })

    test.each(['/', '../', 'files/../', 'files//', 'tmp/', '..'])('the unsafe prefix %j is refused', (prefix) => {
      expect(() => storage.list(prefix)).toThrow('存储的键不合法')
    })

    test('concurrent requests for the local file of an object share one copy', async () => {
      await storage.put('files/for-programs', Buffer.from('for programs'))
      const paths = await Promise.all(Array.from({ length: 8 }, () => storage.local('files/for-programs')))
      expect(new Set(paths).size).toBe(1)
      expect(await readFile(paths[0] ?? '', 'utf8')).toBe('for programs')
      expect(await storage.local('files/for-programs')).toBe(paths[0])
    })

    test(
      'memory does not grow with an object: 64 MB as a stream, as a file and back',
      { timeout: 180_000 },
      async () => {
        await storage.put('large/warm-up', Readable.from(megabytes(20)))
        await hashStream(await storage.read('large/warm-up'))
        const expected = await hashStream(megabytes(64))
        const path = join(folder, 'large')
        await writeFile(path, megabytes(64))

        const memory = watchMemory(48)
        await storage.put('large/object', Readable.from(megabytes(64)))
        expect(await hashStream(await storage.read('large/object'))).toBe(expected)
        await storage.moveIn('large/moved', path)
        expect(await hashStream(await storage.read('large/moved'))).toBe(expected)
        expect((await stat((await storage.local('large/moved')) ?? '')).size).toBe(64 * 1024 ** 2)
        expect(memory.growthMb()).toBeLessThan(48)

        const middle = await storage.read('large/object', { start: 8 * 1024 ** 2 - 2, end: 8 * 1024 ** 2 + 1 })
        expect((await buffer(middle ?? Readable.from([]))).toString('hex')).toBe('07070808')
        expect(await opened.leftovers()).toBe(0)
      },
    )
  })
}

function* slices(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += 50_000) yield body.subarray(at, at + 50_000)
}

function failingBody(bytes: number): Readable {
  return Readable.from(
    (async function* () {
      for (let sent = 0; sent < bytes; sent += 50_000) yield Buffer.alloc(50_000)
      await sleep(10)
      throw new Error('the connection is gone')
    })(),
  )
}

/** Each megabyte is filled with its number. */
function* megabytes(count: number): Generator<Buffer> {
  for (let at = 0; at < count * 16; at += 1) yield Buffer.alloc(65_536, Math.floor(at / 16))
}

async function hashStream(source: AsyncIterable<Buffer> | Iterable<Buffer> | undefined): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of source ?? []) hash.update(chunk)
  return hash.digest('hex')
}

/**
 * The growth of the memory in use. Garbage does not count; but as a collection is slow, it is only collected when the growth
 * seems to exceed `limitMb`: below it, the result is 0.
 */
function watchMemory(limitMb: number): { growthMb(): number } {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect !== 'function') throw new Error('the garbage collector cannot be called')
  const usedMb = () => {
    const { heapUsed, external } = process.memoryUsage()
    return (heapUsed + external) / 1024 ** 2
  }
  const usedAfterCollectionMb = () => {
    // The second call waits until the first has released the memory.
    collect()
    collect()
    return usedMb()
  }
  const before = usedAfterCollectionMb()
  let growth = 0
  const sample = () => {
    if (usedMb() - before > limitMb) growth = Math.max(growth, usedAfterCollectionMb() - before)
  }
  const timer = setInterval(sample, 500)
  return {
    growthMb() {
      clearInterval(timer)
      return growth
    },
  }
}
