import { afterAll, beforeAll, expect, test } from 'vitest'
import { punishments } from '#shared/contract/access.ts'
import { documents } from '#shared/contract/documents.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { Punishment } from '#shared/enums.ts'
import { users } from '#shared/contract/users.ts'
import { type DocumentSite, openDocumentSite } from '#server/testing/document-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'

const { InReview, Converted, Rejected } = DocumentStatus

let site: DocumentSite
let reviewer: Person
beforeAll(async () => {
  site = await openDocumentSite()
  reviewer = await site.staff('DocumentAPI/CheckDocument')
})
afterAll(() => site.close())

test('pending documents are listed the oldest first, and none that is public, decided or deleted', async () => {
  const [first = 0, second = 0, , , , last = 0] = await site.addDocuments(
    { status: InReview },
    { status: InReview },
    { status: Converted },
    { status: Rejected },
    { status: InReview, deleted_at: 1 },
    { status: InReview },
  )
  expect(await reviewer.call(documents.reviewQueue)).toEqual({ total: 3, id: [first, second, last] })
  expect(await reviewer.call(documents.reviewQueue, { after: first })).toEqual({ total: 2, id: [second, last] })
})

test('a long queue comes in parts, with the number of all', async () => {
  const other = await openDocumentSite()
  const ids = await other.addDocuments(...Array.from({ length: 203 }, () => ({ status: InReview })))
  const start = await other.root.call(documents.reviewQueue)
  expect(start).toEqual({ total: 203, id: ids.slice(0, 200) })
  const rest = await other.root.call(documents.reviewQueue, { after: start.id.at(-1) ?? 0 })
  expect(rest).toEqual({ total: 3, id: ids.slice(200) })
  await other.close()
})

test('a reviewer reads the whole of a document that others do not see, also beyond the preview', async () => {
  await site.configure({ 'converter.max_preview': '2' })
  const [id = 0] = await site.addDocuments({ status: InReview, pages: 9, title: '长文', price: 5 })
  const { document } = await reviewer.call(documents.reviewItem, { id })
  expect(document).toMatchObject({ title: '长文', status: InReview, pages: 9, preview: 9, price: 5 })
  expect((await site.request(document.cover)).status).not.toBe(403)
  expect((await reviewer.call(documents.get, { id })).title).toBe('长文')
  expect(await refusal(site.call(documents.get, { id }))).toMatchObject({ status: 404 })
})

test('beside a document stand those with the same content and the record of its uploader', async () => {
  const [owner, earlier] = [await site.member('投稿人'), await site.member('更早的人')]
  const hash = 'ab'.repeat(32)
  const [, , , , id = 0] = await site.addDocuments(
    { owner: earlier, hash, title: '早就有的' },
    { owner: earlier, hash, title: '已经删除的', deleted_at: 1 },
    { owner, status: Rejected, title: '上次的稿子' },
    { owner, title: '通过的' },
    { owner, hash, status: InReview, title: '再传一次' },
  )
  await site.db.updateTable('document').set({ reject_reason: '内容不完整' }).where('title', '=', '上次的稿子').execute()
  await site.root.call(punishments.create, { user_id: [owner.id], type: [Punishment.NoComment], enable: true })
  await site.root.call(punishments.create, { user_id: [owner.id], type: [Punishment.NoUpload], enable: false })
  const { duplicate, contributor } = await reviewer.call(documents.reviewItem, { id })
  expect(duplicate).toMatchObject([{ title: '早就有的', status: Converted, username: '更早的人' }])
  expect(contributor).toMatchObject({
    username: '投稿人',
    approved: 1,
    rejected: 1,
    punished: 2,
    punishment: [Punishment.NoComment],
    rejection: [{ title: '上次的稿子', reason: '内容不完整' }],
  })
  expect(contributor.created_at).toBeGreaterThan(0)
})

test('the second of two reviewers is told that the first has decided, and changes nothing', async () => {
  const [id = 0] = await site.addDocuments({ status: InReview, pages: 3 })
  const approve = () => reviewer.call(documents.review, { id: [id], status: DocumentStatus.Pending, from: [InReview] })
  const reject = () => site.root.call(documents.review, { id: [id], status: Rejected, from: [InReview] })
  const outcomes = await Promise.allSettled([approve(), reject()])
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const { status } = await site.root.call(documents.get, { id })
  expect([Converted, Rejected]).toContain(status)
  expect(await refusal(status === Converted ? reject() : approve())).toMatchObject({
    status: 409,
    reason: 'review.decided',
  })
  expect((await site.root.call(documents.get, { id })).status).toBe(status)
})

