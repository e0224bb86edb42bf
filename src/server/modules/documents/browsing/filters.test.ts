import { DocumentStatus, publicStatuses } from '#shared/document-status.ts'
import * as z from 'zod/mini'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import type { CallInput } from '#shared/endpoint.ts'
import { anonymous, type Viewer } from '#server/context.ts'
import { type DocumentSite, openDocumentSite } from '#server/testing/document-site.ts'
import { explainQueries } from '#server/testing/databases/query-plans.ts'
import { seededIds, seedDocuments } from '#server/testing/seed-documents.ts'
import { listDocuments } from './list.ts'

type Filter = CallInput<typeof documents.list>

const { large, middle, author } = seededIds
const orders = ['id', 'created_at', 'view_count', 'download_count', 'favorite_count', 'pages', 'score', 'recommend_at']
const filters: [string, Filter][] = [
  ['everything', {}],
  ['converted documents', { status: [DocumentStatus.Converted] }],
  ['a kind', { ext: 'doc' }],
  ['free documents of a kind in a language', { ext: 'pdf', fee_type: 'free', language: ['fr'] }],
  ['documents with a price', { fee_type: 'charge' }],
  ['a period', { created_at: ['2023-03-01', '2024-06-30'] }],
  ['not recommended documents', { is_recommend: [false] }],
  ['an author with many documents', { user_id: [author] }],
  ['a large category', { category_id: [large] }],
  ['documents of a kind with a price in a large category', { category_id: [large], ext: 'doc', fee_type: 'charge' }],
]

/** To whom more than the public documents are shown: the condition is longer, the plan the same. */
const group = { enable_upload: 0, enable_document_review: 1, enable_comment: 0, enable_comment_approval: 1 }
const member: Viewer = {
  ...anonymous,
  id: 999_999,
  groups: [7, 8].map((id) => ({ id, ...group, enable_article: 0, enable_article_approval: 1 })),
}

let site: DocumentSite
beforeAll(async () => {
  site = await openDocumentSite()
  await seedDocuments(site.db, 20_000)
  // As on a large site: too many to sort.
  await site.db.updateTable('category').set({ doc_count: 20_000 }).where('id', '=', large).execute()
}, 60_000)
afterAll(() => site.close())

describe.runIf(inject('database').engine === 'sqlite')(
  'among many documents, SQLite reads the index of the order',
  () => {
    const cases = filters.flatMap(([name, filter]) => [
      [`${name}, by a visitor`, filter, anonymous] as const,
      [`${name}, by a member of groups`, filter, member] as const,
    ])

    test.each(cases)('for %s', async (_name, filter, viewer) => {
      const ctx = await site.app.context()
      for (const order of orders) {
        const { db, plans } = explainQueries(ctx.db)
        const input = z.parse(documents.list.input, { page: 1, size: 10, order: `${order} desc`, ...filter })
        await listDocuments({ ...ctx, db, viewer }, input)
        const steps = (await plans()).filter((plan) => plan.some((step) => / document( |$)/.test(step))).flat()
        expect(steps).toContainEqual(expect.stringContaining(`INDEX document_by_${order}`))
        const sorted = steps.filter((step) => step.includes('ORDER BY'))
        const fullScans = steps.filter((step) => /^SCAN (document|category|user)$/.test(step))
        expect({ order, sorted, fullScans }).toEqual({ order, sorted: [], fullScans: [] })
      }
    })

    test('but sorts the documents for VIP members, if they are few', async () => {
      const ctx = await site.app.context()
      for (const order of orders) {
        const { db, plans } = explainQueries(ctx.db)
        const input = z.parse(documents.list.input, { fee_type: 'vip', order: `${order} desc`, size: 10 })
        await listDocuments({ ...ctx, db }, input)
        const steps = (await plans()).filter((plan) => plan.some((step) => / document( |$)/.test(step))).flat()
        expect(steps).toContainEqual(expect.stringContaining('INDEX document_vip'))
        expect(steps).not.toContainEqual(expect.stringContaining('INDEX document_by_'))
      }
    })

    test('but sorts the documents of a small category', async () => {
      const ctx = await site.app.context()
      const { db, plans } = explainQueries(ctx.db)
      const input = z.parse(documents.list.input, { category_id: [middle], order: 'view_count desc', size: 10 })
      await listDocuments({ ...ctx, db }, input)
      expect((await plans()).flat()).toContainEqual(expect.stringMatching(/^SEARCH document_category .*category_id=\?/))
    })
  },
)

describe('whichever query plan is used, a list is the same', () => {
  /** The reference: all rows are read and filtered here. */
  async function findExpected(
    matches: (row: { ext: string; price: number; is_vip: number; language: string }) => boolean,
    category?: number,
  ) {
    const rows = await site.db.selectFrom('document').selectAll().where('deleted_at', 'is', null).execute()
    const links = await site.db.selectFrom('document_category').selectAll().execute()
    const inCategory = new Set(links.filter((row) => row.category_id === category).map((row) => row.document_id))
    return rows
      .filter((row) => publicStatuses.includes(row.status) && matches(row) && (!category || inCategory.has(row.id)))
      .toSorted((a, b) => b.view_count - a.view_count || b.id - a.id)
      .map(({ id }) => id)
  }

  test.each<[string, Filter, Parameters<typeof findExpected>]>([
    ['everything', {}, [() => true]],
    ['a large category', { category_id: [large] }, [() => true, large]],
    ['a small category', { category_id: [middle] }, [() => true, middle]],
    [
      'free documents of a kind in a large category',
      { category_id: [large], ext: 'pdf', fee_type: 'free' },
      [({ ext, price }) => ext === '.pdf' && price === 0, large],
    ],
    ['documents for VIP members', { fee_type: 'vip' }, [({ is_vip }) => is_vip === 1]],
    [
      'documents for VIP members in a large category',
      { category_id: [large], fee_type: 'vip' },
      [({ is_vip }) => is_vip === 1, large],
    ],
    [
      'a language in a small category',
      { category_id: [middle], language: ['en'] },
      [({ language }) => language === 'en', middle],
    ],
  ])('%s', async (_name, filter, args) => {
    const ids = await findExpected(...args)
    const list = (page: number) => site.call(documents.list, { ...filter, page, size: 10, order: 'view_count desc' })
    const { total, document } = await list(2)
    expect(document.map(({ id }) => id)).toEqual(ids.slice(10, 20))
    expect(total).toBe(ids.length)
  })

  test('filtered lists are counted as far as they can be paged', async () => {
    const free = await findExpected(({ price }) => price === 0)
    expect(free.length).toBeGreaterThan(10_000)
    expect((await site.call(documents.list, { fee_type: 'free', size: 10 })).total).toBe(10_000)
    const beyond = await site.call(documents.list, { fee_type: 'free', size: 10, page: 1002 })
    expect(beyond).toEqual({ total: 10_000, document: [] })
  })
})
