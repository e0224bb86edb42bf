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

interface Opened {
  storage: Storage
  /** What failures have left anywhere: half-written files, unfinished uploads. */
  leftovers(): Promise<number>
  close(): Promise<void>
}

/** How every storage behaves. */
export function storageSuite(name: string, open: () => Promise<Opened>): void {
  describe(name, () => {
    let opened: Opened
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

    test('what was put is read back, from bytes and from a stream', async () => {
      await storage.put('files/ab/bytes', Buffer.from('文豆'))
      await storage.put('files/ab/stream', Readable.from([Buffer.from('one '), Buffer.from('two')]))
      expect(await bytes('files/ab/bytes')).toBe('文豆')
      expect(await bytes('files/ab/stream')).toBe('one two')
    })

    test('a thing tells its size and when it came', async () => {
      const before = Date.now()
      await storage.put('files/ab/told', Buffer.from('12345'))
      const found = await storage.find('files/ab/told')
      expect(found).toMatchObject({ key: 'files/ab/told', size: 5 })
      expect(Math.abs((found?.changedAt ?? 0) - before)).toBeLessThan(5000)
    })

    test('what is not there is undefined, a folder too', async () => {
      await storage.put('files/there/thing', Buffer.from('x'))
      for (const key of ['files/none', 'files/there', 'files/there/thing/below']) {
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

    test('a thing without a byte is a thing', async () => {
      await storage.put('files/empty', Buffer.alloc(0))
      await storage.put('files/empty-stream', Readable.from([]))
      for (const key of ['files/empty', 'files/empty-stream']) {
        expect(await storage.find(key)).toMatchObject({ size: 0 })
        expect(await bytes(key)).toBe('')
        expect(await bytes(key, { start: 0, end: 0 })).toBe('')
        expect((await readFile((await storage.local(key)) ?? '')).length).toBe(0)
      }
    })

    test('ten writers of one key at once leave one of their things whole', async () => {
      const things = Array.from({ length: 10 }, (_, at) => Buffer.alloc(300_000 + at * 1000, 65 + at))
      await Promise.all(things.map((thing) => storage.put('files/contested', Readable.from(slices(thing)))))
      const kept = await bytes('files/contested')
      expect(things.map(String)).toContain(kept)
      expect(await opened.leftovers()).toBe(0)
    })

    test.each([
      ['small', 100_000],
      ['large', 20_000_000],
    ])('a %s body that fails half way leaves nothing', async (size, failAfter) => {
      const key = `broken/${size}`
      await expect(storage.put(key, failingBody(failAfter))).rejects.toThrow('the connection is gone')
      expect(await storage.find(key)).toBeUndefined()
      expect(await keysUnder('broken/')).toEqual([])
      expect(await opened.leftovers()).toBe(0)
    })

    test('a body that has failed before it is read is refused, and so is one cut short', async () => {
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

    test('a file of this machine is taken over', async () => {
      const path = join(folder, 'upload')
      await writeFile(path, 'uploaded')
      await storage.take('taken/ab/cd/file', path)
      expect(await bytes('taken/ab/cd/file')).toBe('uploaded')
      await expect(stat(path)).rejects.toThrow('ENOENT')
      await expect(storage.take('taken/ab/cd/none', path)).rejects.toThrow('ENOENT')
      expect(await keysUnder('taken/')).toEqual(['taken/ab/cd/file'])
    })

    test('a list of more than a thousand is complete, and a prefix may end anywhere', async () => {
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

    test('removing is for what is there; what is not is no mistake', async () => {
      await storage.put('gone/a', Buffer.from('a'))
      await storage.put('gone/b', Buffer.from('b'))
      await storage.remove(['gone/a', 'gone/never', 'never/at/all', 'gone'])
      expect(await keysUnder('gone/')).toEqual(['gone/b'])
      await storage.remove([])
    })

    test('a removed thing is gone from this machine too', async () => {
      await storage.put('gone/local', Buffer.from('secret'))
      const path = (await storage.local('gone/local')) ?? ''
      await storage.remove(['gone/local'])
      expect(await storage.local('gone/local')).toBeUndefined()
      await expect(stat(path)).rejects.toThrow('ENOENT')
    })

    test('things come and go beside each other without loss', async () => {
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
    ])('the hostile key %j is refused everywhere', async (key) => {
      const path = join(folder, 'stays')
      await writeFile(path, 'stays')
      await expect(storage.put(key, Buffer.from('x'))).rejects.toThrow('存储的键不合法')
      await expect(storage.put(key, Readable.from(['x']))).rejects.toThrow('存储的键不合法')
      await expect(storage.take(key, path)).rejects.toThrow('存储的键不合法')
      await expect((async () => storage.read(key))()).rejects.toThrow('存储的键不合法')
      await expect((async () => storage.find(key))()).rejects.toThrow('存储的键不合法')
      await expect((async () => storage.local(key))()).rejects.toThrow('存储的键不合法')
      await expect(storage.remove(['files/fine', key])).rejects.toThrow('存储的键不合法')
      expect(await readFile(path, 'utf8')).toBe('stays')
    })

    test.each(['/', '../', 'files/../', 'files//', 'tmp/', '..'])('the hostile prefix %j is refused', (prefix) => {
      expect(() => storage.list(prefix)).toThrow('存储的键不合法')
    })

    test('a thing is a file of this machine for whoever needs one, once for all who ask together', async () => {
      await storage.put('files/for-programs', Buffer.from('for programs'))
      const paths = await Promise.all(Array.from({ length: 8 }, () => storage.local('files/for-programs')))
      expect(new Set(paths).size).toBe(1)
      expect(await readFile(paths[0] ?? '', 'utf8')).toBe('for programs')
      expect(await storage.local('files/for-programs')).toBe(paths[0])
    })

    test('memory does not grow with a thing: 64 MB through a stream, a file and back', async () => {
      await storage.put('large/warm-up', Readable.from(megabytes(20)))
      await hashOf(await storage.read('large/warm-up'))
      const expected = await hashOf(megabytes(64))
      const path = join(folder, 'large')
      await writeFile(path, megabytes(64))

      const memory = watchMemory()
      await storage.put('large/thing', Readable.from(megabytes(64, memory.look)))
      expect(await hashOf(await storage.read('large/thing'), memory.look)).toBe(expected)
      await storage.take('large/taken', path)
      expect(await hashOf(await storage.read('large/taken'), memory.look)).toBe(expected)
      expect((await stat((await storage.local('large/taken')) ?? '')).size).toBe(64 * 1024 ** 2)
      expect(memory.grown()).toBeLessThan(40)

      const middle = await storage.read('large/thing', { start: 8 * 1024 ** 2 - 2, end: 8 * 1024 ** 2 + 1 })
      expect((await buffer(middle ?? Readable.from([]))).toString('hex')).toBe('07070808')
      expect(await opened.leftovers()).toBe(0)
    })
  })
}

function* slices(thing: Buffer): Generator<Buffer> {
  for (let at = 0; at < thing.length; at += 50_000) yield thing.subarray(at, at + 50_000)
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

/** Each megabyte is filled with its number; `look` is called four times on the way. */
function* megabytes(count: number, look?: () => void): Generator<Buffer> {
  for (let at = 0; at < count * 16; at += 1) {
    yield Buffer.alloc(65_536, Math.floor(at / 16))
    if ((at + 1) % (count * 4) === 0) look?.()
  }
}

async function hashOf(
  source: AsyncIterable<Buffer> | Iterable<Buffer> | undefined,
  look?: () => void,
): Promise<string> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of source ?? []) {
    hash.update(chunk)
    if (Math.floor(bytes / 16e6) < Math.floor((bytes + chunk.length) / 16e6)) look?.()
    bytes += chunk.length
  }
  return hash.digest('hex')
}

/** The most that was held at once, in MB; garbage that merely waits for its collection does not count. */
function watchMemory(): { look(): void; grown(): number } {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect !== 'function') throw new Error('the garbage collector cannot be called')
  const held = () => {
    // The second call waits until the first has given the memory back.
    collect()
    collect()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const before = held()
  let most = before
  const look = () => {
    most = Math.max(most, held())
  }
  const timer = setInterval(look, 1000)
  return {
    look,
    grown() {
      clearInterval(timer)
      return (most - before) / 1024 ** 2
    },
  }
}
