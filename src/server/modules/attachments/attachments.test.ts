import { bit } from '#server/db/tables/column.ts'
import { AttachmentType, ContentType } from '#shared/enums.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attachments } from '#shared/contract/attachments.ts'
import type { Ctx } from '#server/context.ts'
import { enqueue } from '#server/jobs.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'
import { sha256, tinyPdf, uploadForm } from '#server/testing/upload.ts'
import { cpuTimeMs } from '#server/testing/cpu-time.ts'
import { contentKey } from './storage-keys.ts'
import { removeOrphans, removeUnneeded, retireUnused } from './attachments.sweep.ts'

const hour = 60 * 60_000
const day = 24 * hour

let site: Site
let member: Person
beforeAll(async () => {
  site = await openSite()
  member = await site.member()
})
afterAll(() => site.close())

const upload = (name: string, bytes: Uint8Array<ArrayBuffer>) => uploadForm(site, member, { name, bytes })

async function sweep(kind: 'attachments.sweep' | 'attachments.remove-orphans' = 'attachments.sweep'): Promise<void> {
  await enqueue(await site.app.context(), kind, {})
  await site.runDueJobs()
}

async function isStored(bytes: Uint8Array): Promise<boolean> {
  const { storage } = await site.app.context()
  return (await storage.find(contentKey(sha256(bytes)))) !== undefined
}

function findRow(id: number) {
  return site.db.selectFrom('attachment').selectAll().where('id', '=', id).executeTakeFirst()
}

describe('staff', () => {
  test('see and find the uploads of all users', async () => {
    const bytes = tinyPdf('listed')
    const { id } = await upload('合同范本.pdf', bytes)
    const { total, attachment } = await site.root.call(attachments.list, {
      wd: '合同',
      type: [AttachmentType.Document],
      ext: '.PDF',
    })
    expect({ total, attachment }).toMatchObject({
      total: 1,
      attachment: [{ id, name: '合同范本.pdf', username: member.username, type_name: '文档', hash: sha256(bytes) }],
    })
    expect(await site.root.call(attachments.list, { wd: '合同', enable: [false] })).toMatchObject({ total: 0 })
    expect(await site.root.call(attachments.get, { id })).toMatchObject({ id, size: bytes.length, enable: true })
  })

  test('can rename and ban uploads, but not delete them', async () => {
    const { id } = await upload('a.pdf', tinyPdf('renamed'))
    await site.root.call(attachments.update, { id, name: '../新名\u202e.pdf', enable: false, description: '说明' })
    expect(await site.root.call(attachments.get, { id })).toMatchObject({
      name: '新名.pdf',
      enable: false,
      description: '说明',
    })
    expect(await refusal(site.root.call(attachments.delete, { id: [id] }))).toMatchObject({
      reason: 'attachments.managed',
    })
    expect(await refusal(site.root.call(attachments.get, { id: 99_999 }))).toMatchObject({ status: 404 })
    expect(await refusal(site.root.call(attachments.update, { id: 99_999, name: 'x' }))).toMatchObject({ status: 404 })
  })
})

