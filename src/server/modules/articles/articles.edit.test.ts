import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { punishments } from '#shared/contract/access.ts'
import { type Article, articles } from '#shared/contract/articles.ts'
import { type Newsroom, openNewsroom } from '#server/testing/article-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'

let site: Newsroom
let novice: Person
let trusted: Person
let editor: Person
let reviewer: Person
beforeAll(async () => {
  site = await openNewsroom()
  novice = await site.writer({ reviewed: true })
  trusted = await site.writer()
  editor = await site.staff('ArticleAPI/UpdateArticle', 'ArticleAPI/ListArticle')
  reviewer = await site.staff('ArticleAPI/CheckArticles', 'ArticleAPI/SetArticlesCategory')
})
afterAll(() => site.close())

function read({ id }: { id: number }): Promise<Article> {
  return site.root.call(articles.get, { id })
}

async function approved(author: Person, category_id?: number[]): Promise<Article> {
  const made = await site.post(author, category_id && { category_id })
  await reviewer.call(articles.check, { article_id: [made.id], status: 1 })
  return read(made)
}

async function rejected(author: Person): Promise<Article> {
  const made = await site.post(author)
  await reviewer.call(articles.check, { article_id: [made.id], status: 2, rejeact_reason: '不合适' })
  return read(made)
}

describe('who may edit', () => {
  test('is the author and who manages articles; others learn of no more than they see', async () => {
    const shown = await approved(novice)
    const hidden = await site.post(novice)
    expect(await refusal(trusted.call(articles.update, { ...shown, title: '改' }))).toMatchObject({
      status: 403,
      reason: 'articles.othersKept',
    })
    expect(await refusal(trusted.call(articles.update, { ...hidden, title: '改' }))).toMatchObject({ status: 404 })
    expect(await refusal(site.call(articles.update, { ...shown }))).toMatchObject({ status: 401 })
    await editor.call(articles.update, { ...hidden, title: '改' })
    expect(await read(hidden)).toMatchObject({ title: '改', user_id: novice.id, status: 0 })
  })

  test('is nobody who may not publish any more', async () => {
    const person = await site.writer()
    const made = await site.post(person)
    await site.root.call(punishments.create, { user_id: [person.id], type: [6], enable: true })
    expect(await refusal(person.call(articles.update, { ...made, title: '改' }))).toMatchObject({
      reason: 'punishments.active',
    })
  })

  test('is nobody once it is in the recycle bin', async () => {
    const made = await site.post(trusted)
    await trusted.call(articles.delete, { id: [made.id] })
    for (const person of [trusted, editor])
      expect(await refusal(person.call(articles.update, { ...made, title: '改' }))).toMatchObject({ status: 404 })
  })
})

describe('a whole article sent back', () => {
  test('changes what a form may change, and nothing else', async () => {
    const made = await approved(trusted)
    const { user, ...wire } = made
    const body = {
      ...wire,
      user,
      title: '新标题',
      identifier: 'other',
      author: '别人',
      user_id: 1,
      status: 2,
      view_count: 5000,
      favorite_count: 1,
      reject_reason: 'x',
      created_at: '2001-01-01T00:00:00Z',
      deleted_at: '2001-01-01T00:00:00Z',
      recommend_at: '2001-01-01T00:00:00Z',
      is_recommend: true,
      unknown: { nested: [1] },
    }
    expect((await site.send('PUT', '/api/v1/article', { token: trusted.token, body })).status).toBe(200)
    expect(await read(made)).toEqual({ ...made, title: '新标题', updated_at: expect.any(Number) })
  })

  test('without a change is as before, though what one writes is reviewed', async () => {
    const made = await approved(novice)
    await novice.call(articles.update, made)
    expect(await read(made)).toEqual({ ...made, updated_at: expect.any(Number) })
  })

  test('with another text has another summary, unless somebody wrote one', async () => {
    const made = await site.post(trusted, { content: '<p>旧的开头</p>' })
    await trusted.call(articles.update, { ...made, content: '<p>新的开头</p>' })
    expect(await read(made)).toMatchObject({ description: '新的开头' })
    const written = await site.post(trusted, { content: '<p>旧</p>', description: '自己写的' })
    await trusted.call(articles.update, { ...written, content: '<p>新</p><img src="https://example.com/a.png">' })
    expect(await read(written)).toMatchObject({ description: '自己写的', cover: 'https://example.com/a.png' })
  })

  test('is cleaned like a new one', async () => {
    const made = await site.post(trusted)
    await trusted.call(articles.update, { ...made, content: '<p>好<img src=x onerror=alert(1)></p>' })
    expect(await read(made)).toMatchObject({ content: '<p>好</p>' })
    expect(await refusal(trusted.call(articles.update, { ...made, content: '<p></p>' }))).toMatchObject({
      reason: 'articles.contentNeeded',
    })
  })
})

