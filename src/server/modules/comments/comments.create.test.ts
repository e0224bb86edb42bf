import { DocumentStatus } from '#shared/document-status.ts'
import { ReviewStatus, ContentType, Punishment } from '#shared/enums.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { groups, punishments } from '#shared/contract/access.ts'
import { comments } from '#shared/contract/comments.ts'
import { users } from '#shared/contract/users.ts'
import { solvedCaptcha } from '#server/testing/captcha.ts'
import { type CommunitySite, openCommunitySite } from '#server/testing/community-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'

let site: CommunitySite
let reader: Person
let novice: Person
beforeAll(async () => {
  site = await openCommunitySite()
  reader = await site.member()
  novice = await site.reviewedMember()
})
afterAll(() => site.close())
afterEach(() => site.configure({ 'security.comment_interval': '0', 'security.enable_captcha_comment': 'false' }))

async function listThreads(on: { type: ContentType; document_id: number }, person?: Person) {
  return (person ?? site).call(comments.threads, on)
}

describe('a comment', () => {
  test('of a trusted member is visible at once, others wait for review', async () => {
    for (const on of [await site.document(), await site.article()]) {
      const comment = await site.comment(reader, { on, content: '  谢谢分享 ' })
      expect(comment).toMatchObject({
        ...on,
        status: ReviewStatus.Approved,
        content: '谢谢分享',
        parent_id: 0,
        user_id: reader.id,
        ip: '',
      })
      expect(comment.user).toMatchObject({ id: reader.id, username: reader.username })
      expect(await site.comment(novice, { on })).toMatchObject({ status: ReviewStatus.Pending })
      expect(await listThreads(on)).toMatchObject({ total: 1, shown: 1, comment: [{ id: comment.id }] })
    }
  })

  test('of an author whom staff trust needs no review, until the trust is taken back', async () => {
    const author = await site.reviewedMember()
    const statusOf = async () => (await site.comment(author, { on: await site.document() })).status
    expect(await statusOf()).toBe(ReviewStatus.Pending)
    await site.root.call(users.trust, { id: author.id, is_trusted: true })
    expect(await statusOf()).toBe(ReviewStatus.Approved)
    await site.root.call(users.trust, { id: author.id, is_trusted: false })
    expect(await statusOf()).toBe(ReviewStatus.Pending)
  })

  test('is for documents and articles, not for pages of the site itself', async () => {
    const about = await site.db.selectFrom('article').select('id').where('identifier', '=', 'about').executeTakeFirst()
    const on = { type: ContentType.Article, document_id: about?.id ?? 0 }
    expect(await refusal(site.comment(reader, { on }))).toMatchObject({ status: 403, reason: 'comments.notHere' })
  })

  test('of a member in two groups follows the groups that allow comments', async () => {
    const mute = await site.root.call(groups.create, { title: '只读', enable_comment: false })
    const strict = await site.root.call(groups.create, {
      title: '严格',
      enable_comment: true,
      enable_comment_approval: true,
    })
    const person = await site.member()
    const on = await site.document()
    await site.root.call(users.set, { id: person.id, group_id: [mute.id, strict.id] })
    expect(await site.comment(person, { on })).toMatchObject({ status: ReviewStatus.Pending })
    await site.root.call(users.set, { id: person.id, group_id: [mute.id] })
    expect(await refusal(site.comment(person, { on }))).toMatchObject({ status: 403, reason: 'comments.denied' })
    await site.root.call(users.set, { id: person.id, group_id: [2, strict.id] })
    expect(await site.comment(person, { on })).toMatchObject({ status: ReviewStatus.Approved })
  })

  test('of a reviewer needs no review', async () => {
    const reviewer = await site.staff('CommentAPI/CheckComment')
    const group = (await reviewer.call(users.group)).group[0] ?? expect.fail('every user has a group')
    await site.root.call(groups.update, { ...group, enable_comment: true, enable_comment_approval: true })
    expect(await site.comment(reviewer, { on: await site.document() })).toMatchObject({ status: ReviewStatus.Approved })
  })

  test('needs a login', async () => {
    const on = await site.document()
    expect(await refusal(site.call(comments.create, { ...on, content: '我' }))).toMatchObject({ status: 401 })
  })

  test.each([
    [Punishment.Disabled, 401],
    [Punishment.NoComment, 403],
    [Punishment.NoUpload, 200],
    [Punishment.NoDownload, 200],
    [Punishment.NoFavorite, 200],
    [Punishment.NoArticle, 200],
  ])('by a member under punishment %d answers %d, also with an old token, until it ends', async (type, status) => {
    const person = await site.member()
    const on = await site.document()
    const end_time = Date.now() + 3_600_000
    await site.root.call(punishments.create, { user_id: [person.id], type: [type], enable: true, end_time })
    if (status === 200)
      return expect(await site.comment(person, { on })).toMatchObject({ status: ReviewStatus.Approved })
    expect(await refusal(site.comment(person, { on }))).toMatchObject({ status })
    if (type === Punishment.Disabled) return
    await site.db.updateTable('punishment').set({ end_time: 1 }).where('user_id', '=', person.id).execute()
    expect(await site.comment(person, { on })).toMatchObject({ status: ReviewStatus.Approved })
  })

  test('is refused on a target that the author cannot see', async () => {
    const owner = await site.member()
    const hidden = await site.document({ owner, status: DocumentStatus.InReview })
    const draft = await site.article({ owner, status: ReviewStatus.Pending })
    expect(await refusal(site.comment(reader, { on: hidden }))).toMatchObject({ reason: 'documents.notFound' })
    expect(await refusal(site.comment(reader, { on: draft }))).toMatchObject({ reason: 'articles.notFound' })
    expect(
      await refusal(site.comment(reader, { on: { type: ContentType.Article, document_id: 999_999 } })),
    ).toMatchObject({
      status: 404,
    })
    expect(await site.comment(owner, { on: hidden })).toMatchObject({ status: ReviewStatus.Approved })
    expect(await site.comment(owner, { on: draft })).toMatchObject({ status: ReviewStatus.Approved })
    await site.db.updateTable('article').set({ deleted_at: 1 }).where('id', '=', draft.document_id).execute()
    expect(await refusal(site.comment(owner, { on: draft }))).toMatchObject({ status: 404 })
  })
})

