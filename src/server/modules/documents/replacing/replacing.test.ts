import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { audits } from '#shared/contract/audit.ts'
import { comments } from '#shared/contract/comments.ts'
import { replacements } from '#shared/contract/document-files.ts'
import { documentRecycle, documents } from '#shared/contract/documents.ts'
import { downloads } from '#shared/contract/downloads.ts'
import { searches } from '#shared/contract/search.ts'
import { stats } from '#shared/contract/stats.ts'
import { users } from '#shared/contract/users.ts'
import { DocumentStatus, whyUnreplaceable } from '#shared/document-status.ts'
import { ContentType, ReplacementStatus } from '#shared/enums.ts'
import { removeUnneeded } from '#server/modules/attachments/attachments.sweep.ts'
import { contentKey } from '#server/modules/attachments/storage-keys.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { type CommunitySite, openCommunitySite } from '#server/testing/community-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'

let site: CommunitySite
let author: Person
let reviewed: Person
beforeAll(async () => {
  site = await openCommunitySite()
  await site.category('资料')
  author = await site.author()
  reviewed = await site.author({ reviewed: true })
})
afterAll(() => site.close())

async function pdf(owner: Person, pages: number, name = '新版.pdf') {
  // Each content is another one.
  return site.upload(owner, { name, content: makePdf({ title: `新版 ${randomUUID()}`, pages }) })
}

/** A published document with its file in the storage. */
async function published(owner: Person, fixture: { price?: number; status?: DocumentStatus } = {}) {
  const file = await pdf(owner, 3, '旧版.pdf')
  const [id = 0] = await site.addDocuments({ owner, hash: file.hash, pages: 3, ...fixture })
  await site.db.updateTable('document').set({ attachment_id: file.id }).where('id', '=', id).execute()
  await site.db.updateTable('attachment').set({ type_id: id }).where('id', '=', file.id).execute()
  return { id, file }
}

const replace = (person: Person, document_id: number, attachment_id: number) =>
  person.call(replacements.create, { document_id, attachment_id })

async function latest(person: Person, document_id: number) {
  const { replacement } = await person.call(replacements.ofDocument, { document_id })
  return replacement[0]
}

