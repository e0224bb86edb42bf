import { Punishment, ContentType, AttachmentType } from '#shared/enums.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { punishments } from '#shared/contract/access.ts'
import { documents } from '#shared/contract/documents.ts'
import { stats } from '#shared/contract/stats.ts'
import { users } from '#shared/contract/users.ts'
import { type DocumentSite, openDocumentSite } from '#server/testing/document-site.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { type Person, refusal } from '#server/testing/site.ts'

let site: DocumentSite
let author: Person
let category: number
beforeAll(async () => {
  site = await openDocumentSite()
  author = await site.author()
  category = await site.category('资料')
})
afterAll(() => site.close())

async function publish(person: Person, item: { attachment_id: number; title?: string; [key: string]: unknown }) {
  const { document } = await person.call(documents.create, { category_id: [category], document: [item] })
  return document[0]?.id ?? 0
}

function findRow(id: number) {
  return site.db.selectFrom('document').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

describe('publishing', () => {
  test('makes a document of each file, in the order of the request', async () => {
    const files = [await site.upload(author, { name: '甲.pdf' }), await site.upload(author, { name: '乙.docx' })]
    const { document } = await author.call(documents.create, {
      category_id: [category],
      document: files.toReversed().map(({ id }) => ({ attachment_id: id })),
    })
    expect(document.map(({ attachment_id }) => attachment_id)).toEqual([files[1]?.id, files[0]?.id])
    expect(document.every(({ status, uuid }) => status === DocumentStatus.Pending && /^[0-9a-f]{16}$/.test(uuid))).toBe(
      true,
    )
    const [first] = document
    expect(await findRow(first?.id ?? 0)).toMatchObject({
      title: '乙',
      ext: '.docx',
      hash: files[1]?.hash,
      user_id: author.id,
      score: 300,
    })
    const attachment = await site.db
      .selectFrom('attachment')
      .select('type_id')
      .where('id', '=', files[1]?.id ?? 0)
      .executeTakeFirst()
    expect(attachment?.type_id).toBe(first?.id)
  })

  test('marks documents with a price as VIP documents where the owner wants it', async () => {
    const isVip = async (price: number) => {
      const { id } = await site.upload(author)
      return (await findRow(await publish(author, { attachment_id: id, price }))).is_vip
    }
    expect(await isVip(5)).toBe(0)
    await site.configure({ 'vip.mark_charged': 'true' })
    expect([await isVip(5), await isVip(0)]).toEqual([1, 0])
    await site.configure({ 'vip.mark_charged': 'false' })
  })

  test('stores the fields of the form, normalized', async () => {
    const file = await site.upload(author)
    const id = await publish(author, {
      attachment_id: file.id,
      title: '  年度报告 ',
      keywords: '财务，报告、 财务;2024',
      description: '说'.repeat(900),
      language: 'en',
      price: 7,
    })
    const row = await findRow(id)
    expect(row).toMatchObject({ title: '年度报告', keywords: '财务,报告,2024', language: 'en', price: 7 })
    expect(row.description).toHaveLength(512)
  })

  test('takes missing keywords from the title', async () => {
    const file = await site.upload(author, { name: '扫描件0012.pdf' })
    const title = '人工智能技术发展报告(2024)'
    const { keywords, language } = await findRow(await publish(author, { attachment_id: file.id, title }))
    expect(keywords.split(',')).toEqual(expect.arrayContaining(['智能', '技术', '报告']))
    expect(keywords).not.toContain('2024')
    expect(language).toBe('')
  })

  test('takes none from the name of a file', async () => {
    const file = await site.upload(author, { name: '人工智能技术发展报告 终稿 修改.pdf' })
    const { keywords, title } = await findRow(await publish(author, { attachment_id: file.id }))
    expect([keywords, title]).toEqual(['', '人工智能技术发展报告 终稿 修改'])
  })

  test('accepts the name of a language, and refuses an unknown one', async () => {
    const row = await site.db
      .selectFrom('language')
      .select('language')
      .where('code', '=', 'ja')
      .executeTakeFirstOrThrow()
    const file = await site.upload(author)
    const refused = await refusal(publish(author, { attachment_id: file.id, language: 'Klingon' }))
    expect(refused).toMatchObject({ status: 400, reason: 'documents.languageUnknown' })
    const id = await publish(author, { attachment_id: file.id, language: row.language })
    expect((await findRow(id)).language).toBe('ja')
  })

  test('shows content that is converted already at once', async () => {
    const file = await site.upload(author)
    await site.addDocuments({ hash: file.hash, pages: 40 })
    const id = await publish(author, { attachment_id: file.id })
    expect(await findRow(id)).toMatchObject({ status: DocumentStatus.Converted, pages: 40, width: 612, height: 792 })
  })

  test('queues one conversion for the same content', async () => {
    const content = 'the same for both'
    const files = [await site.upload(author, { content }), await site.upload(author, { content })]
    for (const { id } of files) await publish(author, { attachment_id: id })
    const jobs = await site.db
      .selectFrom('job')
      .select('payload')
      .where('kind', 'like', 'renditions.convert%')
      .execute()
    expect(jobs.filter(({ payload }) => payload.includes(files[0]?.hash ?? ''))).toHaveLength(1)
  })

  test('ignores fields that the author may not set', async () => {
    const file = await site.upload(author)
    const ignored = { status: DocumentStatus.Converted, user_id: 1, score: 500, view_count: 9, recommend_at: 1, id: 1 }
    const body = { category_id: [category], document: [{ attachment_id: file.id, ...ignored }] }
    const { json } = await site.send('POST', '/api/v1/document', { token: author.token, body })
    const [document] = json.document as { id: number }[]
    expect(await findRow(document?.id ?? 0)).toMatchObject({
      status: DocumentStatus.Pending,
      user_id: author.id,
      score: 300,
      view_count: 0,
      recommend_at: null,
    })
  })
})

describe('categories', () => {
  let root: number
  let leaf: number
  beforeAll(async () => {
    root = await site.category('理科')
    leaf = await site.category('数学', { parent: root })
  })
  const put = async (ids: number[]) => {
    const file = await site.upload(author)
    return author.call(documents.create, { category_id: ids, document: [{ attachment_id: file.id }] })
  }
  const findCount = async (id: number) =>
    (await site.db.selectFrom('category').select('doc_count').where('id', '=', id).executeTakeFirst())?.doc_count

  test('are linked with their ancestors, and each is counted', async () => {
    const { document } = await put([leaf])
    await put([root, leaf])
    expect((await site.call(documents.get, { id: document[0]?.id })).category_id).toEqual([root, leaf])
    expect([await findCount(root), await findCount(leaf)]).toEqual([2, 2])
  })

  test.each([
    ['unknown', async () => 999_999],
    ['disabled', () => site.category('停用', { enable: 0 })],
    ['for articles', () => site.category('文章', { type: ContentType.Article })],
    ['under a disabled one', async () => site.category('下级', { parent: await site.category('上', { enable: 0 }) })],
  ])('that are %s are refused', async (_name, make) => {
    expect(await refusal(put([await make()]))).toMatchObject({ status: 400, reason: 'documents.categoryUnknown' })
  })

  test('are required as soon as the site has one', async () => {
    expect(await refusal(put([]))).toMatchObject({ reason: 'documents.categoryNeeded' })
    const empty = await openDocumentSite()
    const person = await empty.author()
    const file = await empty.upload(person)
    const created = await person.call(documents.create, { document: [{ attachment_id: file.id }] })
    expect(created.document).toHaveLength(1)
    await empty.close()
  })
})

describe('refuses', () => {
  test('members who may not upload', async () => {
    const outsider = await site.staff('UserAPI/ListUser')
    const file = await site.upload(outsider)
    const refused = await refusal(publish(outsider, { attachment_id: file.id }))
    expect(refused).toMatchObject({ status: 403, reason: 'users.uploadDenied' })
  })

  test('members under punishment', async () => {
    const person = await site.author()
    await site.root.call(punishments.create, { user_id: [person.id], type: [Punishment.NoUpload], enable: true })
    const file = await site.upload(person)
    expect(await refusal(publish(person, { attachment_id: file.id }))).toMatchObject({ reason: 'punishments.active' })
  })

  test('the whole request if a file belongs to another member', async () => {
    const otherAuthor = await site.author()
    const [own, foreign] = [await site.upload(author), await site.upload(otherAuthor)]
    const both = author.call(documents.create, {
      category_id: [category],
      document: [{ attachment_id: own.id }, { attachment_id: foreign.id }],
    })
    expect(await refusal(both)).toMatchObject({ status: 400, reason: 'documents.filesUnusable' })
    expect(await refusal(publish(author, { attachment_id: foreign.id }))).toMatchObject({ reason: 'documents.noFiles' })
    await publish(author, { attachment_id: own.id })
    await publish(otherAuthor, { attachment_id: foreign.id })
  })

  test('files of other types, published files and banned files', async () => {
    const [avatar, file, banned] = [
      await site.upload(author, { type: AttachmentType.Avatar }),
      await site.upload(author),
      await site.upload(author),
    ]
    expect(await refusal(publish(author, { attachment_id: avatar.id }))).toMatchObject({ status: 400 })
    await publish(author, { attachment_id: file.id })
    expect(await refusal(publish(author, { attachment_id: file.id }))).toMatchObject({ reason: 'documents.noFiles' })
    await site.db.updateTable('attachment').set({ enable: 0 }).where('id', '=', banned.id).execute()
    expect(await refusal(publish(author, { attachment_id: banned.id }))).toMatchObject({ reason: 'uploads.banned' })
  })

  test('content that was banned as another member’s file', async () => {
    const content = '两个人的同一份'
    const [mine, theirs] = [await site.upload(author, { content }), await site.upload(site.root, { content })]
    await site.db.updateTable('attachment').set({ enable: 0, deleted_at: 1 }).where('id', '=', theirs.id).execute()
    expect(await refusal(publish(author, { attachment_id: mine.id }))).toMatchObject({ reason: 'uploads.banned' })
    expect(await site.db.selectFrom('rendition').select('hash').where('hash', '=', mine.hash).execute()).toEqual([])
  })

  test('all but one of concurrent requests for the same file', async () => {
    const file = await site.upload(author)
    const results = await Promise.allSettled([1, 2, 3, 4].map(() => publish(author, { attachment_id: file.id })))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const rows = await site.db.selectFrom('document').select('id').where('hash', '=', file.hash).execute()
    expect(rows).toHaveLength(1)
  })

  test.each([
    { price: -1 },
    { price: 1.5 },
    { title: 'x'.repeat(256) },
    { attachment_id: 'abc' },
    { keywords: 'x'.repeat(300) },
  ])('an item with %j', async (invalid) => {
    const file = await site.upload(author)
    const body = { category_id: [category], document: [{ attachment_id: file.id, ...invalid }] }
    const { status } = await site.send('POST', '/api/v1/document', { token: author.token, body })
    expect(status).toBe(400)
  })
})

describe('a published document', () => {
  test('is converted to pages', async () => {
    const file = await site.upload(author, { name: '讲义.pdf', content: makePdf({ title: '讲义', pages: 3 }) })
    const id = await publish(author, { attachment_id: file.id })
    await site.runDueJobs()
    const document = await site.call(documents.get, { id })
    expect(document).toMatchObject({ status: DocumentStatus.Converted, pages: 3, preview: 3, convert_error: '' })
    expect(document.content).toContain('讲义')
    expect((await site.request(`/view/page/${document.attachment.hash}/1.svg`)).status).toBe(200)
    expect((await site.request(document.cover)).status).toBe(200)
  })

  test('is counted for its owner and the site, and the upload is rewarded', async () => {
    const person = await site.author()
    const before = (await site.call(stats.get)).document_count
    await site.configure({ 'score.upload_document': '5', 'score.upload_document_limit': '1' })
    for (let n = 0; n < 2; n++) await publish(person, { attachment_id: (await site.upload(person)).id })
    const { doc_count, credit_count } = await person.call(users.get)
    expect({ doc_count, credit_count }).toEqual({ doc_count: 2, credit_count: 5 })
    expect((await site.call(stats.get)).document_count).toBe(before + 2)
  })

  test('that is reviewed first is hidden and uncounted, and is converted meanwhile', async () => {
    const person = await site.author({ reviewed: true })
    const file = await site.upload(person)
    const id = await publish(person, { attachment_id: file.id })
    expect((await findRow(id)).status).toBe(DocumentStatus.InReview)
    expect((await person.call(users.get)).doc_count).toBe(0)
    expect(await refusal(site.call(documents.get, { id }))).toMatchObject({ status: 404 })
    const rendition = await site.db.selectFrom('rendition').select('state').where('hash', '=', file.hash).execute()
    expect(rendition).toEqual([{ state: 'waiting' }])
  })

  test('is rolled back with its rendition when the request is refused', async () => {
    const person = await site.author()
    const file = await site.upload(person)
    const refused = person.call(documents.create, { category_id: [999_999], document: [{ attachment_id: file.id }] })
    expect(await refusal(refused)).toMatchObject({ status: 400 })
    expect(await site.db.selectFrom('document').select('id').where('hash', '=', file.hash).execute()).toEqual([])
    expect(await site.db.selectFrom('rendition').select('hash').where('hash', '=', file.hash).execute()).toEqual([])
    await publish(person, { attachment_id: file.id })
  })
})