describe('a reply', () => {
  const parentGone = { status: 404, reason: 'comments.parentGone' }

  test('is in the thread of its root, with its parent’s id', async () => {
    const on = await site.document()
    const first = await site.comment(reader, { on })
    const second = await site.comment(reader, { on, to: first.id })
    const third = await site.comment(novice, { on, to: second.id })
    const { comment } = await listThreads(on, novice)
    expect(comment.map(({ id, reply }) => [id, ...reply.map(({ id, parent_id }) => [id, parent_id])])).toEqual([
      [first.id, [second.id, first.id], [third.id, second.id]],
    ])
    expect(comment[0]?.comment_count).toBe(1)
  })

  test('needs a parent that its author sees, on the same target', async () => {
    const on = await site.document()
    const pending = await site.comment(novice, { on })
    expect(await refusal(site.comment(reader, { on, to: pending.id }))).toMatchObject(parentGone)
    expect(await refusal(site.comment(reader, { on, to: 999_999 }))).toMatchObject(parentGone)
    expect(await site.comment(novice, { on, to: pending.id })).toMatchObject({ parent_id: pending.id })
    const visible = await site.comment(reader, { on })
    expect(await refusal(site.comment(reader, { on: await site.document(), to: visible.id }))).toMatchObject(parentGone)
    const article = await site.article()
    expect(await refusal(site.comment(reader, { on: article, to: visible.id }))).toMatchObject(parentGone)
    await site.root.call(comments.review, { id: [visible.id], status: ReviewStatus.Rejected })
    expect(await refusal(site.comment(reader, { on, to: visible.id }))).toMatchObject(parentGone)
  })

  test('to a tombstone or in a hidden thread is refused', async () => {
    const on = await site.document()
    const root = await site.comment(reader, { on })
    const reply = await site.comment(novice, { on, to: root.id })
    await site.root.call(comments.review, { id: [reply.id], status: ReviewStatus.Approved })
    await reader.call(comments.delete, { id: [root.id] })
    expect(await refusal(site.comment(reader, { on, to: root.id }))).toMatchObject(parentGone)
    expect(await site.comment(reader, { on, to: reply.id })).toMatchObject({ parent_id: reply.id })
    const hiddenRoot = await site.comment(novice, { on })
    await site.root.call(comments.review, { id: [hiddenRoot.id], status: ReviewStatus.Approved })
    const below = await site.comment(reader, { on, to: hiddenRoot.id })
    await site.root.call(comments.review, { id: [hiddenRoot.id], status: ReviewStatus.Pending })
    expect(await refusal(site.comment(reader, { on, to: below.id }))).toMatchObject(parentGone)
  })
})

