import { afterAll, beforeAll, expect, test } from 'vitest'
import { comments } from '#shared/contract/comments.ts'
import { ReviewStatus } from '#shared/enums.ts'
import { type CommunitySite, openCommunitySite } from '#server/testing/community-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'

const { Pending, Approved, Rejected } = ReviewStatus

let site: CommunitySite
let reviewer: Person
beforeAll(async () => {
  site = await openCommunitySite()
  reviewer = await site.staff('CommentAPI/CheckComment')
})
afterAll(() => site.close())

test('pending comments are listed the oldest first, each with its thread, its target and the record of its author', async () => {
  const [author, other] = [await site.reviewedMember(), await site.member()]
  const on = await site.document({ title: '被评论的文档' })
  const root = await site.comment(other, { on, content: '开头' })
  const bad = await site.comment(author, { on, content: '广告' })
  const reply = await site.comment(author, { on, to: root.id, content: '回复' })
  await site.comment(other, { on, to: root.id, content: '后来的回复' })
  await reviewer.call(comments.review, { id: [bad.id], status: Rejected, reason: '广告或无意义内容' })

  expect((await reviewer.call(comments.reviewQueue)).id).toEqual([reply.id])
  const { comment, thread, contributor } = await reviewer.call(comments.reviewItem, { id: reply.id })
  expect(comment).toMatchObject({ content: '回复', status: Pending, document_title: '被评论的文档' })
  expect(comment.ip).not.toBe('')
  expect(thread.map(({ content }) => content)).toEqual(['开头', '回复', '后来的回复'])
  expect(contributor).toMatchObject({ id: author.id, approved: 0, rejected: 1 })
  expect(contributor.rejection).toMatchObject([{ title: '广告', reason: '广告或无意义内容' }])
})

test('the reason of a rejection is for staff, and an approval clears it', async () => {
  const author = await site.reviewedMember()
  const on = await site.document()
  const { id } = await site.comment(author, { on })
  await reviewer.call(comments.review, { id: [id], status: Rejected, reason: '人身攻击' })
  expect(await site.root.call(comments.get, { id })).toMatchObject({ status: Rejected, reject_reason: '人身攻击' })
  const own = await author.call(comments.list, { user_id: author.id })
  expect(own.comment).toMatchObject([{ id, reject_reason: '' }])
  await reviewer.call(comments.review, { id: [id], status: Approved, reason: '不该留下的原因' })
  expect(await site.root.call(comments.get, { id })).toMatchObject({ status: Approved, reject_reason: '' })
})

test('a review is refused when another reviewer has decided, or the comment is gone', async () => {
  const author = await site.reviewedMember()
  const { id } = await site.comment(author, { on: await site.document() })
  const set = (status: ReviewStatus, from: ReviewStatus[]) => reviewer.call(comments.review, { id: [id], status, from })
  await set(Approved, [Pending])
  expect(await refusal(set(Rejected, [Pending]))).toMatchObject({ status: 409, reason: 'review.decided' })
  await set(Pending, [Approved])
  expect((await reviewer.call(comments.reviewQueue)).id).toContain(id)
  await author.call(comments.delete, { id: [id] })
  expect(await refusal(set(Approved, [Pending]))).toMatchObject({ status: 404 })
  expect(await refusal(reviewer.call(comments.reviewItem, { id }))).toMatchObject({ status: 404 })
})

test('the queue is for reviewers of comments alone', async () => {
  const other = await site.staff('CommentAPI/ListComment', 'ArticleAPI/CheckArticles')
  expect(await refusal(other.call(comments.reviewQueue))).toMatchObject({ status: 403 })
})
