import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest'
import { contract } from '#shared/contract/contract.ts'
import { client } from '#shared/client.ts'
import { createApp } from '../app.ts'
import { checkSite } from '../cli/check.ts'
import { restoreCommand } from '../cli/restore.ts'
import { type Config, readConfig } from '../config.ts'
import { migrate, migrations } from '../db/migrate.ts'
import { openDatabase, type OpenDatabase } from '../db/open.ts'
import { openLog } from '../log.ts'
import { contentKey } from '#server/modules/attachments/storage-keys.ts'
import { copyDatabase } from '../testing/database.ts'
import { tempFolder } from '../testing/folder.ts'
import { type Forum, openForum } from '#server/testing/community-site.ts'
import type { Person } from '../testing/site.ts'
import { openUploads, somePdf, uploadForm } from '../testing/upload.ts'
import { openStorage } from '../storage/open.ts'
import type { Storage } from '../storage/storage.ts'
import { startS3 } from '#server/testing/s3/server.ts'
import type { Manifest } from './format.ts'
import { makeBackup } from './make.ts'
import { openTarget } from './open-target.ts'
import { openBackup } from './read.ts'
import { restoreBackup } from './restore.ts'
import { beginRestoring, isHalfRestored } from './target.ts'
import { archiveEnd, entryHead, filling } from './tar.ts'

let site: Forum
let reader: Person
beforeAll(async () => {
  site = await openForum()
  await openUploads(site)
  reader = await site.member('reader')
  const category = await site.category('物理')
  await site.shelve({ title: '讲义', texts: ['第一讲'], cover: false, category: [category] })
  for (let n = 0; n < 4; n++) await uploadForm(site, reader, { name: `${n}.pdf`, bytes: somePdf(`file ${n}`) })
  const on = await discussed('大家谈')
  await site.say(reader, { on })
  await site.say(site.root, { on, content: '“引号”、\n换行和 emoji 🙂' })
})
afterAll(() => site.close())

test('a backup made while people upload, write and register restores to the very same rows and files', async () => {
  const { manifest, path } = await underLoad(() => backUp())
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readdirSync(join(path, '..'))).toEqual(['site.tar'])
  expect(manifest.missing).toEqual([])
  expect(manifest.altered).toEqual([])

  const target = await emptyTarget()
  await restore(path, target)
  const restored = openDatabase(target.databaseUrl)
  onTestFinished(() => restored.db.destroy())
  expect(await countsIn(restored, manifest)).toEqual(countsOf(manifest))

  const app = await createApp({ config: target, database: restored, log: openLog('silent') })
  onTestFinished(() => app.close())
  // Counters and what they count are of one moment, and every file is there with its own bytes.
  const said: string[] = []
  expect(await checkSite(await app.context(), { say: (line) => said.push(line) }), said.join('\n')).toBe(0)

  const call = client({ origin: 'http://localhost', token: () => '', fetch: (asked) => app.fetch(asked) })
  const { token } = await call(contract.users.login, { username: 'reader', password: reader.password })
  const again = client({ origin: 'http://localhost', token: () => token, fetch: (asked) => app.fetch(asked) })
  const { document } = await again(contract.documents.list, { wd: '', page: 1, size: 100 })
  expect(document.map(({ title }) => title)).toContain('大家谈')
  // Whoever had a token logs in again; no new row takes an id that was given before.
  const old = client({ origin: 'http://localhost', token: () => reader.token, fetch: (asked) => app.fetch(asked) })
  await expect(old(contract.users.get, {})).rejects.toThrow()
  const { id } = await restored.db.selectFrom('session').select('id').executeTakeFirstOrThrow()
  expect(id).toBeGreaterThan(manifest.last_ids.session ?? 0)
  const before = await restored.db
    .selectFrom('user')
    .select(({ fn }) => fn.max('id').as('last'))
    .executeTakeFirst()
  const added = await restored.db
    .insertInto('user')
    .values({ username: 'new', username_key: 'new', password: '', login_at: null, created_at: 0, updated_at: 0 })
    .returning('id')
    .executeTakeFirstOrThrow()
  expect(added.id).toBeGreaterThan(before?.last ?? 0)
})

