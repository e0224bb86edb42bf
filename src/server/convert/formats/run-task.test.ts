import { readdirSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeText } from '#server/samples/text.ts'
import { makeDocx } from '#server/samples/word.ts'
import { measureCpuMs } from '#server/testing/cpu-time.ts'
import { writeTempFile, tempFolder } from '#server/testing/folder.ts'
import type { OriginalFile, Probe } from '../converter.ts'
import { openConverter } from '../open-converter.ts'
import { runTask } from './run-task.ts'
import type { Task } from './prepare-tasks.ts'
import { detectIsolation } from '../sandbox/sandbox.ts'
import type { Isolation } from '../sandbox/isolation.ts'
import { writeZip } from '../archives/zip-write.ts'

const best = await detectIsolation()
const isolations: Isolation[] = best === 'none' ? ['none'] : [best, 'none']
const converter = openConverter({ workDir: '/nowhere', processes: 1 })
const text: Probe = { format: 'text', ext: '.txt' }
const novel = makeText(20)
const long = novel.repeat(Math.ceil(30e6 / Buffer.byteLength(novel)))

afterAll(() => converter.close())

test('converting a long text costs the server itself little CPU time', async () => {
  const original = writeTempFile('a.txt', long)
  let output = ''
  const cpuMs = await measureCpuMs(async () => {
    output = (await converter.prepare(original, text, tempFolder(), { timeoutMs: 60_000 })).path
  })
  expect(output).toContain('document.epub')
  expect(cpuMs).toBeLessThan(800)
})

test('an aborted conversion ends at once and leaves no files', async () => {
  const folder = tempFolder()
  const controller = new AbortController()
  const limits = { timeoutMs: 60_000, signal: controller.signal }
  const job = converter.prepare(writeTempFile('a.txt', long), text, folder, limits)
  setTimeout(() => controller.abort(new Error('aborted')), 300)
  await expect(job).rejects.toThrow('aborted')
  expect(readdirSync(folder)).toEqual([])
})

test.each(isolations)('with isolation %s a text becomes an EPUB, and no other file is left', async (isolation) => {
  const folder = tempFolder()
  const target = join(folder, 'a.epub')
  const original = writeTempFile('a.txt', '第一章 山\n一个短短的故事。')
  await runTask({ task: 'text', original, folder, target, isolation, limits: { timeoutMs: 30_000 } })
  expect(readdirSync(folder)).toEqual(['a.epub'])
})

test.each<[string, Task, string, string]>([
  ['blanks', 'text', ' \n ', 'empty'],
  ['a table without cells', 'csv', '\n\n', 'empty'],
  ['an invalid archive', 'xlsx', 'PK', 'damaged'],
  ['an invalid umd book', 'umd', '\xde\x9a\x9b\x89!!', 'damaged'],
])('%s: the reason of the worker is reported', async (_, task, content, reason) => {
  await expect(run(task, writeTempFile('a', content))).rejects.toMatchObject({ reason })
})

test.each<[Task, number]>([
  ['text', 65e6],
  ['csv', 33e6],
])('%s above its size limit is refused', async (task, size) => {
  const original = writeTempFile('a.txt', 'a')
  truncateSync(original.path, size)
  await expect(run(task, original)).rejects.toMatchObject({ reason: 'tooLarge' })
})

test('the tables of a long document are checked in a child process', async () => {
  const nested = (depth: number) => '<w:tbl><w:tr><w:tc>'.repeat(depth) + '</w:tc></w:tr></w:tbl>'.repeat(depth)
  const filler = '<w:p><w:r><w:t>一段</w:t></w:r></w:p>'.repeat(70_000)
  const harmless = writeTempFile('a.docx', makeDocx({ body: filler + nested(50) }))
  const harmful = writeTempFile('a.docx', makeDocx({ body: filler + nested(200) }))
  for (const file of [harmless, harmful]) expect(await converter.probe(file)).toMatchObject({ ext: '.docx' })
  const folder = tempFolder()
  const limits = { timeoutMs: 30_000 }
  await runTask({ task: 'tables', original: harmless, folder, limits })
  await expect(runTask({ task: 'tables', original: harmful, folder, limits })).rejects.toMatchObject({
    reason: 'tooLarge',
  })
})

test('a task that takes too long is stopped', async () => {
  await expect(run('text', writeTempFile('a.txt', long), 500)).rejects.toMatchObject({ reason: 'timeout' })
})

test('an archive above its size limit is not written to the end', async () => {
  function* endless() {
    for (;;) yield Buffer.alloc(65_536)
  }
  const path = join(tempFolder(), 'a.zip')
  await expect(writeZip(path, (add) => add('a', endless()), 2e6)).rejects.toMatchObject({ reason: 'tooLarge' })
})

function run(task: Task, original: OriginalFile, timeoutMs = 30_000): Promise<void> {
  const folder = tempFolder()
  return runTask({ task, original, folder, target: join(folder, 'result'), limits: { timeoutMs } })
}
