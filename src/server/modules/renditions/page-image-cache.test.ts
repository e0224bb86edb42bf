import { readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempFolder } from '#server/testing/folder.ts'
import { openPageImageCache } from './page-image-cache.ts'

const page = Buffer.alloc(1000, 'p')

test('what was kept is there, also for another process, and what was not is simply missing', async () => {
  const folder = tempFolder()
  const [one, other] = [openPageImageCache(folder), openPageImageCache(folder)]
  await one.put('ab/1.svgz', page, 1e6)
  expect(await other.get('ab/1.svgz')).toEqual(page)
  expect(await other.has('ab/1.svgz')).toBe(true)
  expect(await other.get('ab/2.svgz')).toBeUndefined()
  await other.evict('ab')
  expect(await one.get('ab/1.svgz')).toBeUndefined()
})

test('over the budget, what was not looked at for longest goes first', async () => {
  const folder = tempFolder()
  const cache = openPageImageCache(folder)
  for (let n = 1; n <= 10; n++) {
    await cache.put(`ab/${n}.svgz`, page, 1e6)
    await cache.idle()
    await utimes(join(folder, `ab/${n}.svgz`), n, n)
  }
  // A process that has not touched the page lately marks it as used.
  await openPageImageCache(folder).get('ab/1.svgz')
  await expect.poll(async () => (await cache.put('ab/11.svgz', page, 5000), cache.idle())).toBeUndefined()
  const left = (await readdir(join(folder, 'ab'))).map((name) => Number(name.split('.')[0]))
  expect(left.toSorted((a, b) => a - b)).toEqual([1, 9, 10, 11])
  expect(await cache.hasRoom(5000)).toBe(false)
  expect(await cache.hasRoom(50_000)).toBe(true)
})

test('half-written files of a process that died are removed, those of a living one are not', async () => {
  const folder = tempFolder()
  const cache = openPageImageCache(folder)
  await cache.put('ab/1.svgz', page, 1e6)
  await cache.idle()
  for (const name of ['dead', 'alive']) await writeFile(join(folder, `ab/2.svgz.${name}.tmp`), page)
  await utimes(join(folder, 'ab/2.svgz.dead.tmp'), 1, 1)
  await openPageImageCache(folder).hasRoom(1e6)
  expect((await readdir(join(folder, 'ab'))).toSorted()).toEqual(['1.svgz', '2.svgz.alive.tmp'])
})

test('an empty file is no picture', async () => {
  const folder = tempFolder()
  const cache = openPageImageCache(folder)
  await writeFile(join(folder, '1.svgz'), '')
  expect(await cache.get('1.svgz')).toBeUndefined()
  expect(await cache.has('1.svgz')).toBe(false)
})

test('a disk that takes nothing costs the cache, not the reader', async () => {
  const folder = join(tempFolder(), 'file')
  await writeFile(folder, 'not a folder')
  const cache = openPageImageCache(folder)
  await cache.put('ab/1.svgz', page, 1e6)
  expect(await cache.get('ab/1.svgz')).toBeUndefined()
})

test('folders go with the last picture in them', async () => {
  const folder = tempFolder()
  const cache = openPageImageCache(folder)
  await cache.put('ab/abc/1/1.svgz', page, 1e6)
  await cache.put('cd/cde/1/1.svgz', page, 1e6)
  await cache.evict('ab/abc/1')
  expect(await readdir(folder)).toEqual(['cd'])
  await cache.idle()
  await cache.put('ef/efg/1/1.svgz', Buffer.alloc(10), 500)
  await cache.idle()
  await utimes(join(folder, 'ef/efg/1/1.svgz'), Date.now() / 1000 + 60, Date.now() / 1000 + 60)
  await openPageImageCache(folder).hasRoom(500)
  expect(await readdir(folder)).toEqual(['ef'])
  expect(await cache.get('ef/efg/1/1.svgz')).toHaveLength(10)
})