test('from one database to the other and back, nothing changes', async () => {
  const { manifest, path } = await backUp()
  const there = await emptyTarget('sqlite')
  await restore(path, there)
  const second = await backUp(there)
  expect(second.manifest.tables).toEqual(manifest.tables)
  expect(second.manifest.files).toEqual(manifest.files)
  const back = await emptyTarget()
  await restore(second.path, back)
  const third = await backUp(back)
  expect(third.manifest.tables).toEqual(manifest.tables)
  expect(third.manifest.engine).toBe(inject('database').engine)
})

test('files go to an S3 store and come back from it', async () => {
  const { manifest, path } = await backUp()
  const s3 = await startS3()
  onTestFinished(() => s3.close())
  const target = { ...(await emptyTarget()), storageUrl: s3.url }
  await restore(path, target)
  s3.stumble('busy', 2)
  const again = await backUp(target)
  expect(again.manifest).toMatchObject({ files: manifest.files, tables: manifest.tables, missing: [], altered: [] })
})

test('a connection to the storage that breaks is taken up where it broke', async () => {
  const { database, storage } = await ours()
  const broken = new Set<string>()
  const stumbling: Storage = {
    ...storage,
    async read(key, range) {
      const whole = await storage.read(key, range)
      if (!whole || broken.has(key)) return whole
      broken.add(key)
      const bytes = await buffer(whole)
      return Readable.from(
        (async function* () {
          yield bytes.subarray(0, bytes.length >> 1)
          throw new Error('connection reset')
        })(),
      )
    },
  }
  const path = join(tempFolder(), 'site.tar')
  const { manifest } = await makeBackup({
    database,
    storage: stumbling,
    path,
    version: '0.0.0',
    now: Date.now,
    say: () => {},
  })
  expect(broken.size).toBe(manifest.files.count)
  expect(manifest.altered).toEqual([])
  await (await openBackup(path)).close()
})

test('a storage that does not answer for a moment is asked again', async () => {
  const { database, storage } = await ours()
  const refused: string[] = []
  const refuseOnce = (what: string) => {
    if (refused.includes(what)) return
    refused.push(what)
    throw new Error('no answer')
  }
  const away: Storage = {
    ...storage,
    async find(key) {
      refuseOnce('find')
      return storage.find(key)
    },
    async read(key, range) {
      refuseOnce(range ? 'read on' : 'read')
      const whole = await storage.read(key, range)
      return whole && Readable.from(breakingOff(await buffer(whole)))
    },
    list(prefix) {
      refuseOnce('list')
      return storage.list(prefix)
    },
  }
  // The first breaks off half-way, the second after its last byte.
  async function* breakingOff(bytes: Buffer) {
    const isFirst = !refused.includes('half')
    yield isFirst ? bytes.subarray(0, bytes.length >> 1) : bytes
    refuseOnce('half')
    refuseOnce('end')
  }
  const path = join(tempFolder(), 'site.tar')
  const given = { database, storage: away, path, version: '0.0.0', now: Date.now, say: () => {} }
  const { manifest } = await makeBackup(given)
  expect(refused.toSorted()).toEqual(['end', 'find', 'half', 'list', 'read', 'read on'])
  expect(manifest).toMatchObject({ missing: [], altered: [], renewed: [] })
  await (await openBackup(path)).close()
})

test('what is being done is left to be done again; what must not come back is left out', async () => {
  const stamps = { created_at: 1, updated_at: 1 }
  const running = { state: 'running' as const, attempts: 2, lease_until: 9, worker: 'somebody' }
  const job = { kind: 'test.long', payload: '{}', run_at: Number.MAX_SAFE_INTEGER, ...running, ...stamps }
  await site.db
    .insertInto('job')
    .values([job, { ...job, kind: 'mail.send', payload: '{"told":{"code":"123456"}}' }])
    .execute()
  const { path, manifest } = await backUp()
  await site.db.deleteFrom('job').where('kind', 'in', ['test.long', 'mail.send']).execute()
  for (const table of ['session', 'captcha', 'email_code', 'reset_token', 'attempt', 'upload'])
    expect(manifest.tables).not.toHaveProperty(table)
  const backup = await openBackup(path)
  const jobs = (await Array.fromAsync(backup.rows('job'))).flat()
  const secrets = (await Array.fromAsync(backup.rows('secret'))).flat()
  await backup.close()
  expect(jobs.find(({ kind }) => kind === 'test.long')).toMatchObject({
    state: 'waiting',
    attempts: 1,
    lease_until: 0,
    worker: '',
  })
  expect(jobs.filter(({ kind }) => kind === 'mail.send')).toEqual([])
  expect(secrets.map(({ name }) => String(name)).toSorted()).toEqual(['codes', 'links', 'view'])
})