const rowOf = (id: number) => site.db.selectFrom('document').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('the new file', () => {
  test('takes the place of the former one when it is converted; address, comments and sales stay', async () => {
    const { id, file: old } = await published(author, { price: 5 })
    const before = await author.call(documents.get, { id })
    const buyer = await site.member()
    await site.db.updateTable('user').set({ credit_count: 100 }).where('id', '=', buyer.id).execute()
    await buyer.call(downloads.download, { id })
    await site.comment(buyer, { on: { type: ContentType.Document, document_id: id }, content: '很有用' })
    const file = await pdf(author, 7)
    const replacement = await replace(author, id, file.id)
    expect(replacement).toMatchObject({
      status: ReplacementStatus.Converting,
      file: { name: '新版.pdf' },
      former: null,
    })
    // Until then readers have the former file.
    expect(await rowOf(id)).toMatchObject({ hash: old.hash, pages: 3, status: DocumentStatus.Converted })

    await site.runDueJobs()
    const after = await author.call(documents.get, { id })
    expect(after).toMatchObject({ id, uuid: before.uuid, pages: 7, status: DocumentStatus.Converted, comment_count: 1 })
    expect(after.download_count).toBe(1)
    expect(after.attachment.hash).not.toBe(before.attachment.hash)
    expect((await site.call(comments.list, { document_id: id })).comment).toHaveLength(1)
    // The buyer has paid for the document, not for one file of it.
    const balance = (await buyer.call(users.get, { id: buyer.id })).credit_count
    const { url } = await buyer.call(downloads.download, { id, cost: 0 })
    const bytes = await (await site.request(url)).arrayBuffer()
    const stored = await (await site.app.context()).storage.find(contentKey(file.hash))
    expect(bytes.byteLength).toBe(stored?.size)
    expect((await buyer.call(users.get, { id: buyer.id })).credit_count).toBe(balance)
    expect(await latest(author, id)).toMatchObject({
      status: ReplacementStatus.Published,
      former: { name: '旧版.pdf', ext: '.pdf' },
      username: author.username,
    })
  })

  test('is found by its text', async () => {
    const { id } = await published(author)
    const file = await site.upload(author, { name: '新.pdf', content: makePdf({ title: '鸿雁传书', pages: 2 }) })
    await replace(author, id, file.id)
    await site.runDueJobs()
    const { document } = await site.call(searches.documents, { wd: '鸿雁传书' })
    expect(document.map((row) => row.id)).toEqual([id])
    const { content } = await author.call(documents.get, { id })
    expect(content).toContain('鸿雁传书')
  })

  test('of content that is converted already takes effect at once', async () => {
    const { id } = await published(author)
    const other = await published(author)
    await site.db.updateTable('rendition').set({ pages: 9 }).where('hash', '=', other.file.hash).execute()
    const same = await site.upload(author, { name: '同样.pdf', content: await readAll(other.file.hash) })
    expect((await replace(author, id, same.id)).status).toBe(ReplacementStatus.Published)
    expect(await rowOf(id)).toMatchObject({ hash: other.file.hash, pages: 9, status: DocumentStatus.Converted })
    await site.runDueJobs()
  })

  test('that cannot be converted replaces nothing, and its owner is told why', async () => {
    const { id, file: old } = await published(author)
    const broken = await site.upload(author, { name: '坏.pdf', content: '%PDF-1.4 broken' })
    await replace(author, id, broken.id)
    await site.runDueJobs()
    expect(await rowOf(id)).toMatchObject({ hash: old.hash, pages: 3, status: DocumentStatus.Converted })
    const ended = await latest(author, id)
    expect(ended?.status).toBe(ReplacementStatus.Failed)
    expect(ended?.reason).not.toBe('')
  })

  test('deletes the former content when nothing else refers to it', async () => {
    const { id, file: old } = await published(author)
    await replace(author, id, (await pdf(author, 1)).id)
    await site.runDueJobs()
    const { storage } = await site.app.context()
    expect(await storage.find(contentKey(old.hash))).toBeDefined()
    await site.db.deleteFrom('attachment').where('id', '=', old.id).where('deleted_at', 'is not', null).execute()
    site.advanceClock(3 * 3_600_000)
    await removeUnneeded(await site.app.context())
    expect(await storage.find(contentKey(old.hash))).toBeUndefined()
    await site.runDueJobs()
    expect(await rowOf(id)).toMatchObject({ pages: 1 })
  })
})