describe('unused files', () => {
  test('are soft-deleted after a day, purged after the retention time, and then deleted from the storage', async () => {
    const [unused, used] = [tinyPdf('unused'), tinyPdf('used')]
    const first = await upload('没人用.pdf', unused)
    const second = await upload('有人用.pdf', used)
    await site.db.updateTable('attachment').set({ type_id: 5 }).where('id', '=', second.id).execute()
    site.advanceClock(23 * hour)
    await sweep()
    expect(await findRow(first.id)).toMatchObject({ deleted_at: null })
    site.advanceClock(2 * hour)
    await sweep()
    expect((await findRow(first.id))?.deleted_at).toBeGreaterThan(0)
    expect(await isStored(unused)).toBe(true)
    site.advanceClock(25 * hour)
    await sweep()
    expect(await findRow(first.id)).toBeUndefined()
    expect(await isStored(unused)).toBe(false)
    expect(await findRow(second.id)).toMatchObject({ deleted_at: null })
    expect(await isStored(used)).toBe(true)
    const jobs = await site.db.selectFrom('job').selectAll().where('kind', '=', 'renditions.remove').execute()
    for (const job of jobs) expect(job.payload).not.toContain(sha256(used))
  })

  test('are deleted when no attachment has the same content', async () => {
    const bytes = tinyPdf('shared')
    const [first, second] = [await upload('一.pdf', bytes), await upload('二.pdf', bytes)]
    await site.db.updateTable('attachment').set({ type_id: 6 }).where('id', '=', second.id).execute()
    site.advanceClock(2 * day)
    await sweep()
    site.advanceClock(2 * day)
    await sweep()
    expect(await findRow(first.id)).toBeUndefined()
    expect(await isStored(bytes)).toBe(true)
    await site.db.updateTable('attachment').set({ deleted_at: 1 }).where('id', '=', second.id).execute()
    await sweep()
    expect(await isStored(bytes)).toBe(false)
    expect(await upload('三.pdf', bytes)).toMatchObject({ status: 200 })
    expect(await isStored(bytes)).toBe(true)
  })

  test('stay banned after their deletion', async () => {
    const bytes = tinyPdf('banned for ever')
    const { id } = await upload('禁.pdf', bytes)
    await site.root.call(attachments.update, { id, name: '禁.pdf', enable: false })
    site.advanceClock(2 * day)
    await sweep()
    site.advanceClock(2 * day)
    await sweep()
    expect(await isStored(bytes)).toBe(false)
    expect(await upload('又来.pdf', bytes)).toMatchObject({ status: 403, reason: 'uploads.banned' })
    expect(await site.root.call(attachments.list, { enable: [false], wd: sha256(bytes) })).toMatchObject({ total: 1 })
    await site.root.call(attachments.update, { id, name: '禁.pdf', enable: true })
    expect(await upload('又来.pdf', bytes)).toMatchObject({ status: 200 })
  })

  test('include images that are no longer used', async () => {
    const rows = await Promise.all(
      ['in-setting', 'in-category', 'nowhere', 'in-topic'].map(async (name, at) => {
        const path = `/uploads/aa/${String(at).repeat(64)}.png`
        const now = (await site.app.context()).now()
        const type = name === 'in-category' ? AttachmentType.CategoryCover : AttachmentType.Setting
        const values = { hash: name, type, name, ext: '.png', size: 1, path, user_id: 1 }
        const row = { ...values, deleted_at: null, created_at: now, updated_at: now }
        const { id } = await site.db.insertInto('attachment').values(row).returning('id').executeTakeFirstOrThrow()
        return { id, path }
      }),
    )
    await site.configure({ 'system.logo': rows[0]?.path ?? '' })
    const category = { parent_id: 0, title: '有封面的分类', type: ContentType.Document, enable: bit(true) }
    await site.db
      .insertInto('category')
      .values({ ...category, cover: rows[1]?.path ?? '', created_at: 0, updated_at: 0 })
      .execute()
    const topic = { title: '有封面的专题', enable: bit(true), created_at: 0, updated_at: 0 }
    await site.db
      .insertInto('topic')
      .values({ ...topic, cover: rows[3]?.path ?? '' })
      .execute()
    site.advanceClock(2 * day)
    await retireUnused(await site.app.context())
    expect(await findRow(rows[0]?.id ?? 0)).toMatchObject({ deleted_at: null })
    expect(await findRow(rows[1]?.id ?? 0)).toMatchObject({ deleted_at: null })
    expect(await findRow(rows[3]?.id ?? 0)).toMatchObject({ deleted_at: null })
    expect((await findRow(rows[2]?.id ?? 0))?.deleted_at).toBeGreaterThan(0)
  })

  test('include images of an unpublished article after a month', async () => {
    const ctx = await site.app.context()
    const attachment = {
      hash: 'waiting',
      type: AttachmentType.Article,
      name: 'a.png',
      ext: '.png',
      size: 1,
      user_id: 1,
      deleted_at: null,
    }
    const { id } = await site.db
      .insertInto('attachment')
      .values({ ...attachment, created_at: ctx.now(), updated_at: ctx.now() })
      .returning('id')
      .executeTakeFirstOrThrow()
    const after = (days: number): Ctx => ({ ...ctx, now: () => ctx.now() + days * day })
    await retireUnused(after(29))
    expect(await findRow(id)).toMatchObject({ deleted_at: null })
    await retireUnused(after(31))
    expect((await findRow(id))?.deleted_at).toBeGreaterThan(0)
  })

  test('include stored objects without a row, but no recent ones', async () => {
    const ctx = await site.app.context()
    const { storage } = ctx
    const stray = contentKey('ab'.repeat(32))
    await storage.put(stray, Buffer.from('left by a crash'))
    await removeOrphans({ ...ctx, now: Date.now })
    expect(await storage.find(stray)).toBeDefined()
    site.advanceClock(2 * day)
    await sweep('attachments.remove-orphans')
    expect(await storage.find(stray)).toBeUndefined()
    expect(await site.db.selectFrom('stored_file').select('hash').where('deleting', '=', 1).execute()).toEqual([])
  })
})

