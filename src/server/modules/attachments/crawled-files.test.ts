import { createHash } from 'node:crypto'
import type { Insertable } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attachments } from '#shared/contract/attachments.ts'
import { AttachmentType, ContentType } from '#shared/enums.ts'
import { SpiderDocumentStatus } from '#shared/spider.ts'
import type { Tables } from '#server/db/tables.ts'
import { makeEpub } from '#server/samples/books.ts'
import { makeOle } from '#server/samples/ole.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { makeXlsx } from '#server/samples/sheets.ts'
import { makeText } from '#server/samples/text.ts'
import { makeDocx } from '#server/samples/word.ts'
import { writeTempFile } from '#server/testing/folder.ts'
import { openSite, type Person, type Site } from '#server/testing/site.ts'
import { retireUnused } from './attachments.sweep.ts'
import { storeCrawledFile } from './crawled-files.ts'
import { keepCrawledPicture } from './pictures/receive.ts'
import { contentKey } from './storage-keys.ts'

const day = 24 * 60 * 60_000

let site: Site
let owner: Person
beforeAll(async () => {
  site = await openSite()
  owner = await site.member()
})
afterAll(() => site.close())

async function store(name: string, content: Uint8Array | string) {
  const { path, size } = writeTempFile('download', content)
  const hash = createHash('sha256').update(content).digest('hex')
  const stored = await storeCrawledFile(await site.app.context(), { path, hash, size, name, ownerId: owner.id })
  return { ...stored, hash }
}

function findRow(id: number) {
  return site.db.selectFrom('attachment').selectAll().where('id', '=', id).executeTakeFirst()
}

let addressCount = 0

