import * as z from 'zod/mini'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import type { Ask } from '#shared/endpoint.ts'
import { type Library, openLibrary } from '#server/testing/document-site.ts'
import { planned } from '#server/testing/query-plans.ts'
import { shelves, stock } from '#server/testing/seed-documents.ts'
import { listDocuments } from './list.ts'

type Filter = Ask<typeof documents.list>

const { large, middle, author } = shelves
const orders = ['id', 'created_at', 'view_count', 'download_count', 'favorite_count', 'pages', 'score', 'recommend_at']
const filters: [string, Filter][] = [
  ['everything', {}],
  ['what can be read', { status: [2] }],
  ['a kind', { ext: 'doc' }],
  ['a kind that is free in a language', { ext: 'pdf', fee_type: 'free', language: ['fr'] }],
  ['what costs', { fee_type: 'charge' }],
  ['a time', { created_at: ['2023-03-01', '2024-06-30'] }],
  ['what is not recommended', { is_recommend: [false] }],
  ['an author of many', { user_id: [author] }],
  ['a large category', { category_id: [large] }],
  ['a kind that costs in a large category', { category_id: [large], ext: 'doc', fee_type: 'charge' }],
]

let site: Library
beforeAll(async () => {
  site = await openLibrary()
  await stock(site.db, 20_000)
  // As on a site that has grown: more than one would care to sort.
  await site.db.updateTable('category').set({ doc_count: 20_000 }).where('id', '=', large).execute()
}, 60_000)
afterAll(() => site.close())

describe.runIf(inject('database').engine === 'sqlite')('among many documents, SQLite walks along the order', () => {
  test.each(filters)('for %s', async (_name, filter) => {
    const ctx = await site.app.context()
    for (const order of orders) {
      const { db, plans } = planned(ctx.db)
      const input = z.parse(documents.list.input, { page: 1, size: 10, order: `${order} desc`, ...filter })
      await listDocuments({ ...ctx, db }, input)
      const steps = (await plans()).filter((plan) => plan.some((step) => / document( |$)/.test(step))).flat()
      expect(steps).toContainEqual(expect.stringContaining(`INDEX document_by_${order}`))
      const sorted = steps.filter((step) => step.includes('ORDER BY'))
      const whole = steps.filter((step) => /^SCAN (document|category|user)$/.test(step))
      expect({ order, sorted, whole }).toEqual({ order, sorted: [], whole: [] })
    }
  })

  test('but sorts what a small category has', async () => {
    const ctx = await site.app.context()
    const { db, plans } = planned(ctx.db)
    const input = z.parse(documents.list.input, { category_id: [middle], order: 'view_count desc', size: 10 })
    await listDocuments({ ...ctx, db }, input)
    expect((await plans()).flat()).toContainEqual(expect.stringMatching(/^SEARCH document_category .*category_id=\?/))
  })
})

describe('whichever way it is found, a list is the same', () => {
  /** The plainest way: everything is read, and looked at here. */
  async function expected(fits: (row: { ext: string; price: number; language: string }) => boolean, category?: number) {
    const rows = await site.db.selectFrom('document').selectAll().where('deleted_at', 'is', null).execute()
    const placed = await site.db.selectFrom('document_category').selectAll().execute()
    const inside = new Set(placed.filter((row) => row.category_id === category).map((row) => row.document_id))
    return rows
      .filter((row) => ![4, 6, 7].includes(row.status) && fits(row) && (!category || inside.has(row.id)))
      .toSorted((a, b) => b.view_count - a.view_count || b.id - a.id)
      .map(({ id }) => id)
  }

  test.each<[string, Filter, Parameters<typeof expected>]>([
    ['everything', {}, [() => true]],
    ['a large category', { category_id: [large] }, [() => true, large]],
    ['a small category', { category_id: [middle] }, [() => true, middle]],
    [
      'a kind that is free in a large category',
      { category_id: [large], ext: 'pdf', fee_type: 'free' },
      [({ ext, price }) => ext === '.pdf' && price === 0, large],
    ],
    [
      'a language in a small category',
      { category_id: [middle], language: ['en'] },
      [({ language }) => language === 'en', middle],
    ],
  ])('%s', async (_name, filter, given) => {
    const ids = await expected(...given)
    const list = (page: number) => site.call(documents.list, { ...filter, page, size: 10, order: 'view_count desc' })
    const { total, document } = await list(2)
    expect(document.map(({ id }) => id)).toEqual(ids.slice(10, 20))
    expect(total).toBe(ids.length)
  })

  test('what is narrowed is counted as far as anybody can leaf', async () => {
    const free = await expected(({ price }) => price === 0)
    expect(free.length).toBeGreaterThan(10_000)
    expect((await site.call(documents.list, { fee_type: 'free', size: 10 })).total).toBe(10_000)
    const beyond = await site.call(documents.list, { fee_type: 'free', size: 10, page: 1002 })
    expect(beyond).toEqual({ total: 10_000, document: [] })
  })
})
