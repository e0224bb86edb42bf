import { ReviewStatus } from '#shared/enums.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { articleRecycle, articles } from '#shared/contract/articles.ts'
import { users } from '#shared/contract/users.ts'
import { seed } from '#server/seed.ts'
import { openSite, type Site } from '#server/testing/site.ts'
import { cleanArticle } from './articles.html.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const builtInPages = ['about', 'agreement', 'contact', 'copyright', 'feedback', 'help']

async function restart(): Promise<void> {
  await seed(await site.app.context(), { adminPassword: 'not used' })
}

test('a new site has the pages that its footer links to, owned by the administrator and counted', async () => {
  for (const identifier of builtInPages) {
    const article = await site.call(articles.get, { identifier })
    expect(article).toMatchObject({ status: ReviewStatus.Approved, user_id: 1, user: { username: 'admin' } })
    expect(article.content).toBe(cleanArticle(article.content))
    expect(article.description.length).toBeGreaterThan(20)
  }
  expect((await site.call(users.get, { id: 1 })).article_count).toBe(builtInPages.length)
})

test('a built-in page that was edited or deleted stays so after a restart', async () => {
  const help = await site.root.call(articles.get, { identifier: 'help' })
  const about = await site.root.call(articles.get, { identifier: 'about' })
  await site.root.call(articles.update, { ...help, content: '<p>自己写的</p>' })
  await site.root.call(articles.delete, { id: [about.id] })
  await site.root.call(articleRecycle.delete, { id: [about.id] })
  await restart()
  const rows = await site.db.selectFrom('article').select('identifier').orderBy('identifier').execute()
  expect(rows.map(({ identifier }) => identifier)).toEqual(builtInPages.slice(1))
  expect(await site.call(articles.get, { identifier: 'help' })).toMatchObject({ content: '<p>自己写的</p>' })
})

test('a site from before articles existed gets the built-in pages once', async () => {
  await site.db.deleteFrom('article').execute()
  await site.db.deleteFrom('seed').where('name', '=', 'articles').execute()
  await site.db.updateTable('user').set({ article_count: 0 }).where('id', '=', 1).execute()
  await restart()
  await restart()
  expect(await site.db.selectFrom('article').select('id').execute()).toHaveLength(builtInPages.length)
  expect((await site.call(users.get, { id: 1 })).article_count).toBe(builtInPages.length)
})