/** What the crawler knows of a file or an article. */
async function addSpiderDocument(row: Partial<Insertable<Tables['spider_document']>>) {
  addressCount += 1
  const now = (await site.app.context()).now()
  return site.db
    .insertInto('spider_document')
    .values({
      source_id: 1,
      target: ContentType.Document,
      url: `https://example.com/${addressCount}`,
      url_hash: `${addressCount}`,
      origin: 'https://example.com',
      user_id: owner.id,
      category_ids: '[]',
      created_at: now,
      updated_at: now,
      ...row,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
}

describe('a crawled file', () => {
  test('is stored once as an attachment of its owner', async () => {
    const content = makePdf({ title: '采来的' })
    const first = await store('../../报告.pdf', content)
    expect(first).toMatchObject({ name: '报告.pdf', ext: '.pdf' })
    expect(await findRow(first.attachmentId)).toMatchObject({
      type: AttachmentType.CrawledDocument,
      type_id: 0,
      user_id: owner.id,
      ip: '',
      name: '报告.pdf',
      size: content.length,
    })
    const { storage } = await site.app.context()
    expect(await storage.find(contentKey(first.hash))).toMatchObject({ size: content.length })
    const again = await store('另一个名字.pdf', content)
    expect(again.hash).toBe(first.hash)
    expect(again.attachmentId).not.toBe(first.attachmentId)
  })

  test.each([
    ['下载', makePdf(), '下载.pdf'],
    ['download.php', makePdf(), 'download.pdf'],
    ['GB 7718.1', makePdf(), 'GB 7718.1.pdf'],
    ['报告.doc', makePdf(), '报告.pdf'],
    ['', makeEpub(), '文件.epub'],
    ['表格.pdf', makeXlsx(), '表格.xlsx'],
    ['公文.aspx', makeDocx(), '公文.docx'],
    ['公文', makeOle({ WordDocument: Buffer.alloc(4096) }), '公文.doc'],
    ['公文.wps', makeDocx(), '公文.wps'],
    ['README', makeText(), 'README.txt'],
  ])('%j gets the extension of its content', async (name, content, expected) => {
    expect(await store(name, content)).toMatchObject({ name: expected })
  })

  test.each([
    ['a page that was sent in place of a file', '报告.pdf', '<!doctype html><title>请登录</title>', 'uploads.mismatch'],
    ['a page without a name', 'view', '\ufeff \n<html></html>', 'uploads.extDenied'],
    ['a script', 'app.js', 'alert(1)', 'uploads.extDenied'],
    ['a message in place of a file', '报告.docx', 'Access denied', 'uploads.mismatch'],
    ['a program', 'setup', 'MZ\x90\x00\x03', 'uploads.extDenied'],
    ['nothing', '报告.pdf', '', 'uploads.empty'],
  ])('%s is refused', async (_, name, content, reason) => {
    await expect(store(name, content)).rejects.toMatchObject({ reason })
  })

  test('keeps to what the site takes', async () => {
    await site.configure({ 'security.document_allowed_ext': 'docx' })
    await expect(store('下载', makePdf())).rejects.toMatchObject({ reason: 'uploads.extDenied' })
    await site.configure({ 'security.document_allowed_ext': '', 'security.max_document_size': '1' })
    await expect(store('大.txt', 'a'.repeat(1024 * 1024 + 1))).rejects.toMatchObject({ reason: 'uploads.tooLarge' })
    const banned = makePdf({ title: '禁' })
    const { attachmentId } = await store('禁.pdf', banned)
    await site.root.call(attachments.update, { id: attachmentId, name: '禁.pdf', enable: false })
    await expect(store('又来.pdf', banned)).rejects.toMatchObject({ reason: 'uploads.banned' })
  })

  test('stays as long as the crawler knows of it', async () => {
    const [known, unknown] = [await store('一.txt', '一'), await store('二.txt', '二')]
    await addSpiderDocument({ attachment_id: known.attachmentId })
    site.advanceClock(2 * day)
    await retireUnused(await site.app.context())
    expect(await findRow(known.attachmentId)).toMatchObject({ deleted_at: null })
    expect((await findRow(unknown.attachmentId))?.deleted_at).toBeGreaterThan(0)
  })
})

describe('a crawled picture', () => {
  test('is re-encoded, and belongs to the owner until an article shows it', async () => {
    const image = sharp({ create: { width: 40, height: 20, channels: 3, background: 'blue' } })
    const bytes = await image
      .withExif({ IFD0: { Copyright: 'secret place' } })
      .jpeg()
      .toBuffer()
    const { path } = writeTempFile('picture', bytes)
    const kept = await keepCrawledPicture(await site.app.context(), { path, name: 'a/b.jpg?x', ownerId: owner.id })
    expect(kept).toMatch(/^\/uploads\/[0-9a-f]{2}\/[0-9a-f]{64}\.jpg$/)
    const row = await site.db.selectFrom('attachment').selectAll().where('path', '=', kept).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ type: AttachmentType.Article, type_id: 0, user_id: owner.id, width: 40, ip: '' })
    const { text } = await site.send('GET', kept)
    expect(text).not.toContain('secret place')
  })

  test('stays while articles of its owner wait for their publication, however long', async () => {
    const bytes = await sharp({ create: { width: 33, height: 20, channels: 3, background: 'green' } })
      .png()
      .toBuffer()
    const { path } = writeTempFile('picture', bytes)
    const kept = await keepCrawledPicture(await site.app.context(), { path, name: '图.png', ownerId: owner.id })
    const status = SpiderDocumentStatus.Downloaded
    const { id } = await addSpiderDocument({ target: ContentType.Article, status, content: `<img src="${kept}">` })
    const sweepAfter = async (days: number) => {
      site.advanceClock(days * day)
      await retireUnused(await site.app.context())
      return site.db.selectFrom('attachment').select('deleted_at').where('path', '=', kept).executeTakeFirstOrThrow()
    }
    expect(await sweepAfter(60)).toEqual({ deleted_at: null })
    await site.db.deleteFrom('spider_document').where('id', '=', id).execute()
    expect((await sweepAfter(1)).deleted_at).toBeGreaterThan(0)
  })

  test('is refused if it is none', async () => {
    const { path } = writeTempFile('picture', '<svg onload="alert(1)"/>')
    const kept = keepCrawledPicture(await site.app.context(), { path, name: 'a.svg', ownerId: owner.id })
    await expect(kept).rejects.toMatchObject({ reason: 'uploads.notImage' })
  })
})
