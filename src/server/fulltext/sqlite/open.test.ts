import { closeSync, openSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { cpuTimeMs } from '#server/testing/cpu-time.ts'
import { tempFolder } from '#server/testing/folder.ts'
import { testFilters } from '../filters.suite.ts'
import type { FulltextIndex, VisibilityFilter } from '../fulltext.ts'
import { openFulltext } from '../open.ts'

const { all } = testFilters('sqlite')
let emptied = 0

async function open(dataDir: string): Promise<FulltextIndex> {
  const site = join(dataDir, 'site.db')
  new DatabaseSync(site).close()
  const index = await openFulltext({ databaseUrl: site, dataDir, onEmptied: () => emptied++ })
  onTestFinished(() => index.close())
  return index
}

const put = async (index: FulltextIndex, id: number, title: string) => {
  await index.putMetadata({ kind: 'document', id, title, keywords: '', description: '', quality: 0, version: '1' })
  await index.putPages({ kind: 'document', id, pages: [{ page: 1, text: `${title}的正文` }], version: '1' })
}
const search = async (index: FulltextIndex, words: string, visibility: VisibilityFilter = all) => {
  const query = { kind: 'document', words, visibility, offset: 0, limit: 10, maxTotal: 100 } as const
  return (await index.search(query)).hits.map(({ id }) => id)
}
const list = async (index: FulltextIndex) => (await index.list('document', { after: 0, limit: 10 })).map(({ id }) => id)

test('the index survives a restart', async () => {
  const folder = tempFolder()
  const before = await open(folder)
  await put(before, 1, '山谷里的春天 Spring')
  await before.close()
  const after = await open(folder)
  expect(await search(after, '谷里')).toEqual([1])
  expect(await search(after, 'prin')).toEqual([1])
})

test('a new title after a restart keeps the tokens of all pages', async () => {
  const folder = tempFolder()
  const before = await open(folder)
  await put(before, 1, '山谷里的春天')
  await before.putPages({ kind: 'document', id: 1, pages: [{ page: 2, text: '溪水 Überall' }], version: '2' })
  await before.close()
  const after = await open(folder)
  await after.putMetadata({
    kind: 'document',
    id: 1,
    title: '高原',
    keywords: '',
    description: '',
    quality: 0,
    version: '2',
  })
  for (const words of ['溪', '高原 溪水', '正文 溪水', '正文 uberall'])
    expect(await search(after, words), words).toEqual([1])
})

test('optimize merges the segments during writes and queries', async () => {
  const folder = tempFolder()
  const index = await open(folder)
  const segments = () => {
    using database = new DatabaseSync(join(folder, 'search.db'), { readOnly: true })
    return Number(database.prepare('select count(distinct segid) as count from page_index_idx').get()?.count)
  }
  for (let id = 1; id <= 7; id++) await put(index, id, `山谷里的春天 ${id}`)
  expect(segments()).toBeGreaterThan(1)
  await Promise.all([index.optimize(), put(index, 8, '山谷里的夏天'), search(index, '山谷')])
  await index.optimize()
  expect(segments()).toBe(1)
  expect(await search(index, '山谷')).toEqual([8, 7, 6, 5, 4, 3, 2, 1])
  expect(await search(index, '夏天')).toEqual([8])
  await index.remove('document', [8])
  await index.optimize()
  expect(await search(index, '夏天')).toEqual([])
})

test('visibility filters see the current rows of the site', async () => {
  const folder = tempFolder()
  const index = await open(folder)
  for (const id of [1, 2, 3]) await put(index, id, '山谷里的春天')
  using site = new DatabaseSync(join(folder, 'site.db'))
  site.exec('create table visible (id integer primary key); insert into visible values (1), (3)')
  const sql = 'select id from visible where id in (select value from json_each(?))'
  const visibility = { sql, parameters: [''], idsParameter: 0 }
  expect(await search(index, '山谷', visibility)).toEqual([3, 1])
  site.exec('delete from visible where id = 3')
  expect(await search(index, '山谷', visibility)).toEqual([1])
})

test('an error of the site’s database does not pass for damage of the index', async () => {
  const folder = tempFolder()
  const index = await open(folder)
  await put(index, 1, '山谷里的春天')
  emptied = 0
  writeFileSync(join(folder, 'site.db'), '不是数据库'.repeat(1000))
  await expect(search(index, '山谷')).rejects.toThrow('the visibility filter failed')
  rmSync(join(folder, 'site.db'))
  await expect(search(index, '山谷')).rejects.toThrow('the visibility filter failed')
  expect(emptied).toBe(0)
  expect(await list(index)).toEqual([1])
})

test.each([
  ['missing', (file: string) => rmSync(file)],
  ['no database', (file: string) => writeFileSync(file, '不是数据库'.repeat(1000))],
  ['cut short', (file: string) => writeFileSync(file, Buffer.alloc(5000, 'SQLite format 3\0'))],
  ['of another version', (file: string) => setVersion(file, 99)],
  ['empty', (file: string) => writeFileSync(file, '')],
])('a file that is %s is replaced by an empty one', async (_, damageFile) => {
  const folder = tempFolder()
  const before = await open(folder)
  await put(before, 1, '山谷里的春天')
  await before.close()
  const file = join(folder, 'search.db')
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true })
  damageFile(file)
  const after = await open(folder)
  expect(await list(after)).toEqual([])
  await put(after, 2, '山谷里的秋天')
  expect(await search(after, '山谷')).toEqual([2])
})