test('a file that is purged meanwhile is not said to be there; one that is lost is told', async () => {
  const { storage, now } = await site.app.context()
  const row = (hash: string) => ({ hash, size: 3, seen_at: now(), created_at: now() })
  const [unused, lost] = ['a'.repeat(64), 'b'.repeat(64)]
  await site.db
    .insertInto('stored_file')
    .values([row(unused), row(lost)])
    .execute()
  const attachment = { hash: lost, user_id: reader.id, type: 2, name: '丢了.pdf', ext: '.pdf', size: 3 }
  await site.db
    .insertInto('attachment')
    .values({ ...attachment, deleted_at: null, created_at: now(), updated_at: now() })
    .execute()
  onTestFinished(async () => {
    await site.db.deleteFrom('stored_file').where('hash', 'in', [unused, lost]).execute()
    await site.db.deleteFrom('attachment').where('hash', '=', lost).execute()
  })
  const { manifest, path } = await backUp()
  expect(await storage.find(contentKey(unused))).toBeUndefined()
  expect(manifest).toMatchObject({ purged: [unused], missing: [contentKey(lost)] })
  const target = await emptyTarget()
  await restore(path, target)
  const { db } = openDatabase(target.databaseUrl)
  onTestFinished(() => db.destroy())
  const kept = await db.selectFrom('stored_file').select('hash').where('hash', 'in', [unused, lost]).execute()
  expect(kept).toEqual([{ hash: lost }])
})

test('a backup of an older schema is restored and brought up to date', async () => {
  const older = await emptyTarget()
  const database = openDatabase(older.databaseUrl)
  await migrate(database, 3)
  await database.db
    .insertInto('user')
    .values({ username: '老用户', username_key: '老用户', password: 'x', login_at: null, created_at: 0, updated_at: 0 })
    .execute()
  await database.db.destroy()
  const { path, manifest } = await backUp(older)
  expect(manifest.schema).toHaveLength(3)
  expect(manifest.tables).not.toHaveProperty('comment')
  const target = await emptyTarget()
  await restore(path, target)
  const { db } = openDatabase(target.databaseUrl)
  onTestFinished(() => db.destroy())
  expect(await db.selectFrom('migration').select('name').orderBy('name').execute()).toHaveLength(migrations.length)
  expect(await db.selectFrom('user').select('username').execute()).toEqual([{ username: '老用户' }])
  expect(await db.selectFrom('comment').selectAll().execute()).toEqual([])
})

test('whatever byte is changed or missing, and whatever else it may be, is refused before anything is touched', async () => {
  const { path } = await backUp()
  const good = readFileSync(path)
  const tried = join(tempFolder(), 'tried.tar')
  const target = { ...readConfig({ DATA_DIR: join(tempFolder(), 'never') }) }
  const refused = async (bytes: Uint8Array, sentence: RegExp) => {
    writeFileSync(tried, bytes)
    await expect(restore(tried, target)).rejects.toThrow(sentence)
    expect(existsSync(target.dataDir)).toBe(false)
  }
  const step = Math.ceil(good.length / 150)
  for (let at = 0; at < good.length; at += step + 1) {
    const bytes = Buffer.from(good)
    bytes[at] = (bytes[at] ?? 0) ^ 1
    await refused(bytes, /已损坏|不是文豆|不完整|更新的版本/)
  }
  for (const length of [0, 1, 512, 1000, good.length >> 1, good.length - 1024, good.length - 512, good.length - 1])
    await refused(good.subarray(0, length), /不完整|已损坏/)
  await refused(Buffer.concat([good, Buffer.alloc(512)]), /已损坏/)
  await refused(tarOf('hello.txt', 'hello'), /不是文豆/)
  await refused(Buffer.from('PK\u0003\u0004'.padEnd(2000, 'x')), /不是文豆/)
  const head = { product: 'wendou', format: 1, version: '9.0.0', made_at: 0, engine: 'sqlite' }
  const schema = [...migrations.map(([name]) => name), '9999-later']
  await refused(tarOf('wendou-backup.json', JSON.stringify({ ...head, schema })), /更新的版本（9.0.0）/)
  await refused(tarOf('wendou-backup.json', JSON.stringify({ ...head, format: 2, schema: [] })), /更新的版本/)
})

