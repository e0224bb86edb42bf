import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { attachments } from '#shared/contract/attachments.ts'
import { documentRecycle, documents } from '#shared/contract/documents.ts'
import { downloads } from '#shared/contract/downloads.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { AttachmentType, Visibility } from '#shared/enums.ts'
import { transaction } from '#server/context.ts'
import { Unconvertible } from '#server/convert/converter.ts'
import { claim } from '#server/jobs/claim.ts'
import { finish, JobPriority } from '#server/jobs/queue.ts'
import { purgeRetired, removeUnneeded } from '#server/modules/attachments/attachments.sweep.ts'
import { contentKey } from '#server/modules/attachments/storage-keys.ts'
import { enqueueConversion } from '#server/modules/renditions/request.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { contextWithConverter, openConversionSite } from '#server/testing/conversion-site.ts'
import { type DocumentSite, openDocumentSite } from '#server/testing/document-site.ts'
import type { Person } from '#server/testing/site.ts'
import { findLibraryDocument } from '../documents.queries.ts'
import { type CrawledPublication, publishCrawled } from './crawled.ts'

const day = 24 * 60 * 60_000

let site: DocumentSite
let owner: Person
let category: number
beforeAll(async () => {
  site = await openDocumentSite()
  owner = await site.author({ reviewed: true })
  category = await site.category('资料')
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.db.deleteFrom('job').execute()
})

/** A file that the crawler has stored. */
function crawl(options: { name?: string; content?: string | Uint8Array } = {}) {
  return site.upload(owner, { ...options, type: AttachmentType.CrawledDocument })
}

function input(attachmentId: number, changes: Partial<CrawledPublication> = {}): CrawledPublication {
  return {
    attachmentId,
    ownerId: owner.id,
    title: '公开的年度报告',
    description: '一份报告',
    keywords: '报告，年度',
    language: '',
    price: 0,
    categoryIds: [category],
    sourceName: '统计局',
    sourceUrl: 'https://stats.example.com/2026/report.pdf',
    isReviewed: false,
    ...changes,
  }
}

async function publish(attachmentId: number, changes: Partial<CrawledPublication> = {}) {
  return publishCrawled(await site.app.context(), input(attachmentId, changes))
}

