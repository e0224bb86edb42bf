import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attachments } from '#shared/contract/attachments.ts'
import type { Ctx } from '#server/context.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'
import { openUploads, sha256, somePdf, uploadForm } from '#server/testing/upload.ts'
import { workedMs } from '#server/testing/cpu-time.ts'
import { contentKey } from './storage-keys.ts'
import { removeOrphans, removeUnneeded, retireUnused } from './attachments.sweep.ts'

const hour = 60 * 60_000
const day = 24 * hour

let site: Site
let member: Person
beforeAll(async () => {
  site = await openSite()
  await openUploads(site)
  member = await site.member()
})
afterAll(() => site.close())

const upload = (name: string, bytes: Uint8Array<ArrayBuffer>) => uploadForm(site, member, { name, bytes })

async function sweep(kind = 'attachments.sweep'): Promise<void> {
  await enqueue(await site.app.context(), { kind })
  await site.settle()
}

async function isKept(bytes: Uint8Array): Promise<boolean> {
  const { storage } = await site.app.context()
  return (await storage.find(contentKey(sha256(bytes)))) !== undefined
}

function rowOf(id: number) {
  return site.db.selectFrom('attachment').selectAll().where('id', '=', id).executeTakeFirst()
}

describe('staff', () => {
  test('see who has uploaded what, and find it', async () => {
    const bytes = somePdf('listed')
    const { id } = await upload('合同范本.pdf', bytes)
    const { total, attachment } = await site.root.call(attachments.list, { wd: '合同', type: [2], ext: '.PDF' })
    expect({ total, attachment }).toMatchObject({
      total: 1,
      attachment: [{ id, name: '合同范本.pdf', username: member.username, type_name: '文档', hash: sha256(bytes) }],
    })
    expect(await site.root.call(attachments.list, { wd: '合同', enable: [false] })).toMatchObject({ total: 0 })
    expect(await site.root.call(attachments.get, { id })).toMatchObject({ id, size: bytes.length, enable: true })
  })

  test('can rename and ban, but not delete', async () => {
    const { id } = await upload('a.pdf', somePdf('renamed'))
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

describe('what nobody needs', () => {
  test('is retired after a day, purged after the retention, and the space returns', async () => {
    const [unused, used] = [somePdf('unused'), somePdf('used')]
    const first = await upload('没人用.pdf', unused)
    const second = await upload('有人用.pdf', used)
    await site.db.updateTable('attachment').set({ type_id: 5 }).where('id', '=', second.id).execute()
    site.pass(23 * hour)
    await sweep()
    expect(await rowOf(first.id)).toMatchObject({ deleted_at: null })
    site.pass(2 * hour)
    await sweep()
    expect((await rowOf(first.id))?.deleted_at).toBeGreaterThan(0)
    expect(await isKept(unused)).toBe(true)
    site.pass(25 * hour)
    await sweep()
    expect(await rowOf(first.id)).toBeUndefined()
    expect(await isKept(unused)).toBe(false)
    expect(await rowOf(second.id)).toMatchObject({ deleted_at: null })
    expect(await isKept(used)).toBe(true)
    const jobs = await site.db.selectFrom('job').selectAll().where('kind', '=', 'rendition.remove').execute()
    for (const job of jobs) expect(job.payload).not.toContain(sha256(used))
  })

  test('goes only when the last who has the same content has gone', async () => {
    const bytes = somePdf('shared')
    const [one, two] = [await upload('一.pdf', bytes), await upload('二.pdf', bytes)]
    await site.db.updateTable('attachment').set({ type_id: 6 }).where('id', '=', two.id).execute()
    site.pass(2 * day)
    await sweep()
    site.pass(2 * day)
    await sweep()
    expect(await rowOf(one.id)).toBeUndefined()
    expect(await isKept(bytes)).toBe(true)
    await site.db.updateTable('attachment').set({ deleted_at: 1 }).where('id', '=', two.id).execute()
    await sweep()
    expect(await isKept(bytes)).toBe(false)
    expect(await upload('三.pdf', bytes)).toMatchObject({ status: 200 })
    expect(await isKept(bytes)).toBe(true)
  })

  test('a ban outlives the file it bans', async () => {
    const bytes = somePdf('banned for ever')
    const { id } = await upload('禁.pdf', bytes)
    await site.root.call(attachments.update, { id, name: '禁.pdf', enable: false })
    site.pass(2 * day)
    await sweep()
    site.pass(2 * day)
    await sweep()
    expect(await isKept(bytes)).toBe(false)
    expect(await upload('又来.pdf', bytes)).toMatchObject({ status: 403, reason: 'uploads.banned' })
    expect(await site.root.call(attachments.list, { enable: [false], wd: sha256(bytes) })).toMatchObject({ total: 1 })
    await site.root.call(attachments.update, { id, name: '禁.pdf', enable: true })
    expect(await upload('又来.pdf', bytes)).toMatchObject({ status: 200 })
  })

  test('pictures go when nothing shows them any more', async () => {
    const rows = await Promise.all(
      ['in-setting', 'in-category', 'nowhere'].map(async (name, at) => {
        const path = `/uploads/aa/${String(at).repeat(64)}.png`
        const now = (await site.app.context()).now()
        const values = { hash: name, type: at === 1 ? 6 : 7, name, ext: '.png', size: 1, path, user_id: 1 }
        const row = { ...values, deleted_at: null, created_at: now, updated_at: now }
        const { id } = await site.db.insertInto('attachment').values(row).returning('id').executeTakeFirstOrThrow()
        return { id, path }
      }),
    )
    await site.configure({ 'system.logo': rows[0]?.path ?? '' })
    const category = { parent_id: 0, title: '有封面的分类', type: 0, enable: 1 as const, created_at: 0, updated_at: 0 }
    await site.db
      .insertInto('category')
      .values({ ...category, cover: rows[1]?.path ?? '' })
      .execute()
    site.pass(2 * day)
    await retireUnused(await site.app.context())
    expect(await rowOf(rows[0]?.id ?? 0)).toMatchObject({ deleted_at: null })
    expect(await rowOf(rows[1]?.id ?? 0)).toMatchObject({ deleted_at: null })
    expect((await rowOf(rows[2]?.id ?? 0))?.deleted_at).toBeGreaterThan(0)
  })

  test('pictures for an article that is not published wait a month for it', async () => {
    const ctx = await site.app.context()
    const about = { hash: 'waiting', type: 3, name: 'a.png', ext: '.png', size: 1, user_id: 1, deleted_at: null }
    const { id } = await site.db
      .insertInto('attachment')
      .values({ ...about, created_at: ctx.now(), updated_at: ctx.now() })
      .returning('id')
      .executeTakeFirstOrThrow()
    const after = (days: number): Ctx => ({ ...ctx, now: () => ctx.now() + days * day })
    await retireUnused(after(29))
    expect(await rowOf(id)).toMatchObject({ deleted_at: null })
    await retireUnused(after(31))
    expect((await rowOf(id))?.deleted_at).toBeGreaterThan(0)
  })

  test('files that no row knows are found and removed, fresh ones are left alone', async () => {
    const ctx = await site.app.context()
    const { storage } = ctx
    const stray = contentKey('ab'.repeat(32))
    await storage.put(stray, Buffer.from('left by a crash'))
    await removeOrphans({ ...ctx, now: Date.now })
    expect(await storage.find(stray)).toBeDefined()
    site.pass(2 * day)
    await sweep('attachments.orphans')
    expect(await storage.find(stray)).toBeUndefined()
    expect(await site.db.selectFrom('stored_file').select('hash').where('leaving', '=', 1).execute()).toEqual([])
  })
})

describe('bringing content while it is being removed', () => {
  /** Content that nobody needs any more and that may go now. */
  async function unneeded(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const { id } = await upload('旧.pdf', bytes)
    await site.db.deleteFrom('attachment').where('id', '=', id).execute()
    site.pass(3 * hour)
  }

  test('waits until it has gone, and is not lost', async () => {
    const bytes = somePdf('in the way')
    await unneeded(bytes)
    const ctx = await site.app.context()
    const brought = Promise.withResolvers<unknown>()
    const slow: Ctx = {
      ...ctx,
      storage: {
        ...ctx.storage,
        async remove(keys) {
          const answer = upload('新.pdf', bytes)
          brought.resolve(answer)
          await new Promise((resolve) => setTimeout(resolve, 150))
          await ctx.storage.remove(keys)
        },
      },
    }
    await removeUnneeded(slow)
    expect(await brought.promise).toMatchObject({ status: 200 })
    expect(await isKept(bytes)).toBe(true)
  })

  test('a removal that was cut short is taken up again', async () => {
    const bytes = somePdf('half removed')
    await unneeded(bytes)
    const ctx = await site.app.context()
    const failing = async () => {
      throw new Error('killed')
    }
    await expect(removeUnneeded({ ...ctx, storage: { ...ctx.storage, remove: failing } })).rejects.toThrow('killed')
    site.pass(hour)
    await removeUnneeded(await site.app.context())
    expect(await isKept(bytes)).toBe(false)
    expect(await upload('再来.pdf', bytes)).toMatchObject({ status: 200 })
    expect(await isKept(bytes)).toBe(true)
  })

  test('again and again at random loses nothing', { timeout: 60_000 }, async () => {
    const bytes = somePdf('contested')
    for (let round = 0; round < 15; round += 1) {
      await unneeded(bytes)
      const [answer] = await Promise.all([
        upload('争.pdf', bytes),
        site.app.context().then((ctx) => removeUnneeded(ctx)),
        site.app.context().then((ctx) => removeUnneeded(ctx)),
      ])
      expect(answer.status).toBe(200)
      expect(await isKept(bytes)).toBe(true)
    }
  })
})

test('the pictures of many people are gone through in no time, and only what nobody shows is retired', async () => {
  const ctx = await site.app.context()
  const many = Array.from({ length: 4000 }, (_, n) => 100_000 + n)
  const old = { created_at: ctx.now() - 2 * day, updated_at: 0 }
  const people = many.map((id) => ({
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
    type: 1,
    name: 'a.webp',
    ext: '.webp',
    size: 1,
    deleted_at: null,
  }))
  for (let at = 0; at < files.length; at += 1000) {
    const some = people.slice(at, at + 1000)
    if (some.length > 0) await site.db.insertInto('user').values(some).execute()
    await site.db
      .insertInto('attachment')
      .values(files.slice(at, at + 1000))
      .execute()
  }
  const [began, worked] = [performance.now(), workedMs()]
  await retireUnused(ctx)
  expect(workedMs() - worked).toBeLessThan(1500)
  expect(performance.now() - began).toBeLessThan(10_000)
  const retired = await site.db
    .selectFrom('attachment')
    .select('path')
    .where('type', '=', 1)
    .where('deleted_at', 'is not', null)
    .execute()
  expect(retired).toEqual([{ path: '/uploads/avatar/older.webp' }])
  await site.db.deleteFrom('attachment').where('type', '=', 1).execute()
})

test('others get their turn while a large site is looked through', async () => {
  const ctx = await site.app.context()
  const rows = Array.from({ length: 6000 }, (_, n) => ({
    hash: n.toString(16).padStart(64, '0'),
    size: 1,
    seen_at: ctx.now() - day,
    created_at: 0,
  }))
  for (let at = 0; at < rows.length; at += 500) {
    const some = rows.slice(at, at + 500)
    await site.db.insertInto('stored_file').values(some).execute()
    const file = { user_id: 1, type: 2, type_id: 9, name: 'a.pdf', ext: '.pdf', deleted_at: null, updated_at: 0 }
    await site.db
      .insertInto('attachment')
      .values(some.map(({ hash, size, created_at }) => ({ ...file, hash, size, created_at })))
      .execute()
  }
  let turns = 0
  const count = setInterval(() => (turns += 1), 0)
  await removeUnneeded(ctx)
  clearInterval(count)
  expect(turns).toBeGreaterThan(3)
  expect(await site.db.selectFrom('stored_file').select('hash').where('leaving', '=', 1).execute()).toEqual([])
})

test('what was counted on days gone by is forgotten', async () => {
  await upload('a.pdf', somePdf('counted'))
  const before = await site.db.selectFrom('daily_use').selectAll().execute()
  expect(before.length).toBeGreaterThan(0)
  site.pass(30 * day)
  await sweep()
  expect(await site.db.selectFrom('daily_use').selectAll().execute()).toEqual([])
})