describe('review', () => {
  test('begins again when an author rewrites what was approved', async () => {
    const category = await site.category('回炉', { type: 1 })
    const made = await approved(novice, [category])
    const before = await site.shown({ person: novice })
    await novice.call(articles.update, { ...made, content: '<p>换掉</p>' })
    expect(await read(made)).toMatchObject({ status: 0, content: '<p>换掉</p>' })
    expect(await site.shown({ category })).toBe(0)
    expect(await site.shown({ person: novice })).toBe(before - 1)
    expect(await refusal(site.call(articles.get, { identifier: made.identifier }))).toMatchObject({ status: 404 })
  })

  test('begins again for what was rejected, and the reason goes', async () => {
    const manager = await site.staff('ArticleAPI/CreateArticle', 'ArticleAPI/UpdateArticle')
    for (const [author, by] of [
      [novice, novice],
      [trusted, trusted],
      [novice, editor],
      [manager, manager],
    ] as const) {
      const made = await rejected(author)
      expect(made).toMatchObject({ status: 2, reject_reason: '不合适' })
      await by.call(articles.update, { ...made, category_id: [], title: '改好了' })
      expect(await read(made)).toMatchObject({ status: 0, reject_reason: '', title: '改好了' })
    }
  })

  test('does not begin for what was approved when its author is trusted or the staff edits', async () => {
    const own = await approved(trusted)
    await trusted.call(articles.update, { ...own, title: '改' })
    expect(await read(own)).toMatchObject({ status: 1, title: '改' })
    const shown = await approved(novice)
    await editor.call(articles.update, { ...shown, title: '改' })
    expect(await read(shown)).toMatchObject({ status: 1, title: '改' })
  })
})

test('the staff recommends once by the form, and a form that says nothing takes nothing back', async () => {
  const made = await approved(trusted)
  await editor.call(articles.update, { ...made, is_recommend: true })
  const first = (await read(made)).recommend_at
  expect(first).toEqual(expect.any(Number))
  site.pass(5000)
  await editor.call(articles.update, { ...made, is_recommend: true })
  await editor.call(articles.update, { ...made, is_recommend: false })
  expect((await read(made)).recommend_at).toBe(first)
})

describe('categories', () => {
  test('change with the counts on each level; without one it stays where it is', async () => {
    const [from, to] = [await site.category('旧', { type: 1 }), await site.category('新', { type: 1 })]
    const below = await site.category('新的下级', { type: 1, parent: to })
    const made = await approved(trusted, [from])
    await trusted.call(articles.update, { ...made, category_id: [below] })
    expect((await read(made)).category_id).toEqual([to, below])
    for (const [category, count] of [
      [from, 0],
      [to, 1],
      [below, 1],
    ] as const)
      expect(await site.shown({ category })).toBe(count)
    await trusted.call(articles.update, { ...made, category_id: [] })
    expect((await read(made)).category_id).toEqual([to, below])
  })

  test('that were switched off keep what is in them', async () => {
    const category = await site.category('将关', { type: 1 })
    const made = await approved(trusted, [category])
    await site.db.updateTable('category').set({ enable: 0 }).where('id', '=', category).execute()
    await trusted.call(articles.update, { ...made, title: '还在' })
    expect(await read(made)).toMatchObject({ title: '还在', category_id: [category] })
    await site.db.updateTable('category').set({ enable: 1 }).where('id', '=', category).execute()
  })

  test('are set for many at once by the staff', async () => {
    const [from, to] = [await site.category('甲', { type: 1 }), await site.category('乙', { type: 1 })]
    const [shown, hidden] = [await approved(novice, [from]), await site.post(novice, { category_id: [from] })]
    const input = { article_id: [shown.id, hidden.id, 999_999], category_id: [to] }
    expect(await refusal(novice.call(articles.setCategory, input))).toMatchObject({ status: 403 })
    await reviewer.call(articles.setCategory, input)
    for (const made of [shown, hidden]) expect((await read(made)).category_id).toEqual([to])
    expect([await site.shown({ category: from }), await site.shown({ category: to })]).toEqual([0, 1])
    expect(
      await refusal(reviewer.call(articles.setCategory, { article_id: [999_999], category_id: [to] })),
    ).toMatchObject({ status: 404 })
    const shelf = await site.category('文档的')
    expect(
      await refusal(reviewer.call(articles.setCategory, { article_id: [shown.id], category_id: [shelf] })),
    ).toMatchObject({ reason: 'articles.categoryUnknown' })
  })
})
