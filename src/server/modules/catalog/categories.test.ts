import { DocumentStatus } from '#shared/document-status.ts'
import { ContentType, ReviewStatus } from '#shared/enums.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { articles } from '#shared/contract/articles.ts'
import { documents } from '#shared/contract/documents.ts'
import { categories } from '#shared/contract/catalog.ts'
import type { CallInput } from '#shared/endpoint.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { openSite, refusal, type Site } from '#server/testing/site.ts'
import { storeDocument } from '#server/testing/store-document.ts'
import { changeArticles } from '#server/modules/articles/articles.counts.ts'
import { moveDocuments } from '#server/modules/documents/documents.status.ts'
import { categoryPaths, resolveCategories } from './categories.service.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
beforeEach(async () => {
  await site.db.deleteFrom('category').execute()
  await site.db.deleteFrom('document_category').execute()
  await site.db.deleteFrom('document').execute()
  await site.db.deleteFrom('article_category').execute()
})
afterAll(() => site.close())

describe('the list', () => {
  beforeEach(async () => {
    await make('法律', { sort: 1 })
    await make('教育', { sort: 9 })
    await make('停用', { sort: 5, enable: false })
    await make('新闻', { type: ContentType.Article })
  })

  test('shows disabled categories only to their managers', async () => {
    expect(await titles(site.call)).toEqual(['教育', '法律'])
    expect(await titles(site.call, { enable: [false] })).toEqual(['教育', '法律'])
    const manager = await site.staff('CategoryAPI/ListCategory')
    expect(await titles(manager.call)).toEqual(['教育', '停用', '法律'])
    expect(await titles(manager.call, { enable: [false] })).toEqual(['停用'])
    expect(await titles(manager.call, { wd: '教' })).toEqual(['教育'])
  })

  test('is that of documents unless another type is requested', async () => {
    expect(await titles(site.call, { type: [ContentType.Article] })).toEqual(['新闻'])
    expect(await titles(site.call, { type: [ContentType.Document, ContentType.Article] })).toEqual([
      '教育',
      '法律',
      '新闻',
    ])
  })

  test('is complete without a size, and paged with one', async () => {
    await make(Array.from({ length: 60 }, (_, at) => `分类 ${at}`).join('\n'))
    expect(await titles(site.call)).toHaveLength(62)
    expect(await titles(site.call, { page: 2, size: 50 })).toHaveLength(12)
  })

  function titles(caller: Site['call'], query: Partial<CallInput<typeof categories.list>> = {}) {
    return caller(categories.list, query).then(({ category }) => category.map(({ title }) => title))
  }
})

describe('creating', () => {
  test('makes one for each line, and leaves existing ones alone', async () => {
    const root = await make('教育', { sort: 3 })
    await make(' 教育 \r\n\n  法律  法规 \n教育\n科学', { sort: 8, enable: false })
    const all = await rows()
    expect(all.map(({ title, sort, enable }) => [title, sort, enable])).toEqual([
      ['教育', 3, true],
      ['法律 法规', 8, false],
      ['科学', 8, false],
    ])
    expect(all[0]?.id).toBe(root)
    await make('教育', { type: ContentType.Article })
    await make('教育', { parent_id: root })
    expect(await rows()).toHaveLength(5)
  })

  test('refuses a parent that is missing or of another type, a sixth level and a long title', async () => {
    const news = await make('新闻', { type: ContentType.Article })
    let parent_id = 0
    for (const level of ['一', '二', '三', '四', '五']) parent_id = await make(level, { parent_id })
    const refused = (change: Form) => refusal(create({ title: '六', ...change })).then(({ reason }) => reason)
    expect(await refused({ parent_id: 999_999 })).toBe('categories.parentUnknown')
    expect(await refused({ parent_id: news })).toBe('categories.parentUnknown')
    expect(await refused({ parent_id })).toBe('categories.tooDeep')
    expect(await refused({ title: `好\n${'长'.repeat(65)}` })).toBe('request.invalid')
    expect(await refused({ cover: 'javascript:alert(1)' })).toBe('request.invalid')
    expect(await rows()).toHaveLength(6)
  })
})

