import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { punishments } from '#shared/contract/access.ts'
import { type Article, articles } from '#shared/contract/articles.ts'
import { users } from '#shared/contract/users.ts'
import { type Newsroom, openNewsroom } from '#server/testing/article-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'

let site: Newsroom
let novice: Person
let trusted: Person
let editor: Person
beforeAll(async () => {
  site = await openNewsroom()
  novice = await site.writer({ reviewed: true })
  trusted = await site.writer()
  editor = await site.staff('ArticleAPI/CreateArticle')
})
afterAll(() => site.close())

const text = '水的沸点是 100 摄氏度。'

describe('who may write', () => {
  test('is a member of a group that may, and who manages articles', async () => {
    const outsider = await site.writer({ article: false })
    expect(await refusal(site.post(outsider))).toMatchObject({ status: 403, reason: 'users.publishDenied' })
    expect(await refusal(site.call(articles.create, { title: 'x', content: 'y' }))).toMatchObject({ status: 401 })
    expect(await site.post(editor)).toMatchObject({ status: 1, user_id: editor.id })
  })

  test.each([1, 6])('is nobody who is punished with %i, from that moment on', async (type) => {
    const person = await site.writer()
    await site.post(person)
    await site.root.call(punishments.create, { user_id: [person.id], type: [type], reason: '灌水', enable: true })
    expect(await refusal(site.post(person))).toMatchObject({ status: type === 1 ? 401 : 403 })
    const manager = await site.staff('ArticleAPI/CreateArticle')
    await site.root.call(punishments.create, { user_id: [manager.id], type: [6], enable: true })
    expect(await refusal(site.post(manager))).toMatchObject({ status: 403, reason: 'punishments.active' })
  })
})

