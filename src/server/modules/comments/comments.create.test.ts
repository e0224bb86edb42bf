import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { groups, punishments } from '#shared/contract/access.ts'
import { comments } from '#shared/contract/social.ts'
import { users } from '#shared/contract/users.ts'
import { solvedCaptcha } from '#server/testing/captcha.ts'
import { type Forum, openForum } from '#server/testing/community-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'

let site: Forum
let reader: Person
let novice: Person
beforeAll(async () => {
  site = await openForum()
  reader = await site.member()
  novice = await site.novice()
})
afterAll(() => site.close())
afterEach(() => site.configure({ 'security.comment_interval': '0', 'security.enable_captcha_comment': 'false' }))

async function threadsOf(on: { type: number; document_id: number }, person?: Person) {
  return (person ?? site).call(comments.threads, on)
}

describe('a comment', () => {
  test('is shown at once when one of the groups is trusted, else it waits for review', async () => {
    for (const on of [await site.document(), await site.article()]) {
      const said = await site.say(reader, { on, content: '  谢谢分享 ' })
      expect(said).toMatchObject({ ...on, status: 1, content: '谢谢分享', parent_id: 0, user_id: reader.id, ip: '' })
      expect(said.user).toMatchObject({ id: reader.id, username: reader.username })
      expect(await site.say(novice, { on })).toMatchObject({ status: 0 })
      expect(await threadsOf(on)).toMatchObject({ total: 1, shown: 1, comment: [{ id: said.id }] })
    }
  })

  test('of somebody in two groups is judged by those that let them comment', async () => {
    const mute = await site.root.call(groups.create, { title: '只读', enable_comment: false })
    const strict = await site.root.call(groups.create, {
      title: '严格',
      enable_comment: true,
      enable_comment_approval: true,
    })
    const person = await site.member()
    const on = await site.document()
    await site.root.call(users.set, { id: person.id, group_id: [mute.id, strict.id] })
    expect(await site.say(person, { on })).toMatchObject({ status: 0 })
    await site.root.call(users.set, { id: person.id, group_id: [mute.id] })
    expect(await refusal(site.say(person, { on }))).toMatchObject({ status: 403, reason: 'comments.denied' })
    await site.root.call(users.set, { id: person.id, group_id: [2, strict.id] })
    expect(await site.say(person, { on })).toMatchObject({ status: 1 })
  })

  test('of who reviews comments needs no review', async () => {
    const reviewer = await site.staff('CommentAPI/CheckComment')
    const group = (await reviewer.call(users.group)).group[0] ?? expect.fail('nobody is in no group')
    await site.root.call(groups.update, { ...group, enable_comment: true, enable_comment_approval: true })
    expect(await site.say(reviewer, { on: await site.document() })).toMatchObject({ status: 1 })
  })

  test('needs a login', async () => {
    const on = await site.document()
    expect(await refusal(site.call(comments.create, { ...on, content: '我' }))).toMatchObject({ status: 401 })
  })

  test.each([
    [1, 401],
    [2, 403],
    [3, 200],
    [4, 200],
    [5, 200],
    [6, 200],
  ])('by who is under punishment %d answers %d, also with an old token, until it ends', async (kind, status) => {
    const person = await site.member()
    const on = await site.document()
    const end_time = Date.now() + 3_600_000
    await site.root.call(punishments.create, { user_id: [person.id], type: [kind], enable: true, end_time })
    if (status === 200) return expect(await site.say(person, { on })).toMatchObject({ status: 1 })
    expect(await refusal(site.say(person, { on }))).toMatchObject({ status })
    if (kind === 1) return
    await site.db.updateTable('punishment').set({ end_time: 1 }).where('user_id', '=', person.id).execute()
    expect(await site.say(person, { on })).toMatchObject({ status: 1 })
  })

  test('is not made of what cannot be seen', async () => {
    const owner = await site.member()
    const hidden = await site.document({ owner, status: 6 })
    const draft = await site.article({ owner, status: 0 })
    expect(await refusal(site.say(reader, { on: hidden }))).toMatchObject({ reason: 'documents.notFound' })
    expect(await refusal(site.say(reader, { on: draft }))).toMatchObject({ reason: 'articles.notFound' })
    expect(await refusal(site.say(reader, { on: { type: 1, document_id: 999_999 } }))).toMatchObject({ status: 404 })
    expect(await site.say(owner, { on: hidden })).toMatchObject({ status: 1 })
    expect(await site.say(owner, { on: draft })).toMatchObject({ status: 1 })
    await site.db.updateTable('article').set({ deleted_at: 1 }).where('id', '=', draft.document_id).execute()
    expect(await refusal(site.say(owner, { on: draft }))).toMatchObject({ status: 404 })
  })
})

