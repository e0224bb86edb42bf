import { ActivityType, ReviewStatus, Punishment, ContentType } from '#shared/enums.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { punishments } from '#shared/contract/access.ts'
import { type Article, articles } from '#shared/contract/articles.ts'
import { users } from '#shared/contract/users.ts'
import { cleanArticle } from '../articles.html.ts'
import { type ArticleSite, openArticleSite } from '#server/testing/article-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'

let site: ArticleSite
let novice: Person
let trusted: Person
let editor: Person
beforeAll(async () => {
  site = await openArticleSite()
  novice = await site.writer({ reviewed: true })
  trusted = await site.writer()
  editor = await site.staff('ArticleAPI/CreateArticle')
})
afterAll(() => site.close())

const text = '水的沸点是 100 摄氏度。'

describe('an author', () => {
  test('is a member of a group that may write, or a manager of articles', async () => {
    const outsider = await site.writer({ article: false })
    expect(await refusal(site.createArticle(outsider))).toMatchObject({ status: 403, reason: 'users.publishDenied' })
    expect(await refusal(site.call(articles.create, { title: 'x', content: 'y' }))).toMatchObject({ status: 401 })
    expect(await site.createArticle(editor)).toMatchObject({ status: ReviewStatus.Approved, user_id: editor.id })
  })

  test.each([Punishment.Disabled, Punishment.NoArticle])(
    'is not under punishment %i, which applies from the moment it is imposed',
    async (type) => {
      const person = await site.writer()
      await site.createArticle(person)
      await site.root.call(punishments.create, { user_id: [person.id], type: [type], reason: '灌水', enable: true })
      expect(await refusal(site.createArticle(person))).toMatchObject({
        status: type === Punishment.Disabled ? 401 : 403,
      })
      const manager = await site.staff('ArticleAPI/CreateArticle')
      await site.root.call(punishments.create, { user_id: [manager.id], type: [Punishment.NoArticle], enable: true })
      expect(await refusal(site.createArticle(manager))).toMatchObject({ status: 403, reason: 'punishments.active' })
    },
  )
})

describe('the status of a new article', () => {
  test('depends on the groups that allow writing', async () => {
    expect(await site.createArticle(novice)).toMatchObject({ status: ReviewStatus.Pending })
    expect(await site.createArticle(trusted)).toMatchObject({ status: ReviewStatus.Approved })
    const both = await site.writer({ reviewed: true })
    const [ownLink] = await site.db.selectFrom('user_group').selectAll().where('user_id', '=', both.id).execute()
    const [trustedLink] = await site.db.selectFrom('user_group').selectAll().where('user_id', '=', trusted.id).execute()
    await site.root.call(users.set, { id: both.id, group_id: [ownLink?.group_id ?? 0, trustedLink?.group_id ?? 0] })
    expect(await site.createArticle(both)).toMatchObject({ status: ReviewStatus.Approved })
  })

  test('does not depend on a group that skips review but does not allow writing', async () => {
    const person = await site.writer({ reviewed: true })
    const silent = await site.writer({ article: false })
    const groups = await site.db
      .selectFrom('user_group')
      .select('group_id')
      .where('user_id', 'in', [person.id, silent.id])
      .execute()
    await site.root.call(users.set, { id: person.id, group_id: groups.map(({ group_id }) => group_id) })
    expect(await site.createArticle(person)).toMatchObject({ status: ReviewStatus.Pending })
  })

  test('cannot be set by the form', async () => {
    const category_id = [await site.category('自荐', { type: ContentType.Article })]
    const { json } = await site.send('POST', '/api/v1/article', {
      token: novice.token,
      body: {
        title: '标题',
        content: text,
        category_id,
        status: ReviewStatus.Approved,
        user_id: 1,
        view_count: 9999,
        id: 1,
        recommend_at: '2020-01-01',
      },
    })
    expect(json).toMatchObject({ title: '标题', user_id: novice.id })
    for (const key of ['status', 'view_count', 'recommend_at']) expect(json).not.toHaveProperty(key)
  })
})

