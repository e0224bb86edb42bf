import type { KyselyPlugin } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { articles } from '#shared/contract/articles.ts'
import { documents } from '#shared/contract/documents.ts'
import { type Library, openLibrary } from '#server/testing/document-site.ts'
import { refusal } from '#server/testing/site.ts'
import { type Written, writeArticles } from '#server/testing/written-article.ts'
import { relatedArticles } from './articles.related.ts'

let site: Library
beforeEach(async () => {
  site = await openLibrary()
  await site.db.deleteFrom('article').execute()
})
afterEach(() => site.close())

async function published(...given: Written[]): Promise<number[]> {
  const ids = await writeArticles(site, ...given)
  await site.root.call(documents.reindex, {})
  await site.settle()
  return ids
}

async function related(identifier: string): Promise<string[]> {
  const { article } = await site.call(articles.related, { identifier })
  return article.map(({ title }) => title)
}

test('what is alike in words comes first, then what stands beside it, then what is new', async () => {
  const [cooking, driving] = [await site.category('烹饪', { type: 1 }), await site.category('驾驶', { type: 1 })]
  const about = (subject: string) => `<p>${`先说${subject}，再谈${subject}的由来。`.repeat(5)}</p>`
  await published(
    { identifier: 'own', title: '甲', content: about('川菜家常'), category: [cooking] },
    { title: '乙', content: about('川菜家常'), category: [driving] },
    { title: '面点', category: [cooking] },
    { title: '发动机', category: [driving] },
  )
  expect(await related('own')).toEqual(['乙', '面点', '发动机'])
})

test('from an article in a category none leads to the pages of the site, which are in none', async () => {
  const cooking = await site.category('烹饪', { type: 1 })
  const content = `<p>${'先说川菜，再谈川菜的由来。'.repeat(5)}</p>`
  await published(
    { identifier: 'own', title: '甲', content, category: [cooking] },
    { identifier: 'house', title: '用户协议', content },
    { title: '面点', category: [cooking] },
  )
  expect(await related('own')).toEqual(['面点'])
  expect(await related('house')).toEqual(['甲', '面点'])
})

test('at most ten, never itself, each with what a list shows', async () => {
  await published({ identifier: 'own', title: '自己' }, ...Array.from({ length: 15 }, () => ({})))
  const { article } = await site.call(articles.related, { identifier: 'own' })
  expect(article).toHaveLength(10)
  expect(article.map(({ title }) => title)).not.toContain('自己')
  expect(article[0]).toMatchObject({ content: '', user: { username: 'admin' } })
})

test('what is hidden later leaves the list at once; what never was shown is not in it', async () => {
  const [, other = 0] = await published(
    { identifier: 'own' },
    { title: '同伴' },
    { title: '待审', status: 0 },
    { title: '退回', status: 2 },
    { title: '删除', deleted_at: 1 },
  )
  expect(await related('own')).toEqual(['同伴'])
  await site.root.call(articles.check, { article_id: [other], status: 2 })
  expect(await related('own')).toEqual([])
})

test('is found out anew after a while, and not at all where the site wants none', async () => {
  await published({ identifier: 'own' }, { title: '旧' })
  expect(await related('own')).toEqual(['旧'])
  await writeArticles(site, { title: '新' })
  expect(await related('own')).toEqual(['旧'])
  site.pass(3_600_001)
  expect((await related('own')).toSorted()).toEqual(['新', '旧'])
  await site.configure({ 'security.document_related_duration': '0' })
  expect(await related('own')).toEqual([])
})

test('of what one cannot see nothing is told', async () => {
  await writeArticles(site, { identifier: 'waiting', status: 0 }, { identifier: 'gone', deleted_at: 1 })
  for (const identifier of ['waiting', 'gone', 'never'])
    expect(await refusal(site.call(articles.related, { identifier }))).toMatchObject({ status: 404 })
})

test('no text is read for it, however long', async () => {
  await published({ identifier: 'own' }, { title: '同伴' })
  const ctx = await site.app.context()
  const read = new Set<string>()
  const watching: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      for (const row of result.rows) for (const column of Object.keys(row)) read.add(column)
      return result
    },
  }
  const { article } = await relatedArticles({ ...ctx, db: ctx.db.withPlugin(watching) }, { identifier: 'own' })
  expect(article).toHaveLength(1)
  expect(read).toContain('title')
  expect(read).not.toContain('content')
})
