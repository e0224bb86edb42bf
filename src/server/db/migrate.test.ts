import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import type { Insertable } from 'kysely'
import { DocumentStatus } from '#shared/document-status.ts'
import { OrderStatus, OrderType, PaymentMethod, Visibility } from '#shared/enums.ts'
import { copyDatabase, type TestDatabase } from '#server/testing/databases/database.ts'
import { migrate, migrations } from './migrate.ts'
import { type OpenDatabase, openDatabase } from './open.ts'
import type { Tables } from './tables.ts'

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

/** A server of each version has left off where the next one goes on. */
test('upgrading through every version leads to the same schema', async () => {
  const [latest, upgraded] = [await emptyDatabase(), await emptyDatabase()]
  await migrate(latest)
  for (const [step, [name]] of migrations.entries()) expect(await migrate(upgraded, step + 1)).toEqual([name])
  expect(await migrate(upgraded)).toEqual([])
  expect(await readSchema(upgraded)).toEqual(await readSchema(latest))
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

test('what was paid by trying out gets its own method, and its refunds are what was taken back', async () => {
  const database = await emptyDatabase()
  const { db } = database
  await migrate(
    database,
    migrations.findIndex(([name]) => name === '0040-trial-payments'),
  )
  const [other, trial] = [PaymentMethod.Other, PaymentMethod.Trial]
  const order = (id: number, refunded_money: number, has_surplus: 0 | 1 = 0) => ({
    order_no: String(id),
    user_id: 1,
    type: OrderType.TopUp,
    product_id: 0,
    product_name: '充值',
    price: 100,
    amount: 100,
    money: 1000,
    refunded_money,
    has_surplus,
    status: OrderStatus.Paid,
    payment_method: other,
    expired_at: 0,
    created_at: 0,
    updated_at: 0,
  })
  const attempt = (order_id: number, state: 'paid' | 'surplus' | 'open') => ({
    order_id,
    attempt_no: `${order_id} ${state}`,
    provider: 'trial',
    method: other,
    merchant: 'trial',
    client: 'desktop',
    ip: '',
    state,
    instruction: '',
    answer: '',
    asked_count: 0,
    money: 1000,
    transaction_id: state === 'open' ? '' : `${order_id} ${state}`,
    created_at: 0,
    updated_at: 0,
  })
  const refund = (payment_id: number, order_id: number, money: number) => ({
    payment_id,
    order_id,
    refund_no: `${payment_id} ${money}`,
    money,
    credits: 0,
    state: 'done' as const,
    reason: '',
    user_id: 1,
    created_at: 0,
    updated_at: 0,
  })
  await db
    .insertInto('order')
    .values([order(1, 0), order(2, 1000), order(3, 0, 1)])
    .execute()
  await db
    .insertInto('payment')
    .values([attempt(1, 'paid'), attempt(2, 'paid'), attempt(3, 'surplus'), attempt(3, 'open')])
    .execute()
  await db
    .insertInto('refund')
    .values([refund(2, 2, 333), refund(2, 2, 667), refund(3, 3, 1000)])
    .execute()
  await migrate(database)
  const orders = await db.selectFrom('order').selectAll().orderBy('id').execute()
  expect(orders.map((row) => [row.payment_method, row.refunded_money, row.refunded_credits, row.has_surplus])).toEqual([
    [trial, 0, 0, 0],
    [trial, 0, 100, 0],
    [other, 0, 0, 0],
  ])
  const refunds = await db.selectFrom('refund').selectAll().orderBy('id').execute()
  expect(refunds.map((row) => [row.payment_id, row.money, row.credits])).toEqual([
    [0, 0, 33],
    [0, 0, 67],
  ])
  expect(await db.selectFrom('payment').selectAll().execute()).toEqual([])
})

test('what failed in review is said to have failed, and equal public documents are folded into the first', async () => {
  const database = await emptyDatabase()
  const { db } = database
  await migrate(
    database,
    migrations.findIndex(([name]) => name === '0044-one-truth-about-an-upload'),
  )
  const { Converted, Failed, InReview, FailedInReview, Rejected } = DocumentStatus
  const stamps = { created_at: 0, updated_at: 0 }
  const rendition = (hash: string, state: 'failed' | 'done', reason = '') => ({
    hash,
    ext: '.pdf',
    state,
    reason,
    ...stamps,
  })
  const document = (
    id: number,
    hash: string,
    status: DocumentStatus,
    other: Partial<Insertable<Tables['document']>> = {},
  ) => ({
    id,
    uuid: `document-${id}`,
    user_id: 1,
    attachment_id: id,
    hash,
    ext: '.pdf',
    size: 1,
    title: `${id}`,
    status,
    visibility: Visibility.Public,
    pages: 0,
    recommend_at: null,
    deleted_at: null,
    ...stamps,
    ...other,
  })
  await db
    .insertInto('rendition')
    .values([
      rendition('broken', 'failed', 'damaged'),
      rendition('program', 'failed', 'unsupported'),
      rendition('good', 'done'),
    ])
    .execute()
  const pages = { pages: 3 }
  await db
    .insertInto('document')
    .values([
      document(1, 'broken', InReview),
      // Failed at another time: it has pages to review.
      document(2, 'broken', InReview, pages),
      // Only to be downloaded, which is no fault.
      document(3, 'program', InReview),
      document(4, 'good', InReview),
      document(5, 'broken', Failed),
      document(6, 'broken', Rejected),
      document(11, 'same', Converted, { ...pages, visibility: Visibility.Private }),
      document(12, 'same', Converted, pages),
      document(13, 'same', Converted, pages),
      document(14, 'same', Failed),
      document(15, 'same', Converted, { ...pages, deleted_at: 1 }),
      document(16, 'same', InReview),
      document(17, 'alone', Converted, pages),
      // Crawled, and without a file yet.
      document(18, '', Converted),
      document(19, '', Converted),
    ])
    .execute()
  await migrate(database)
  const rows = await db.selectFrom('document').select(['id', 'status']).where('id', '<', 10).orderBy('id').execute()
  expect(rows.map(({ id, status }) => [id, status])).toEqual([
    [1, FailedInReview],
    [2, InReview],
    [3, InReview],
    [4, InReview],
    [5, Failed],
    [6, Rejected],
  ])
  const copies = await db.selectFrom('document_copy').selectAll().orderBy('document_id').execute()
  expect(copies).toEqual([
    { document_id: 13, first_id: 12 },
    { document_id: 14, first_id: 12 },
  ])
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
