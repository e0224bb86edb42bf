import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { punishments } from '#shared/contract/access.ts'
import { documents } from '#shared/contract/documents.ts'
import { stats } from '#shared/contract/system.ts'
import { users } from '#shared/contract/users.ts'
import { type Library, openLibrary } from '#server/testing/document-site.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { type Person, refusal } from '#server/testing/site.ts'

let site: Library
let author: Person
let category: number
beforeAll(async () => {
  site = await openLibrary()
  author = await site.author()
  category = await site.category('资料')
})
afterAll(() => site.close())

async function publish(person: Person, given: { attachment_id: number; title?: string; [key: string]: unknown }) {
  const { document } = await person.call(documents.create, { category_id: [category], document: [given] })
  return document[0]?.id ?? 0
}

function rowOf(id: number) {
  return site.db.selectFrom('document').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

describe('publishing', () => {
  test('makes a document of each file, in the order given', async () => {
    const files = [await site.upload(author, { name: '甲.pdf' }), await site.upload(author, { name: '乙.docx' })]
    const { document } = await author.call(documents.create, {
      category_id: [category],
      document: files.toReversed().map(({ id }) => ({ attachment_id: id })),
    })
    expect(document.map(({ attachment_id }) => attachment_id)).toEqual([files[1]?.id, files[0]?.id])
    expect(document.every(({ status, uuid }) => status === 0 && /^[0-9a-f]{16}$/.test(uuid))).toBe(true)
    const [first] = document
    expect(await rowOf(first?.id ?? 0)).toMatchObject({
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

  test('takes what the author says about it', async () => {
    const file = await site.upload(author)
    const id = await publish(author, {
      attachment_id: file.id,
      title: '  年度报告 ',
      keywords: '财务，报告、 财务;2024',
      description: '说'.repeat(900),
      language: 'en',
      price: 7,
    })
    const row = await rowOf(id)
    expect(row).toMatchObject({ title: '年度报告', keywords: '财务,报告,2024', language: 'en', price: 7 })
    expect(row.description).toHaveLength(512)
  })

  test('makes keywords of the title when there are none', async () => {
    const file = await site.upload(author, { name: '人工智能技术发展报告(2024).pdf' })
    const { keywords, language } = await rowOf(await publish(author, { attachment_id: file.id }))
    expect(keywords.split(',')).toEqual(expect.arrayContaining(['智能', '技术', '报告']))
    expect(keywords).not.toContain('2024')
    expect(language).toBe('')
  })

  test('understands the name of a language, and refuses one that nobody speaks', async () => {
    const row = await site.db
      .selectFrom('language')
      .select('language')
      .where('code', '=', 'ja')
      .executeTakeFirstOrThrow()
    const file = await site.upload(author)
    const refused = await refusal(publish(author, { attachment_id: file.id, language: 'Klingon' }))
    expect(refused).toMatchObject({ status: 400, reason: 'documents.languageUnknown' })
    const id = await publish(author, { attachment_id: file.id, language: row.language })
    expect((await rowOf(id)).language).toBe('ja')
  })

  test('shows at once what was converted before', async () => {
    const file = await site.upload(author)
    await site.shelve({ hash: file.hash, pages: 40 })
    const id = await publish(author, { attachment_id: file.id })
    expect(await rowOf(id)).toMatchObject({ status: 2, pages: 40, width: 612, height: 792 })
  })

  test('has new content converted, once however many bring it', async () => {
    const content = 'the same for both'
    const files = [await site.upload(author, { content }), await site.upload(author, { content })]
    for (const { id } of files) await publish(author, { attachment_id: id })
    const jobs = await site.db.selectFrom('job').select('payload').where('kind', 'like', 'document.convert%').execute()
    expect(jobs.filter(({ payload }) => payload.includes(files[0]?.hash ?? ''))).toHaveLength(1)
  })

  test('ignores what is not the author’s to say', async () => {
    const file = await site.upload(author)
    const body = {
      category_id: [category],
      document: [{ attachment_id: file.id, status: 2, user_id: 1, score: 500, view_count: 9, recommend_at: 1, id: 1 }],
    }
    const { json } = await site.send('POST', '/api/v1/document', { token: author.token, body })
    const [made] = json.document as { id: number }[]
    expect(await rowOf(made?.id ?? 0)).toMatchObject({
      status: 0,
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
  const countOf = async (id: number) =>
    (await site.db.selectFrom('category').select('doc_count').where('id', '=', id).executeTakeFirst())?.doc_count

  test('the narrowest brings those above it, and each is counted', async () => {
    const { document } = await put([leaf])
    await put([root, leaf])
    expect((await site.call(documents.get, { id: document[0]?.id })).category_id).toEqual([root, leaf])
    expect([await countOf(root), await countOf(leaf)]).toEqual([2, 2])
  })

  test.each([
    ['unknown', async () => 999_999],
    ['switched off', () => site.category('停用', { enable: 0 })],
    ['for articles', () => site.category('文章', { type: 1 })],
    [
      'under one that is switched off',
      async () => site.category('下级', { parent: await site.category('上', { enable: 0 }) }),
    ],
  ])('%s is refused', async (_name, make) => {
    expect(await refusal(put([await make()]))).toMatchObject({ status: 400, reason: 'documents.categoryUnknown' })
  })

  test('one is needed as soon as there is one', async () => {
    expect(await refusal(put([]))).toMatchObject({ reason: 'documents.categoryNeeded' })
    const empty = await openLibrary()
    const person = await empty.author()
    const file = await empty.upload(person)
    const made = await person.call(documents.create, { document: [{ attachment_id: file.id }] })
    expect(made.document).toHaveLength(1)
    await empty.close()
  })
})

describe('who may publish', () => {
  test('not who may not upload', async () => {
    const member = await site.member()
    const file = await site.upload(member)
    const refused = await refusal(publish(member, { attachment_id: file.id }))
    expect(refused).toMatchObject({ status: 403, reason: 'users.uploadDenied' })
  })

  test('not who is punished', async () => {
    const person = await site.author()
    await site.root.call(punishments.create, { user_id: [person.id], type: [3], enable: true })
    const file = await site.upload(person)
    expect(await refusal(publish(person, { attachment_id: file.id }))).toMatchObject({ reason: 'punishments.active' })
  })

  test('files of others stop everything, and stay theirs', async () => {
    const other = await site.author()
    const [own, foreign] = [await site.upload(author), await site.upload(other)]
    const both = author.call(documents.create, {
      category_id: [category],
      document: [{ attachment_id: own.id }, { attachment_id: foreign.id }],
    })
    expect(await refusal(both)).toMatchObject({ status: 400, reason: 'documents.filesUnusable' })
    expect(await refusal(publish(author, { attachment_id: foreign.id }))).toMatchObject({ reason: 'documents.noFiles' })
    await publish(author, { attachment_id: own.id })
    await publish(other, { attachment_id: foreign.id })
  })

  test('only files for documents, each once, and none that is banned', async () => {
    const [avatar, file, banned] = [
      await site.upload(author, { type: 1 }),
      await site.upload(author),
      await site.upload(author),
    ]
    expect(await refusal(publish(author, { attachment_id: avatar.id }))).toMatchObject({ status: 400 })
    await publish(author, { attachment_id: file.id })
    expect(await refusal(publish(author, { attachment_id: file.id }))).toMatchObject({ reason: 'documents.noFiles' })
    await site.db.updateTable('attachment').set({ enable: 0 }).where('id', '=', banned.id).execute()
    expect(await refusal(publish(author, { attachment_id: banned.id }))).toMatchObject({ reason: 'uploads.banned' })
  })

  test('nor content that was banned as another’s file after it was uploaded', async () => {
    const content = '两个人的同一份'
    const [mine, theirs] = [await site.upload(author, { content }), await site.upload(site.root, { content })]
    await site.db.updateTable('attachment').set({ enable: 0, deleted_at: 1 }).where('id', '=', theirs.id).execute()
    expect(await refusal(publish(author, { attachment_id: mine.id }))).toMatchObject({ reason: 'uploads.banned' })
    expect(await site.db.selectFrom('rendition').select('hash').where('hash', '=', mine.hash).execute()).toEqual([])
  })

  test('a file that is published twice at the same moment becomes one document', async () => {
    const file = await site.upload(author)
    const tries = await Promise.allSettled([1, 2, 3, 4].map(() => publish(author, { attachment_id: file.id })))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const rows = await site.db.selectFrom('document').select('id').where('hash', '=', file.hash).execute()
    expect(rows).toHaveLength(1)
  })

  test.each([
    { price: -1 },
    { price: 1.5 },
    { title: 'x'.repeat(256) },
    { attachment_id: 'abc' },
    { keywords: 'x'.repeat(300) },
  ])('%j is refused', async (wrong) => {
    const file = await site.upload(author)
    const body = { category_id: [category], document: [{ attachment_id: file.id, ...wrong }] }
    const { status } = await site.send('POST', '/api/v1/document', { token: author.token, body })
    expect(status).toBe(400)
  })
})

describe('afterwards', () => {
  test('the file becomes pages that can be read', async () => {
    const file = await site.upload(author, { name: '讲义.pdf', content: makePdf({ title: '讲义', pages: 3 }) })
    const id = await publish(author, { attachment_id: file.id })
    await site.settle()
    const seen = await site.call(documents.get, { id })
    expect(seen).toMatchObject({ status: 2, pages: 3, preview: 3, convert_error: '' })
    expect(seen.content).toContain('讲义')
    expect((await site.request(`/view/page/${seen.attachment.hash}/1.svg`)).status).toBe(200)
    expect((await site.request(seen.cover)).status).toBe(200)
  })

  test('what is public is counted for its owner and the site, and the upload rewarded', async () => {
    const person = await site.author()
    const before = (await site.call(stats.get)).document_count
    await site.configure({ 'score.upload_document': '5', 'score.upload_document_limit': '1' })
    for (let each = 0; each < 2; each++) await publish(person, { attachment_id: (await site.upload(person)).id })
    const { doc_count, credit_count } = await person.call(users.get)
    expect({ doc_count, credit_count }).toEqual({ doc_count: 2, credit_count: 5 })
    expect((await site.call(stats.get)).document_count).toBe(before + 2)
  })

  test('what has to be reviewed waits for that, unseen and uncounted, and is converted meanwhile', async () => {
    const person = await site.author({ reviewed: true })
    const file = await site.upload(person)
    const id = await publish(person, { attachment_id: file.id })
    expect((await rowOf(id)).status).toBe(6)
    expect((await person.call(users.get)).doc_count).toBe(0)
    expect(await refusal(site.call(documents.get, { id }))).toMatchObject({ status: 404 })
    const rendition = await site.db.selectFrom('rendition').select('state').where('hash', '=', file.hash).execute()
    expect(rendition).toEqual([{ state: 'waiting' }])
  })

  test('a refusal leaves nothing behind', async () => {
    const person = await site.author()
    const file = await site.upload(person)
    const wrong = person.call(documents.create, { category_id: [999_999], document: [{ attachment_id: file.id }] })
    expect(await refusal(wrong)).toMatchObject({ status: 400 })
    expect(await site.db.selectFrom('document').select('id').where('hash', '=', file.hash).execute()).toEqual([])
    expect(await site.db.selectFrom('rendition').select('hash').where('hash', '=', file.hash).execute()).toEqual([])
    await publish(person, { attachment_id: file.id })
  })
})
