import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { credits } from '#shared/contract/credits.ts'
import { documents } from '#shared/contract/documents.ts'
import type { Ctx } from '#server/context.ts'
import { type Library, openLibrary } from '#server/testing/document-site.ts'
import type { Person } from '#server/testing/site.ts'
import { addCredit, transferCredit } from './credits.ledger.ts'

let site: Library
let ctx: Ctx
let author: Person
let reader: Person
beforeAll(async () => {
  site = await openLibrary()
  ctx = await site.app.context()
})
afterAll(() => site.close())
beforeEach(async () => {
  author = await site.member()
  reader = await site.member()
  await addCredit(ctx, { userId: reader.id, amount: 10, reason: 'register', refId: reader.id })
})

test('a member reads what came and went, when, why, what for, and what was left; the newest first', async () => {
  const [id = 0] = await site.shelve({ owner: author, title: '<i>茶经</i>' })
  const { uuid } = await site.call(documents.get, { id })
  await transferCredit(ctx, { from: reader.id, to: author.id, amount: 4, reason: 'download', refId: id })
  const about = { reason: 'download', title: '文档下载', subject: '<i>茶经</i>', href: `/document/${uuid}` }
  const { total, entry } = await reader.call(credits.entries)
  expect(total).toBe(2)
  expect(entry).toMatchObject([
    { amount: -4, balance: 6, ...about },
    { amount: 10, balance: 10, title: '注册奖励', subject: '', href: '' },
  ])
  expect(entry[0]?.created_at).toBeGreaterThan(ctx.now() - 60_000)
  expect((await author.call(credits.entries)).entry).toMatchObject([{ amount: 4, balance: 4, ...about }])
})

test('what is gone, or may no longer be seen, is not named', async () => {
  const [gone = 0, hidden = 0] = await site.shelve({ owner: author }, { owner: author, title: '停用' })
  for (const refId of [gone, hidden, 999_999])
    await transferCredit(ctx, { from: reader.id, to: author.id, amount: 1, reason: 'download', refId })
  await site.root.call(documents.delete, { id: [gone] })
  await site.db.updateTable('document').set({ status: 4 }).where('id', '=', hidden).execute()
  const subjects = async ({ call }: Person) => (await call(credits.entries)).entry.map(({ subject }) => subject)
  expect(await subjects(reader)).toEqual(['', '', '', ''])
  expect(await subjects(author)).toEqual(['', '停用', ''])
})

test('the number of a person or a check-in is not taken for that of a document', async () => {
  const [id = 0] = await site.shelve({ owner: author })
  await addCredit(ctx, { userId: reader.id, amount: 1, reason: 'sign', refId: id })
  await addCredit(ctx, { userId: reader.id, amount: 1, reason: 'register', refId: id })
  const { entry } = await reader.call(credits.entries)
  expect(entry.map(({ href }) => href)).toEqual(['', '', ''])
})

test('it comes in pages', async () => {
  for (let at = 0; at < 24; at += 1) await addCredit(ctx, { userId: reader.id, amount: 1, reason: 'upload' })
  const { total, entry } = await reader.call(credits.entries, { page: 3, size: 10 })
  expect([total, entry.map(({ balance }) => balance)]).toEqual([25, [14, 13, 12, 11, 10]])
})