describe('changing', () => {
  test('never changes its counter, its type or its creation time', async () => {
    const id = await make('教育')
    await site.db.updateTable('category').set({ doc_count: 7 }).where('id', '=', id).execute()
    const before = await site.root.call(categories.get, { id })
    const change = { title: '教育资料', description: '说明', doc_count: 999, created_at: 0, type: ContentType.Article }
    await site.root.call(categories.update, { ...before, ...change })
    expect(await site.root.call(categories.get, { id })).toEqual({
      ...before,
      title: '教育资料',
      description: '说明',
      updated_at: expect.any(Number),
    })
  })

  test('refuses a sibling’s title, a cycle, a parent of another type and too many levels', async () => {
    const [law, school] = [await make('法律'), await make('教育')]
    const inner = await make('小学', { parent_id: school })
    const innermost = await make('一年级', { parent_id: inner })
    const news = await make('新闻', { type: ContentType.Article })
    const deep = await make('四', { parent_id: await make('三', { parent_id: await make('二', { parent_id: law }) }) })
    const refused = (id: number, change: Form) => refusal(update(id, change))
    expect(await refused(school, { title: '法律' })).toMatchObject({ status: 409, reason: 'categories.titleTaken' })
    for (const parent_id of [school, inner, innermost])
      expect(await refused(school, { parent_id })).toMatchObject({ reason: 'categories.parentInside' })
    expect(await refused(school, { parent_id: news })).toMatchObject({ reason: 'categories.parentUnknown' })
    expect(await refused(school, { parent_id: deep })).toMatchObject({ reason: 'categories.tooDeep' })
    expect(await refused(999_999, {})).toMatchObject({ status: 404 })
    await update(innermost, { parent_id: deep })
  })

  test('concurrent moves never make a cycle', async () => {
    const pairs = await Promise.all(
      Array.from({ length: 8 }, async (_, at) => {
        await create({ title: `甲 ${at}\n乙 ${at}` })
        return [await findId(`甲 ${at}`), await findId(`乙 ${at}`)] as const
      }),
    )
    const moves = await Promise.all(
      pairs.map(([left, right]) =>
        Promise.allSettled([update(left, { parent_id: right }), update(right, { parent_id: left })]),
      ),
    )
    for (const pair of moves) expect(pair.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })
})

describe('moving a category', () => {
  test('moves its documents from the old ancestors to the new ones, with the right counts on every level', async () => {
    const [a, x] = [await make('A'), await make('X')]
    const b = await make('B', { parent_id: a })
    const c = await make('C', { parent_id: b })
    const d = await make('D', { parent_id: a })
    const y = await make('Y', { parent_id: x })
    const inC = await store([a, b, c])
    const inB = await store([a, b])
    const inBandD = await store([a, b, d])
    const inBandY = await store([a, b, x, y])
    const hidden = await store([a, b], DocumentStatus.InReview)
    const inD = await store([a, d])
    await countAll()
    expect(await counts()).toEqual({ A: 5, B: 4, C: 1, D: 2, X: 1, Y: 1 })

    await update(b, { parent_id: y })
    expect(await linksOf(inC)).toEqual([x, y, b, c])
    expect(await linksOf(inB)).toEqual([x, y, b])
    expect(await linksOf(inBandD)).toEqual([a, x, y, b, d])
    expect(await linksOf(inBandY)).toEqual([x, y, b])
    expect(await linksOf(hidden)).toEqual([x, y, b])
    expect(await linksOf(inD)).toEqual([a, d])
    expect(await counts()).toEqual({ A: 2, B: 4, C: 1, D: 2, X: 4, Y: 4 })

    await update(b, { parent_id: 0 })
    expect(await linksOf(inC)).toEqual([b, c])
    expect(await counts()).toMatchObject({ A: 2, B: 4, C: 1, D: 2 })

    async function linksOf(id: number): Promise<number[]> {
      const links = await site.db.selectFrom('document_category').selectAll().where('document_id', '=', id).execute()
      const order = [a, x, y, b, c, d]
      return links
        .map(({ category_id }) => category_id)
        .toSorted((left, right) => order.indexOf(left) - order.indexOf(right))
    }
  })

  test('within its ancestors leaves the shared ones alone', async () => {
    const a = await make('A')
    const [b, d] = [await make('B', { parent_id: a }), await make('D', { parent_id: a })]
    const c = await make('C', { parent_id: b })
    await store([a, b, c])
    await countAll()
    await update(c, { parent_id: d })
    expect(await counts()).toEqual({ A: 1, B: 0, C: 1, D: 1 })
  })

  test('moves its articles as well', async () => {
    const [a, x] = [await make('A', { type: ContentType.Article }), await make('X', { type: ContentType.Article })]
    const b = await make('B', { type: ContentType.Article, parent_id: a })
    const c = await make('C', { type: ContentType.Article, parent_id: b })
    const createArticle = (category_id: number) =>
      site.root.call(articles.create, { title: '一篇', content: '<p>正文</p>', category_id: [category_id] })
    const [inB, inC, hidden] = [await createArticle(b), await createArticle(c), await createArticle(b)]
    await site.root.call(articles.review, { article_id: [hidden.id], status: ReviewStatus.Rejected })
    expect(await counts()).toEqual({ A: 2, B: 2, C: 1, X: 0 })
    await update(b, { parent_id: x })
    expect(await counts()).toEqual({ A: 0, B: 2, C: 1, X: 2 })
    for (const [{ id }, path] of [
      [inB, [x, b]],
      [inC, [x, b, c]],
      [hidden, [x, b]],
    ] as const)
      expect((await site.root.call(articles.get, { id })).category_id).toEqual(path)
    await site.root.call(articles.review, { article_id: [hidden.id], status: ReviewStatus.Approved })
    expect(await counts()).toEqual({ A: 0, B: 3, C: 1, X: 3 })
    await update(c, { parent_id: a })
    expect(await counts()).toEqual({ A: 1, B: 2, C: 1, X: 2 })
  })

  test('waits for a document that is being published into it', async () => {
    const [a, x] = [await make('A'), await make('X')]
    const b = await make('B', { parent_id: a })
    let moved: Promise<unknown> | undefined
    await transaction(await site.app.context(), async (ctx) => {
      const path = await resolveCategories(ctx, [b], ContentType.Document)
      moved = update(b, { parent_id: x })
      await Promise.race([moved, sleep(300)])
      await storeDocument({ ...site, db: ctx.db }, { owner: { id: 1 }, categories: path })
    })
    await moved
    const links = await site.db.selectFrom('document_category').select('category_id').orderBy('category_id').execute()
    expect(links.map(({ category_id }) => category_id)).toEqual([x, b])
    expect(await counts()).toEqual({ A: 0, B: 0, X: 1 })
  })

  test('waits for documents in it and above it that are being counted', async () => {
    const [a, x] = [await make('A'), await make('X')]
    const b = await make('B', { parent_id: a })
    const [above, inside] = [await store([a]), await store([a, b])]
    await countAll()
    await whileMoving(b, x, async (ctx, move) => {
      await moveDocuments(ctx, [above], 'disable')
      await move()
      await moveDocuments(ctx, [inside], 'disable')
    })
    expect(await counts()).toEqual({ A: 0, B: 0, X: 0 })
  })

  test('waits for an article in it that is being deleted', async () => {
    const [a, x] = [await make('A', { type: ContentType.Article }), await make('X', { type: ContentType.Article })]
    const b = await make('B', { type: ContentType.Article, parent_id: a })
    const { id } = await site.root.call(articles.create, { title: '一篇', content: '<p>正文</p>', category_id: [b] })
    await whileMoving(b, x, (ctx, move) =>
      changeArticles(ctx, [id], async () => {
        await ctx.db.updateTable('article').set({ deleted_at: 1 }).where('id', '=', id).execute()
        await move()
      }),
    )
    expect(await counts()).toEqual({ A: 0, B: 0, X: 0 })
  })

  test('does not deadlock with concurrent edits and reviews of its documents', async () => {
    const [a, x] = [await make('A'), await make('X')]
    const b = await make('B', { parent_id: a })
    const ids = await Promise.all(Array.from({ length: 12 }, () => store([a, b])))
    await countAll()
    await Promise.all(
      ids.flatMap((id, at) => [
        site.root.call(documents.setCategory, { document_id: [id], category_id: [at % 2 ? b : x] }),
        site.root.call(documents.review, { id: [id], status: DocumentStatus.Disabled }),
        update(b, { parent_id: at % 2 ? x : a }),
      ]),
    )
    expect(await counts()).toEqual({ A: 0, B: 0, X: 0 })
  })
})

/** Runs work in a transaction that starts before a category is moved, and continues after. */
async function whileMoving(
  id: number,
  parent_id: number,
  work: (ctx: Ctx, move: () => Promise<unknown>) => Promise<void>,
) {
  let moved: Promise<unknown> | undefined
  await transaction(await site.app.context(), (ctx) =>
    work(ctx, () => {
      moved = update(id, { parent_id })
      return Promise.race([moved, sleep(300)])
    }),
  )
  await moved
}

describe('deleting', () => {
  test('deletes empty categories with their descendants, and keeps the others', async () => {
    const [empty, full] = [await make('空'), await make('满')]
    await make('空的下级', { parent_id: empty })
    const inner = await make('满的下级', { parent_id: full })
    await make('满的空下级', { parent_id: full })
    await store([full, inner])
    await countAll()
    await site.root.call(categories.delete, { id: [empty, full] })
    expect((await rows()).map(({ title }) => title)).toEqual(['满', '满的下级', '满的空下级'])
    expect(await refusal(site.root.call(categories.delete, { id: [full, inner] }))).toMatchObject({
      status: 400,
      reason: 'categories.inUse',
    })
    expect(await refusal(site.root.call(categories.delete, { id: [999_999] }))).toMatchObject({ status: 404 })
  })

  test('keeps a category with pending documents, though visitors see none', async () => {
    const id = await make('待审')
    await store([id], DocumentStatus.InReview)
    expect(await refusal(site.root.call(categories.delete, { id: [id] }))).toMatchObject({ reason: 'categories.inUse' })
  })

  test('keeps a category with articles, and removes the links of those in the recycle bin', async () => {
    const id = await make('专栏', { type: ContentType.Article })
    const article = await site.root.call(articles.create, { title: '一篇', content: '<p>正文</p>', category_id: [id] })
    await site.root.call(articles.review, { article_id: [article.id], status: ReviewStatus.Pending })
    expect(await counts()).toEqual({ 专栏: 0 })
    expect(await refusal(site.root.call(categories.delete, { id: [id] }))).toMatchObject({ reason: 'categories.inUse' })
    await site.root.call(articles.delete, { id: [article.id] })
    await site.root.call(categories.delete, { id: [id] })
    expect(await site.db.selectFrom('article_category').selectAll().execute()).toEqual([])
  })

  test('removes the links of documents in the recycle bin', async () => {
    const id = await make('旧')
    const document = await store([id])
    await site.db.updateTable('document').set({ deleted_at: 1 }).where('id', '=', document).execute()
    await site.root.call(categories.delete, { id: [id] })
    expect(await site.db.selectFrom('document_category').selectAll().execute()).toEqual([])
  })
})

describe('resolving', () => {
  test('paths start at the root', async () => {
    const a = await make('A')
    const b = await make('B', { parent_id: a })
    expect(await categoryPaths(site.db, [b, a, 999_999])).toEqual(
      new Map([
        [b, [a, b]],
        [a, [a]],
      ]),
    )
    expect(await categoryPaths(site.db, [])).toEqual(new Map())
  })

  test('a choice includes its ancestors, and must be enabled', async () => {
    const ctx: Ctx = await site.app.context()
    const manager: Ctx = { ...ctx, viewer: { ...ctx.viewer, can: () => true } }
    const a = await make('A')
    const b = await make('B', { parent_id: a })
    const off = await make('停用', { parent_id: a, enable: false })
    const below = await make('停用的下级', { parent_id: off })
    const news = await make('新闻', { type: ContentType.Article })
    expect(await resolveCategories(ctx, [a, b], ContentType.Document)).toEqual([a, b])
    expect(await resolveCategories(ctx, [b], ContentType.Document)).toEqual([a, b])
    expect(await resolveCategories(ctx, [news], ContentType.Article)).toEqual([news])
    expect(await resolveCategories(ctx, [], ContentType.Document)).toEqual([])
    const unknown = { reason: 'documents.categoryUnknown' }
    for (const id of [999_999, news, off, below])
      await expect(resolveCategories(ctx, [b, id], ContentType.Document)).rejects.toMatchObject(unknown)
    expect(await resolveCategories(ctx, [below], ContentType.Document, [a, off, below])).toEqual([a, off, below])
    expect(await resolveCategories(manager, [below], ContentType.Document)).toEqual([a, off, below])
  })
})

type Form = Partial<CallInput<typeof categories.create>>

function create(form: Form & { title: string }) {
  return site.root.call(categories.create, { enable: true, ...form })
}

/** Returns the id of the last category. */
async function make(title: string, form: Form = {}): Promise<number> {
  await create({ title, ...form })
  const row = await site.db.selectFrom('category').select('id').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
  return row.id
}

async function findId(title: string): Promise<number> {
  const row = await site.db.selectFrom('category').select('id').where('title', '=', title).executeTakeFirstOrThrow()
  return row.id
}

async function update(id: number, change: Form) {
  const row = await site.db.selectFrom('category').selectAll().where('id', '=', id).executeTakeFirst()
  const { title = '没有', parent_id = 0 } = row ?? {}
  return site.root.call(categories.update, { id, title, parent_id, enable: true, ...change })
}

async function rows() {
  const { category } = await site.root.call(categories.list, { type: [ContentType.Document, ContentType.Article] })
  return category.toSorted((left, right) => left.id - right.id)
}

async function store(links: readonly number[], status: DocumentStatus = DocumentStatus.Converted): Promise<number> {
  const { id } = await storeDocument(site, { owner: { id: 1 }, categories: links, status })
  return id
}

/** Counts the documents as publishing would have done. */
async function countAll(): Promise<void> {
  const links = await site.db
    .selectFrom('document_category')
    .innerJoin('document', 'document.id', 'document_category.document_id')
    .select('category_id')
    .where('status', '=', DocumentStatus.Converted)
    .execute()
  for (const { category_id } of links) {
    await site.db
      .updateTable('category')
      .set((eb) => ({ doc_count: eb('doc_count', '+', 1) }))
      .where('id', '=', category_id)
      .execute()
  }
}

async function counts(): Promise<Record<string, number>> {
  return Object.fromEntries((await rows()).map(({ title, doc_count }) => [title, doc_count]))
}
