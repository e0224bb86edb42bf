import { articleDrafts, maxDrafts } from '#shared/contract/article-drafts.ts'
import { articleRecycle, articles } from '#shared/contract/articles.ts'
import { users } from '#shared/contract/users.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ArticleSite, openArticleSite } from '#server/testing/article-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'

let site: ArticleSite
let author: Person
let other: Person
beforeAll(async () => {
  site = await openArticleSite()
  author = await site.writer()
  other = await site.writer()
})
afterAll(() => site.close())

async function titles(person: Person): Promise<string[]> {
  const { draft } = await person.call(articleDrafts.list)
  return draft.map(({ title }) => title)
}

describe('drafts', () => {
  test('are the member’s own, the latest first', async () => {
    const person = await site.writer()
    const first = await person.call(articleDrafts.save, { title: '山', content: '<p>青山 &amp; 绿水</p>' })
    site.advanceClock(1000)
    await person.call(articleDrafts.save, { title: '水', category_id: [1, 2] })
    expect(await titles(person)).toEqual(['水', '山'])
    expect((await person.call(articleDrafts.list)).draft[1]).toMatchObject({ summary: '青山 & 绿水', article_id: 0 })
    expect(await person.call(articleDrafts.get, { id: first.id })).toMatchObject({ content: '<p>青山 &amp; 绿水</p>' })
    expect(await titles(other)).toEqual([])
    expect(await refusal(other.call(articleDrafts.get, { id: first.id }))).toMatchObject({
      reason: 'articles.draftNotFound',
    })
    await other.call(articleDrafts.delete, { id: [first.id] })
    expect(await titles(person)).toEqual(['水', '山'])
    await person.call(articleDrafts.delete, { id: [first.id] })
    expect(await titles(person)).toEqual(['水'])
    expect(await refusal(site.call(articleDrafts.list))).toMatchObject({ status: 401 })
  })

  test('are written by members who may write, and of articles that they may edit', async () => {
    const reader = await site.writer({ article: false })
    expect(await refusal(reader.call(articleDrafts.save, { title: '题' }))).toMatchObject({ status: 403 })
    const article = await site.createArticle(author)
    const form = { article_id: article.id, based_on: article.updated_at, title: '改' }
    expect(await refusal(other.call(articleDrafts.save, form))).toMatchObject({ reason: 'articles.othersKept' })
    const { id } = await author.call(articleDrafts.save, form)
    expect(await author.call(articleDrafts.get, { id })).toMatchObject({
      article_id: article.id,
      article_identifier: article.identifier,
      based_on: article.updated_at,
    })
  })

  test('are limited in number and size', async () => {
    const person = await site.writer()
    for (let n = 0; n < maxDrafts; n += 1) await person.call(articleDrafts.save, { title: `第 ${n} 份` })
    expect(await refusal(person.call(articleDrafts.save, { title: '多了' }))).toMatchObject({
      reason: 'articles.tooManyDrafts',
    })
    await site.configure({ 'security.max_article_size': '10' })
    expect(await refusal(other.call(articleDrafts.save, { content: 'x'.repeat(30_000) }))).toMatchObject({
      reason: 'articles.tooLarge',
    })
    await site.configure({ 'security.max_article_size': '1000' })
  })
})

describe('two windows', () => {
  test('that write the same draft keep both texts, each in a draft of its own', async () => {
    const person = await site.writer()
    const started = await person.call(articleDrafts.save, { title: '起' })
    const known = { id: started.id, known_at: started.updated_at }
    const left = await person.call(articleDrafts.save, { ...known, title: '左' })
    expect(left.id).toBe(started.id)
    const right = await person.call(articleDrafts.save, { ...known, title: '右' })
    expect(right.id).not.toBe(started.id)
    await person.call(articleDrafts.save, { id: left.id, known_at: left.updated_at, title: '左又写' })
    await person.call(articleDrafts.save, { id: right.id, known_at: right.updated_at, title: '右又写' })
    expect((await titles(person)).toSorted()).toEqual(['右又写', '左又写'])
  })

  test('a repeated request changes nothing, and a deleted draft is written again', async () => {
    const person = await site.writer()
    const started = await person.call(articleDrafts.save, { title: '起' })
    const known = { id: started.id, known_at: started.updated_at, title: '承' }
    const saved = await person.call(articleDrafts.save, known)
    expect(await person.call(articleDrafts.save, known)).toEqual(saved)
    await person.call(articleDrafts.delete, { id: [started.id] })
    await person.call(articleDrafts.save, { ...known, title: '转' })
    expect(await titles(person)).toEqual(['转'])
  })
})

describe('a draft ends', () => {
  test('when it is published, as a new article or an edit', async () => {
    const person = await site.writer()
    const draft = await person.call(articleDrafts.save, { title: '题' })
    await other.call(articleDrafts.save, { title: '别人的' })
    const article = await site.createArticle(person, { draft_id: draft.id })
    expect(await titles(person)).toEqual([])
    const { id } = await person.call(articleDrafts.save, { article_id: article.id, title: '改' })
    await person.call(articles.update, { ...article, draft_id: id })
    expect(await titles(person)).toEqual([])
    expect(await titles(other)).toEqual(['别人的'])
  })

  test('when its article is purged or its member is deleted', async () => {
    const person = await site.writer()
    const article = await site.createArticle(person)
    await person.call(articleDrafts.save, { article_id: article.id, title: '改' })
    await person.call(articleDrafts.save, { title: '新' })
    await person.call(articles.delete, { id: [article.id] })
    await site.root.call(articleRecycle.delete, { id: [article.id] })
    expect(await titles(person)).toEqual(['新'])
    await site.root.call(users.delete, { id: [person.id], password: site.root.password })
    await site.runDueJobs()
    const rows = await site.db.selectFrom('article_draft').select('id').where('user_id', '=', person.id).execute()
    expect(rows).toEqual([])
  })
})
