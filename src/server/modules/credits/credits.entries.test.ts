import { DocumentStatus } from '#shared/document-status.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { credits } from '#shared/contract/credits.ts'
import { documents } from '#shared/contract/documents.ts'
import type { Ctx } from '#server/context.ts'
import { type DocumentSite, openDocumentSite } from '#server/testing/document-site.ts'
import type { Person } from '#server/testing/site.ts'
import { addCredit, transferCredit } from './credits.ledger.ts'

let site: DocumentSite
let ctx: Ctx
let author: Person
let reader: Person
beforeAll(async () => {
  site = await openDocumentSite()
  ctx = await site.app.context()
})
afterAll(() => site.close())
beforeEach(async () => {
  author = await site.member()
  reader = await site.member()
  await addCredit(ctx, { userId: reader.id, amount: 10, reason: 'register', refId: reader.id })
})

test('a member’s entries have amount, balance, reason, subject and time, newest first', async () => {
  const [id = 0] = await site.addDocuments({ owner: author, title: '<i>茶经</i>' })
  const { uuid } = await site.call(documents.get, { id })
  await transferCredit(ctx, { from: reader.id, to: author.id, amount: 4, reason: 'download', refId: id })
  const expected = { reason: 'download', title: '文档下载', subject: '<i>茶经</i>', href: `/document/${uuid}` }
  const { total, entry } = await reader.call(credits.entries)
  expect(total).toBe(2)
  expect(entry).toMatchObject([
    { amount: -4, balance: 6, ...expected },
    { amount: 10, balance: 10, title: '注册奖励', subject: '', href: '' },
  ])
  expect(entry[0]?.created_at).toBeGreaterThan(ctx.now() - 60_000)
  expect((await author.call(credits.entries)).entry).toMatchObject([{ amount: 4, balance: 4, ...expected }])
})

test('a document that is gone or not visible is not named', async () => {
  const [deleted = 0, hidden = 0] = await site.addDocuments({ owner: author }, { owner: author, title: '停用' })
  for (const refId of [deleted, hidden, 999_999])
    await transferCredit(ctx, { from: reader.id, to: author.id, amount: 1, reason: 'download', refId })
  await site.root.call(documents.delete, { id: [deleted] })
  await site.db.updateTable('document').set({ status: DocumentStatus.Disabled }).where('id', '=', hidden).execute()
  const subjects = async ({ call }: Person) => (await call(credits.entries)).entry.map(({ subject }) => subject)
  expect(await subjects(reader)).toEqual(['', '', '', ''])
  expect(await subjects(author)).toEqual(['', '停用', ''])
})

test('the id of a user or a check-in is not taken for that of a document', async () => {
  const [id = 0] = await site.addDocuments({ owner: author })
  await addCredit(ctx, { userId: reader.id, amount: 1, reason: 'sign', refId: id })
  await addCredit(ctx, { userId: reader.id, amount: 1, reason: 'register', refId: id })
  const { entry } = await reader.call(credits.entries)
  expect(entry.map(({ href }) => href)).toEqual(['', '', ''])
})

test('the list is paged', async () => {
  for (let at = 0; at < 24; at += 1) await addCredit(ctx, { userId: reader.id, amount: 1, reason: 'upload' })
  const { total, entry } = await reader.call(credits.entries, { page: 3, size: 10 })
  expect([total, entry.map(({ balance }) => balance)]).toEqual([25, [14, 13, 12, 11, 10]])
})
