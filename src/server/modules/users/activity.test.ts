import { ActivityType } from '#shared/enums.ts'
import { downloads } from '#shared/contract/downloads.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { activities } from '#shared/contract/activities.ts'
import { documents } from '#shared/contract/documents.ts'
import { users } from '#shared/contract/users.ts'
import { type DocumentSite, openDocumentSite } from '#server/testing/document-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'
import { addCredit } from '#server/modules/credits/credits.ledger.ts'
import { rewardRegistration } from '#server/modules/credits/credits.rewards.ts'
import { recordActivity } from './activity.ts'
import { userJobs, userSchedules } from './users.jobs.ts'

let site: DocumentSite
let author: Person
let reader: Person
beforeAll(async () => {
  site = await openDocumentSite()
  await site.configure({
    'score.credit_name': '豆',
    'score.register': '10',
    'score.upload_document': '5',
    'score.upload_document_limit': '1',
    'score.delete_document': '8',
  })
})
afterAll(() => site.close())
beforeEach(async () => {
  author = await site.author()
  reader = await site.member()
})

describe('the list', () => {
  test('has the member’s own activities, newest first', async () => {
    const ctx = await site.app.context()
    await recordActivity(ctx, { userId: reader.id, type: ActivityType.Favorite, subject: '一', href: '/document/1' })
    await recordActivity(ctx, { userId: author.id, type: ActivityType.Favorite, subject: '别人的' })
    await recordActivity(ctx, {
      userId: reader.id,
      type: ActivityType.Download,
      subject: '二',
      href: '/document/2',
      amount: -3,
    })
    await recordActivity(ctx, { userId: 0, type: ActivityType.Download, subject: '无名者的' })
    const { total, dynamic } = await reader.call(activities.list)
    expect([total, dynamic.map(({ subject }) => subject)]).toEqual([2, ['二', '一']])
    expect(dynamic[0]).toMatchObject({ user_id: reader.id, action: '下载了文档', href: '/document/2', amount: -3 })
    expect(dynamic[0]?.content).toBe('下载了文档《<a href="/document/2">二</a>》，扣除 3 个豆')
    expect(dynamic[1]?.content).toBe('收藏了《<a href="/document/1">一</a>》')
    expect(await refusal(site.call(activities.list))).toMatchObject({ status: 401 })
  })

  test.each([
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    `' onmouseover='alert(1)`,
    '</a><svg/onload=alert(1)>',
    '&lt;b&gt;',
  ])('shows the title %s as text, never as markup', async (subject) => {
    const [id = 0] = await site.addDocuments({ owner: author, title: subject })
    const ctx = await site.app.context()
    await recordActivity(ctx, {
      userId: reader.id,
      type: ActivityType.Favorite,
      subject,
      href: `/document/${id}"><script>`,
    })
    await site.configure({ 'score.credit_name': '<豆>' })
    await recordActivity(ctx, { userId: reader.id, type: ActivityType.CheckIn, amount: 1 })
    const { dynamic } = await reader.call(activities.list)
    expect(dynamic[0]?.content).toBe('完成了每日签到，获得 1 个&#60;豆&#62;')
    expect(dynamic[1]?.subject).toBe(subject)
    const content = dynamic[1]?.content ?? ''
    expect(content.match(/<[^>]*>/g)).toEqual([`<a href="/document/${id}&#34;&#62;&#60;script&#62;">`, '</a>'])
    await site.configure({ 'score.credit_name': '豆' })
  })

  test('is paged', async () => {
    const ctx = await site.app.context()
    for (let at = 1; at <= 25; at += 1)
      await recordActivity(ctx, { userId: reader.id, type: ActivityType.Favorite, subject: `第 ${at}` })
    const { total, dynamic } = await reader.call(activities.list, { page: 3, size: 10 })
    expect([total, dynamic[0]?.subject, dynamic.length]).toEqual([25, '第 5', 5])
    expect((await reader.call(activities.list, { size: 100_000 })).dynamic).toHaveLength(25)
  })
})

