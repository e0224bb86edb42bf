import { articleLikes } from '#shared/contract/article-likes.ts'
import { articleRecycle, articles } from '#shared/contract/articles.ts'
import { users } from '#shared/contract/users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ArticleSite, openArticleSite } from '#server/testing/article-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'

let site: ArticleSite
let author: Person
beforeAll(async () => {
  site = await openArticleSite()
  author = await site.writer()
})
afterAll(() => site.close())

async function likeCount(id: number): Promise<number> {
  const { like_count } = await site.call(articles.get, { id })
  return like_count
}

test('a like counts once, and is taken back once', async () => {
  const { id } = await site.createArticle(author)
  const [reader, other] = [await site.member(), await site.member()]
  expect(await reader.call(articleLikes.get, { id })).toEqual({ liked: false, like_count: 0 })
  for (let n = 0; n < 2; n += 1)
    expect(await reader.call(articleLikes.create, { id })).toEqual({ liked: true, like_count: 1 })
  await Promise.all(Array.from({ length: 5 }, () => other.call(articleLikes.create, { id })))
  expect(await likeCount(id)).toBe(2)
  expect(await reader.call(articleLikes.get, { id })).toEqual({ liked: true, like_count: 2 })
  for (let n = 0; n < 2; n += 1)
    expect(await reader.call(articleLikes.delete, { id })).toEqual({ liked: false, like_count: 1 })
  expect(await likeCount(id)).toBe(1)
})

test('only public articles are liked, by members', async () => {
  const novice = await site.writer({ reviewed: true })
  const { id } = await site.createArticle(novice)
  expect(await refusal(novice.call(articleLikes.create, { id }))).toMatchObject({ reason: 'articles.notFound' })
  expect(await refusal(site.call(articleLikes.create, { id }))).toMatchObject({ status: 401 })
})

test('the likes of a deleted member no longer count, nor do those of a purged article', async () => {
  const { id } = await site.createArticle(author)
  const [leaver, reader] = [await site.member(), await site.member()]
  for (const person of [leaver, reader]) await person.call(articleLikes.create, { id })
  await site.root.call(users.delete, { id: [leaver.id], password: site.root.password })
  await site.runDueJobs()
  expect(await likeCount(id)).toBe(1)
  await site.root.call(articles.delete, { id: [id] })
  await site.root.call(articleRecycle.delete, { id: [id] })
  expect(await site.db.selectFrom('article_like').select('id').where('article_id', '=', id).execute()).toEqual([])
})