describe('whether it is shown at once', () => {
  test('depends on the groups that let one write', async () => {
    expect(await site.post(novice)).toMatchObject({ status: 0 })
    expect(await site.post(trusted)).toMatchObject({ status: 1 })
    const both = await site.writer({ reviewed: true })
    const [held] = await site.db.selectFrom('user_group').selectAll().where('user_id', '=', both.id).execute()
    const [other] = await site.db.selectFrom('user_group').selectAll().where('user_id', '=', trusted.id).execute()
    await site.root.call(users.set, { id: both.id, group_id: [held?.group_id ?? 0, other?.group_id ?? 0] })
    expect(await site.post(both)).toMatchObject({ status: 1 })
  })

  test('does not depend on a group that trusts but does not let one write', async () => {
    const person = await site.writer({ reviewed: true })
    const silent = await site.writer({ article: false })
    const groups = await site.db
      .selectFrom('user_group')
      .select('group_id')
      .where('user_id', 'in', [person.id, silent.id])
      .execute()
    await site.root.call(users.set, { id: person.id, group_id: groups.map(({ group_id }) => group_id) })
    expect(await site.post(person)).toMatchObject({ status: 0 })
  })

  test('is not for the form to say', async () => {
    const category_id = [await site.category('自荐', { type: 1 })]
    const { json } = await site.send('POST', '/api/v1/article', {
      token: novice.token,
      body: {
        title: '标题',
        content: text,
        category_id,
        status: 1,
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

describe('what is left out', () => {
  test('is taken from the title and the text', async () => {
    const made = await site.post(trusted, {
      title: '热学实验入门指南',
      content: `<h2>实验</h2><p>${text}</p><p>${'长'.repeat(300)}</p><img src="https://example.com/a.png">`,
    })
    expect(made.identifier).toMatch(/^[0-9a-f]{16}$/)
    expect(made.description).toMatch(/^实验 水的沸点是 100 摄氏度。 长+$/)
    expect(made.description).toHaveLength(200)
    expect(made.keywords.split(',')).toEqual(expect.arrayContaining(['实验', '指南']))
    expect(made.cover).toBe('https://example.com/a.png')
    expect(made).toMatchObject({ author: trusted.username, user: { id: trusted.id, username: trusted.username } })
  })

  test('is not taken where it is given', async () => {
    const made = await site.post(trusted, { keywords: '水， 热；水', description: '一句话' })
    expect(made).toMatchObject({ keywords: '水,热', description: '一句话', cover: '' })
  })

  test('must not be the text', async () => {
    for (const content of ['', '   ', '<p><br></p>', '<script>alert(1)</script>'])
      expect(await refusal(site.post(trusted, { content }))).toMatchObject({ reason: 'articles.contentNeeded' })
    expect(await refusal(site.post(trusted, { title: ' ' }))).toMatchObject({ status: 400 })
  })
})

test('the text is kept clean', async () => {
  const content = '<p onclick="alert(1)">好</p><script>alert(1)</script><img src=x onerror=alert(1)>'
  const { identifier } = await site.post(trusted, { content, title: '<b>标题</b>' })
  expect(await site.call(articles.get, { identifier })).toMatchObject({ content: '<p>好</p>', title: '<b>标题</b>' })
})

test('half characters and NUL come as what can be kept', async () => {
  const made = await site.post(trusted, { title: 'a\0b\ud800', content: '<p>c\0d\ud800&#0;</p>', keywords: 'x\0' })
  const read = await site.call(articles.get, { identifier: made.identifier })
  for (const words of [read.title, read.content, read.keywords, read.description]) {
    expect(words).not.toContain('\0')
    expect(words.isWellFormed()).toBe(true)
  }
})

test('more than may be is refused', async () => {
  const before = await site.db.selectFrom('article').select('id').execute()
  for (const sheet of [
    { content: 'x'.repeat(1_000_001) },
    { content: '<b>'.repeat(60_000) },
    { content: '<div>'.repeat(1000) },
    { title: 'x'.repeat(256) },
  ])
    expect(await refusal(site.post(trusted, sheet))).toMatchObject({ status: 400 })
  expect(await site.db.selectFrom('article').select('id').execute()).toEqual(before)
})

describe('an address and a recommendation', () => {
  test('are given by who manages articles, and by nobody else', async () => {
    const own = await site.post(editor, { identifier: 'release-2', is_recommend: true })
    expect(own).toMatchObject({ identifier: 'release-2', recommend_at: expect.any(Number) })
    const other = await site.post(trusted, { identifier: 'mine', is_recommend: true })
    expect(other).toMatchObject({ identifier: expect.stringMatching(/^[0-9a-f]{16}$/), recommend_at: null })
  })

  test('are unique and speakable, also beside the recycle bin', async () => {
    const { id } = await site.post(editor, { identifier: 'taken' })
    expect(await refusal(site.post(editor, { identifier: 'taken' }))).toMatchObject({
      status: 409,
      reason: 'articles.identifierTaken',
    })
    await site.root.call(articles.delete, { id: [id] })
    expect(await refusal(site.post(editor, { identifier: 'taken' }))).toMatchObject({ status: 409 })
    expect(await refusal(site.post(editor, { identifier: '../x' }))).toMatchObject({ status: 400 })
  })
})

describe('where it stands', () => {
  test('is the whole path of the last category that is named, counted on each level', async () => {
    const root = await site.category('科学', { type: 1 })
    const middle = await site.category('物理', { type: 1, parent: root })
    const leaf = await site.category('热学', { type: 1, parent: middle })
    const elsewhere = await site.category('文学', { type: 1 })
    const byLeaf = await site.post(trusted, { category_id: [leaf] })
    expect(byLeaf.category_id).toEqual([root, middle, leaf])
    expect(byLeaf.category.map(({ title }) => title)).toEqual(['科学', '物理', '热学'])
    // A path that a client has kept since before the categories were moved.
    const byPath = await site.post(trusted, { category_id: [elsewhere, middle, leaf] })
    expect(byPath.category_id).toEqual([root, middle, leaf])
    await site.post(novice, { category_id: [root, middle] })
    for (const category of [root, middle, leaf]) expect(await site.shown({ category })).toBe(2)
    expect(await site.shown({ category: elsewhere })).toBe(0)
  })

  test('must be open, for articles, and chosen where there is a choice', async () => {
    const closed = await site.category('旧闻', { type: 1, enable: 0 })
    const below = await site.category('新闻', { type: 1, parent: closed })
    const shelf = await site.category('教案')
    for (const category_id of [[closed], [below], [shelf], [999_999]])
      expect(await refusal(site.post(trusted, { category_id }))).toMatchObject({
        status: 400,
        reason: 'articles.categoryUnknown',
      })
    expect(await refusal(site.post(trusted, { category_id: [] }))).toMatchObject({ reason: 'articles.categoryNeeded' })
    expect((await site.post(editor, { category_id: [] })).category_id).toEqual([])
  })
})

test('authors are counted by what is shown, and told what they have done', async () => {
  const [fresh, known] = [await site.writer({ reviewed: true }), await site.writer()]
  const category = await site.category('随笔', { type: 1 })
  const hidden: Article = await site.post(fresh, { category_id: [category] })
  await site.post(known, { category_id: [category] })
  expect([await site.shown({ person: fresh }), await site.shown({ person: known })]).toEqual([0, 1])
  expect(await site.told(fresh)).toEqual([15])
  const done = await site.db.selectFrom('dynamic').selectAll().where('user_id', '=', fresh.id).executeTakeFirst()
  expect(done).toMatchObject({ subject: hidden.title, href: `/article/${hidden.identifier}` })
})

test('many at once are all counted', async () => {
  const category = await site.category('快讯', { type: 1 })
  const people = [trusted, await site.writer(), await site.writer()]
  const before = await site.shown({ person: trusted })
  await Promise.all(
    Array.from({ length: 12 }, (_, at) => site.post(people[at % 3] ?? trusted, { category_id: [category] })),
  )
  expect(await site.shown({ category })).toBe(12)
  expect(await site.shown({ person: trusted })).toBe(before + 4)
})

describe('a title', () => {
  test.each([
    ['zero-width characters', '\u200b\u200d\u2060\ufeff'],
    ['marks that turn the direction', '\u202e\u2066\u200f'],
    ['letters that are blank', '\u3164\u2800 \u115f'],
  ])('of %s is none', async (_name, title) => {
    expect(await refusal(site.post(trusted, { title }))).toMatchObject({ status: 400, reason: 'articles.titleNeeded' })
    const made = await site.post(trusted)
    expect(await refusal(trusted.call(articles.update, { ...made, title }))).toMatchObject({
      reason: 'articles.titleNeeded',
    })
  })

  test('is one line of what people can see, and so are the keywords', async () => {
    const made = await site.post(trusted, {
      title: '水\u202e的\n沸\u200b点 👩‍🔬',
      keywords: '热\u202e学\n\u200b，\u3164、热学;水',
    })
    expect(made).toMatchObject({ title: '水的 沸点 👩‍🔬', keywords: '热学,水' })
  })
})

describe('in a day', () => {
  test('one publishes 50 articles, and more if one manages them', async () => {
    const [busy, manager] = [await site.writer(), await site.staff('ArticleAPI/CreateArticle')]
    let last: Article | undefined
    for (let times = 0; times < 50; times++) last = await site.post(busy)
    const refused = { status: 429, reason: 'articles.quotaCount', message: expect.stringContaining('50 篇') }
    expect(await refusal(site.post(busy))).toMatchObject(refused)
    await busy.call(articles.update, { id: last?.id ?? 0, title: '改', content: text })
    for (let times = 0; times < 51; times++) await site.post(manager)
    site.pass(24 * 3_600_000)
    expect(await site.post(busy)).toMatchObject({ status: 1 })
  })

  test('one writes 20 MB, new or anew', async () => {
    const busy = await site.writer()
    const content = `<p>${'字'.repeat(900_000)}</p>`
    const made = await site.post(busy, { content })
    for (let times = 0; times < 6; times++) await busy.call(articles.update, { ...made, content })
    const refused = { status: 429, reason: 'articles.quotaSize', message: expect.stringContaining('20.00 MB') }
    expect(await refusal(busy.call(articles.update, { ...made, content }))).toMatchObject(refused)
    expect(await refusal(site.post(busy, { content }))).toMatchObject(refused)
    expect(await site.post(busy)).toMatchObject({ status: 1 })
  })
})