test('a site that is there is left alone unless its owner says otherwise', async () => {
  const { path, manifest } = await backUp()
  const target = await emptyTarget()
  const before = openDatabase(target.databaseUrl)
  await migrate(before)
  await before.db
    .insertInto('setting')
    .values({ category: 'system', name: 'sitename', value: '别人的', updated_at: 0 })
    .execute()
  await expect(restore(path, target)).rejects.toThrow('目标不是空的')
  expect(await before.db.selectFrom('setting').select('value').execute()).toEqual([{ value: '别人的' }])
  // Nobody is asked for a word that leads nowhere.
  const asked = vi.fn(async () => false)
  await expect(restore(path, target, true, asked)).rejects.toThrow('正在使用中')
  expect(asked).not.toHaveBeenCalled()
  expect(await before.db.selectFrom('setting').select('value').execute()).toEqual([{ value: '别人的' }])
  await before.db.destroy()
  await expect(restore(path, target, true, asked)).rejects.toThrow('没有得到确认')
  await restore(path, target, true)
  const after = openDatabase(target.databaseUrl)
  onTestFinished(() => after.db.destroy())
  expect(await countsIn(after, manifest)).toEqual(countsOf(manifest))
})

test('one restoration at a time: no other begins, and none is given up while it runs', async () => {
  const { path } = await backUp()
  const target = await emptyTarget()
  await openTarget(target.databaseUrl, async ({ database }) => {
    await expect(restore(path, target)).rejects.toThrow('另一个恢复正在进行')
    await beginRestoring(database)
    await expect(restoreCommand.bare(target, ['--abandon'])).rejects.toThrow('另一个恢复正在进行')
    expect(await isHalfRestored(database)).toBe(true)
  })
  vi.spyOn(console, 'log').mockReturnValueOnce(undefined)
  await restoreCommand.bare(target, ['--abandon'])
  await openTarget(target.databaseUrl, async ({ database }) => expect(await isHalfRestored(database)).toBe(false))
  await restore(path, target)
  expect(readdirSync(target.dataDir).filter((name) => name.includes('restoring'))).toEqual([])
})

test.runIf(inject('database').engine === 'sqlite')('a file that is no database is not said to be in use', async () => {
  const { path } = await backUp()
  const target = await emptyTarget()
  writeFileSync(target.databaseUrl, 'my notes '.repeat(200))
  await expect(restore(path, target, true)).rejects.toThrow('不是 SQLite 数据库')
  expect(readFileSync(target.databaseUrl, 'utf8')).toMatch(/^my notes/)
})

test.runIf(inject('database').engine === 'postgres')('tables of other schemas are not looked at', async () => {
  const { path, manifest } = await backUp()
  const target = await emptyTarget()
  const { db } = openDatabase(target.databaseUrl)
  await sql`create schema others`.execute(db)
  for (const name of ['restoring', 'user', 'comment'])
    await sql`create table ${sql.table(`others.${name}`)} as select 1 as n`.execute(db)
  expect(await isHalfRestored({ db })).toBe(false)
  await db.destroy()
  await restore(path, target)
  expect((await backUp(target)).manifest.tables).toEqual(manifest.tables)
  const after = openDatabase(target.databaseUrl)
  onTestFinished(() => after.db.destroy())
  const { rows } =
    await sql`select n from others.restoring natural join others.user natural join others.comment`.execute(after.db)
  expect(rows).toEqual([{ n: 1 }])
})

test('files of another site are a site as well', async () => {
  const { path } = await backUp()
  const target = await emptyTarget()
  await restore(path, target)
  const elsewhere = { ...(await emptyTarget()), dataDir: target.dataDir }
  await expect(restore(path, elsewhere)).rejects.toThrow('目标不是空的')
})

test('a restoration that was cut short is noticed, and begun again without being asked', async () => {
  const { path, manifest } = await backUp()
  const target = await emptyTarget()
  const database = openDatabase(target.databaseUrl)
  await beginRestoring(database)
  expect(await isHalfRestored(database)).toBe(true)
  await database.db.destroy()
  await restore(path, target)
  const after = openDatabase(target.databaseUrl)
  onTestFinished(() => after.db.destroy())
  expect(await isHalfRestored(after)).toBe(false)
  expect(await countsIn(after, manifest)).toEqual(countsOf(manifest))
})

