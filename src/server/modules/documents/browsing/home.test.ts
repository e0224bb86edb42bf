import type { KyselyPlugin, RootOperationNode } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import { client } from '#shared/client.ts'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { openLog } from '#server/log.ts'
import { type Library, openLibrary } from '#server/testing/document-site.ts'
import { loadHome } from '#web/features/documents/home/load.ts'
import { loadHomeArticles } from '#web/features/site/home/articles-load.ts'
import { loadSite } from '#web/lib/load-site.ts'

test('however much is asked of the home page, it shows some thousand documents at most', async () => {
  const site = await openLibrary()
  onTestFinished(() => site.close())
  const categories: number[] = []
  for (let n = 0; n < 25; n += 1) categories.push(await site.category(`分类 ${n}`))
  await site.shelve(...Array.from({ length: 60 }, () => ({ category: categories })))
  const shown = async (limit: number) => {
    const { document } = await site.call(documents.home, { limit })
    return document.map((category) => category.document.length)
  }
  expect(await shown(100)).toEqual(categories.map(() => 40))
  expect(await shown(5)).toEqual(categories.map(() => 5))
})

test('the home page asks the database as often for sixty categories as for three', async () => {
  const site = await openLibrary()
  onTestFinished(() => site.close())
  const fill = async (from: number, to: number) => {
    for (let n = from; n < to; n += 1) {
      const category = await site.category(`分类 ${n}`)
      await site.category(`下级 ${n}`, { parent: category })
      await site.shelve({ category: [category], recommend_at: n + 1 })
    }
  }
  await fill(0, 3)
  const few = await statementsOfHome(site)
  await fill(3, 60)
  const many = await statementsOfHome(site)
  expect(many).toEqual(few)
  expect(few.length).toBeGreaterThan(5)
  expect(few.length).toBeLessThan(80)
})

/** What the database is asked when the page is made: the tables of each statement. */
async function statementsOfHome(site: Library): Promise<string[]> {
  const asked: string[] = []
  // Parts of a statement pass here too; only the whole has a result.
  const known = new WeakMap<object, string>()
  const watch: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      known.set(queryId, describe(node))
      return node
    },
    transformResult: async ({ result, queryId }) => {
      asked.push(known.get(queryId) ?? '')
      return result
    },
  }
  const { engine } = inject('database')
  const database = { db: site.db.withPlugin(watch), engine, url: '' }
  const app = await createApp({ config: readConfig({}), database, log: openLog('silent') })
  const api = client({ origin: 'http://localhost', token: () => '', fetch: async (asked) => app.fetch(asked) })
  const given = { api, params: {}, url: new URL('http://localhost/') }
  const home = async () => {
    asked.length = 0
    const [{ shelves }] = await Promise.all([loadHome(given), loadHomeArticles(given), loadSite(api)])
    expect(shelves.length).toBeGreaterThan(2)
    // Whether settings have changed is asked by the clock.
    return asked.filter((tables) => tables !== 'revision').toSorted()
  }
  // What is kept between requests is there the second time.
  await home()
  const statements = await home()
  await app.close()
  return statements
}

function describe(node: RootOperationNode): string {
  if (node.kind !== 'SelectQueryNode') return node.kind
  const tables = JSON.stringify(node.from).matchAll(/"IdentifierNode","name":"(\w+)"/g)
  return [...new Set([...tables].map(([, name]) => name))].join(' ')
}
