import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sqliteDialect } from './sqlite.ts'

interface Library {
  shelf: { id: number }
  book: { id: number; shelf_id: number }
}

const folder = mkdtempSync(join(tmpdir(), 'wendou-sqlite-'))
const db = new Kysely<Library>({ dialect: sqliteDialect(join(folder, 'library.db'), { durable: false }) })

beforeAll(async () => {
  await sql`create table shelf (id integer primary key)`.execute(db)
  await sql`create table book (id integer primary key, shelf_id integer references shelf (id) deferrable initially deferred)`.execute(
    db,
  )
})
afterAll(async () => {
  await db.destroy()
  rmSync(folder, { recursive: true })
})

test('a transaction whose commit fails is rolled back, and the next transaction succeeds', async () => {
  const failing = db.transaction().execute((trx) => trx.insertInto('book').values({ id: 1, shelf_id: 99 }).execute())
  const next = db.transaction().execute(async (trx) => {
    await trx.insertInto('shelf').values({ id: 1 }).execute()
    await trx.insertInto('book').values({ id: 2, shelf_id: 1 }).execute()
  })
  await expect(failing).rejects.toThrow('FOREIGN KEY')
  await next
  expect(await db.selectFrom('book').select('id').execute()).toEqual([{ id: 2 }])
})

test('fifty concurrent writers all succeed', async () => {
  const writers = Array.from({ length: 50 }, (_, n) =>
    db.transaction().execute(async (trx) => {
      await trx
        .insertInto('shelf')
        .values({ id: 100 + n })
        .execute()
      await trx.selectFrom('shelf').selectAll().execute()
    }),
  )
  await Promise.all(writers)
  const rows = await db.selectFrom('shelf').select('id').where('id', '>=', 100).execute()
  expect(rows).toHaveLength(50)
})