describe('who may replace it', () => {
  test('staff leave an entry in the operation log that names the document', async () => {
    const { id } = await published(author)
    await replace(site.root, id, (await pdf(site.root, 2)).id)
    const { audit } = await site.root.call(audits.list, { size: 1 })
    const { title } = await rowOf(id)
    expect(audit).toMatchObject([{ area: 'replacements', target: [{ id: String(id), name: title }] }])
  })

  test('its owner and staff, with the rights of an upload', async () => {
    const { id, file: old } = await published(author)
    const other = await site.author()
    const denied = await refusal(replace(other, id, (await pdf(other, 1)).id))
    expect(denied.reason).toBe('documents.othersKept')
    const reader = await site.member()
    expect((await refusal(replace(reader, id, (await pdf(reader, 1)).id))).status).toBe(403)
    expect((await refusal(replace(author, id, (await pdf(other, 1)).id))).reason).toBe('documents.noFiles')
    expect((await refusal(author.call(replacements.list, { page: 1, size: 10 }))).status).toBe(403)
    expect((await refusal(other.call(replacements.ofDocument, { document_id: id }))).status).toBe(403)
    expect((await refusal(site.call(replacements.create, { document_id: id, attachment_id: 1 }))).status).toBe(401)
    expect((await rowOf(id)).hash).toBe(old.hash)
    await replace(site.root, id, (await pdf(site.root, 2)).id)
    await site.runDueJobs()
    expect(await rowOf(id)).toMatchObject({ pages: 2, user_id: author.id })
  })

  test('the same content, a used file, a disabled and a deleted document are refused', async () => {
    const { id, file } = await published(author)
    const bytes = await readAll(file.hash)
    const same = await site.upload(author, { name: '相同.pdf', content: bytes })
    expect((await refusal(replace(author, id, same.id))).reason).toBe('documents.sameFile')
    const used = await published(author)
    expect((await refusal(replace(author, id, used.file.id))).reason).toBe('documents.noFiles')
    const fresh = await pdf(author, 1)
    await site.db.updateTable('document').set({ status: DocumentStatus.Disabled }).where('id', '=', id).execute()
    expect(await refusal(replace(author, id, fresh.id))).toMatchObject({
      status: 400,
      reason: 'documents.statusDenied',
      message: whyUnreplaceable({ status: DocumentStatus.Disabled }),
    })
    await author.call(documents.delete, { id: [used.id] })
    expect((await refusal(replace(author, used.id, fresh.id))).reason).toBe('documents.notFound')
  })
})

