import { FollowTarget } from '#shared/collections.ts'
import { randomBytes } from 'node:crypto'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import { privacy } from '#shared/contract/privacy.ts'
import { collections } from '#shared/contract/collections.ts'
import { articleLikes } from '#shared/contract/article-likes.ts'
import { favorites } from '#shared/contract/favorites.ts'
import { annotations, bookmarks, reading } from '#shared/contract/reading.ts'
import { follows } from '#shared/contract/follows.ts'
import { sessions, users } from '#shared/contract/users.ts'
import { Visibility } from '#shared/enums.ts'
import { contentKey } from '#server/modules/attachments/storage-keys.ts'
import { openCommunitySite, type CommunitySite } from '#server/testing/community-site.ts'
import { deliverMails } from '#server/testing/deliver-mails.ts'
import { type Mailbox, openMailbox } from '#server/testing/mailbox.ts'
import { type Person, refusal } from '#server/testing/site.ts'
import { sections } from './sections.ts'
import { writeExport } from './write.ts'

/** The profile, the page that leads to all of it, and the files of two documents. */
const entryCount = sections.length + 4

const dayMs = 86_400_000
const draft = {
  title: '没写完的',
  content: '<p>开头</p>',
  keywords: '',
  description: '',
  cover: '',
  category_id: '',
  identifier: '',
}
const plain = { realname: '王小二', identity: '11010519491231002X' }

let site: CommunitySite
let mailbox: Mailbox
let member: Person
beforeAll(async () => {
  mailbox = await openMailbox()
  site = await openCommunitySite()
  await site.configure({ ...mailbox.settings, 'system.domain': 'https://wenku.example.com' })
})
afterAll(async () => {
  await site.close()
  await mailbox.close()
})
beforeEach(async () => {
  member = await site.member()
})

test('an export has the files, all lists and a page to read them with', async () => {
  await member.call(users.profile, { ...plain, email: `${member.username}@example.com` })
  const bytes = randomBytes(50_000)
  await addDocument(member, '年度/总结<b>', bytes)
  const [lost = 0] = await site.addDocuments({ title: '丢失的文件', owner: member })
  const other = await site.document({ title: '别人的文档' })
  await site.article({ owner: member, title: '我的文章' })
  const liked = await site.article({ title: '我赞的文章' })
  await member.call(articleLikes.create, { id: liked.document_id })
  await site.db
    .insertInto('article_draft')
    .values({ user_id: member.id, article_id: 0, based_on: 0, ...draft, created_at: 1, updated_at: 2 })
    .execute()
  await site.comment(member, { on: other, content: '写得真好' })
  await member.call(favorites.create, other)
  const hidden = await site.document({ title: '后来隐藏的文档' })
  await member.call(favorites.create, hidden)
  const { uuid } = await site.call(documents.get, { id: other.document_id })
  await member.call(reading.save, { place: [{ uuid, page: 2, read_at: Date.now() }] })
  await member.call(bookmarks.create, { document_id: other.document_id, page: 2, label: '从这里接着读' })
  await member.call(annotations.create, {
    document_id: other.document_id,
    page: 1,
    start_line: 0,
    start_char: 0,
    end_line: 0,
    end_char: 4,
    quote: '划线的文字',
    note: '我的想法',
  })
  const item = [other, hidden].map(({ type, document_id: content_id }) => ({ type, content_id }))
  await member.call(collections.create, { title: '我的书单', description: '慢慢读', item })
  await member.call(follows.create, { kind: FollowTarget.Author, target_id: site.root.id })
  await site.root.call(documents.setVisibility, { id: [hidden.document_id], visibility: Visibility.Private })
  expect(await member.call(privacy.getExport)).toMatchObject({ state: 'none', link: '' })
  expect(await member.call(privacy.requestExport)).toMatchObject({ state: 'waiting', link: '' })
  await site.runDueJobs()

  const ready = await member.call(privacy.getExport)
  expect(ready).toMatchObject({ state: 'ready', done: entryCount, total: entryCount })
  const response = await site.request(ready.link)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/zip')
  expect(response.headers.get('content-disposition')).toContain('attachment')
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()))
  const document = Object.keys(files).find((name) => name.startsWith('files/')) ?? ''
  expect(document).toMatch(/^files\/\d+-年度_总结_b_\.pdf$/)
  expect(Buffer.from(files[document] ?? []).equals(bytes)).toBe(true)
  expect(json(files, 'profile')).toMatchObject({ ...plain, username: member.username, created_at: expect.any(String) })
  expect(json(files, 'documents')).toMatchObject([
    { title: '年度/总结<b>', status: '已转换', file: document, created_at: expect.stringMatching(/^\d{4}-.*Z$/) },
    { id: lost, file: '' },
  ])
  expect(json(files, 'article-drafts')).toMatchObject([{ title: '没写完的', content: '<p>开头</p>' }])
  expect(json(files, 'article-likes')).toMatchObject([{ title: '我赞的文章' }])
  expect(json(files, 'articles')).toMatchObject([{ title: '我的文章', content: '<p>正文</p>' }])
  expect(json(files, 'comments')).toMatchObject([{ content: '写得真好', title: '别人的文档', type: '文档' }])
  expect(json(files, 'favorites')).toMatchObject([{ title: '别人的文档' }, { title: '' }])
  expect(json(files, 'reading')).toMatchObject([{ document_title: '别人的文档', page: 2, finished_at: null }])
  expect(json(files, 'bookmarks')).toMatchObject([{ page: 2, label: '从这里接着读' }])
  expect(json(files, 'annotations')).toMatchObject([{ quote: '划线的文字', note: '我的想法', color: '黄色' }])
  expect(json(files, 'collections')).toMatchObject([{ title: '我的书单', description: '慢慢读', visibility: '公开' }])
  expect(json(files, 'collection-items')).toMatchObject([{ title: '别人的文档' }, { title: '' }])
  expect(json(files, 'follows')).toMatchObject([{ kind: '作者', title: site.root.username }])
  expect(json(files, 'orders')).toEqual([])
  expect(json(files, 'sessions')).toHaveLength(1)
  const page = Buffer.from(files['index.html'] ?? []).toString()
  expect(page).toContain('写得真好')
  expect(page).toContain('丢失的文件（文件缺失）')
  expect(page).not.toContain('<b>')
  expect(page).toContain(encodeURIComponent(document.slice('files/'.length)))
  // Neither the password nor what only the site needs.
  expect(Buffer.concat(Object.values(files)).toString()).not.toMatch(/argon2|enc:v1|username_key/)
})

