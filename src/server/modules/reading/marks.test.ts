import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { documentRecycle, documents } from '#shared/contract/documents.ts'
import { annotations, bookmarks, noteLimits } from '#shared/contract/reading.ts'
import { HighlightColor, Visibility } from '#shared/enums.ts'
import { type DocumentSite, openDocumentSite } from '#server/testing/document-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'
import { maxPerDocument } from './marks.ts'

const range = { start_line: 1, start_char: 2, end_line: 2, end_char: 5 }

let site: DocumentSite
let reader: Person
let otherReader: Person
let document_id: number
beforeAll(async () => {
  site = await openDocumentSite()
  await site.configure({ 'system.domain': 'https://wenku.example.com' })
})
afterAll(() => site.close())
beforeEach(async () => {
  reader = await site.member()
  otherReader = await site.member()
  ;[document_id = 0] = await site.addDocuments({ title: '论语', pages: 9 })
})

describe('bookmarks', () => {
  test('are one for each page, also when two tabs add it at once', async () => {
    const added = await Promise.all(
      Array.from({ length: 8 }, () => reader.call(bookmarks.create, { document_id, page: 4 })),
    )
    expect(new Set(added.map(({ id }) => id)).size).toBe(1)
    expect(await reader.call(bookmarks.list, { document_id })).toMatchObject({
      total: 1,
      bookmark: [{ page: 4, title: '论语', is_gone: false }],
    })
    expect((await otherReader.call(bookmarks.list)).total).toBe(0)
  })

  test('are named and removed by their owner alone', async () => {
    const { id } = await reader.call(bookmarks.create, { document_id, page: 4 })
    expect(await refusal(otherReader.call(bookmarks.update, { id, label: '别人的' }))).toMatchObject({
      reason: 'reading.notFound',
    })
    await otherReader.call(bookmarks.delete, { id: [id] })
    await reader.call(bookmarks.update, { id, label: '仁' })
    expect((await reader.call(bookmarks.list, { wd: '仁' })).bookmark).toMatchObject([{ label: '仁' }])
    await reader.call(bookmarks.delete, { id: [id] })
    expect((await reader.call(bookmarks.list)).total).toBe(0)
  })

  test('stand on pages that the member may read', async () => {
    expect(await refusal(reader.call(bookmarks.create, { document_id, page: 10 }))).toMatchObject({
      status: 400,
      reason: 'reading.noSuchPage',
    })
    const [hidden = 0] = await site.addDocuments({ visibility: Visibility.Private })
    expect(await refusal(reader.call(bookmarks.create, { document_id: hidden, page: 1 }))).toMatchObject({
      status: 404,
    })
    expect(await refusal(site.call(bookmarks.create, { document_id, page: 1 }))).toMatchObject({ status: 401 })
  })

  test('have a limit in a document', async () => {
    const [long = 0] = await site.addDocuments({ pages: 1000 })
    const rows = Array.from({ length: maxPerDocument.bookmark }, (_, index) => ({
      user_id: reader.id,
      document_id: long,
      document_title: '',
      page: index + 1,
      created_at: 1,
      updated_at: 1,
    }))
    await site.db.insertInto('bookmark').values(rows).execute()
    expect(await refusal(reader.call(bookmarks.create, { document_id: long, page: 900 }))).toMatchObject({
      status: 400,
      reason: 'reading.tooManyInDocument',
    })
    expect((await reader.call(bookmarks.create, { document_id: long, page: 3 })).page).toBe(3)
  })
})