describe('recorded are', () => {
  test('an upload, with its reward', async () => {
    const files = [await site.upload(author), await site.upload(author)]
    const items = files.map(({ id }, at) => ({ attachment_id: id, title: `第 ${at + 1} 卷` }))
    const created = await author.call(documents.create, { document: items })
    const hrefs = created.document.map(({ uuid }) => `/document/${uuid}`)
    expect((await author.call(activities.list)).dynamic).toMatchObject([
      { type: ActivityType.Upload, subject: '第 2 卷', href: hrefs[1], amount: 0 },
      { type: ActivityType.Upload, subject: '第 1 卷', href: hrefs[0], amount: 5 },
    ])
  })

  test('no upload that fails', async () => {
    const { id } = await site.upload(author)
    await refusal(author.call(documents.create, { document: [{ attachment_id: id }, { attachment_id: 999_999 }] }))
    expect((await author.call(activities.list)).total).toBe(0)
  })

  test('a download, with its price, but not of an own document', async () => {
    const { id: attachment_id } = await site.upload(author)
    const created = await author.call(documents.create, { document: [{ attachment_id, title: '秘籍', price: 4 }] })
    const { id = 0, uuid } = created.document[0] ?? {}
    await addCredit(await site.app.context(), { userId: reader.id, amount: 6, reason: 'register' })
    await reader.call(downloads.download, { id })
    await reader.call(downloads.download, { id })
    await author.call(downloads.download, { id })
    const activity = { type: ActivityType.Download, subject: '秘籍', href: `/document/${uuid}` }
    expect((await reader.call(activities.list)).dynamic).toMatchObject([
      { ...activity, amount: 0 },
      { ...activity, amount: -4 },
    ])
    expect((await author.call(activities.list)).total).toBe(1)
  })

  test('a deletion, with the amount taken, for the member who deleted', async () => {
    const [own = 0, judged = 0] = await site.addDocuments(
      { owner: author, title: '旧稿' },
      { owner: author, title: '广告' },
    )
    await addCredit(await site.app.context(), { userId: author.id, amount: 6, reason: 'register' })
    await author.call(documents.delete, { id: [own] })
    const judge = await site.staff('DocumentAPI/DeleteDocument')
    await judge.call(documents.delete, { id: [judged] })
    expect((await author.call(activities.list)).dynamic).toMatchObject([
      { type: ActivityType.DeleteDocument, subject: '旧稿', href: '', amount: -6 },
    ])
    expect((await judge.call(activities.list)).dynamic).toMatchObject([
      { type: ActivityType.DeleteDocument, subject: '广告', amount: 0 },
    ])
  })

  test('the registration, once', async () => {
    const ip = '10.9.8.7'
    const { token, user } = await site.caller({ ip })(users.register, {
      username: '初来乍到',
      password: 'secret-1',
      email: 'new@example.com',
    })
    await site.runDueJobs()
    await rewardRegistration(await site.app.context(), user.id)
    const { dynamic } = await site.caller({ token, ip })(activities.list)
    expect(dynamic).toMatchObject([{ type: ActivityType.Register, amount: 10, content: '注册成为会员，获得 10 个豆' }])
  })
})

test('a daily job keeps the newest thousand of each member', async () => {
  const rows = (userId: number, many: number) =>
    Array.from({ length: many }, (_, at) => ({
      user_id: userId,
      type: ActivityType.CheckIn,
      subject: `${at}`,
      created_at: 0,
    }))
  for (const chunk of [rows(reader.id, 1003), rows(author.id, 1000)])
    for (let from = 0; from < chunk.length; from += 500)
      await site.db
        .insertInto('activity')
        .values(chunk.slice(from, from + 500))
        .execute()
  expect(userSchedules).toContainEqual({ kind: 'users.prune-activities', everyMs: 86_400_000 })
  await userJobs['users.prune-activities'](await site.app.context())
  const { total, dynamic } = await reader.call(activities.list, { page: 10, size: 100 })
  expect([total, dynamic.at(-1)?.subject]).toEqual([1000, '3'])
  expect((await author.call(activities.list)).total).toBe(1000)
})
