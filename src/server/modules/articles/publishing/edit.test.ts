import { ReviewStatus, Punishment, ContentType } from '#shared/enums.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { punishments } from '#shared/contract/access.ts'
import { type Article, articles } from '#shared/contract/articles.ts'
import { type ArticleSite, openArticleSite } from '#server/testing/article-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'

let site: ArticleSite
let novice: Person
let trusted: Person
let editor: Person
let reviewer: Person
beforeAll(async () => {
  site = await openArticleSite()
  novice = await site.writer({ reviewed: true })
  trusted = await site.writer()
  editor = await site.staff('ArticleAPI/UpdateArticle', 'ArticleAPI/ListArticle')
  reviewer = await site.staff('ArticleAPI/CheckArticles', 'ArticleAPI/SetArticlesCategory')
})
afterAll(() => site.close())

function read({ id }: { id: number }): Promise<Article> {
  return site.root.call(articles.get, { id })
}

async function createApproved(author: Person, category_id?: number[]): Promise<Article> {
  const article = await site.createArticle(author, category_id && { category_id })
  await reviewer.call(articles.review, { article_id: [article.id], status: ReviewStatus.Approved })
  return read(article)
}

async function createRejected(author: Person): Promise<Article> {
  const article = await site.createArticle(author)
  await reviewer.call(articles.review, {
    article_id: [article.id],
    status: ReviewStatus.Rejected,
    rejeact_reason: '不合适',
  })
  return read(article)
}

describe('an editor', () => {
  test('is its author or a manager of articles; for others a hidden article does not exist', async () => {
    const visible = await createApproved(novice)
    const hidden = await site.createArticle(novice)
    expect(await refusal(trusted.call(articles.update, { ...visible, title: '改' }))).toMatchObject({
      status: 403,
      reason: 'articles.othersKept',
    })
    expect(await refusal(trusted.call(articles.update, { ...hidden, title: '改' }))).toMatchObject({ status: 404 })
    expect(await refusal(site.call(articles.update, { ...visible }))).toMatchObject({ status: 401 })
    await editor.call(articles.update, { ...hidden, title: '改' })
    expect(await read(hidden)).toMatchObject({ title: '改', user_id: novice.id, status: ReviewStatus.Pending })
  })

  test('gives a source if it is a manager of articles; an edit without one keeps it', async () => {
    const source = { source_name: '晚报', source_url: 'https://news.example.com/1' }
    const article = await site.createArticle(trusted, source)
    expect(article).toMatchObject({ source_name: '', source_url: '' })
    await editor.call(articles.update, { ...article, ...source })
    const { source_name: _name, source_url: _url, ...form } = article
    await trusted.call(articles.update, { ...form, title: '改' })
    await trusted.call(articles.update, { ...article, title: '又改' })
    expect(await read(article)).toMatchObject({ title: '又改', ...source })
    const unsafe = { ...article, source_url: 'javascript:alert(1)' }
    expect(await refusal(editor.call(articles.update, unsafe))).toMatchObject({ status: 400 })
    const created = await site.createArticle(site.root, source)
    expect(await site.call(articles.get, { identifier: created.identifier })).toMatchObject(source)
  })

  test('is not an author under punishment', async () => {
    const person = await site.writer()
    const article = await site.createArticle(person)
    await site.root.call(punishments.create, { user_id: [person.id], type: [Punishment.NoArticle], enable: true })
    expect(await refusal(person.call(articles.update, { ...article, title: '改' }))).toMatchObject({
      reason: 'punishments.active',
    })
  })

  test('is neither its author nor a manager once it is in the recycle bin', async () => {
    const article = await site.createArticle(trusted)
    await trusted.call(articles.delete, { id: [article.id] })
    for (const person of [trusted, editor])
      expect(await refusal(person.call(articles.update, { ...article, title: '改' }))).toMatchObject({ status: 404 })
  })
})

