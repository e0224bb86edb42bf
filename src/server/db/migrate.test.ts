import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { copyDatabase, type TestDatabase } from '#server/testing/databases/database.ts'
import { migrate, migrations } from './migrate.ts'
import { type OpenDatabase, openDatabase } from './open.ts'

const folder = mkdtempSync(join(tmpdir(), 'wendou-schema-'))
afterAll(() => rmSync(folder, { recursive: true }))
const open: { database: OpenDatabase; copy: TestDatabase }[] = []

afterEach(async () => {
  for (const { database, copy } of open.splice(0)) {
    await database.db.destroy()
    await copy.remove()
  }
})

test('all migrations run on an empty database, once', async () => {
  const database = await emptyDatabase()
  expect(await migrate(database)).toEqual(migrations.map(([name]) => name))
  expect(await migrate(database)).toEqual([])
})

test('upgrading from every version leads to the same schema', async () => {
  const latest = await emptyDatabase()
  await migrate(latest)
  const expected = await readSchema(latest)
  for (let step = 0; step <= migrations.length; step++) {
    const database = await emptyDatabase()
    await migrate(database, step)
    await migrate(database)
    expect(await readSchema(database), `from step ${step}`).toEqual(expected)
  }
})

test('both databases have the same logical schema', async () => {
  const database = await emptyDatabase()
  await migrate(database)
  const schema = await readSchema(database)
  const embedded = openDatabase(join(folder, 'schema.db'), { durable: false })
  await migrate(embedded)
  expect(schema).toEqual(await readSchema(embedded))
  await embedded.db.destroy()
  expect(Object.keys(schema).length).toBeGreaterThan(20)
  expect(schema.user).toContainEqual({ name: 'username_key', type: 'text', nullable: false })
  expect(schema.session).toContainEqual({ name: 'expires_at', type: 'integer', nullable: false })
  expect(schema.group).toContainEqual({ name: 'is_default', type: 'integer', nullable: false })
  expect(schema.punishment).toContainEqual({ name: 'end_time', type: 'integer', nullable: true })
})

test('two servers that start at the same time run each migration once', async () => {
  const copy = await copyDatabase({ empty: true })
  const [first, second] = [openDatabase(copy.url), openDatabase(copy.url)]
  const ran = await Promise.all([migrate(first), migrate(second)])
  expect(ran.flat().toSorted()).toEqual(migrations.map(([name]) => name))
  await Promise.all([first.db.destroy(), second.db.destroy()])
  await copy.remove()
})

test('a site that has users keeps how much is read at once; a new one reads free documents whole', async () => {
  const [former, careful, fresh] = [await emptyDatabase(), await emptyDatabase(), await emptyDatabase()]
  const before = migrations.findIndex(([name]) => name === '0015-new-defaults')
  for (const { db } of [former, careful]) {
    await migrate(db === former.db ? former : careful, before)
    await db
      .insertInto('user')
      .values({ username: 'admin', username_key: 'admin', password: '', login_at: null, created_at: 0, updated_at: 0 })
      .execute()
  }
  await careful.db
    .insertInto('setting')
    .values([
      { category: 'converter', name: 'max_preview', value: '3', updated_at: 0 },
      { category: 'display', name: 'pages_per_read', value: '8', updated_at: 0 },
    ])
    .execute()
  const kept = async (database: OpenDatabase) => {
    await migrate(database)
    const rows = await database.db
      .selectFrom('setting')
      .select(['name', 'value'])
      .where('name', 'in', ['max_preview', 'max_preview_free', 'pages_per_read', 'upgraded'])
      .execute()
    return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
  }
  expect(await kept(former)).toEqual({ max_preview_free: '12', pages_per_read: '5', upgraded: '1' })
  expect(await kept(careful)).toEqual({
    max_preview: '3',
    max_preview_free: '3',
    pages_per_read: '8',
    upgraded: '1',
  })
  expect(await kept(fresh)).toEqual({})
})

test('a site that has users goes on asking for a captcha with every login, a new one does not', async () => {
  const [former, fresh] = [await emptyDatabase(), await emptyDatabase()]
  await migrate(
    former,
    migrations.findIndex(([name]) => name === '0018-captcha-after-failures'),
  )
  await former.db
    .insertInto('user')
    .values({ username: 'admin', username_key: 'admin', password: '', login_at: null, created_at: 0, updated_at: 0 })
    .execute()
  const kept = async (database: OpenDatabase) => {
    await migrate(database)
    const rows = database.db.selectFrom('setting').select('value').where('name', '=', 'captcha_after_failures')
    return (await rows.executeTakeFirst())?.value
  }
  expect(await kept(former)).toBe('0')
  expect(await kept(fresh)).toBeUndefined()
})

async function emptyDatabase(): Promise<OpenDatabase> {
  const copy = await copyDatabase({ empty: true })
  const database = openDatabase(copy.url, { durable: false })
  open.push({ database, copy })
  return database
}

const kinds: Record<string, string> = {
  bigint: 'integer',
  int8: 'integer',
  int2: 'integer',
  smallint: 'integer',
  integer: 'integer',
}

/** Tables and columns, whatever each database calls its types. */
async function readSchema({ db }: OpenDatabase) {
  const tables = await db.introspection.getTables()
  const described = tables.map(({ name, columns }) => [
    name,
    columns
      .map((column) => ({
        name: column.name,
        type: kinds[column.dataType.toLowerCase()] ?? column.dataType.toLowerCase(),
        nullable: column.isNullable,
      }))
      .toSorted((a, b) => a.name.localeCompare(b.name)),
  ])
  return Object.fromEntries(described) as Record<string, { name: string; type: string; nullable: boolean }[]>
}
