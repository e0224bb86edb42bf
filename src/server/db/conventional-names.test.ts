import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { copyDatabase, type TestDatabase } from '#server/testing/databases/database.ts'
import { migrate, migrations } from './migrate.ts'
import { type OpenDatabase, openDatabase } from './open.ts'

/** What 0007 makes of a database that the version before it has filled. */

const open: { database: OpenDatabase; copy: TestDatabase }[] = []

afterEach(async () => {
  for (const { database, copy } of open.splice(0)) {
    await database.db.destroy()
    await copy.remove()
  }
})

async function databaseBefore(): Promise<OpenDatabase> {
  const copy = await copyDatabase({ empty: true })
  const database = openDatabase(copy.url, { durable: false })
  open.push({ database, copy })
  await migrate(
    database,
    migrations.findIndex(([name]) => name === '0007-conventional-names'),
  )
  return database
}

async function run({ db }: OpenDatabase, ...statements: string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

test('rows keep their values under the new names of tables and columns', async () => {
  const database = await databaseBefore()
  await run(
    database,
    `insert into attempt (key, count, until) values ('login:a', 3, 99)`,
    `insert into letter (recipient, name, told, number, until, state, attempts, error, created_at, updated_at)
     values ('a@example.com', 'test', '{}', 'msg-1', 77, 'waiting', 1, '', 1, 2)`,
    `insert into tally (day, name, count) values (20261115, 'view', 12)`,
    `insert into visitor (day, mark) values (20261115, 'abc')`,
    `insert into dynamic (user_id, type, amount, subject, href, created_at) values (1, 3, 5, '题', '/document/x', 9)`,
    `insert into daily_use (kind, who, day, used) values ('upload.count', '1', 20261115, 4)`,
    `insert into sign (user_id, sign_at, award, streak, ip, created_at) values (1, 20261115, 2, 3, '', 9)`,
    `insert into session (user_id, ip, user_agent, expires_at, seen_at, created_at) values (1, '', '', 10, 8, 7)`,
    `insert into stored_file (hash, size, leaving, seen_at, created_at) values ('aa', 10, 1, 6, 5)`,
    `insert into rendition (hash, ext, state, run, revision, type, made, pages, partial, read_pages, created_at, updated_at)
     values ('aa', '.docx', 'done', 'lease', 7, 'pdf', 1, 12, 0, 12, 1, 2)`,
  )
  await migrate(database)
  const { db } = database
  const first = (table: Parameters<typeof db.selectFrom>[0]) =>
    db
      .selectFrom(table as 'mail')
      .selectAll()
      .executeTakeFirst()
  expect(await first('rate_limit')).toEqual({ key: 'login:a', count: 3, blocked_until: 99 })
  expect(await first('mail')).toMatchObject({ template: 'test', params: '{}', message_id: 'msg-1', expires_at: 77 })
  expect(await first('daily_count')).toEqual({ day: 20261115, name: 'view', count: 12 })
  expect(await first('daily_visitor')).toEqual({ day: 20261115, visitor_hash: 'abc' })
  expect(await first('activity')).toMatchObject({ user_id: 1, type: 3, subject: '题' })
  expect(await first('quota_usage')).toEqual({ quota: 'upload.count', subject: '1', day: 20261115, used: 4 })
  expect(await first('check_in')).toMatchObject({ user_id: 1, day: 20261115, streak: 3 })
  expect(await first('session')).toMatchObject({ last_seen_at: 8 })
  expect(await first('stored_file')).toMatchObject({ hash: 'aa', deleting: 1, last_used_at: 6 })
  expect(await first('rendition')).toMatchObject({
    lease_id: 'lease',
    source_type: 'pdf',
    is_derived: 1,
    is_partial: 0,
    text_pages: 12,
  })
})

test('ids go on where they were', async () => {
  const database = await databaseBefore()
  const insert = `insert into dynamic (user_id, type, subject, href, created_at) values (1, 3, '', '', 0)`
  await run(database, insert, insert, 'delete from dynamic where id = 2')
  await migrate(database)
  const row = { user_id: 1, type: 3 as const, subject: '', href: '', created_at: 0 }
  const { id } = await database.db.insertInto('activity').values(row).returning('id').executeTakeFirstOrThrow()
  expect(id).toBe(3)
})

test('jobs go on under their new kinds and keys, each once', async () => {
  const database = await databaseBefore()
  const job = (kind: string, key: string, payload: string, state = 'waiting') =>
    `insert into job (kind, payload, key, state, attempts, run_at, lease_until, worker, error, created_at, updated_at)
     values ('${kind}', '${payload}', '${key}', '${state}', 0, 5, 0, '', '', 1, 1)`
  await run(
    database,
    job('document.convert', 'convert:aa', '{"hash":"aa"}'),
    job('document.convert', 'convert:aa', '{"hash":"aa"}'),
    job('document.convert', 'convert:aa', '{"hash":"aa"}', 'failed'),
    job('document.read', 'read:aa:7', '{"hash":"aa","revision":7,"from":21,"unread":1}'),
    job('mail.send', 'mail.send:1', '{"letter":1}'),
    job('social.forget', '', '{"type":0,"ids":[1,2]}'),
    job('user.registered', '', '{"id":9}'),
    `insert into revision (name, value) values ('schedule:documents.mend', 42)`,
  )
  await migrate(database)
  const jobs = await database.db.selectFrom('job').select(['kind', 'key', 'payload', 'state']).orderBy('id').execute()
  expect(jobs.map((row) => ({ ...row, payload: JSON.parse(row.payload) as unknown }))).toEqual([
    { kind: 'renditions.convert', key: 'convert:aa', payload: { hash: 'aa' }, state: 'waiting' },
    { kind: 'renditions.convert', key: 'convert:aa', payload: { hash: 'aa' }, state: 'failed' },
    {
      kind: 'renditions.extract-text',
      key: 'extract-text:aa:7',
      payload: { hash: 'aa', revision: 7, from: 21, failures: 1 },
      state: 'waiting',
    },
    { kind: 'mail.send', key: 'mail.send:1', payload: { mail: 1 }, state: 'waiting' },
    {
      kind: 'events.deliver',
      key: '',
      payload: { name: 'content.purged', payload: { type: 0, ids: [1, 2] } },
      state: 'waiting',
    },
    { kind: 'events.deliver', key: '', payload: { name: 'user.registered', payload: { id: 9 } }, state: 'waiting' },
  ])
  const revision = await database.db.selectFrom('revision').selectAll().where('name', 'like', 'schedule:%').execute()
  expect(revision).toEqual([{ name: 'schedule:renditions.repair', value: 42 }])
})
