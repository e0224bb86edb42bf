import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest'
import { ContentType, AttachmentType, ActivityType } from '#shared/enums.ts'
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
import { decryptIdentity } from '#server/modules/users/identity/identity-columns.ts'
import { existingCipher } from '#server/secrets/secret-key.ts'
import { copyDatabase } from '#server/testing/databases/database.ts'
import { tempFolder } from '../testing/folder.ts'
import { type CommunitySite, openCommunitySite } from '#server/testing/community-site.ts'
import type { Person } from '../testing/site.ts'
import { tinyPdf, uploadForm } from '../testing/upload.ts'
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

let site: CommunitySite
let reader: Person
beforeAll(async () => {
  site = await openCommunitySite()
  reader = await site.member('reader')
  const category = await site.category('物理')
  await site.addDocuments({ title: '讲义', texts: ['第一讲'], cover: false, category: [category] })
  for (let n = 0; n < 4; n++) await uploadForm(site, reader, { name: `${n}.pdf`, bytes: tinyPdf(`file ${n}`) })
  const on = await addDocumentToDiscuss('大家谈')
  await site.comment(reader, { on })
  await site.comment(site.root, { on, content: '“引号”、\n换行和 emoji 🙂' })
})
afterAll(() => site.close())

test('a backup under load is restored with the same rows and files', async () => {
  const { manifest, path } = await underLoad(() => backUp())
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readdirSync(join(path, '..'))).toEqual(['site.tar'])
  expect(manifest.missing).toEqual([])
  expect(manifest.altered).toEqual([])

  const target = await emptyTarget()
  await restore(path, target)
  const restored = openDatabase(target.databaseUrl)
  onTestFinished(() => restored.db.destroy())
  expect(await countsIn(restored, manifest)).toEqual(toCounts(manifest))

  const app = await createApp({ config: target, database: restored, log: openLog('silent') })
  onTestFinished(() => app.close())
  // Counters match their rows, as both are of one snapshot, and every file has its own bytes.
  const lines: string[] = []
  expect(await checkSite(await app.context(), { say: (line) => lines.push(line) }), lines.join('\n')).toBe(0)

  const call = client({ origin: 'http://localhost', token: () => '', fetch: (request) => app.fetch(request) })
  const { token } = await call(contract.users.login, { username: 'reader', password: reader.password })
  const callWithToken = client({
    origin: 'http://localhost',
    token: () => token,
    fetch: (request) => app.fetch(request),
  })
  const { document } = await callWithToken(contract.documents.list, { wd: '', page: 1, size: 100 })
  expect(document.map(({ title }) => title)).toContain('大家谈')
  // Old tokens are invalid, and ids are not reused.
  const old = client({ origin: 'http://localhost', token: () => reader.token, fetch: (request) => app.fetch(request) })
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

test('rows and files stay the same from one database to the other and back', async () => {
  const { manifest, path } = await backUp()
  const target = await emptyTarget('sqlite')
  await restore(path, target)
  const second = await backUp(target)
  expect(second.manifest.tables).toEqual(manifest.tables)
  expect(second.manifest.files).toEqual(manifest.files)
  const back = await emptyTarget()
  await restore(second.path, back)
  const third = await backUp(back)
  expect(third.manifest.tables).toEqual(manifest.tables)
  expect(third.manifest.engine).toBe(inject('database').engine)
})

test('files are restored to S3 and backed up from it', async () => {
  const { manifest, path } = await backUp()
  const s3 = await startS3()
  onTestFinished(() => s3.close())
  const target = { ...(await emptyTarget()), storageUrl: s3.url }
  await restore(path, target)
  s3.failNext('busy', 2)
  const secondBackup = await backUp(target)
  expect(secondBackup.manifest).toMatchObject({
    files: manifest.files,
    tables: manifest.tables,
    missing: [],
    altered: [],
  })
})

test('a broken connection to the storage is resumed', async () => {
  const { database, storage } = await openSource()
  const broken = new Set<string>()
  const unreliable: Storage = {
    ...storage,
    async read(key, range) {
      const body = await storage.read(key, range)
      if (!body || broken.has(key)) return body
      broken.add(key)
      const bytes = await buffer(body)
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
    storage: unreliable,
    path,
    version: '0.0.0',
    now: Date.now,
    say: () => {},
  })
  expect(broken.size).toBe(manifest.files.count)
  expect(manifest.altered).toEqual([])
  await (await openBackup(path)).close()
})

test('requests to a storage that fails for a moment are retried', async () => {
  const { database, storage } = await openSource()
  const failed: string[] = []
  const failOnce = (operation: string) => {
    if (failed.includes(operation)) return
    failed.push(operation)
    throw new Error('no response')
  }
  const failing: Storage = {
    ...storage,
    async find(key) {
      failOnce('find')
      return storage.find(key)
    },
    async read(key, range) {
      failOnce(range ? 'read on' : 'read')
      const body = await storage.read(key, range)
      return body && Readable.from(breaking(await buffer(body)))
    },
    list(prefix) {
      failOnce('list')
      return storage.list(prefix)
    },
  }
  // The first body breaks in the middle, the second after its last byte.
  async function* breaking(bytes: Buffer) {
    const isFirst = !failed.includes('half')
    yield isFirst ? bytes.subarray(0, bytes.length >> 1) : bytes
    failOnce('half')
    failOnce('end')
  }
  const path = join(tempFolder(), 'site.tar')
  const options = { database, storage: failing, path, version: '0.0.0', now: Date.now, say: () => {} }
  const { manifest } = await makeBackup(options)
  expect(failed.toSorted()).toEqual(['end', 'find', 'half', 'list', 'read', 'read on'])
  expect(manifest).toMatchObject({ missing: [], altered: [], renewed: [] })
  await (await openBackup(path)).close()
})

test('running jobs are restored as waiting, and tables that must not be restored are left out', async () => {
  const stamps = { created_at: 1, updated_at: 1 }
  const running = { state: 'running' as const, attempts: 2, lease_until: 9, worker: 'other' }
  const job = { kind: 'test.long', payload: '{}', run_at: Number.MAX_SAFE_INTEGER, ...running, ...stamps }
  await site.db
    .insertInto('job')
    .values([job, { ...job, kind: 'mail.send', payload: '{"code":"123456"}' }])
    .execute()
  const { path, manifest } = await backUp()
  await site.db.deleteFrom('job').where('kind', 'in', ['test.long', 'mail.send']).execute()
  for (const table of ['session', 'captcha', 'verification_code', 'reset_token', 'rate_limit', 'upload'])
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

test('secret settings are in a backup in encrypted form; without their key the restoration says what to do', async () => {
  await site.configure({ 'email.password': 'hush-hush' })
  onTestFinished(() => site.configure({ 'email.password': '' }))
  const { path } = await backUp()
  const backup = await openBackup(path)
  const rows = (await Array.fromAsync(backup.rows('setting'))).flat()
  await backup.close()
  expect(rows.find(({ name }) => name === 'password')?.value).toMatch(/^enc:v1:/)
  expect(JSON.stringify(rows)).not.toContain('hush-hush')

  const said: string[] = []
  const [log, error] = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')]
  for (const spy of [log, error]) spy.mockImplementation((line: string) => void said.push(line))
  onTestFinished(() => [log, error].forEach((spy) => spy.mockRestore()))
  const target = await emptyTarget()
  await restoreCommand.bare(target, [path])
  expect(said.join('\n')).toContain(`请在启动之前把原来的 secret.key 复制为 ${join(target.dataDir, 'secret.key')}`)
  expect(said.join('\n')).toContain('邮件设置 · 密码')
  expect(existsSync(join(target.dataDir, 'secret.key'))).toBe(false)

  said.length = 0
  const withKey = await emptyTarget()
  writeFileSync(join(withKey.dataDir, 'secret.key'), readFileSync(join(site.config.dataDir, 'secret.key')))
  await restoreCommand.bare(withKey, [path])
  expect(said.join('\n')).toContain('恢复完成')
  expect(said.join('\n')).not.toContain('secret.key')
})

test('real names and identity numbers are in a backup in encrypted form, and are read with the same key alone', async () => {
  const plain = { realname: '王小二', identity: '11010519491231002X' }
  const member = await site.member()
  await member.call(contract.users.profile, plain)
  await member.call(contract.privacy.requestDeletion, { password: member.password })
  onTestFinished(() => member.call(contract.privacy.cancelDeletion).then(() => undefined))
  const { path, manifest } = await backUp()
  expect(manifest.tables).not.toHaveProperty('data_export')
  const backup = await openBackup(path)
  const rows = (await Array.fromAsync(backup.rows('user'))).flat()
  await backup.close()
  expect(JSON.stringify(rows)).not.toMatch(/王小二|11010519491231002X/)

  const said: string[] = []
  const [log, error] = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')]
  for (const spy of [log, error]) spy.mockImplementation((line: string) => void said.push(line))
  onTestFinished(() => [log, error].forEach((spy) => spy.mockRestore()))
  await restoreCommand.bare(await emptyTarget(), [path])
  expect(said.join('\n')).toContain('名会员的真实姓名和身份证号是加密的')

  said.length = 0
  const target = await emptyTarget()
  writeFileSync(join(target.dataDir, 'secret.key'), readFileSync(join(site.config.dataDir, 'secret.key')))
  await restoreCommand.bare(target, [path])
  expect(said.join('\n')).not.toContain('真实姓名')
  const { db } = openDatabase(target.databaseUrl)
  onTestFinished(() => db.destroy())
  const row = await db.selectFrom('user').selectAll().where('id', '=', member.id).executeTakeFirstOrThrow()
  expect(decryptIdentity(existingCipher(target), row)).toEqual(plain)
  const waiting = await db.selectFrom('account_deletion').selectAll().where('user_id', '=', member.id).execute()
  expect(waiting).toMatchObject([{ started_at: null }])
})

test('a file that is purged during the backup is left out, and a lost file is listed as missing', async () => {
  const { storage, now } = await site.app.context()
  const row = (hash: string) => ({ hash, size: 3, last_used_at: now(), created_at: now() })
  const [unused, lost] = ['a'.repeat(64), 'b'.repeat(64)]
  await site.db
    .insertInto('stored_file')
    .values([row(unused), row(lost)])
    .execute()
  const attachment = {
    hash: lost,
    user_id: reader.id,
    type: AttachmentType.Document,
    name: '丢了.pdf',
    ext: '.pdf',
    size: 3,
  }
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
  const rows = await db.selectFrom('stored_file').select('hash').where('hash', 'in', [unused, lost]).execute()
  expect(rows).toEqual([{ hash: lost }])
})

test('a backup of an older schema is restored and migrated', async () => {
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

test('a backup from before tables and columns were renamed is restored under the new names', async () => {
  const older = await emptyTarget()
  const database = openDatabase(older.databaseUrl)
  await migrate(database, 6)
  const hash = 'd'.repeat(64)
  await sql`insert into dynamic (user_id, type, created_at) values (1, ${ActivityType.CheckIn}, 5)`.execute(database.db)
  await sql`insert into stored_file (hash, size, seen_at, created_at) values (${hash}, 3, 5, 5)`.execute(database.db)
  await sql`insert into attachment (hash, user_id, type, name, ext, size, created_at, updated_at)
    values (${hash}, 1, ${AttachmentType.Document}, 'a.pdf', '.pdf', 3, 5, 5)`.execute(database.db)
  await database.db.destroy()
  const { path, manifest } = await backUp(older)
  expect(manifest).toMatchObject({ missing: [contentKey(hash)], tables: { dynamic: { rows: 1 } } })
  const target = await emptyTarget()
  await restore(path, target)
  const { db } = openDatabase(target.databaseUrl)
  onTestFinished(() => db.destroy())
  expect(await db.selectFrom('activity').select('type').execute()).toEqual([{ type: ActivityType.CheckIn }])
  expect(await db.selectFrom('stored_file').select('last_used_at').execute()).toEqual([{ last_used_at: 5 }])
})

test('a backup with any byte changed or missing, and any other file, is refused before anything is changed', async () => {
  const { path } = await backUp()
  const good = readFileSync(path)
  const copy = join(tempFolder(), 'copy.tar')
  const target = { ...readConfig({ DATA_DIR: join(tempFolder(), 'never') }) }
  const refused = async (bytes: Uint8Array, message: RegExp) => {
    writeFileSync(copy, bytes)
    await expect(restore(copy, target)).rejects.toThrow(message)
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
  await refused(createTar('hello.txt', 'hello'), /不是文豆/)
  await refused(Buffer.from('PK\u0003\u0004'.padEnd(2000, 'x')), /不是文豆/)
  const head = { product: 'wendou', format: 1, version: '9.0.0', made_at: 0, engine: 'sqlite' }
  const schema = [...migrations.map(([name]) => name), '9999-later']
  await refused(createTar('wendou-backup.json', JSON.stringify({ ...head, schema })), /更新的版本（9.0.0）/)
  await refused(createTar('wendou-backup.json', JSON.stringify({ ...head, format: 2, schema: [] })), /更新的版本/)
})

test('an existing site is not replaced without --replace and a confirmation', async () => {
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
  // No confirmation is asked for when the restoration is refused anyway.
  const confirm = vi.fn(async () => false)
  await expect(restore(path, target, true, confirm)).rejects.toThrow('正在使用中')
  expect(confirm).not.toHaveBeenCalled()
  expect(await before.db.selectFrom('setting').select('value').execute()).toEqual([{ value: '别人的' }])
  await before.db.destroy()
  await expect(restore(path, target, true, confirm)).rejects.toThrow('没有得到确认')
  await restore(path, target, true)
  const after = openDatabase(target.databaseUrl)
  onTestFinished(() => after.db.destroy())
  expect(await countsIn(after, manifest)).toEqual(toCounts(manifest))
})

test('during a restoration no other can be started, and it cannot be abandoned', async () => {
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

test.runIf(inject('database').engine === 'sqlite')(
  'a file that is not a database is not reported as in use',
  async () => {
    const { path } = await backUp()
    const target = await emptyTarget()
    writeFileSync(target.databaseUrl, 'my notes '.repeat(200))
    await expect(restore(path, target, true)).rejects.toThrow('不是 SQLite 数据库')
    expect(readFileSync(target.databaseUrl, 'utf8')).toMatch(/^my notes/)
  },
)

test.runIf(inject('database').engine === 'postgres')('tables of other schemas are ignored', async () => {
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

test('a storage with files counts as an existing site', async () => {
  const { path } = await backUp()
  const target = await emptyTarget()
  await restore(path, target)
  const elsewhere = { ...(await emptyTarget()), dataDir: target.dataDir }
  await expect(restore(path, elsewhere)).rejects.toThrow('目标不是空的')
})

test('an interrupted restoration is detected, and repeated without a confirmation', async () => {
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
  expect(await countsIn(after, manifest)).toEqual(toCounts(manifest))
})

test('a rendition that was being replaced is converted again after the restoration', async () => {
  const hash = 'c'.repeat(64)
  const [id = 0] = await site.addDocuments({ title: '封面不在了', hash, cover: true })
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
  const { database, storage, close } = from ? await opened(from) : await openSource()
  try {
    const { manifest } = await makeBackup({ database, storage, path, version: '0.0.0', now: Date.now, say: () => {} })
    return { manifest, path }
  } finally {
    await close()
  }
}

async function openSource() {
  const { storage, db } = await site.app.context()
  const { engine } = inject('database')
  const url = engine === 'sqlite' ? await findHash(db) : ''
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

async function findHash(db: OpenDatabase['db']): Promise<string> {
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

async function addDocumentToDiscuss(title: string) {
  const [document_id = 0] = await site.addDocuments({ title, cover: false })
  return { type: ContentType.Document, document_id }
}

/** Uploads, comments and registrations while `work` runs. */
async function underLoad<T>(work: () => Promise<T>): Promise<T> {
  const on = await addDocumentToDiscuss('热闹')
  const over = new AbortController()
  let done = 0
  const busy = async (act: (n: number) => Promise<unknown>) => {
    for (let n = 0; !over.signal.aborted; n++) {
      await act(n)
      done += 1
    }
  }
  const people = [
    busy((n) => site.comment(reader, { on, content: `第 ${n} 句` })),
    busy((n) => uploadForm(site, reader, { name: '新.pdf', bytes: tinyPdf(`load ${n}`) })),
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

/** Files whose bytes had not arrived yet are left out. */
function toCounts({ tables, purged }: Pick<Manifest, 'tables' | 'purged'>): Record<string, number> {
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

function createTar(name: string, text: string): Buffer {
  const body = Buffer.from(text)
  return Buffer.concat([entryHead(name, body.length, 0), body, filling(body.length), archiveEnd])
}
