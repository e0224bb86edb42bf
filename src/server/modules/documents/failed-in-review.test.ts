import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attachmentHeader, uploads } from '#shared/contract/attachments.ts'
import { replacements } from '#shared/contract/document-files.ts'
import { documents } from '#shared/contract/documents.ts'
import { notifications } from '#shared/contract/notifications.ts'
import { stats } from '#shared/contract/stats.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { NotificationKind } from '#shared/notification-kinds.ts'
import { JobPriority } from '#server/jobs/queue.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { type DocumentSite, openDocumentSite } from '#server/testing/document-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'
import { sha256, uploadForm } from '#server/testing/upload.ts'

let site: DocumentSite
let author: Person
let reviewer: Person
beforeAll(async () => {
  site = await openDocumentSite()
  author = await site.author({ reviewed: true })
  reviewer = await site.staff(
    'DocumentAPI/CheckDocument',
    'DocumentAPI/ListDocument',
    'DocumentAPI/SetDocumentReconvert',
  )
})
afterAll(() => site.close())

const brokenPdf = () => new TextEncoder().encode(`%PDF-1.7\n${randomUUID()}`.padEnd(300, 'x'))

async function submit(bytes: Uint8Array, name = '坏.pdf', owner = author): Promise<number> {
  const { id: attachment_id } = await uploadForm(site, owner, { name, bytes: Uint8Array.from(bytes) })
  const { document } = await owner.call(documents.create, { document: [{ attachment_id }] })
  return document[0]?.id ?? 0
}

async function submitBroken(): Promise<number> {
  const id = await submit(brokenPdf())
  await site.runDueJobs()
  return id
}

const ownRow = async (id: number, status: DocumentStatus[] = []) => {
  const { document } = await author.call(documents.list, { user_id: [author.id], status, size: 50 })
  return document.find((row) => row.id === id)
}

const inbox = async ({ call }: Person) => (await call(notifications.list)).notification