test.each([
  ['damaged', (file: string) => damage(file)],
  ['deleted', (file: string) => rmSync(file)],
  ['cut short', (file: string) => truncateSync(file, 3 * 4096)],
])('a file that is %s while in use is replaced, and onEmptied is called once', async (_, damageFile) => {
  const folder = tempFolder()
  const before = await open(folder)
  await Promise.all(Array.from({ length: 200 }, (_, at) => put(before, at + 1, `第${at}号档案`)))
  await before.close()
  checkpoint(join(folder, 'search.db'))
  emptied = 0
  const index = await open(folder)
  expect(await search(index, '档案')).toHaveLength(10)
  damageFile(join(folder, 'search.db'))
  expect(await search(index, '档案')).toEqual([])
  expect(emptied).toBe(1)
  await put(index, 300, '档案三百')
  expect(await search(index, '档案')).toEqual([300])
})

test('requests survive killed worker processes', async () => {
  const folder = tempFolder()
  const index = await open(folder)
  await put(index, 1, '山谷里的春天')
  expect(await search(index, '山谷')).toEqual([1])
  const pids = processesOf(folder)
  expect(pids).toHaveLength(2)
  for (const pid of pids) process.kill(pid, 'SIGKILL')
  // Before the server notices.
  await Promise.all([put(index, 2, '山谷里的秋天'), expect(search(index, '春天')).resolves.toEqual([1])])
  expect(await search(index, '山谷')).toEqual([2, 1])
})

test('a damaged vocabulary is detected by the first query', async () => {
  const folder = tempFolder()
  const before = await open(folder)
  await put(before, 1, Array.from({ length: 3000 }, (_, at) => `word${at}`).join(' '))
  await before.close()
  damageLastWords(join(folder, 'search.db'))
  emptied = 0
  const index = await open(folder)
  expect(await Promise.all(Array.from({ length: 8 }, () => search(index, 'word7')))).toEqual(
    Array.from({ length: 8 }, () => []),
  )
  expect(emptied).toBe(1)
  await put(index, 2, 'word7')
  expect(await search(index, 'ord7')).toEqual([2])
})

test('requests in progress are repeated after a damaged file is replaced', async () => {
  const folder = tempFolder()
  const index = await open(folder)
  await put(index, 1, '山谷里的春天')
  rmSync(join(folder, 'search.db'))
  const texts = Array.from({ length: 20 }, (_, at) => ({ page: at + 1, text: '积雪'.repeat(20_000 + at) }))
  const results = await Promise.allSettled([
    index.putPages({ kind: 'document', id: 2, pages: texts, version: '1' }),
    ...Array.from({ length: 20 }, () => search(index, '山谷')),
    ...Array.from({ length: 20 }, () => list(index)),
  ])
  expect(results.filter(({ status }) => status === 'rejected')).toEqual([])
  expect(await search(index, '积雪')).toEqual([2])
})