function findRow(id: number) {
  return site.db.selectFrom('document').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

function findAttachment(id: number) {
  return site.db.selectFrom('attachment').selectAll().where('id', '=', id).executeTakeFirst()
}

async function findOwner() {
  const columns = ['credit_count', 'doc_count'] as const
  return site.db.selectFrom('user').select(columns).where('id', '=', owner.id).executeTakeFirstOrThrow()
}

describe('a crawled file', () => {
  test('becomes a document of the owner, with its source, at once or after a review', async () => {
    const file = await crawl({ name: '报告.pdf' })
    const before = await findOwner()
    const { id, uuid } = await publish(file.id)
    expect(await findRow(id)).toMatchObject({
      uuid,
      user_id: owner.id,
      title: '公开的年度报告',
      keywords: '报告,年度',
      ext: '.pdf',
      hash: file.hash,
      status: DocumentStatus.Pending,
      visibility: Visibility.Public,
    })
    expect(await findAttachment(file.id)).toMatchObject({ type: AttachmentType.CrawledDocument, type_id: id })
    expect(await site.call(documents.get, { uuid })).toMatchObject({
      source_name: '统计局',
      source_url: 'https://stats.example.com/2026/report.pdf',
      category_id: [category],
    })
    // The owner has done nothing for it.
    expect(await findOwner()).toEqual({ ...before, doc_count: before.doc_count + 1 })
    expect(await site.db.selectFrom('activity').selectAll().where('user_id', '=', owner.id).execute()).toEqual([])

    const reviewed = await publish((await crawl()).id, { isReviewed: true, categoryIds: [], title: '' })
    expect(await findRow(reviewed.id)).toMatchObject({ status: DocumentStatus.InReview, title: '报告' })
  })

  test('is published in the transaction of the caller, or not at all', async () => {
    const file = await crawl()
    const ctx = await site.app.context()
    const failing = transaction(ctx, async (ctx) => {
      await publishCrawled(ctx, input(file.id))
      throw new Error('killed')
    })
    await expect(failing).rejects.toThrow('killed')
    expect(await findAttachment(file.id)).toMatchObject({ type_id: 0 })
    expect(await findLibraryDocument(site.db, file.hash)).toBeUndefined()
    await publish(file.id)
    await expect(publish(file.id)).rejects.toMatchObject({ reason: 'documents.crawledFileGone' })
  })

  test('is refused for an owner who is gone, and if its content is banned', async () => {
    const file = await crawl({ content: makePdf({ title: '禁' }) })
    await expect(publish(file.id, { ownerId: 999_999 })).rejects.toMatchObject({ reason: 'users.ownerGone' })
    const left = await site.member()
    await site.db.updateTable('user').set({ deleted_at: 1 }).where('id', '=', left.id).execute()
    await expect(publish(file.id, { ownerId: left.id })).rejects.toMatchObject({ reason: 'users.ownerGone' })
    await site.root.call(attachments.update, { id: file.id, name: '报告.pdf', enable: false })
    await expect(publish(file.id)).rejects.toMatchObject({ reason: 'uploads.banned' })
    expect(await findAttachment(file.id)).toMatchObject({ type_id: 0 })
  })

  test('that a member has uploaded is not published as a crawled one, nor the other way round', async () => {
    const uploaded = await site.upload(owner)
    await expect(publish(uploaded.id)).rejects.toMatchObject({ reason: 'documents.crawledFileGone' })
    const { id } = await crawl()
    const form = { category_id: [category], document: [{ attachment_id: id }] }
    await expect(owner.call(documents.create, form)).rejects.toMatchObject({ reason: 'documents.noFiles' })
  })

  test('has no link that could run a script', async () => {
    const { id } = await publish((await crawl()).id, { sourceName: '甲\n乙', sourceUrl: 'javascript:alert(1)' })
    expect(await findRow(id)).toMatchObject({ source_name: '甲 乙', source_url: '' })
  })

  test('can be downloaded, restored from the recycle bin, and is freed when it is purged', async () => {
    const file = await crawl({ name: '原名.txt', content: '采来的文' })
    const { id } = await publish(file.id)
    await site.db.updateTable('document').set({ status: DocumentStatus.Converted }).where('id', '=', id).execute()
    const reader = await site.member()
    const read = async () => site.send('GET', (await reader.call(downloads.download, { id })).url)
    const { text, headers } = await read()
    expect(text).toBe('采来的文')
    expect(headers.get('content-disposition')).toContain(encodeURIComponent('原名.txt'))

    await site.root.call(documents.delete, { id: [id] })
    await site.root.call(documentRecycle.restore, { id: [id] })
    expect((await read()).text).toBe('采来的文')

    await site.root.call(documents.delete, { id: [id] })
    await site.root.call(documentRecycle.delete, { id: [id] })
    expect((await findAttachment(file.id))?.deleted_at).toBeGreaterThan(0)
    site.advanceClock(3 * day)
    const ctx = await site.app.context()
    await purgeRetired(ctx)
    await removeUnneeded(ctx)
    expect(await ctx.storage.find(contentKey(file.hash))).toBeUndefined()
  })
})

describe('conversions of crawled files', () => {
  /** The contents in the order in which they are converted. */
  async function conversions(): Promise<string[]> {
    const hashes: string[] = []
    const kinds = ['renditions.convert']
    const now = Number.MAX_SAFE_INTEGER
    for (let job; (job = await claim(site.db, 'w', { kinds, now }));) {
      hashes.push((job.payload as { hash: string }).hash)
      await finish(site.db, 'w', job.id)
    }
    return hashes
  }

  const upload = async (person: Person, content?: Uint8Array) => {
    const file = await site.upload(person, content ? { content } : {})
    await person.call(documents.create, { category_id: [category], document: [{ attachment_id: file.id }] })
    return file.hash
  }

  test('keep their order and come after all uploads, the ones of their owner too', async () => {
    const crawled = []
    for (let n = 0; n < 3; n++) {
      const file = await crawl()
      await publish(file.id)
      crawled.push(file.hash)
    }
    const other = await site.author()
    const uploaded = [await upload(owner), await upload(owner), await upload(other)]
    expect(await conversions()).toEqual([uploaded[0], uploaded[2], uploaded[1], ...crawled])
  })

  test.each(['the worker stops', 'a program is missing'])(
    'come after what a member waits for, also when %s',
    async (cause) => {
      const converter = openConversionSite()
      onTestFinished(() => converter.close())
      const file = await crawl({ name: '停.pdf', content: makePdf({ title: cause }) })
      await publish(file.id)
      const job = await claim(site.db, 'w', { kinds: ['renditions.convert'], now: Number.MAX_SAFE_INTEGER })
      const stop = new AbortController()
      const ctx = await contextWithConverter(site, {
        prepare: () => {
          if (cause === 'the worker stops') stop.abort()
          return Promise.reject(new Unconvertible('noTool'))
        },
      })
      const { owner = 0, priority = 0 } = job ?? {}
      await converter.convertBy(ctx, file.hash, { owner, priority, signal: stop.signal })
      await finish(site.db, 'w', job?.id ?? 0)
      const retried = 'e'.repeat(64)
      await enqueueConversion(ctx, { hash: retried, ext: '.pdf' }, { priority: JobPriority.Retry, owner: 1 })
      expect(await conversions()).toEqual([retried, file.hash])
    },
  )

  test('are put forward when a member uploads the same file', async () => {
    const [first, second] = [await crawl(), await crawl({ content: makePdf({ title: '两边都有' }) })]
    await publish(first.id)
    await publish(second.id)
    await upload(owner, makePdf({ title: '两边都有' }))
    expect(await conversions()).toEqual([second.hash, first.hash])
  })
})

test('the document that has a content already is found, a public one before others', async () => {
  const hash = 'c'.repeat(64)
  expect(await findLibraryDocument(site.db, hash)).toBeUndefined()
  await site.addDocuments({ hash, deleted_at: 1 })
  expect(await findLibraryDocument(site.db, hash)).toBeUndefined()
  const [hidden = 0] = await site.addDocuments({ hash, visibility: Visibility.Private })
  expect(await findLibraryDocument(site.db, hash)).toMatchObject({ id: hidden })
  const [rejected = 0, open = 0] = await site.addDocuments({ hash, status: DocumentStatus.Rejected }, { hash })
  expect(rejected).toBeLessThan(open)
  expect(await findLibraryDocument(site.db, hash)).toMatchObject({ id: open })
})
