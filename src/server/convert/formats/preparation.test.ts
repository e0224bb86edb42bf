import { readdirSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeText } from '#server/samples/text.ts'
import { makeDocx } from '#server/samples/word.ts'
import { placeFile, tempFolder } from '#server/testing/folder.ts'
import type { Probe } from '../converter.ts'
import { openConverter } from '../open-converter.ts'
import { prepareApart } from './preparation.ts'
import type { Task } from './prepare-tasks.ts'
import { findWalls } from '../sandbox/sandbox.ts'
import type { Walls } from '../sandbox/isolation.ts'
import { writeZip } from '../archives/zip-write.ts'

const found = await findWalls()
const kinds: Walls[] = found === 'none' ? ['none'] : [found, 'none']
const converter = openConverter({ folder: '/nowhere', processes: 1 })
const text: Probe = { content: 'text', as: '.txt' }
const novel = makeText(20)
const long = novel.repeat(Math.ceil(30e6 / Buffer.byteLength(novel)))

afterAll(() => converter.close())

test('a long text is made into a book while the server has its hands free', async () => {
  const source = placeFile('a.txt', long)
  const before = process.cpuUsage()
  const { path } = await converter.prepare(source, text, tempFolder(), { timeoutMs: 60_000 })
  const { user, system } = process.cpuUsage(before)
  expect(path).toContain('document.epub')
  expect((user + system) / 1e6).toBeLessThan(0.8)
})

test('a preparation that nobody waits for any more ends at once and leaves nothing', async () => {
  const folder = tempFolder()
  const leaving = new AbortController()
  const limits = { timeoutMs: 60_000, signal: leaving.signal }
  const job = converter.prepare(placeFile('a.txt', long), text, folder, limits)
  setTimeout(() => leaving.abort(new Error('left')), 300)
  await expect(job).rejects.toThrow('left')
  expect(readdirSync(folder)).toEqual([])
})

test.each(kinds)('behind %s a text is read and its book is there, with nothing beside it', async (behind) => {
  const folder = tempFolder()
  const target = join(folder, 'a.epub')
  const source = placeFile('a.txt', '第一章 山\n一个短短的故事。')
  await prepareApart({ task: 'text', source, folder, target, behind, limits: { timeoutMs: 30_000 } })
  expect(readdirSync(folder)).toEqual(['a.epub'])
})

test.each<[string, Task, string, string]>([
  ['blanks', 'text', ' \n ', 'empty'],
  ['a table without cells', 'csv', '\n\n', 'empty'],
  ['an archive that is none', 'xlsx', 'PK', 'damaged'],
  ['a book of phones that is none', 'umd', '\xde\x9a\x9b\x89!!', 'damaged'],
])('%s: the reason comes back', async (_, task, content, reason) => {
  await expect(prepared(task, placeFile('a', content))).rejects.toMatchObject({ reason })
})

test.each<[Task, number]>([
  ['text', 65e6],
  ['csv', 33e6],
])('%s of more than its limit is not read', async (task, size) => {
  const source = placeFile('a.txt', 'a')
  truncateSync(source.path, size)
  await expect(prepared(task, source)).rejects.toMatchObject({ reason: 'tooLarge' })
})

test('the tables of a long document are looked at apart from the server', async () => {
  const nested = (depth: number) => '<w:tbl><w:tr><w:tc>'.repeat(depth) + '</w:tc></w:tr></w:tbl>'.repeat(depth)
  const filler = '<w:p><w:r><w:t>一段</w:t></w:r></w:p>'.repeat(70_000)
  const harmless = placeFile('a.docx', makeDocx({ body: filler + nested(50) }))
  const harmful = placeFile('a.docx', makeDocx({ body: filler + nested(200) }))
  for (const source of [harmless, harmful]) expect(await converter.probe(source)).toMatchObject({ as: '.docx' })
  const folder = tempFolder()
  const limits = { timeoutMs: 30_000 }
  await prepareApart({ task: 'tables', source: harmless, folder, limits })
  await expect(prepareApart({ task: 'tables', source: harmful, folder, limits })).rejects.toMatchObject({
    reason: 'tooLarge',
  })
})

test('what takes too long is given up', async () => {
  await expect(prepared('text', placeFile('a.txt', long), 500)).rejects.toMatchObject({ reason: 'timeout' })
})

test('an archive that grows beyond its limit is not written to its end', async () => {
  function* endless() {
    for (;;) yield Buffer.alloc(65_536)
  }
  const path = join(tempFolder(), 'a.zip')
  await expect(writeZip(path, (add) => add('a', endless()), 2e6)).rejects.toMatchObject({ reason: 'tooLarge' })
})

function prepared(task: Task, source: ReturnType<typeof placeFile>, timeoutMs = 30_000): Promise<void> {
  const folder = tempFolder()
  return prepareApart({ task, source, folder, target: join(folder, 'made'), limits: { timeoutMs } })
}