describe('reviews', () => {
  test('the former file stays until the new one is approved', async () => {
    const { id, file: old } = await published(reviewed)
    const { id: waiting, status } = await replace(reviewed, id, (await pdf(reviewed, 6)).id)
    expect(status).toBe(ReplacementStatus.InReview)
    await site.runDueJobs()
    expect(await rowOf(id)).toMatchObject({ hash: old.hash, status: DocumentStatus.Converted })
    const { replacement } = await site.root.call(replacements.list, {
      page: 1,
      size: 10,
      status: [ReplacementStatus.InReview],
    })
    expect(replacement.map((row) => row.id)).toEqual([waiting])
    site.advanceClock(5000)
    expect((await site.root.call(stats.pending)).replacement_review).toBe(1)
    const { url } = await site.root.call(downloads.downloadReplacement, { id: waiting })
    expect((await site.request(url)).status).toBe(200)
    await site.root.call(replacements.approve, { id: waiting })
    expect(await rowOf(id)).toMatchObject({ pages: 6, status: DocumentStatus.Converted })
    expect((await refusal(site.root.call(replacements.approve, { id: waiting }))).reason).toBe(
      'documents.replacementOver',
    )
    expect((await site.request(url)).status).toBe(200)
    await site.runDueJobs()
  })

  test('a rejected file changes nothing, and its owner reads the reason', async () => {
    const { id, file: old } = await published(reviewed)
    const { id: waiting } = await replace(reviewed, id, (await pdf(reviewed, 6)).id)
    await site.root.call(replacements.reject, { id: waiting, reason: '内容不清楚' })
    await site.runDueJobs()
    expect((await rowOf(id)).hash).toBe(old.hash)
    expect(await latest(reviewed, id)).toMatchObject({ status: ReplacementStatus.Rejected, reason: '内容不清楚' })
  })

  test('approved before it is converted, it takes effect with the conversion', async () => {
    const { id, file: old } = await published(reviewed)
    const { id: waiting } = await replace(reviewed, id, (await pdf(reviewed, 4)).id)
    await site.root.call(replacements.approve, { id: waiting })
    expect((await rowOf(id)).hash).toBe(old.hash)
    await site.runDueJobs()
    expect(await rowOf(id)).toMatchObject({ pages: 4, status: DocumentStatus.Converted })
  })

  test('a rejected document is reviewed again with its new file', async () => {
    const { id } = await published(reviewed, { status: DocumentStatus.Rejected })
    const { status } = await replace(reviewed, id, (await pdf(reviewed, 2)).id)
    expect(status).toBe(ReplacementStatus.Published)
    await site.runDueJobs()
    expect(await rowOf(id)).toMatchObject({ pages: 2, status: DocumentStatus.InReview })
  })

  test('the file that a reviewer reads is the one that is approved', async () => {
    const { id, file } = await published(reviewed, { status: DocumentStatus.InReview })
    const other = await pdf(reviewed, 2)
    expect(await refusal(replace(reviewed, id, other.id))).toMatchObject({
      status: 409,
      reason: 'documents.replacedInReview',
      message: whyUnreplaceable({ status: DocumentStatus.InReview }),
    })
    expect(await rowOf(id)).toMatchObject({ hash: file.hash, status: DocumentStatus.InReview })
    await site.root.call(documents.review, { id: [id], status: DocumentStatus.Pending })
    expect((await replace(reviewed, id, other.id)).status).toBe(ReplacementStatus.InReview)
    await site.runDueJobs()
    expect((await rowOf(id)).hash).toBe(file.hash)
  })

  test('a decision about a file that was replaced since the reviewer saw it is refused', async () => {
    const { id, file } = await published(reviewed, { status: DocumentStatus.InReview })
    const seen = (await site.root.call(documents.reviewItem, { id })).document.attachment.id
    expect(seen).toBe(file.id)
    // Meanwhile another reviewer rejects it, and the owner sends a better file.
    await site.root.call(documents.review, { id: [id], status: DocumentStatus.Rejected })
    const better = await pdf(reviewed, 2)
    await replace(reviewed, id, better.id)
    await site.runDueJobs()
    const decide = (status: DocumentStatus, attachment_id: number[]) =>
      site.root.call(documents.review, { id: [id], status, from: [DocumentStatus.InReview], attachment_id })
    for (const status of [DocumentStatus.Pending, DocumentStatus.Rejected]) {
      const refused = await refusal(decide(status, [seen]))
      expect(refused).toMatchObject({ status: 409, reason: 'review.replaced' })
    }
    expect(await rowOf(id)).toMatchObject({ hash: better.hash, status: DocumentStatus.InReview })
    const now = (await site.root.call(documents.reviewItem, { id })).document.attachment.id
    await decide(DocumentStatus.Pending, [now])
    expect(await rowOf(id)).toMatchObject({ hash: better.hash, status: DocumentStatus.Converted })
  })

  test('a client that does not say which file it showed decides about the one that is there', async () => {
    const { id } = await published(reviewed, { status: DocumentStatus.Rejected })
    await replace(reviewed, id, (await pdf(reviewed, 2)).id)
    await site.runDueJobs()
    await site.root.call(documents.review, { id: [id], status: DocumentStatus.Pending })
    expect(await rowOf(id)).toMatchObject({ pages: 2, status: DocumentStatus.Converted })
  })

  test('who has decided is known to reviewers alone', async () => {
    const { id } = await published(reviewed)
    const { id: waiting } = await replace(reviewed, id, (await pdf(reviewed, 2)).id)
    await site.root.call(replacements.reject, { id: waiting, reason: '内容不清楚' })
    expect((await latest(reviewed, id))?.reviewer).toBe('')
    expect((await latest(site.root, id))?.reviewer).toBe(site.root.username)
  })

  test('a deleted document leaves the list, and the count, of what is to be reviewed', async () => {
    const { id } = await published(reviewed)
    const { id: waiting } = await replace(reviewed, id, (await pdf(reviewed, 2)).id)
    const query = { page: 1, size: 100, status: [ReplacementStatus.InReview] }
    const listed = async () => (await site.root.call(replacements.list, query)).replacement.map((row) => row.id)
    const counted = async () => {
      site.advanceClock(5000)
      return (await site.root.call(stats.pending)).replacement_review
    }
    expect(await listed()).toContain(waiting)
    const before = await counted()
    await reviewed.call(documents.delete, { id: [id] })
    expect(await listed()).not.toContain(waiting)
    expect(await counted()).toBe(before - 1)
  })
})