describe('a whole article sent back', () => {
  test('changes only the fields that a form may change', async () => {
    const article = await createApproved(trusted)
    const { user, ...wire } = article
    const body = {
      ...wire,
      user,
      title: '新标题',
      identifier: 'other',
      author: '别人',
      user_id: 1,
      status: ReviewStatus.Rejected,
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
    expect(await read(article)).toEqual({ ...article, title: '新标题', updated_at: expect.any(Number) })
  })

  test('without a change stays approved, though the author’s articles are reviewed', async () => {
    const article = await createApproved(novice)
    await novice.call(articles.update, article)
    expect(await read(article)).toEqual({ ...article, updated_at: expect.any(Number) })
  })

  test('with another text gets another summary, unless the author has written one', async () => {
    const article = await site.createArticle(trusted, { content: '<p>旧的开头</p>' })
    await trusted.call(articles.update, { ...article, content: '<p>新的开头</p>' })
    expect(await read(article)).toMatchObject({ description: '新的开头' })
    const written = await site.createArticle(trusted, { content: '<p>旧</p>', description: '自己写的' })
    await trusted.call(articles.update, { ...written, content: '<p>新</p><img src="https://example.com/a.png">' })
    expect(await read(written)).toMatchObject({ description: '自己写的', cover: 'https://example.com/a.png' })
  })

  test('is sanitized like a new one', async () => {
    const article = await site.createArticle(trusted)
    await trusted.call(articles.update, { ...article, content: '<p>好<img src=x onerror=alert(1)></p>' })
    expect(await read(article)).toMatchObject({ content: '<p>好</p>' })
    expect(await refusal(trusted.call(articles.update, { ...article, content: '<p></p>' }))).toMatchObject({
      reason: 'articles.contentNeeded',
    })
  })
})

describe('review', () => {
  test('begins again when an author rewrites an approved article', async () => {
    const category = await site.category('回炉', { type: ContentType.Article })
    const article = await createApproved(novice, [category])
    const before = await site.articleCount({ person: novice })
    await novice.call(articles.update, { ...article, content: '<p>换掉</p>' })
    expect(await read(article)).toMatchObject({ status: ReviewStatus.Pending, content: '<p>换掉</p>' })
    expect(await site.articleCount({ category })).toBe(0)
    expect(await site.articleCount({ person: novice })).toBe(before - 1)
    expect(await refusal(site.call(articles.get, { identifier: article.identifier }))).toMatchObject({ status: 404 })
  })

  test('begins again after any edit of a rejected article, without the old reason', async () => {
    const manager = await site.staff('ArticleAPI/CreateArticle', 'ArticleAPI/UpdateArticle')
    for (const [author, by] of [
      [novice, novice],
      [trusted, trusted],
      [novice, editor],
      [manager, manager],
    ] as const) {
      const article = await createRejected(author)
      expect(article).toMatchObject({ status: ReviewStatus.Rejected, reject_reason: '不合适' })
      await by.call(articles.update, { ...article, category_id: [], title: '改好了' })
      expect(await read(article)).toMatchObject({ status: ReviewStatus.Pending, reject_reason: '', title: '改好了' })
    }
  })

  test('does not begin again when staff or a trusted author edit an approved article', async () => {
    const own = await createApproved(trusted)
    await trusted.call(articles.update, { ...own, title: '改' })
    expect(await read(own)).toMatchObject({ status: ReviewStatus.Approved, title: '改' })
    const visible = await createApproved(novice)
    await editor.call(articles.update, { ...visible, title: '改' })
    expect(await read(visible)).toMatchObject({ status: ReviewStatus.Approved, title: '改' })
  })
})

test('staff can recommend by the form; a form without the field withdraws nothing', async () => {
  const article = await createApproved(trusted)
  await editor.call(articles.update, { ...article, is_recommend: true })
  const first = (await read(article)).recommend_at
  expect(first).toEqual(expect.any(Number))
  site.advanceClock(5000)
  await editor.call(articles.update, { ...article, is_recommend: true })
  await editor.call(articles.update, { ...article, is_recommend: false })
  expect((await read(article)).recommend_at).toBe(first)
})

describe('categories', () => {
  test('change with the counters on each level; a form without a category keeps them', async () => {
    const [from, to] = [
      await site.category('旧', { type: ContentType.Article }),
      await site.category('新', { type: ContentType.Article }),
    ]
    const below = await site.category('新的下级', { type: ContentType.Article, parent: to })
    const article = await createApproved(trusted, [from])
    await trusted.call(articles.update, { ...article, category_id: [below] })
    expect((await read(article)).category_id).toEqual([to, below])
    for (const [category, count] of [
      [from, 0],
      [to, 1],
      [below, 1],
    ] as const)
      expect(await site.articleCount({ category })).toBe(count)
    await trusted.call(articles.update, { ...article, category_id: [] })
    expect((await read(article)).category_id).toEqual([to, below])
  })

  test('that are disabled keep their articles', async () => {
    const category = await site.category('将关', { type: ContentType.Article })
    const article = await createApproved(trusted, [category])
    await site.db.updateTable('category').set({ enable: 0 }).where('id', '=', category).execute()
    await trusted.call(articles.update, { ...article, title: '还在' })
    expect(await read(article)).toMatchObject({ title: '还在', category_id: [category] })
    await site.db.updateTable('category').set({ enable: 1 }).where('id', '=', category).execute()
  })

  test('are set for many articles at once by staff', async () => {
    const [from, to] = [
      await site.category('甲', { type: ContentType.Article }),
      await site.category('乙', { type: ContentType.Article }),
    ]
    const [visible, hidden] = [
      await createApproved(novice, [from]),
      await site.createArticle(novice, { category_id: [from] }),
    ]
    const input = { article_id: [visible.id, hidden.id, 999_999], category_id: [to] }
    expect(await refusal(novice.call(articles.setCategory, input))).toMatchObject({ status: 403 })
    await reviewer.call(articles.setCategory, input)
    for (const article of [visible, hidden]) expect((await read(article)).category_id).toEqual([to])
    expect([await site.articleCount({ category: from }), await site.articleCount({ category: to })]).toEqual([0, 1])
    expect(
      await refusal(reviewer.call(articles.setCategory, { article_id: [999_999], category_id: [to] })),
    ).toMatchObject({ status: 404 })
    const shelf = await site.category('文档的')
    expect(
      await refusal(reviewer.call(articles.setCategory, { article_id: [visible.id], category_id: [shelf] })),
    ).toMatchObject({ reason: 'articles.categoryUnknown' })
  })
})
