import { randomBytes } from 'node:crypto'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { writeZip, type ZipEntry } from './zip.ts'

const modifiedAt = new Date(2026, 4, 6, 7, 8, 10).getTime()

test('an archive has its entries under their Chinese names, compressed or as they are', async () => {
  const picture = randomBytes(300_000)
  const text = '汉字'.repeat(50_000)
  const bytes = await write([
    { name: '文档/照片.jpg', modifiedAt, content: chunks(picture), isCompressed: true },
    { name: 'data/profile.json', modifiedAt, content: chunks(text) },
    { name: '空.txt', modifiedAt, content: chunks() },
  ])
  const entries = unzipSync(bytes)
  expect(Object.keys(entries)).toEqual(['文档/照片.jpg', 'data/profile.json', '空.txt'])
  expect(Buffer.from(entries['文档/照片.jpg'] ?? []).equals(picture)).toBe(true)
  expect(Buffer.from(entries['data/profile.json'] ?? []).toString()).toBe(text)
  expect(entries['空.txt']).toHaveLength(0)
  expect(bytes.length).toBeLessThan(310_000)
})

test('an archive without entries is one all the same', async () => {
  expect(unzipSync(await write([]))).toEqual({})
})

test('more entries than a plain directory can count need the larger one, which readers know', async () => {
  const count = 65_600
  const entries = Array.from({ length: count }, (_, n) => ({ name: `${n}`, modifiedAt, content: chunks() }))
  const bytes = await write(entries)
  expect(bytes.readUInt32LE(bytes.length - 22 - 20)).toBe(0x07064b50)
  expect(bytes.readBigUInt64LE(bytes.length - 22 - 20 - 56 + 32)).toBe(BigInt(count))
})

test('an entry that is said to be very large has its sizes in 64 bits', async () => {
  const bytes = await write([{ name: 'a', modifiedAt, content: chunks('hello'), size: 2 ** 33, isCompressed: true }])
  expect(bytes.readUInt32LE(22)).toBe(0xffffffff)
  expect(Buffer.from(unzipSync(bytes).a ?? []).toString()).toBe('hello')
})

test('an error of a content ends the archive with it', async () => {
  async function* broken() {
    yield Buffer.from('half')
    throw new Error('the storage is gone')
  }
  await expect(write([{ name: 'a', modifiedAt, content: broken() }])).rejects.toThrow('the storage is gone')
})

test('nothing is read ahead of its reader', async () => {
  let opened = 0
  async function* entries(): AsyncGenerator<ZipEntry> {
    for (let n = 0; n < 100; n++) {
      opened += 1
      yield { name: `${n}`, modifiedAt, content: chunks('x') }
    }
  }
  const reader = writeZip(entries())
  await reader.next()
  expect(opened).toBe(1)
  await reader.return(undefined)
})

async function write(entries: readonly ZipEntry[]): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(writeZip(each(entries))))
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}

async function* chunks(...parts: (Uint8Array | string)[]): AsyncGenerator<Uint8Array | string> {
  yield* parts
}