describe('at once', () => {
  test('of two files the later one takes the place, whichever is converted first', async () => {
    const { id } = await published(author)
    const files = [await pdf(author, 4, '一.pdf'), await pdf(author, 5, '二.pdf')]
    await Promise.all(files.map((file) => replace(author, id, file.id)))
    await site.runDueJobs()
    const { replacement } = await author.call(replacements.ofDocument, { document_id: id })
    expect(replacement.map(({ status }) => status)).toEqual([ReplacementStatus.Published, ReplacementStatus.Superseded])
    const { name } = replacement[0]?.file ?? {}
    expect(await rowOf(id)).toMatchObject({ pages: name === '一.pdf' ? 4 : 5 })
  })

  test('a document that is still being converted gets the new pages', async () => {
    const first = await pdf(author, 8)
    const { document } = await author.call(documents.create, {
      category_id: [(await site.db.selectFrom('category').select('id').executeTakeFirstOrThrow()).id],
      document: [{ attachment_id: first.id, title: '转换中' }],
    })
    const id = document[0]?.id ?? 0
    await replace(author, id, (await pdf(author, 2)).id)
    await site.runDueJobs()
    expect(await rowOf(id)).toMatchObject({ pages: 2, status: DocumentStatus.Converted })
  })

  test('a document that is deleted meanwhile comes back with the new file, and not at all when it is purged', async () => {
    const kept = await published(author)
    const purged = await published(author)
    for (const { id } of [kept, purged]) {
      await replace(author, id, (await pdf(author, 2)).id)
      await author.call(documents.delete, { id: [id] })
    }
    await site.root.call(documentRecycle.delete, { id: [purged.id] })
    await site.runDueJobs()
    await site.root.call(documentRecycle.restore, { id: [kept.id] })
    expect(await rowOf(kept.id)).toMatchObject({ pages: 2, status: DocumentStatus.Converted })
    const left = site.db.selectFrom('document_replacement').select('id').where('document_id', '=', purged.id)
    expect(await left.execute()).toEqual([])
  })

  test('a withdrawn file does not take effect', async () => {
    const { id, file: old } = await published(author)
    const { id: waiting } = await replace(author, id, (await pdf(author, 2)).id)
    const other = await site.author()
    expect((await refusal(other.call(replacements.withdraw, { id: waiting }))).status).toBe(403)
    await author.call(replacements.withdraw, { id: waiting })
    await site.runDueJobs()
    expect((await rowOf(id)).hash).toBe(old.hash)
    expect((await refusal(author.call(replacements.withdraw, { id: waiting }))).reason).toBe(
      'documents.replacementOver',
    )
  })
})

test('what an upload earns today, and what is left of the limits', async () => {
  await site.configure({
    'score.upload_document': '3',
    'score.upload_document_limit': '2',
    'security.upload_count_every_day': '0',
  })
  const member = await site.author()
  expect(await member.call(documents.uploadAllowance)).toMatchObject({ reward: 3, rewards_left: 2, files_left: -1 })
  const file = await pdf(member, 1)
  const { id } = await site.db.selectFrom('category').select('id').executeTakeFirstOrThrow()
  await member.call(documents.create, { category_id: [id], document: [{ attachment_id: file.id, title: '一份' }] })
  expect(await member.call(documents.uploadAllowance)).toMatchObject({ rewards_left: 1, is_reviewed: false })
  expect(await reviewed.call(documents.uploadAllowance)).toMatchObject({ rewards_left: 2, is_reviewed: true })
})

async function readAll(hash: string): Promise<Uint8Array> {
  const { storage } = await site.app.context()
  const chunks: Buffer[] = []
  for await (const chunk of (await storage.read(contentKey(hash))) ?? []) chunks.push(Buffer.from(chunk as Uint8Array))
  return Buffer.concat(chunks)
}