test('what was being converted anew is converted once more where it is restored', async () => {
  const hash = 'c'.repeat(64)
  const [id = 0] = await site.shelve({ title: '封面不在了', hash, cover: true })
  onTestFinished(async () => {
    await site.db.deleteFrom('document').where('id', '=', id).execute()
    await site.db.deleteFrom('rendition').where('hash', '=', hash).execute()
  })
  const { path, manifest } = await backUp()
  expect(manifest.renewed).toEqual([hash])
  const target = await emptyTarget()
  await restore(path, target)
  const { db } = openDatabase(target.databaseUrl)
  onTestFinished(() => db.destroy())
  const rendition = await db.selectFrom('rendition').select('state').where('hash', '=', hash).executeTakeFirst()
  expect(rendition?.state).toBe('waiting')
})

async function backUp(from?: Config): Promise<{ manifest: Omit<Manifest, 'sums'>; path: string }> {
  const path = join(tempFolder(), 'site.tar')
  const { database, storage, close } = from ? await opened(from) : await ours()
  try {
    const { manifest } = await makeBackup({ database, storage, path, version: '0.0.0', now: Date.now, say: () => {} })
    return { manifest, path }
  } finally {
    await close()
  }
}

async function ours() {
  const { storage, db } = await site.app.context()
  const { engine } = inject('database')
  const url = engine === 'sqlite' ? await fileOf(db) : ''
  return { database: { db, engine, url } satisfies OpenDatabase, storage, close: async () => {} }
}

async function opened(config: Config) {
  const database = openDatabase(config.databaseUrl)
  const storage = await openStorage(config.storageUrl, { dataDir: config.dataDir })
  const close = async () => {
    await storage.close()
    await database.db.destroy()
  }
  return { database, storage, close }
}

async function fileOf(db: OpenDatabase['db']): Promise<string> {
  const { rows } = await sql<{ file: string }>`select file from pragma_database_list`.execute(db)
  return rows[0]?.file ?? ''
}

async function emptyTarget(engine = inject('database').engine): Promise<Config> {
  const dataDir = tempFolder()
  if (engine === 'sqlite') return readConfig({ DATA_DIR: dataDir })
  const copy = await copyDatabase({ empty: true })
  onTestFinished(() => copy.remove())
  return readConfig({ DATA_DIR: dataDir, DATABASE_URL: copy.url })
}

function restore(path: string, config: Config, replace = false, confirm = async () => true): Promise<Manifest> {
  return restoreBackup({ config, path, replace, confirm, say: () => {} })
}

async function discussed(title: string) {
  const [document_id = 0] = await site.shelve({ title, cover: false })
  return { type: 0, document_id }
}

/** People go on while `work` is done, and have done something when it ends. */
async function underLoad<T>(work: () => Promise<T>): Promise<T> {
  const on = await discussed('热闹')
  const over = new AbortController()
  let done = 0
  const busy = async (act: (n: number) => Promise<unknown>) => {
    for (let n = 0; !over.signal.aborted; n++) {
      await act(n)
      done += 1
    }
  }
  const people = [
    busy((n) => site.say(reader, { on, content: `第 ${n} 句` })),
    busy((n) => uploadForm(site, reader, { name: '新.pdf', bytes: somePdf(`load ${n}`) })),
    busy((n) =>
      site.root.call(contract.users.create, { username: `late-${n}`, password: 'secret-password', group_id: [2] }),
    ),
  ]
  const result = await work()
  over.abort()
  await Promise.all(people)
  expect(done).toBeGreaterThan(3)
  return result
}

/** A file that had been announced and had not arrived yet is not said to be there. */
function countsOf({ tables, purged }: Pick<Manifest, 'tables' | 'purged'>): Record<string, number> {
  const counts = Object.entries(tables).map(([name, { rows }]) => [name, rows] as const)
  return Object.fromEntries(counts.map(([name, rows]) => [name, name === 'stored_file' ? rows - purged.length : rows]))
}

async function countsIn({ db }: OpenDatabase, { tables }: Pick<Manifest, 'tables'>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const name of Object.keys(tables)) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(name)}`.execute(db)
    counts[name] = rows[0]?.n ?? 0
  }
  return counts
}

function tarOf(name: string, text: string): Buffer {
  const body = Buffer.from(text)
  return Buffer.concat([entryHead(name, body.length, 0), body, filling(body.length), archiveEnd])
}