describe('an upload of content that is being deleted', () => {
  /** Stores unused content whose grace period is over. */
  async function storeUnneeded(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const { id } = await upload('旧.pdf', bytes)
    await site.db.deleteFrom('attachment').where('id', '=', id).execute()
    site.advanceClock(3 * hour)
  }

  test('waits for the deletion, and is not lost', async () => {
    const bytes = tinyPdf('in the way')
    await storeUnneeded(bytes)
    const ctx = await site.app.context()
    const stored = Promise.withResolvers<unknown>()
    const slow: Ctx = {
      ...ctx,
      storage: {
        ...ctx.storage,
        async remove(keys) {
          stored.resolve(upload('新.pdf', bytes))
          await new Promise((resolve) => setTimeout(resolve, 150))
          await ctx.storage.remove(keys)
        },
      },
    }
    await removeUnneeded(slow)
    expect(await stored.promise).toMatchObject({ status: 200 })
    expect(await isStored(bytes)).toBe(true)
  })

  test('succeeds after an interrupted deletion, which is continued', async () => {
    const bytes = tinyPdf('half removed')
    await storeUnneeded(bytes)
    const ctx = await site.app.context()
    const failing = async () => {
      throw new Error('killed')
    }
    await expect(removeUnneeded({ ...ctx, storage: { ...ctx.storage, remove: failing } })).rejects.toThrow('killed')
    site.advanceClock(hour)
    await removeUnneeded(await site.app.context())
    expect(await isStored(bytes)).toBe(false)
    expect(await upload('再来.pdf', bytes)).toMatchObject({ status: 200 })
    expect(await isStored(bytes)).toBe(true)
  })

  test('at random times never loses the content', { timeout: 60_000 }, async () => {
    const bytes = tinyPdf('contested')
    for (let round = 0; round < 15; round += 1) {
      await storeUnneeded(bytes)
      const [response] = await Promise.all([
        upload('争.pdf', bytes),
        site.app.context().then((ctx) => removeUnneeded(ctx)),
        site.app.context().then((ctx) => removeUnneeded(ctx)),
      ])
      expect(response.status).toBe(200)
      expect(await isStored(bytes)).toBe(true)
    }
  })
})

test('the avatars of many members are checked quickly, and only unused ones are soft-deleted', async () => {
  const ctx = await site.app.context()
  const many = Array.from({ length: 4000 }, (_, n) => 100_000 + n)
  const old = { created_at: ctx.now() - 2 * day, updated_at: 0 }
  const users = many.map((id) => ({
    ...old,
    id,
    username: `p${id}`,
    username_key: `p${id}`,
    password: '',
    avatar: `/uploads/avatar/${id}.webp`,
    login_at: null,
  }))
  const pictures = many.map((id) => ({ type_id: id, path: `/uploads/avatar/${id}.webp` }))
  const files = [...pictures, { type_id: 100_000, path: '/uploads/avatar/older.webp' }].map((picture) => ({
    ...picture,
    ...old,
    hash: 'a'.repeat(64),
    user_id: picture.type_id,
    type: AttachmentType.Avatar,
    name: 'a.webp',
    ext: '.webp',
    size: 1,
    deleted_at: null,
  }))
  for (let at = 0; at < files.length; at += 1000) {
    const batch = users.slice(at, at + 1000)
    if (batch.length > 0) await site.db.insertInto('user').values(batch).execute()
    await site.db
      .insertInto('attachment')
      .values(files.slice(at, at + 1000))
      .execute()
  }
  const before = cpuTimeMs()
  await retireUnused(ctx)
  expect(cpuTimeMs() - before).toBeLessThan(1500)
  const retired = await site.db
    .selectFrom('attachment')
    .select('path')
    .where('type', '=', AttachmentType.Avatar)
    .where('deleted_at', 'is not', null)
    .execute()
  expect(retired).toEqual([{ path: '/uploads/avatar/older.webp' }])
  await site.db.deleteFrom('attachment').where('type', '=', AttachmentType.Avatar).execute()
})

test('other requests are served while a large site is swept', async () => {
  const ctx = await site.app.context()
  const rows = Array.from({ length: 6000 }, (_, n) => ({
    hash: n.toString(16).padStart(64, '0'),
    size: 1,
    last_used_at: ctx.now() - day,
    created_at: 0,
  }))
  for (let at = 0; at < rows.length; at += 500) {
    const batch = rows.slice(at, at + 500)
    await site.db.insertInto('stored_file').values(batch).execute()
    const file = {
      user_id: 1,
      type: AttachmentType.Document,
      type_id: 9,
      name: 'a.pdf',
      ext: '.pdf',
      deleted_at: null,
      updated_at: 0,
    }
    await site.db
      .insertInto('attachment')
      .values(batch.map(({ hash, size, created_at }) => ({ ...file, hash, size, created_at })))
      .execute()
  }
  let iterations = 0
  const count = setInterval(() => (iterations += 1), 0)
  await removeUnneeded(ctx)
  clearInterval(count)
  expect(iterations).toBeGreaterThan(3)
  expect(await site.db.selectFrom('stored_file').select('hash').where('deleting', '=', 1).execute()).toEqual([])
})

test('quota usage of past days is purged', async () => {
  await upload('a.pdf', tinyPdf('counted'))
  const before = await site.db.selectFrom('quota_usage').selectAll().execute()
  expect(before.length).toBeGreaterThan(0)
  site.advanceClock(30 * day)
  await sweep()
  expect(await site.db.selectFrom('quota_usage').selectAll().execute()).toEqual([])
})