describe('a missing field', () => {
  test('is filled from the title and the text', async () => {
    const article = await site.createArticle(trusted, {
      title: '热学实验入门指南',
      content: `<h2>实验</h2><p>${text}</p><p>${'长'.repeat(300)}</p><img src="https://example.com/a.png">`,
    })
    expect(article.identifier).toMatch(/^[0-9a-f]{16}$/)
    expect(article.description).toMatch(/^实验 水的沸点是 100 摄氏度。 长+$/)
    expect(article.description).toHaveLength(200)
    expect(article.keywords.split(',')).toEqual(expect.arrayContaining(['实验', '指南']))
    expect(article.cover).toBe('https://example.com/a.png')
    expect(article).toMatchObject({ author: trusted.username, user: { id: trusted.id, username: trusted.username } })
  })

  test('is not filled where the author has given a value', async () => {
    const article = await site.createArticle(trusted, { keywords: '水， 热；水', description: '一句话' })
    expect(article).toMatchObject({ keywords: '水,热', description: '一句话', cover: '' })
  })

  test('is refused when it is the text or the title', async () => {
    for (const content of ['', '   ', '<p><br></p>', '<script>alert(1)</script>'])
      expect(await refusal(site.createArticle(trusted, { content }))).toMatchObject({
        reason: 'articles.contentNeeded',
      })
    expect(await refusal(site.createArticle(trusted, { title: ' ' }))).toMatchObject({ status: 400 })
  })
})

test('the text is sanitized', async () => {
  const content = '<p onclick="alert(1)">好</p><script>alert(1)</script><img src=x onerror=alert(1)>'
  const { identifier } = await site.createArticle(trusted, { content, title: '<b>标题</b>' })
  expect(await site.call(articles.get, { identifier })).toMatchObject({ content: '<p>好</p>', title: '<b>标题</b>' })
})

test('lone surrogates and NUL are removed', async () => {
  const article = await site.createArticle(trusted, {
    title: 'a\0b\ud800',
    content: '<p>c\0d\ud800&#0;</p>',
    keywords: 'x\0',
  })
  const read = await site.call(articles.get, { identifier: article.identifier })
  for (const field of [read.title, read.content, read.keywords, read.description]) {
    expect(field).not.toContain('\0')
    expect(field.isWellFormed()).toBe(true)
  }
})

test('texts beyond the limits are refused', async () => {
  const before = await site.db.selectFrom('article').select('id').execute()
  for (const input of [
    { content: 'x'.repeat(1_000_001) },
    { content: '<b>'.repeat(60_000) },
    { content: '<div>'.repeat(1000) },
    { title: 'x'.repeat(256) },
  ])
    expect(await refusal(site.createArticle(trusted, input))).toMatchObject({ status: 400 })
  expect(await site.db.selectFrom('article').select('id').execute()).toEqual(before)
})

describe('an identifier and a recommendation', () => {
  test('are set only by managers of articles', async () => {
    const byEditor = await site.createArticle(editor, { identifier: 'release-2', is_recommend: true })
    expect(byEditor).toMatchObject({ identifier: 'release-2', recommend_at: expect.any(Number) })
    const byMember = await site.createArticle(trusted, { identifier: 'mine', is_recommend: true })
    expect(byMember).toMatchObject({ identifier: expect.stringMatching(/^[0-9a-f]{16}$/), recommend_at: null })
  })

  test('are unique and made of plain characters, also among articles in the recycle bin', async () => {
    const { id } = await site.createArticle(editor, { identifier: 'taken' })
    expect(await refusal(site.createArticle(editor, { identifier: 'taken' }))).toMatchObject({
      status: 409,
      reason: 'articles.identifierTaken',
    })
    await site.root.call(articles.delete, { id: [id] })
    expect(await refusal(site.createArticle(editor, { identifier: 'taken' }))).toMatchObject({ status: 409 })
    expect(await refusal(site.createArticle(editor, { identifier: '../x' }))).toMatchObject({ status: 400 })
  })
})