describe('an answer', () => {
  const gone = { status: 404, reason: 'comments.parentGone' }

  test('stands below what it answers, in the thread of the first', async () => {
    const on = await site.document()
    const first = await site.say(reader, { on })
    const second = await site.say(reader, { on, to: first.id })
    const third = await site.say(novice, { on, to: second.id })
    const { comment } = await threadsOf(on, novice)
    expect(comment.map(({ id, reply }) => [id, ...reply.map((answer) => [answer.id, answer.parent_id])])).toEqual([
      [first.id, [second.id, first.id], [third.id, second.id]],
    ])
    expect(comment[0]?.comment_count).toBe(1)
  })

  test('is given to what one sees, and belongs where that belongs', async () => {
    const on = await site.document()
    const waiting = await site.say(novice, { on })
    expect(await refusal(site.say(reader, { on, to: waiting.id }))).toMatchObject(gone)
    expect(await refusal(site.say(reader, { on, to: 999_999 }))).toMatchObject(gone)
    expect(await site.say(novice, { on, to: waiting.id })).toMatchObject({ parent_id: waiting.id })
    const shown = await site.say(reader, { on })
    expect(await refusal(site.say(reader, { on: await site.document(), to: shown.id }))).toMatchObject(gone)
    const article = await site.article()
    expect(await refusal(site.say(reader, { on: article, to: shown.id }))).toMatchObject(gone)
    await site.root.call(comments.check, { id: [shown.id], status: 2 })
    expect(await refusal(site.say(reader, { on, to: shown.id }))).toMatchObject(gone)
  })

  test('is not given to an empty place, nor in a thread that others do not see', async () => {
    const on = await site.document()
    const root = await site.say(reader, { on })
    const answer = await site.say(novice, { on, to: root.id })
    await site.root.call(comments.check, { id: [answer.id], status: 1 })
    await reader.call(comments.delete, { id: [root.id] })
    expect(await refusal(site.say(reader, { on, to: root.id }))).toMatchObject(gone)
    expect(await site.say(reader, { on, to: answer.id })).toMatchObject({ parent_id: answer.id })
    const other = await site.say(novice, { on })
    await site.root.call(comments.check, { id: [other.id], status: 1 })
    const below = await site.say(reader, { on, to: other.id })
    await site.root.call(comments.check, { id: [other.id], status: 0 })
    expect(await refusal(site.say(reader, { on, to: below.id }))).toMatchObject(gone)
  })
})