describe('a document under review', () => {
  test('is converted at once, in the place of its member, and read by the reviewer before the approval', async () => {
    const bytes = Uint8Array.from(makePdf({ title: randomUUID(), pages: 2 }))
    const id = await submit(bytes, '好.pdf')
    const job = await site.db
      .selectFrom('job')
      .select(['owner', 'priority'])
      .where('payload', 'like', `%${sha256(bytes)}%`)
      .executeTakeFirst()
    expect(job).toEqual({ owner: author.id, priority: JobPriority.Upload })
    expect((await author.call(documents.progress, { id: [id] })).document).toMatchObject([
      { status: DocumentStatus.InReview, pages: 0, convert_error: '' },
    ])
    await site.runDueJobs()
    expect((await author.call(documents.progress, { id: [id] })).document).toMatchObject([
      { status: DocumentStatus.InReview, pages: 2 },
    ])
    expect((await reviewer.call(documents.reviewItem, { id })).document).toMatchObject({ pages: 2, preview: 2 })
  })

  test('whose file cannot be converted has failed, with the reason, and waits for nobody', async () => {
    const pending = async () => (await reviewer.call(stats.pending)).document_review
    const before = await pending()
    const id = await submitBroken()
    const failed = { status: DocumentStatus.Failed, convert_error: '文件已损坏，无法打开' }
    expect(await ownRow(id)).toMatchObject(failed)
    expect(await ownRow(id, [DocumentStatus.Failed])).toMatchObject(failed)
    expect(await ownRow(id, [DocumentStatus.InReview])).toBeUndefined()
    expect((await author.call(documents.progress, { id: [id] })).document).toMatchObject([failed])
    const [notice] = await inbox(author)
    expect(notice).toMatchObject({
      kind: NotificationKind.ConversionFailure,
      title: expect.stringContaining('转换失败'),
      excerpt: expect.stringContaining('文件已损坏，无法打开'),
    })
    expect(await pending()).toBe(before)
    expect((await reviewer.call(documents.reviewQueue)).id).not.toContain(id)
    const waiting = await reviewer.call(documents.list, { status: [DocumentStatus.InReview], size: 100 })
    expect(waiting.document.map((row) => row.id)).not.toContain(id)
    const listed = await reviewer.call(documents.list, { status: [DocumentStatus.Failed], size: 100 })
    expect(listed.document.map((row) => row.id)).toContain(id)
  })

  test('that has failed is not for others, whatever its status says', async () => {
    const id = await submitBroken()
    const other = await site.member()
    for (const { call } of [{ call: site.call }, other]) {
      expect(await refusal(call(documents.get, { id }))).toMatchObject({ status: 404 })
      const { document } = await call(documents.list, { user_id: [author.id], status: [DocumentStatus.Failed] })
      expect(document.map((row) => row.id)).not.toContain(id)
      expect((await call(documents.progress, { id: [id] })).document).toEqual([])
    }
  })

  test('that has failed is not approved: to try is to convert it again, and it is never told of as approved', async () => {
    const id = await submitBroken()
    await reviewer.call(documents.review, { id: [id], status: DocumentStatus.Pending })
    await site.runDueJobs()
    expect(await ownRow(id)).toMatchObject({ status: DocumentStatus.Failed })
    expect(await refusal(site.call(documents.get, { id }))).toMatchObject({ status: 404 })
    await reviewer.call(documents.review, { id: [id], status: DocumentStatus.InReview })
    expect((await reviewer.call(documents.reviewQueue)).id).not.toContain(id)
    await reviewer.call(documents.reconvert, {})
    await site.runDueJobs()
    expect(await ownRow(id)).toMatchObject({ status: DocumentStatus.Failed })
    expect((await inbox(author)).filter(({ title }) => title.includes('已通过'))).toEqual([])
  })

  test('that was approved while its conversion was running, and fails, has one notice: the failure', async () => {
    const owner = await site.author({ reviewed: true })
    const id = await submit(brokenPdf(), '抢先.pdf', owner)
    await reviewer.call(documents.review, { id: [id], status: DocumentStatus.Pending })
    await site.runDueJobs()
    expect((await inbox(owner)).map(({ kind }) => kind)).toEqual([NotificationKind.ConversionFailure])
  })

  test.each([
    ['never could be read', 0, [NotificationKind.ConversionFailure]],
    ['could be read until then', 3, [NotificationKind.ConversionFailure, NotificationKind.DocumentReview]],
  ])('that %s loses its approval, though it was told and read, only if it was not true', async (_, pages, kinds) => {
    const owner = await site.author({ reviewed: true })
    const id = await submit(brokenPdf(), '读过.pdf', owner)
    const conversions = site.db.updateTable('job').where('kind', '=', 'renditions.convert')
    await conversions.set({ run_at: Number.MAX_SAFE_INTEGER }).execute()
    await reviewer.call(documents.review, { id: [id], status: DocumentStatus.Pending })
    await site.runDueJobs()
    expect((await inbox(owner)).map(({ kind }) => kind)).toEqual([NotificationKind.DocumentReview])
    await owner.call(notifications.read, { all: true })
    await site.db.updateTable('document').set({ pages }).where('id', '=', id).execute()
    await conversions.set({ run_at: 0 }).execute()
    await site.runDueJobs()
    expect((await inbox(owner)).map(({ kind }) => kind)).toEqual(kinds)
  })

  test('of a format without preview is reviewed as any other, and is no failure', async () => {
    const owner = await site.author({ reviewed: true })
    const [id = 0] = await site.addDocuments({
      owner,
      status: DocumentStatus.InReview,
      pages: 0,
      failure: { reason: 'unsupported', detail: '' },
    })
    expect((await reviewer.call(documents.reviewQueue)).id).toContain(id)
    await reviewer.call(documents.review, { id: [id], status: DocumentStatus.Pending })
    await site.runDueJobs()
    expect((await inbox(owner)).map(({ kind }) => kind)).toEqual([NotificationKind.DocumentReview])
  })

  test('with the same file as one that has failed, rejected or disabled before, does not come back to the queue', async () => {
    const failure = { reason: 'damaged', detail: '' }
    const [rejected = 0, disabled = 0] = await site.addDocuments(
      { owner: author, status: DocumentStatus.Rejected, pages: 0, failure },
      { owner: author, status: DocumentStatus.Disabled, pages: 0, failure },
    )
    for (const id of [rejected, disabled])
      await reviewer.call(documents.review, { id: [id], status: DocumentStatus.InReview })
    expect((await reviewer.call(documents.reviewQueue)).id).not.toEqual(expect.arrayContaining([rejected]))
    expect(await ownRow(rejected)).toMatchObject({ status: DocumentStatus.Failed })
    expect(await ownRow(disabled)).toMatchObject({ status: DocumentStatus.Failed })
  })
})