test('its end is mailed, with the way to the page and no link to the archive itself', async () => {
  const email = `${member.username}@example.com`
  await member.call(users.profile, { email })
  await member.call(privacy.requestExport)
  await site.runDueJobs()
  await deliverMails(site)
  const { subject, text } = mailbox.latest(email)
  expect(subject).toContain('您的数据已经导出')
  expect(text).toContain('https://wenku.example.com/me/security')
  expect(text).not.toContain('/download/')
})

test('one at a time, one a day; a second request, also at once, begins no other', async () => {
  const requests = await Promise.allSettled([1, 2, 3].map(() => member.call(privacy.requestExport)))
  expect(requests.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await refusal(member.call(privacy.requestExport))).toMatchObject({
    reason: 'privacy.exportRunning',
    status: 409,
  })
  await site.runDueJobs()
  const { next_at, created_at } = await member.call(privacy.getExport)
  expect(next_at).toBe((created_at ?? 0) + dayMs)
  expect(await refusal(member.call(privacy.requestExport))).toMatchObject({
    reason: 'privacy.exportTooSoon',
    status: 429,
  })
  const rows = await site.db.selectFrom('data_export').select('id').where('user_id', '=', member.id).execute()
  expect(rows).toHaveLength(1)
})

describe('the link', () => {
  test('is of the member alone: another gets neither link nor archive', async () => {
    await member.call(privacy.requestExport)
    await site.runDueJobs()
    const otherMember = await site.member()
    expect(await otherMember.call(privacy.getExport)).toMatchObject({ state: 'none', link: '' })
    expect(await refusal(site.call(privacy.getExport))).toMatchObject({ status: 401 })
    const { link } = await member.call(privacy.getExport)
    for (const guess of [link.slice(0, -2), `${link}x`, '/download/export/1', link.replace('/export', '')])
      expect((await site.request(guess)).status).toBeGreaterThanOrEqual(400)
  })

  test('ends with the session that it was given to, and after half an hour', async () => {
    await member.call(privacy.requestExport)
    await site.runDueJobs()
    const { token } = await site.caller({})(users.login, { username: member.username, password: member.password })
    const second = site.caller({ token })
    const { link } = await second(privacy.getExport)
    expect((await site.request(link, { headers: { range: 'bytes=0-3' } })).status).toBe(206)
    await second(users.logout)
    expect((await site.request(link)).status).toBe(404)
    const own = await member.call(privacy.getExport)
    site.advanceClock(31 * 60_000)
    onTestFinished(() => site.advanceClock(-31 * 60_000))
    expect((await site.request(own.link)).status).toBe(404)
  })

  test('after seven days the archive is gone from the storage', async () => {
    await member.call(privacy.requestExport)
    await site.runDueJobs()
    const key = await storageKey(member)
    const { storage } = await site.app.context()
    expect(await storage.find(key)).toBeDefined()
    site.advanceClock(7 * dayMs + 1)
    onTestFinished(() => site.advanceClock(-7 * dayMs - 1))
    await site.runDueJobs()
    expect(await member.call(privacy.getExport)).toMatchObject({ state: 'expired', link: '', next_at: null })
    expect(await storage.find(key)).toBeUndefined()
    expect(await member.call(privacy.requestExport)).toMatchObject({ state: 'waiting' })
    await site.runDueJobs()
  })
})