describe('the interval', () => {
  test('is kept by one member, and tells how long to wait', async () => {
    const quick = await openForum()
    quick.holdClock()
    await quick.configure({ 'security.comment_interval': '30' })
    const [one, other] = [await quick.member(), await quick.member()]
    const on = await quick.document()
    await quick.say(one, { on })
    quick.pass(10_500)
    const refused = await refusal(quick.say(one, { on: await quick.article() }))
    expect(refused).toMatchObject({ status: 403, message: '评论过于频繁，请 20 秒后再试' })
    await quick.say(other, { on })
    quick.pass(19_500)
    await quick.say(one, { on })
    await quick.configure({ 'security.comment_interval': '10' })
    await quick.say(one, { on })
    await quick.configure({ 'security.comment_interval': '0' })
    await quick.say(one, { on })
    await quick.say(one, { on })
    await quick.close()
  })

  test('lets one of twenty through that come at once, on several documents', async () => {
    await site.configure({ 'security.comment_interval': '60' })
    const person = await site.member()
    const places = [await site.document(), await site.document(), await site.article()]
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => site.say(person, { on: places[n % 3] ?? expect.fail() })),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const answer of answers)
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ reason: 'comments.tooSoon' })
    expect((await site.call(comments.list, { user_id: person.id })).total).toBe(1)
  })

  test('is not used up by a comment that was refused', async () => {
    await site.configure({ 'security.comment_interval': '60' })
    const person = await site.member()
    const on = await site.document()
    expect(await refusal(site.say(person, { on, to: 999_999 }))).toMatchObject({ reason: 'comments.parentGone' })
    expect(await refusal(site.say(person, { on, content: '\u200b' }))).toMatchObject({ status: 400 })
    await site.say(person, { on })
  })
})

describe('a captcha', () => {
  test('is needed where the site asks for one, and serves once and for this alone', async () => {
    await site.configure({ 'security.enable_captcha_comment': 'true', 'security.enable_captcha_login': 'true' })
    const on = await site.document()
    const say = (captcha: object) => reader.call(comments.create, { ...on, content: '你好', ...captcha })
    expect(await refusal(say({}))).toMatchObject({ reason: 'captcha.needed' })
    const right = await solvedCaptcha(site, 'comment')
    expect(await say(right)).toMatchObject({ status: 1 })
    expect(await refusal(say(right))).toMatchObject({ reason: 'captcha.wrong' })
    const wrong = await solvedCaptcha(site, 'comment')
    expect(await refusal(say({ ...wrong, captcha: '0000' }))).toMatchObject({ reason: 'captcha.wrong' })
    expect(await refusal(say(wrong))).toMatchObject({ reason: 'captcha.wrong' })
    expect(await refusal(say(await solvedCaptcha(site, 'login')))).toMatchObject({ reason: 'captcha.wrong' })
    const once = await solvedCaptcha(site, 'comment')
    const answers = await Promise.allSettled(Array.from({ length: 5 }, () => say(once)))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await site.configure({ 'security.enable_captcha_login': 'false' })
  })
})

describe('what is written', () => {
  test.each([
    ['markup', '<script>alert(1)</script><img src=x onerror=alert(1)>'],
    ['what databases read', "'; drop table comment; -- %_\\"],
    ['a turned direction', '反\u202e转', '反转'],
    ['families', '👨‍👩‍👧‍👦'.repeat(90)],
    ['a thousand marks', `a${'\u0301'.repeat(999)}`, `a${'\u0301'.repeat(8)}`],
    ['half a character', '半个\ud800字', '半个\ufffd字'],
    ['a thousand characters', '字'.repeat(1000)],
  ])('with %s comes back as text', async (_kind, content, kept = content) => {
    const on = await site.document()
    await site.say(reader, { on, content })
    expect((await threadsOf(on)).comment[0]?.content).toBe(kept)
    expect((await site.call(comments.list, { document_id: on.document_id })).comment[0]?.content).toBe(kept)
  })

  test.each(['', ' \n ', '\u200b\u2060', '\u0301'.repeat(1000), '字'.repeat(1001)])(
    '%j is refused',
    async (content) => {
      expect(await refusal(site.say(reader, { on: await site.document(), content }))).toMatchObject({ status: 400 })
    },
  )

  test('keys that are not the author’s to set are ignored', async () => {
    const on = await site.document()
    const body = { ...on, content: '你好', status: 1, user_id: 1, root_id: 7, comment_count: 99, is_deleted: true }
    const { json } = await site.send('POST', '/api/v1/comment', { token: novice.token, body })
    const row = await site.db.selectFrom('comment').selectAll().where('id', '=', Number(json.id)).executeTakeFirst()
    expect(row).toMatchObject({ status: 0, user_id: novice.id, root_id: json.id, comment_count: 0, is_deleted: 0 })
  })
})