describe('its category', () => {
  test('is the whole path of the last category in the form, counted on each level', async () => {
    const root = await site.category('科学', { type: ContentType.Article })
    const middle = await site.category('物理', { type: ContentType.Article, parent: root })
    const leaf = await site.category('热学', { type: ContentType.Article, parent: middle })
    const elsewhere = await site.category('文学', { type: ContentType.Article })
    const byLeaf = await site.createArticle(trusted, { category_id: [leaf] })
    expect(byLeaf.category_id).toEqual([root, middle, leaf])
    expect(byLeaf.category.map(({ title }) => title)).toEqual(['科学', '物理', '热学'])
    // A path from before the categories were moved.
    const byPath = await site.createArticle(trusted, { category_id: [elsewhere, middle, leaf] })
    expect(byPath.category_id).toEqual([root, middle, leaf])
    await site.createArticle(novice, { category_id: [root, middle] })
    for (const category of [root, middle, leaf]) expect(await site.articleCount({ category })).toBe(2)
    expect(await site.articleCount({ category: elsewhere })).toBe(0)
  })

  test('must be enabled and for articles, and must be chosen if the site has any', async () => {
    const closed = await site.category('旧闻', { type: ContentType.Article, enable: 0 })
    const below = await site.category('新闻', { type: ContentType.Article, parent: closed })
    const shelf = await site.category('教案')
    for (const category_id of [[closed], [below], [shelf], [999_999]])
      expect(await refusal(site.createArticle(trusted, { category_id }))).toMatchObject({
        status: 400,
        reason: 'articles.categoryUnknown',
      })
    expect(await refusal(site.createArticle(trusted, { category_id: [] }))).toMatchObject({
      reason: 'articles.categoryNeeded',
    })
    expect((await site.createArticle(editor, { category_id: [] })).category_id).toEqual([])
  })
})

test('the author’s counter has approved articles only, and the activity is recorded', async () => {
  const [fresh, experienced] = [await site.writer({ reviewed: true }), await site.writer()]
  const category = await site.category('随笔', { type: ContentType.Article })
  const hidden: Article = await site.createArticle(fresh, { category_id: [category] })
  await site.createArticle(experienced, { category_id: [category] })
  expect([await site.articleCount({ person: fresh }), await site.articleCount({ person: experienced })]).toEqual([0, 1])
  expect(await site.activityTypes(fresh)).toEqual([ActivityType.PublishArticle])
  const activity = await site.db.selectFrom('activity').selectAll().where('user_id', '=', fresh.id).executeTakeFirst()
  expect(activity).toMatchObject({ subject: hidden.title, href: `/article/${hidden.identifier}` })
})

test('articles created concurrently are all counted', async () => {
  const category = await site.category('快讯', { type: ContentType.Article })
  const people = [trusted, await site.writer(), await site.writer()]
  const before = await site.articleCount({ person: trusted })
  await Promise.all(
    Array.from({ length: 12 }, (_, at) => site.createArticle(people[at % 3] ?? trusted, { category_id: [category] })),
  )
  expect(await site.articleCount({ category })).toBe(12)
  expect(await site.articleCount({ person: trusted })).toBe(before + 4)
})

describe('a title', () => {
  test.each([
    ['zero-width characters', '\u200b\u200d\u2060\ufeff'],
    ['bidirectional controls', '\u202e\u2066\u200f'],
    ['blank letters', '\u3164\u2800 \u115f'],
  ])('of %s is refused as empty', async (_name, title) => {
    expect(await refusal(site.createArticle(trusted, { title }))).toMatchObject({
      status: 400,
      reason: 'articles.titleNeeded',
    })
    const article = await site.createArticle(trusted)
    expect(await refusal(trusted.call(articles.update, { ...article, title }))).toMatchObject({
      reason: 'articles.titleNeeded',
    })
  })

  test('is one line of visible characters, and so are the keywords', async () => {
    const article = await site.createArticle(trusted, {
      title: '水\u202e的\n沸\u200b点 👩‍🔬',
      keywords: '热\u202e学\n\u200b，\u3164、热学;水',
    })
    expect(article).toMatchObject({ title: '水的 沸点 👩‍🔬', keywords: '热学,水' })
  })
})