describe('a job that is interrupted', () => {
  test('begins again, and leaves nothing of the first attempt', async () => {
    await addDocument(member, '第一篇', randomBytes(1000))
    await addDocument(member, '第二篇', randomBytes(1000))
    const { db, storage, ...ctx } = await site.app.context()
    await member.call(privacy.requestExport)
    const { id } = await db
      .selectFrom('data_export')
      .select('id')
      .where('user_id', '=', member.id)
      .executeTakeFirstOrThrow()
    let reads = 0
    const dying = {
      ...storage,
      read(key: string) {
        reads += 1
        if (reads === 2) throw new Error('killed')
        return storage.read(key)
      },
    }
    const run = { attempt: 1, last: false, priority: 0, owner: member.id, signal: new AbortController().signal }
    await expect(writeExport({ ...ctx, db, storage: dying }, { export: id }, run)).rejects.toThrow('killed')
    expect(await member.call(privacy.getExport)).toMatchObject({
      state: 'running',
      total: entryCount,
      link: '',
    })
    expect(await storage.find(await storageKey(member))).toBeUndefined()
    await site.runDueJobs()
    const { state, link } = await member.call(privacy.getExport)
    expect(state).toBe('ready')
    const files = unzipSync(new Uint8Array(await (await site.request(link)).arrayBuffer()))
    expect(Object.keys(files).filter((name) => name.startsWith('files/'))).toHaveLength(2)
    const objects = await Array.fromAsync(storage.list('exports/'))
    expect(objects.filter(({ key }) => key.startsWith(`exports/${id}-`))).toHaveLength(1)
  })

  test('for good is told, and another can be requested', async () => {
    const ctx = await site.app.context()
    await member.call(privacy.requestExport)
    const { id } = await site.db
      .selectFrom('data_export')
      .select('id')
      .where('user_id', '=', member.id)
      .executeTakeFirstOrThrow()
    const full = { ...ctx.storage, put: () => Promise.reject(new Error('the disk is full')) }
    const run = { attempt: 5, last: true, priority: 0, owner: member.id, signal: new AbortController().signal }
    await expect(writeExport({ ...ctx, storage: full }, { export: id }, run)).rejects.toThrow('the disk is full')
    expect(await member.call(privacy.getExport)).toMatchObject({ state: 'failed', next_at: null })
    expect(await member.call(privacy.requestExport)).toMatchObject({ state: 'waiting' })
    await site.runDueJobs()
    expect(await member.call(privacy.getExport)).toMatchObject({ state: 'ready' })
  })

  test('a done one that is run again does nothing', async () => {
    await member.call(privacy.requestExport)
    await site.runDueJobs()
    const key = await storageKey(member)
    const { id } = await site.db
      .selectFrom('data_export')
      .select('id')
      .where('user_id', '=', member.id)
      .executeTakeFirstOrThrow()
    const run = { attempt: 1, last: false, priority: 0, owner: member.id, signal: new AbortController().signal }
    await writeExport(await site.app.context(), { export: id }, run)
    expect(await storageKey(member)).toBe(key)
  })
})

test('a member who is deleted by staff leaves no archive behind', async () => {
  await member.call(privacy.requestExport)
  await site.runDueJobs()
  const key = await storageKey(member)
  await site.root.call(users.delete, { id: [member.id], password: site.root.password })
  await site.runDueJobs()
  const { storage } = await site.app.context()
  expect(await storage.find(key)).toBeUndefined()
  expect(await refusal(member.call(sessions.list))).toMatchObject({ status: 401 })
})

async function addDocument(owner: Person, title: string, bytes: Uint8Array): Promise<void> {
  const { id, hash } = await site.upload(owner, { name: `${title}.pdf`, content: bytes })
  const [document = 0] = await site.addDocuments({ title, owner, hash, size: bytes.length })
  await site.db.updateTable('document').set({ attachment_id: id }).where('id', '=', document).execute()
  const { storage } = await site.app.context()
  expect(await storage.find(contentKey(hash))).toBeDefined()
}

async function storageKey({ id }: Person): Promise<string> {
  const row = await site.db
    .selectFrom('data_export')
    .select('storage_key')
    .where('user_id', '=', id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return row.storage_key
}

function json(files: Record<string, Uint8Array>, name: string): unknown {
  return JSON.parse(Buffer.from(files[`data/${name}.json`] ?? []).toString())
}