describe('highlights and notes', () => {
  test('are listed in the order of the text, and seen by their owner alone', async () => {
    await annotate({ page: 5, quote: '学而时习之', note: '开篇' })
    const first = await annotate({ page: 2, quote: '有朋自远方来', color: HighlightColor.Blue })
    expect(first).toMatchObject({ ...range, title: '论语', note: '', color: HighlightColor.Blue })
    const { total, annotation } = await reader.call(annotations.list, { document_id })
    expect([total, annotation.map(({ quote }) => quote)]).toEqual([2, ['有朋自远方来', '学而时习之']])
    expect((await otherReader.call(annotations.list, { document_id })).total).toBe(0)
    const stored = await site.db.selectFrom('annotation').select('visibility').where('id', '=', first.id).execute()
    expect(stored).toEqual([{ visibility: Visibility.Private }])
  })

  test('are found by quotation, note and title, over all documents', async () => {
    const [other = 0] = await site.addDocuments({ title: '孟子' })
    await annotate({ page: 5, quote: '学而时习之', note: '开篇' })
    await annotate({ document_id: other, quote: '民为贵', note: '100%' })
    const find = async (wd: string) =>
      (await reader.call(annotations.list, { wd })).annotation.map(({ title }) => title)
    expect(await find('')).toEqual(['孟子', '论语'])
    expect(await find('时习')).toEqual(['论语'])
    expect(await find('100%')).toEqual(['孟子'])
    expect(await find('孟子')).toEqual(['孟子'])
    expect(await find('墨子')).toEqual([])
  })

  test('are changed and deleted by their owner alone', async () => {
    const { id } = await annotate({ quote: '温故而知新' })
    const change = { id, color: HighlightColor.Pink, note: '可以为师矣' }
    expect(await refusal(otherReader.call(annotations.update, change))).toMatchObject({ status: 404 })
    await otherReader.call(annotations.delete, { id: [id] })
    await reader.call(annotations.update, change)
    expect((await reader.call(annotations.list)).annotation).toMatchObject([change])
    await reader.call(annotations.delete, { id: [id] })
    expect((await reader.call(annotations.list)).total).toBe(0)
  })

  test('have limits of length and number', async () => {
    expect(await refusal(annotate({ quote: '' }))).toMatchObject({ status: 400 })
    expect(await refusal(annotate({ quote: '字', note: '字'.repeat(noteLimits.note + 1) }))).toMatchObject({
      status: 400,
    })
    const row = { user_id: reader.id, document_id, document_title: '', page: 1, ...range, quote: '字' }
    const stamps = { created_at: 1, updated_at: 1 }
    const rows = Array.from({ length: maxPerDocument.annotation }, () => ({
      ...row,
      color: HighlightColor.Yellow,
      visibility: Visibility.Private,
      ...stamps,
    }))
    await site.db.insertInto('annotation').values(rows).execute()
    expect(await refusal(annotate({ quote: '再一条' }))).toMatchObject({ reason: 'reading.tooManyInDocument' })
  })

  test('stay without a link when the document is hidden, and go when it is deleted for good', async () => {
    const { id } = await annotate({ quote: '逝者如斯夫' })
    await reader.call(bookmarks.create, { document_id, page: 1 })
    await site.root.call(documents.setVisibility, { id: [document_id], visibility: Visibility.Private })
    await site.db.updateTable('document').set({ title: '不该看到' }).where('id', '=', document_id).execute()
    const hidden = { title: '论语', is_gone: true, document_uuid: '' }
    expect((await reader.call(annotations.list)).annotation).toMatchObject([{ id, quote: '逝者如斯夫', ...hidden }])
    expect((await reader.call(bookmarks.list)).bookmark).toMatchObject([hidden])
    await reader.call(annotations.update, { id, color: HighlightColor.Green, note: '还是我的' })
    await site.root.call(documents.delete, { id: [document_id] })
    await site.root.call(documentRecycle.delete, { id: [document_id] })
    await site.runDueJobs()
    expect((await reader.call(annotations.list)).total).toBe(0)
    expect((await reader.call(bookmarks.list)).total).toBe(0)
  })
})

describe('the export', () => {
  test('has quotations with their pages, links back, notes and bookmarks', async () => {
    const { uuid } = await site.call(documents.get, { id: document_id })
    await annotate({ page: 5, quote: '学而*时习*之\n不亦说乎', note: '**开篇**' })
    await reader.call(bookmarks.create, { document_id, page: 7, label: '仁' })
    const { name, type, text } = await download(reader, document_id)
    expect(name).toBe('论语 读书笔记.md')
    expect(type).toContain('text/markdown')
    const page = `https://wenku.example.com/document/${uuid}?page`
    expect(text).toContain(`# [论语](https://wenku.example.com/document/${uuid})\n`)
    expect(text).toContain(`## [第 5 页](${page}=5)\n\n> 学而\\*时习\\*之\n> 不亦说乎\n\n**开篇**\n`)
    expect(text).toContain(`## [第 7 页](${page}=7)\n\n书签：仁\n`)
  })

  test('of all documents has them all; without any there is nothing to export', async () => {
    const [other = 0] = await site.addDocuments({ title: '孟子' })
    await annotate({ quote: '一' })
    await annotate({ document_id: other, quote: '二' })
    await site.root.call(documents.setVisibility, { id: [other], visibility: Visibility.Private })
    const { name, text } = await download(reader, 0)
    expect(name).toMatch(/^读书笔记 \d{4}-\d\d-\d\d\.md$/)
    expect(text).toContain('> 一')
    expect(text).toContain('# 孟子\n\n文档已不可见。\n\n## 第 1 页\n\n> 二')
    expect(await refusal(otherReader.call(annotations.export))).toMatchObject({ reason: 'reading.nothingToExport' })
  })
})

interface NewAnnotation {
  document_id?: number
  page?: number
  quote: string
  note?: string
  color?: HighlightColor
}

function annotate(annotation: NewAnnotation) {
  return reader.call(annotations.create, { document_id, page: 1, ...range, ...annotation })
}

async function download(person: Person, id: number) {
  const { name, type, body } = await person.call(annotations.export, { document_id: id })
  return { name, type, text: await new Response(body).text() }
}
