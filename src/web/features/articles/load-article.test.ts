import { expect, test } from 'vitest'
import type { Call } from '#shared/client.ts'
import { ApiError } from '#shared/errors.ts'
import { loadArticle } from '#web/features/articles/load-article.ts'

const article = { id: 7, identifier: 'about', title: '关于', content: '<p>正文</p>', user_id: 0 }

/** The API of a site with one article. */
const api = (async (_endpoint: unknown, { id = 0, identifier = '' }: { id?: number; identifier?: string }) => {
  if (id === article.id || identifier === article.identifier) return { ...article, article: [] }
  throw new ApiError({ status: 404, message: '文章不存在' })
}) as unknown as Call

function open(identifier: string): Promise<unknown> {
  const url = new URL(`http://localhost/article/${identifier}`)
  return loadArticle({ api, params: { identifier }, url }).catch((error: unknown) => error)
}

test('the number of an article leads to its one address', async () => {
  const answer = await open('7')
  expect(answer).toBeInstanceOf(Response)
  expect(answer).toMatchObject({ status: 301 })
  expect(answer instanceof Response && answer.headers.get('location')).toBe('/article/about')
})

test.each(['8', '0', '07', '1e3', 'nothing'])('%s is no article', async (identifier) => {
  expect(await open(identifier)).toMatchObject({ status: 404 })
})

test('an identifier is an address already', async () => {
  expect(await open('about')).toMatchObject({ article: { id: 7 } })
})