describe('the file of a document that has failed', () => {
  test('is replaced at once, without a review of its own, and the document is reviewed then', async () => {
    const id = await submitBroken()
    const file = await site.upload(author, { name: '好了.pdf', content: makePdf({ title: randomUUID(), pages: 3 }) })
    await author.call(replacements.create, { document_id: id, attachment_id: file.id })
    expect((await reviewer.call(stats.pending)).replacement_review).toBe(0)
    await site.runDueJobs()
    expect(await ownRow(id)).toMatchObject({ status: DocumentStatus.InReview, pages: 3 })
    expect((await reviewer.call(documents.reviewQueue)).id).toContain(id)
    await reviewer.call(documents.review, { id: [id], status: DocumentStatus.Pending })
    expect(await site.call(documents.get, { id })).toMatchObject({ status: DocumentStatus.Converted, pages: 3 })
  })

  test('is replaced by another bad one: it fails again', async () => {
    const id = await submitBroken()
    const file = await site.upload(author, { name: '还是坏.pdf', content: brokenPdf() })
    await author.call(replacements.create, { document_id: id, attachment_id: file.id })
    await site.runDueJobs()
    expect(await ownRow(id)).toMatchObject({ status: DocumentStatus.Failed })
  })

  test('is sent without a quota, in all three ways; not for another document, nor without end', async () => {
    const id = await submitBroken()
    const [fine = 0] = await site.addDocuments({ owner: author })
    await site.configure({ 'security.upload_count_every_day': '1' })
    const bytes = () => Uint8Array.from(makePdf({ title: randomUUID(), pages: 1 }))
    const form = (document_id = 0, content = bytes()) =>
      uploadForm(site, author, { name: '好.pdf', bytes: content, to: `document?document_id=${document_id}` })
    const challenge = (document_id = 0) =>
      author.call(uploads.challenge, { hash: 'a'.repeat(64), size: 10, name: '好.pdf', document_id })
    const tus = (document_id: number) => {
      const content = bytes()
      const metadata = { filename: '好.pdf', document: String(document_id) }
      return site.request('/api/v1/upload/tus', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${author.token}`,
          'tus-resumable': '1.0.0',
          'upload-length': String(content.length),
          'upload-metadata': Object.entries(metadata)
            .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
            .join(','),
          'content-type': 'application/offset+octet-stream',
        },
        body: content,
      })
    }
    for (const other of [undefined, fine]) {
      expect(await form(other)).toMatchObject({ reason: 'uploads.quotaCount' })
      expect(await refusal(challenge(other))).toMatchObject({ reason: 'uploads.quotaCount' })
    }
    expect((await tus(fine)).status).toBe(429)
    expect(await challenge(id)).toHaveProperty('nonce')
    const sent = await tus(id)
    expect(Number(sent.headers.get(attachmentHeader))).toBeGreaterThan(0)
    const content = bytes()
    const { id: attachment_id } = await form(id, content)
    await author.call(replacements.create, { document_id: id, attachment_id })
    await site.runDueJobs()
    expect(await ownRow(id)).toMatchObject({ status: DocumentStatus.InReview, pages: 1 })
    // The document can be opened from here on.
    expect(await form(id)).toMatchObject({ reason: 'uploads.quotaCount' })
    await site.configure({ 'security.upload_count_every_day': '0' })
  })
})