describe('the interval', () => {
  test('applies to each member, and the message says how long to wait', async () => {
    const quick = await openCommunitySite()
    quick.freezeClock()
    await quick.configure({ 'security.comment_interval': '30' })
    const [first, second] = [await quick.member(), await quick.member()]
    const on = await quick.document()
    await quick.comment(first, { on })
    quick.advanceClock(10_500)
    const refused = await refusal(quick.comment(first, { on: await quick.article() }))
    expect(refused).toMatchObject({ status: 403, message: '评论过于频繁，请 20 秒后再试' })
    await quick.comment(second, { on })
    quick.advanceClock(19_500)
    await quick.comment(first, { on })
    await quick.configure({ 'security.comment_interval': '10' })
    await quick.comment(first, { on })
    await quick.configure({ 'security.comment_interval': '0' })
    await quick.comment(first, { on })
    await quick.comment(first, { on })
    await quick.close()
  })

  test('lets one of twenty concurrent comments through, on several targets', async () => {
    await site.configure({ 'security.comment_interval': '60' })
    const person = await site.member()
    const targets = [await site.document(), await site.document(), await site.article()]
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => site.comment(person, { on: targets[n % 3] ?? expect.fail() })),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ reason: 'comments.tooSoon' })
    expect((await site.call(comments.list, { user_id: person.id })).total).toBe(1)
  })

  test('is not used up by a comment that was refused', async () => {
    await site.configure({ 'security.comment_interval': '60' })
    const person = await site.member()
    const on = await site.document()
    expect(await refusal(site.comment(person, { on, to: 999_999 }))).toMatchObject({ reason: 'comments.parentGone' })
    expect(await refusal(site.comment(person, { on, content: '\u200b' }))).toMatchObject({ status: 400 })
    await site.comment(person, { on })
  })
})

describe('a captcha', () => {
  test('is needed if the site requires it, and is valid once and for comments only', async () => {
    await site.configure({ 'security.enable_captcha_comment': 'true', 'security.enable_captcha_login': 'true' })
    const on = await site.document()
    const submit = (captcha: object) => reader.call(comments.create, { ...on, content: '你好', ...captcha })
    expect(await refusal(submit({}))).toMatchObject({ reason: 'captcha.needed' })
    const right = await solvedCaptcha(site, 'comment')
    expect(await submit(right)).toMatchObject({ status: ReviewStatus.Approved })
    expect(await refusal(submit(right))).toMatchObject({ reason: 'captcha.wrong' })
    const wrong = await solvedCaptcha(site, 'comment')
    expect(await refusal(submit({ ...wrong, captcha: '0000' }))).toMatchObject({ reason: 'captcha.wrong' })
    expect(await refusal(submit(wrong))).toMatchObject({ reason: 'captcha.wrong' })
    expect(await refusal(submit(await solvedCaptcha(site, 'login')))).toMatchObject({ reason: 'captcha.wrong' })
    const once = await solvedCaptcha(site, 'comment')
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => submit(once)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await site.configure({ 'security.enable_captcha_login': 'false' })
  })
})

describe('content', () => {
  test.each([
    ['markup', '<script>alert(1)</script><img src=x onerror=alert(1)>'],
    ['SQL', "'; drop table comment; -- %_\\"],
    ['bidirectional controls', '反\u202e转', '反转'],
    ['emoji sequences', '👨‍👩‍👧‍👦'.repeat(90)],
    ['a thousand marks', `a${'\u0301'.repeat(999)}`, `a${'\u0301'.repeat(8)}`],
    ['a lone surrogate', '半个\ud800字', '半个\ufffd字'],
    ['a thousand characters', '字'.repeat(1000)],
  ])('with %s comes back as text', async (_kind, content, cleaned = content) => {
    const on = await site.document()
    await site.comment(reader, { on, content })
    expect((await listThreads(on)).comment[0]?.content).toBe(cleaned)
    expect((await site.call(comments.list, { document_id: on.document_id })).comment[0]?.content).toBe(cleaned)
  })

  test.each(['', ' \n ', '\u200b\u2060', '\u0301'.repeat(1000), '字'.repeat(1001)])(
    '%j is refused',
    async (content) => {
      expect(await refusal(site.comment(reader, { on: await site.document(), content }))).toMatchObject({ status: 400 })
    },
  )

  test('fields that the author may not set are ignored', async () => {
    const on = await site.document()
    const body = {
      ...on,
      content: '你好',
      status: ReviewStatus.Approved,
      user_id: 1,
      root_id: 7,
      comment_count: 99,
      is_deleted: true,
    }
    const { json } = await site.send('POST', '/api/v1/comment', { token: novice.token, body })
    const row = await site.db.selectFrom('comment').selectAll().where('id', '=', Number(json.id)).executeTakeFirst()
    expect(row).toMatchObject({
      status: ReviewStatus.Pending,
      user_id: novice.id,
      root_id: json.id,
      comment_count: 0,
      is_deleted: 0,
    })
  })
})