test('a decision is taken back, unless the document has moved on', async () => {
  const [id = 0] = await site.addDocuments({ status: InReview, pages: 3 })
  const set = (status: DocumentStatus, from: DocumentStatus[]) =>
    reviewer.call(documents.review, { id: [id], status, from })
  await set(Rejected, [InReview])
  await set(InReview, [Rejected])
  expect((await reviewer.call(documents.reviewQueue)).id).toContain(id)
  await set(Rejected, [InReview])
  await set(DocumentStatus.Disabled, [])
  expect(await refusal(set(InReview, [Rejected]))).toMatchObject({ status: 409 })
})

test('the queue is for reviewers of documents alone', async () => {
  const other = await site.staff('DocumentAPI/ListDocument', 'CommentAPI/CheckComment')
  expect(await refusal(other.call(documents.reviewQueue))).toMatchObject({ status: 403 })
  expect(await refusal(other.call(documents.reviewItem, { id: 1 }))).toMatchObject({ status: 403 })
  expect(await refusal(reviewer.call(documents.reviewItem, { id: 999_999 }))).toMatchObject({ status: 404 })
})

test('all that waits of one author is listed by itself, and counted beside each of it', async () => {
  const [author, other] = [await site.member(), await site.member()]
  const ids = await site.addDocuments({ owner: author, status: InReview }, { owner: author, status: InReview })
  await site.addDocuments({ owner: author }, { owner: other, status: InReview })
  const queue = await reviewer.call(documents.reviewQueue, { user_id: author.id })
  expect(queue).toEqual({ total: 2, id: ids })
  const { contributor } = await reviewer.call(documents.reviewItem, { id: ids[0] ?? 0 })
  expect(contributor).toMatchObject({ waiting: 2, is_trusted: false })
  await reviewer.call(documents.review, { id: queue.id, status: Rejected, reason: '广告', from: [InReview] })
  expect(await reviewer.call(documents.reviewQueue, { user_id: author.id })).toEqual({ total: 0, id: [] })
})

test('content that was refused or disabled before is named first with its reason, and banned content as such', async () => {
  const { hash } = await site.upload(await site.member())
  const [, , id = 0] = await site.addDocuments(
    { hash, status: Rejected, title: '被退回的' },
    { hash, title: '公开的' },
    { hash, status: InReview },
  )
  await site.db.updateTable('document').set({ reject_reason: '侵权' }).where('title', '=', '被退回的').execute()
  const before = await reviewer.call(documents.reviewItem, { id })
  expect(before).toMatchObject({
    is_banned: false,
    duplicate: [
      { title: '被退回的', reason: '侵权' },
      { title: '公开的', reason: '' },
    ],
  })
  await site.db.updateTable('attachment').set({ enable: 0 }).where('hash', '=', hash).execute()
  expect(await reviewer.call(documents.reviewItem, { id })).toMatchObject({ is_banned: true })
})

test('an author who is trusted publishes without review, until the trust is taken back', async () => {
  const author = await site.author({ reviewed: true })
  const statusOf = async () => {
    const attachment = await site.upload(author)
    const document = [{ attachment_id: attachment.id, title: '投稿' }]
    const reply = await author.call(documents.create, { category_id: [], document })
    return reply.document[0]?.status === InReview
  }
  expect(await statusOf()).toBe(true)
  await reviewer.call(users.trust, { id: author.id, is_trusted: true })
  expect(await statusOf()).toBe(false)
  await reviewer.call(users.trust, { id: author.id, is_trusted: false })
  expect(await statusOf()).toBe(true)
  expect(await refusal(author.call(users.trust, { id: author.id, is_trusted: true }))).toMatchObject({ status: 403 })
  const own = reviewer.call(users.trust, { id: reviewer.id, is_trusted: true })
  expect(await refusal(own)).toMatchObject({ reason: 'users.ownTrust' })
})

test('a price is corrected by who may change documents', async () => {
  const [id = 0] = await site.addDocuments({ status: InReview, price: 5 })
  await site.root.call(documents.setPrice, { id: [id], price: 8 })
  expect((await reviewer.call(documents.reviewItem, { id })).document.price).toBe(8)
  expect(await refusal(reviewer.call(documents.setPrice, { id: [id], price: 1 }))).toMatchObject({ status: 403 })
})