describe('the daily quota', () => {
  test('is 50 new articles for a member, without limit for managers', async () => {
    const [busy, manager] = [await site.writer(), await site.staff('ArticleAPI/CreateArticle')]
    let last: Article | undefined
    for (let times = 0; times < 50; times++) last = await site.createArticle(busy)
    const refused = { status: 429, reason: 'articles.quotaCount', message: expect.stringContaining('50 篇') }
    expect(await refusal(site.createArticle(busy))).toMatchObject(refused)
    await busy.call(articles.update, { id: last?.id ?? 0, title: '改', content: text })
    for (let times = 0; times < 51; times++) await site.createArticle(manager)
    site.advanceClock(24 * 3_600_000)
    expect(await site.createArticle(busy)).toMatchObject({ status: ReviewStatus.Approved })
  })

  test('is 20 MB of text, in new articles and edits together', async () => {
    const busy = await site.writer()
    await site.configure({ 'security.max_article_size': '1000' })
    const content = `<p>${'字'.repeat(330_000)}</p>`
    const article = await site.createArticle(busy, { content })
    for (let times = 0; times < 20; times++) await busy.call(articles.update, { ...article, content })
    const refused = { status: 429, reason: 'articles.quotaSize', message: expect.stringContaining('20.00 MB') }
    expect(await refusal(busy.call(articles.update, { ...article, content }))).toMatchObject(refused)
    expect(await refusal(site.createArticle(busy, { content }))).toMatchObject(refused)
    expect(await site.createArticle(busy)).toMatchObject({ status: ReviewStatus.Approved })
    await site.configure({ 'security.max_article_size': '200' })
  })

  test('counts what is refused too, before it is sanitized', async () => {
    const attacker = await site.writer()
    const content = '<div>'.repeat(19_000)
    const attempt = () => refusal(site.createArticle(attacker, { content }))
    for (let times = 0; times < 50; times++) expect(await attempt()).toMatchObject({ reason: 'request.invalid' })
    expect(await attempt()).toMatchObject({ status: 429, reason: 'articles.quotaCount' })
  })

  test('is not touched by what can be told without sanitizing', async () => {
    const careless = await site.writer()
    for (const input of [
      { title: '\u200b' },
      { content: 'x'.repeat(201 * 1024) },
      { content: '<br>'.repeat(20_001) },
      { category_id: [] },
    ])
      for (let times = 0; times < 20; times++)
        expect(await refusal(site.createArticle(careless, input))).toMatchObject({ status: 400 })
    expect(await site.createArticle(careless)).toMatchObject({ status: ReviewStatus.Approved })
  })
})

describe('the size of an article', () => {
  test('is limited by a setting for members, in bytes', async () => {
    const content = (kilobytes: number) => `<p>${'字'.repeat((kilobytes * 1024) / 3 - 10)}</p>`
    const refused = { status: 400, reason: 'articles.tooLarge', message: '正文最多 200 KB，请缩短，或分成几篇文章' }
    expect(await refusal(site.createArticle(trusted, { content: content(202) }))).toMatchObject(refused)
    const article = await site.createArticle(trusted, { content: content(199) })
    expect(await refusal(trusted.call(articles.update, { ...article, content: content(202) }))).toMatchObject(refused)
    expect(await site.createArticle(site.root, { content: content(900) })).toMatchObject({ id: expect.any(Number) })
  })

  test('may stay as it is where it was larger before', async () => {
    await site.configure({ 'security.max_article_size': '300' })
    const content = `<p>${'x'.repeat(250 * 1024)}</p>`
    const article = await site.createArticle(trusted, { content })
    await site.configure({ 'security.max_article_size': '200' })
    await trusted.call(articles.update, { ...article, title: '另一个标题' })
    expect(await refusal(trusted.call(articles.update, { ...article, content: `${content}<p>y</p>` }))).toMatchObject({
      reason: 'articles.tooLarge',
    })
  })
})

test('a long text is sanitized as a short one is', async () => {
  const part = '<p onclick="x()">段落 <script>alert(1)</script><img src="/uploads/x.png"></p>'
  for (const content of [part.repeat(10), part.repeat(2500)])
    expect((await site.createArticle(trusted, { content })).content).toBe(cleanArticle(content))
  const deep = `${'x'.repeat(50_000)}${'<div>'.repeat(1000)}`
  expect(await refusal(site.createArticle(trusted, { content: deep }))).toMatchObject({
    status: 400,
    message: expect.stringContaining('层级太多'),
  })
})
