import type { KyselyPlugin, RootOperationNode } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import { client } from '#shared/client.ts'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { openLog } from '#server/log.ts'
import { type DocumentSite, openDocumentSite } from '#server/testing/document-site.ts'
import { tempFolder } from '#server/testing/folder.ts'
import { loadHome } from '#web/features/site/home/load-home.ts'
import { loadHomeArticles } from '#web/features/site/home/load-articles.ts'
import { loadSite } from '#web/domain/load-site.ts'

test('the home page has a hundred documents at most, whatever limit is requested', async () => {
  const site = await openDocumentSite()
  onTestFinished(() => site.close())
  const categories: number[] = []
  for (let n = 0; n < 25; n += 1) categories.push(await site.category(`分类 ${n}`))
  await site.addDocuments(...Array.from({ length: 60 }, () => ({ category: categories })))
  const countPerCategory = async (limit: number) => {
    const { document } = await site.call(documents.home, { limit })
    return document.map((category) => category.document.length)
  }
  expect(await countPerCategory(100)).toEqual(categories.map(() => 4))
  expect(await countPerCategory(3)).toEqual(categories.map(() => 3))
})

test('equal content of several members is one entry of its category', async () => {
  const site = await openDocumentSite()
  onTestFinished(() => site.close())
  const category = [await site.category('地理')]
  const hash = 'd'.repeat(64)
  await site.addDocuments({ title: '山志', hash, category }, { title: '山志（再传）', hash, category }, { category })
  const { document } = await site.call(documents.home, {})
  expect(document[0]?.document.map(({ title }) => title)).toEqual([expect.anything(), '山志'])
})

test('the home page needs as many queries for sixty categories as for three', async () => {
  const site = await openDocumentSite()
  onTestFinished(() => site.close())
  const fill = async (from: number, to: number) => {
    for (let n = from; n < to; n += 1) {
      const category = await site.category(`分类 ${n}`)
      await site.category(`下级 ${n}`, { parent: category })
      await site.addDocuments({ category: [category], recommend_at: n + 1 })
    }
  }
  await fill(0, 3)
  const forThree = await recordQueries(site)
  await fill(3, 60)
  const forSixty = await recordQueries(site)
  expect(forSixty).toEqual(forThree)
  expect(forThree.length).toBeGreaterThan(5)
  expect(forThree.length).toBeLessThan(80)
})

/** The tables of each query that renders the page. */
async function recordQueries(site: DocumentSite): Promise<string[]> {
  const queries: string[] = []
  // Subqueries are transformed too; only whole queries have a result.
  const tablesById = new WeakMap<object, string>()
  const recorder: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      tablesById.set(queryId, describe(node))
      return node
    },
    transformResult: async ({ result, queryId }) => {
      queries.push(tablesById.get(queryId) ?? '')
      return result
    },
  }
  const { engine } = inject('database')
  const database = { db: site.db.withPlugin(recorder), engine, url: '' }
  const app = await createApp({ config: readConfig({ DATA_DIR: tempFolder() }), database, log: openLog('silent') })
  const api = client({ origin: 'http://localhost', token: () => '', fetch: async (request) => app.fetch(request) })
  const args = { api, params: {}, url: new URL('http://localhost/') }
  const load = async () => {
    queries.length = 0
    const [{ sections }] = await Promise.all([loadHome(args), loadHomeArticles(args), loadSite(api)])
    expect(sections.length).toBeGreaterThan(2)
    // The settings' revision is polled by a timer.
    return queries.filter((tables) => tables !== 'revision').toSorted()
  }
  // The first time fills the caches.
  await load()
  const recorded = await load()
  await app.close()
  return recorded
}

function describe(node: RootOperationNode): string {
  if (node.kind !== 'SelectQueryNode') return node.kind
  const tables = JSON.stringify(node.from).matchAll(/"IdentifierNode","name":"(\w+)"/g)
  return [...new Set([...tables].map(([, name]) => name))].join(' ')
}