// On a busy machine the answers may come late: one of three attempts must be in time.
test('list and toPinyin do not wait for a long write', { retry: 2 }, async () => {
  const index = await open(tempFolder())
  await put(index, 1, '山谷里的春天')
  await index.toPinyin(['春天'])
  let isWritten = false
  const pages = Array.from({ length: 15 }, (_, at) => ({
    page: at + 1,
    text: `第${at}页 ${'雪'.repeat(90_000)}`,
  }))
  const writing = index.putPages({ kind: 'document', id: 2, pages, version: '1' }).then(() => (isWritten = true))
  expect(await list(index)).toEqual([1])
  expect(await index.toPinyin(['山谷'])).toEqual(['sg shangu'])
  expect(isWritten).toBe(false)
  await writing
})

test('two servers share one index', async () => {
  const folder = tempFolder()
  const [first, second] = [await open(folder), await open(folder)]
  await Promise.all([
    ...Array.from({ length: 20 }, (_, at) => put(first, at + 1, `甲站第${at}篇 alpha${at}`)),
    ...Array.from({ length: 20 }, (_, at) => put(second, at + 101, `乙站第${at}篇 beta${at}`)),
  ])
  expect(await search(first, 'eta19')).toEqual([120])
  expect(await search(second, 'lpha19')).toEqual([20])
  await second.remove('document', [20])
  expect(await search(first, 'lpha19')).toEqual([])
})

test('queries and writes do not block the event loop', async () => {
  const index = await open(tempFolder())
  const text = Array.from({ length: 2000 }, (_, at) => String.fromCharCode(0x4e00 + ((at * 7919) % 8000))).join('')
  const writing = Array.from({ length: 100 }, (_, at) =>
    index.putPages({ kind: 'document', id: at + 1, pages: [{ page: 1, text: text.slice(at) }], version: '1' }),
  )
  // CPU time of this thread between two ticks: waiting for a core does not count.
  let longest = 0
  let last = cpuTimeMs()
  const timer = setInterval(() => {
    longest = Math.max(longest, cpuTimeMs() - last)
    last = cpuTimeMs()
  }, 5)
  await Promise.all([...writing, ...Array.from({ length: 50 }, () => search(index, text.slice(500, 503)))])
  await sleep(10)
  clearInterval(timer)
  expect(await list(index)).toHaveLength(10)
  expect(longest).toBeLessThan(250)
})

test('an error in a callback fails the query, and nothing else', async () => {
  const index = await open(tempFolder())
  await put(index, 1, '山谷里的春天')
  const query = { kind: 'document', words: '山谷', visibility: all, offset: 0, limit: 10, maxTotal: 100 } as const
  const sortBy = async () => {
    throw new Error('the database is away')
  }
  await expect(index.search({ ...query, sortBy })).rejects.toThrow('the database is away')
  expect(await search(index, '山谷')).toEqual([1])
})

function processesOf(folder: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && commandOf(entry).includes(folder))
    .map(Number)
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1')
  } catch {
    return '' // it has exited
  }
}

function setVersion(file: string, version: number): void {
  using database = new DatabaseSync(file)
  database.exec(`pragma user_version = ${version}; pragma wal_checkpoint(truncate)`)
}

/** Moves everything from the WAL into the file. */
function checkpoint(file: string): void {
  using database = new DatabaseSync(file)
  database.exec('pragma wal_checkpoint(truncate)')
}

/** The database page with the last words, which is not read when the file is opened. */
function damageLastWords(file: string): void {
  const database = new DatabaseSync(file)
  database.exec('pragma wal_checkpoint(truncate)')
  const root = database.prepare("select rootpage from sqlite_schema where name = 'word'").get()
  database.close()
  const content = readFileSync(file)
  const size = content.readUInt16BE(16)
  const last = content.readUInt32BE((Number(root?.rootpage) - 1) * size + 8)
  writeFileSync(file, content.fill(0xa5, (last - 1) * size, last * size))
}

/** Overwrites all but the first database page, in place. */
function damage(file: string): void {
  const content = readFileSync(file).fill(0xa5, 4096)
  const opened = openSync(file, 'r+')
  writeSync(opened, content)
  closeSync(opened)
}
