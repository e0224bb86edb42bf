import { closeSync, openSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { tempFolder } from '#server/testing/folder.ts'
import { workedMs } from '#server/testing/cpu-time.ts'
import { openSearch } from '../open.ts'
import type { Search } from '../fulltext.ts'

let emptied = 0

async function open(dataDir: string): Promise<Search> {
  const search = await openSearch({ databaseUrl: join(dataDir, 'site.db'), dataDir, onEmptied: () => emptied++ })
  onTestFinished(() => search.close())
  return search
}

const put = async (search: Search, id: number, title: string) => {
  await search.putHead({ kind: 'document', id, title, keywords: '', description: '', quality: 0, mark: '1' })
  await search.putPages({ kind: 'document', id, pages: [{ page: 1, text: `${title}的正文` }], mark: '1' })
}
const found = async (search: Search, words: string) =>
  (
    await search.search({ kind: 'document', words, accept: async (ids) => ids, offset: 0, limit: 10, most: 100 })
  ).found.map(({ id }) => id)
const known = async (search: Search) => (await search.list('document', { after: 0, limit: 10 })).map(({ id }) => id)

test('what was put is there after a restart', async () => {
  const folder = tempFolder()
  const before = await open(folder)
  await put(before, 1, '山谷里的春天 Spring')
  await before.close()
  const after = await open(folder)
  expect(await found(after, '谷里')).toEqual([1])
  expect(await found(after, 'prin')).toEqual([1])
})

test('another title after a restart leaves the pages filed under all that they have', async () => {
  const folder = tempFolder()
  const before = await open(folder)
  await put(before, 1, '山谷里的春天')
  await before.putPages({ kind: 'document', id: 1, pages: [{ page: 2, text: '溪水 Überall' }], mark: '2' })
  await before.close()
  const after = await open(folder)
  await after.putHead({ kind: 'document', id: 1, title: '高原', keywords: '', description: '', quality: 0, mark: '2' })
  for (const words of ['溪', '高原 溪水', '正文 溪水', '正文 uberall'])
    expect(await found(after, words), words).toEqual([1])
})

test('what was filed bit by bit is put together, while more is filed and asked', async () => {
  const folder = tempFolder()
  const search = await open(folder)
  const partsOf = () => {
    using database = new DatabaseSync(join(folder, 'search.db'), { readOnly: true })
    return Number(database.prepare('select count(distinct segid) as count from page_index_idx').get()?.count)
  }
  for (let id = 1; id <= 7; id++) await put(search, id, `山谷里的春天 ${id}`)
  expect(partsOf()).toBeGreaterThan(1)
  await Promise.all([search.settle(), put(search, 8, '山谷里的夏天'), found(search, '山谷')])
  await search.settle()
  expect(partsOf()).toBe(1)
  expect(await found(search, '山谷')).toEqual([8, 7, 6, 5, 4, 3, 2, 1])
  expect(await found(search, '夏天')).toEqual([8])
  await search.remove('document', [8])
  await search.settle()
  expect(await found(search, '夏天')).toEqual([])
})

test('what may be seen is asked of the database of the site itself, and of the asker where that cannot be', async () => {
  const folder = tempFolder()
  const search = await open(folder)
  for (const id of [1, 2, 3]) await put(search, id, '山谷里的春天')
  const site = new DatabaseSync(join(folder, 'site.db'))
  onTestFinished(() => site.close())
  site.exec('create table shown (id integer primary key); insert into shown values (1), (3)')
  const asked: number[] = []
  const seen = async (sql: string) => {
    const statement = { sql, parameters: [''], ids: 0 }
    const accept = Object.assign(async (ids: number[]) => ids.filter((id) => asked.push(id) > 0 && id === 2), {
      statement,
    })
    const { found } = await search.search({ kind: 'document', words: '山谷', accept, offset: 0, limit: 10, most: 100 })
    return found.map(({ id }) => id)
  }
  expect(await seen('select id from shown where id in (select value from json_each(?))')).toEqual([3, 1])
  expect(asked).toEqual([])
  site.exec('delete from shown where id = 3')
  expect(await seen('select id from shown where id in (select value from json_each(?))')).toEqual([1])
  expect(await seen('select id from hidden where id in (select value from json_each(?))')).toEqual([2])
})

test.each([
  ['missing', (file: string) => rmSync(file)],
  ['no database', (file: string) => writeFileSync(file, '不是数据库'.repeat(1000))],
  ['cut short', (file: string) => writeFileSync(file, Buffer.alloc(5000, 'SQLite format 3\0'))],
  ['of another version', (file: string) => setVersion(file, 99)],
  ['empty', (file: string) => writeFileSync(file, '')],
])('a file that is %s is made anew, and is empty', async (_, spoil) => {
  const folder = tempFolder()
  const before = await open(folder)
  await put(before, 1, '山谷里的春天')
  await before.close()
  const file = join(folder, 'search.db')
  for (const beside of ['-wal', '-shm']) rmSync(file + beside, { force: true })
  spoil(file)
  const after = await open(folder)
  expect(await known(after)).toEqual([])
  await put(after, 2, '山谷里的秋天')
  expect(await found(after, '山谷')).toEqual([2])
})

test.each([
  ['damaged', (file: string) => damage(file)],
  ['deleted', (file: string) => rmSync(file)],
  ['cut short', (file: string) => truncateSync(file, 3 * 4096)],
])('a file that is %s while in use is made anew, and the owner told', async (_, spoil) => {
  const folder = tempFolder()
  const before = await open(folder)
  await Promise.all(Array.from({ length: 200 }, (_, index) => put(before, index + 1, `第${index}号档案`)))
  await before.close()
  allInTheFile(join(folder, 'search.db'))
  emptied = 0
  const search = await open(folder)
  expect(await found(search, '档案')).toHaveLength(10)
  spoil(join(folder, 'search.db'))
  expect(await found(search, '档案')).toEqual([])
  expect(emptied).toBe(1)
  await put(search, 300, '档案三百')
  expect(await found(search, '档案')).toEqual([300])
})

test('processes that are killed are not missed', async () => {
  const folder = tempFolder()
  const search = await open(folder)
  await put(search, 1, '山谷里的春天')
  expect(await found(search, '山谷')).toEqual([1])
  const pids = processesOf(folder)
  expect(pids).toHaveLength(2)
  for (const pid of pids) process.kill(pid, 'SIGKILL')
  // At once: nobody has noticed yet.
  await Promise.all([put(search, 2, '山谷里的秋天'), expect(found(search, '春天')).resolves.toEqual([1])])
  expect(await found(search, '山谷')).toEqual([2, 1])
})

test('a list of words that is damaged is noticed by the first question', async () => {
  const folder = tempFolder()
  const before = await open(folder)
  await put(before, 1, Array.from({ length: 3000 }, (_, index) => `word${index}`).join(' '))
  await before.close()
  damageLastWords(join(folder, 'search.db'))
  emptied = 0
  const search = await open(folder)
  expect(await Promise.all(Array.from({ length: 8 }, () => found(search, 'word7')))).toEqual(
    Array.from({ length: 8 }, () => []),
  )
  expect(emptied).toBe(1)
  await put(search, 2, 'word7')
  expect(await found(search, 'ord7')).toEqual([2])
})

test('what is under way while a damaged file is made anew is done after that', async () => {
  const folder = tempFolder()
  const search = await open(folder)
  await put(search, 1, '山谷里的春天')
  rmSync(join(folder, 'search.db'))
  const texts = Array.from({ length: 20 }, (_, index) => ({ page: index + 1, text: '积雪'.repeat(20_000 + index) }))
  const results = await Promise.allSettled([
    search.putPages({ kind: 'document', id: 2, pages: texts, mark: '1' }),
    ...Array.from({ length: 20 }, () => found(search, '山谷')),
    ...Array.from({ length: 20 }, () => known(search)),
  ])
  expect(results.filter(({ status }) => status === 'rejected')).toEqual([])
  expect(await found(search, '积雪')).toEqual([2])
})

// A busy machine may come to the answers late: of three tries one must have them before the end.
test('what is known, and how it is spelled, is told while much is being written', { retry: 2 }, async () => {
  const search = await open(tempFolder())
  await put(search, 1, '山谷里的春天')
  await search.spell(['春天'])
  let isWritten = false
  const pages = Array.from({ length: 40 }, (_, index) => ({
    page: index + 1,
    text: `第${index}页 ${'雪'.repeat(90_000)}`,
  }))
  const writing = search.putPages({ kind: 'document', id: 2, pages, mark: '1' }).then(() => (isWritten = true))
  expect(await known(search)).toEqual([1])
  expect(await search.spell(['山谷'])).toEqual(['sg shangu'])
  expect(isWritten).toBe(false)
  await writing
})

test('two servers share one index', async () => {
  const folder = tempFolder()
  const [one, other] = [await open(folder), await open(folder)]
  await Promise.all([
    ...Array.from({ length: 20 }, (_, index) => put(one, index + 1, `甲站第${index}篇 alpha${index}`)),
    ...Array.from({ length: 20 }, (_, index) => put(other, index + 101, `乙站第${index}篇 beta${index}`)),
  ])
  expect(await found(one, 'eta19')).toEqual([120])
  expect(await found(other, 'lpha19')).toEqual([20])
  await other.remove('document', [20])
  expect(await found(one, 'lpha19')).toEqual([])
})

test('questions and writes leave the event loop free', async () => {
  const search = await open(tempFolder())
  const text = Array.from({ length: 2000 }, (_, index) => String.fromCharCode(0x4e00 + ((index * 7919) % 8000))).join(
    '',
  )
  const writing = Array.from({ length: 100 }, (_, index) =>
    search.putPages({ kind: 'document', id: index + 1, pages: [{ page: 1, text: text.slice(index) }], mark: '1' }),
  )
  // What this thread works between two turns: how long it waits for a core is the machine's affair.
  let longest = 0
  let last = workedMs()
  const timer = setInterval(() => {
    longest = Math.max(longest, workedMs() - last)
    last = workedMs()
  }, 5)
  await Promise.all([...writing, ...Array.from({ length: 50 }, () => found(search, text.slice(500, 503)))])
  await sleep(10)
  clearInterval(timer)
  expect(await known(search)).toHaveLength(10)
  expect(longest).toBeLessThan(250)
})

test('whoever fails to say what may be seen gets that error', async () => {
  const search = await open(tempFolder())
  await put(search, 1, '山谷里的春天')
  const accept = async () => {
    throw new Error('the database is away')
  }
  const asked = search.search({ kind: 'document', words: '山谷', accept, offset: 0, limit: 10, most: 100 })
  await expect(asked).rejects.toThrow('the database is away')
  expect(await found(search, '山谷')).toEqual([1])
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
    return '' // ended meanwhile
  }
}

function setVersion(file: string, version: number): void {
  using database = new DatabaseSync(file)
  database.exec(`pragma user_version = ${version}; pragma wal_checkpoint(truncate)`)
}

/** And nothing in the log beside it. */
function allInTheFile(file: string): void {
  using database = new DatabaseSync(file)
  database.exec('pragma wal_checkpoint(truncate)')
}

/** The page of the file with the words that came last: nobody looks at it when the file is opened. */
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

/** All but the beginning, in place. */
function damage(file: string): void {
  const content = readFileSync(file).fill(0xa5, 4096)
  const opened = openSync(file, 'r+')
  writeSync(opened, content)
  closeSync(opened)
}
