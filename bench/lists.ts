import { ReviewStatus } from '#shared/enums.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { articles } from '../src/shared/contract/articles.ts'
import { documents } from '../src/shared/contract/documents.ts'
import type { CallInput } from '../src/shared/endpoint.ts'
import { createApp } from '../src/server/app.ts'
import { readConfig } from '../src/server/config.ts'
import { migrate } from '../src/server/db/migrate.ts'
import { type Db, type OpenDatabase, openDatabase } from '../src/server/db/open.ts'
import { openLog } from '../src/server/log.ts'
import { listArticles } from '../src/server/modules/articles/articles.list.ts'
import { listDocuments } from '../src/server/modules/documents/browsing/list.ts'
import { startPostgres } from '../src/server/testing/databases/postgres.ts'
import { seededIds, seedDocuments } from '../src/server/testing/seed-documents.ts'

/**
 * The cost of lists on a site with many documents, compared with the simplest, `id desc`; then of as many articles, the first
 * page and the 1000th. On SQLite it is CPU time, as it blocks the server's event loop.
 */

type Filter = CallInput<typeof documents.list>

const { values } = parseArgs({
  options: { documents: { type: 'string', default: '100000' }, only: { type: 'string' } },
})
const rounds = 5
/** The maximum for one list on SQLite. */
const limitMs = 30
/** The maximum for the 1000th page of articles, as a multiple of the first. */
const limitDeep = 2

const { large, middle, small, author, beginner } = seededIds
const filters: Record<string, Filter> = {
  'id desc': {},
  默认: { status: [DocumentStatus.Converted] },
  浏览: { order: 'view_count desc' },
  下载: { order: 'download_count desc' },
  收藏: { order: 'favorite_count desc' },
  页数: { order: 'pages desc' },
  推荐: { order: 'recommend_at desc' },
  评分: { order: 'score desc' },
  上传时间: { order: 'created_at asc' },
  更新时间: { order: 'updated_at desc' },
  大分类: { category_id: [large], status: [DocumentStatus.Converted] },
  '大分类，浏览': { category_id: [large], order: 'view_count desc' },
  '大分类，浏览，第 1000 页': { category_id: [large], order: 'view_count desc', page: 1000 },
  '大分类，Word，免费，下载': { category_id: [large], ext: 'doc', fee_type: 'free', order: 'download_count desc' },
  '大分类，少见语言，页数': { category_id: [large], language: ['fr'], order: 'pages desc' },
  '大分类，其他，付费，少见语言': { category_id: [large], ext: 'other', fee_type: 'charge', language: ['fr'] },
  '中分类，浏览': { category_id: [middle], order: 'view_count desc' },
  '中分类，PDF，收藏': { category_id: [middle], ext: 'pdf', order: 'favorite_count desc' },
  '中分类，免费，推荐': { category_id: [middle], fee_type: 'free', order: 'recommend_at desc' },
  '小分类，浏览': { category_id: [small], order: 'view_count desc' },
  '几个分类，下载': { category_id: [large, middle, small], order: 'download_count desc' },
  'PDF，浏览': { ext: 'pdf', order: 'view_count desc' },
  '付费，页数': { fee_type: 'charge', order: 'pages desc' },
  '少见语言，付费，下载': { language: ['fr'], fee_type: 'charge', order: 'download_count desc' },
  '推荐的，浏览': { is_recommend: [true], order: 'view_count desc' },
  '未推荐的，浏览': { is_recommend: [false], order: 'view_count desc' },
  一天之内: { created_at: ['2024-03-01', '2024-03-01'] },
  '一年之内，浏览': { created_at: ['2024-01-01', '2024-12-31'], order: 'view_count desc' },
  多产作者: { user_id: [author] },
  '多产作者，浏览': { user_id: [author], order: 'view_count desc' },
  '一般作者，浏览': { user_id: [beginner], order: 'view_count desc' },
}

const folder = mkdtempSync(join(tmpdir(), 'wendou-bench-'))
try {
  if (values.only !== 'postgres') await measure('SQLite', openDatabase(join(folder, 'site.db'), { durable: false }))
  if (values.only !== 'sqlite') {
    const postgres = await startPostgres()
    await measure('PostgreSQL', openDatabase(postgres.url))
    await postgres.stop()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function measure(name: string, database: OpenDatabase): Promise<void> {
  const { db, engine } = database
  await migrate(database)
  await seedDocuments(db, Number(values.documents))
  await seedArticles(db, Number(values.documents))
  if (engine === 'postgres') await sql`vacuum analyze`.execute(db)
  const app = await createApp({ config: readConfig({ DATA_DIR: folder }), database, log: openLog('silent') })
  const ctx = await app.context()
  console.log(`${name}, ${values.documents} documents: ms a list, and how many times \`id desc\``)
  let unit = 0
  let worst = 0
  for (const [title, filter] of Object.entries(filters)) {
    const input = z.parse(documents.list.input, { page: 1, size: 10, ...filter })
    const best = await fastest(() => listDocuments(ctx, input))
    unit ||= best
    worst = Math.max(worst, best)
    const { total } = await listDocuments(ctx, input)
    console.log(`  ${best.toFixed(1).padStart(6)}  ${(best / unit).toFixed(1).padStart(5)}×  ${title} (${total})`)
  }
  console.log(`  worst ${worst.toFixed(1)} ms (limit ${limitMs} ms on SQLite)`)
  if (engine === 'sqlite' && worst > limitMs) process.exitCode = 1
  for (const order of [
    'id desc',
    'view_count desc',
    'favorite_count desc',
    'comment_count desc',
    'recommend_at desc',
  ]) {
    const at = (page: number) => z.parse(articles.list.input, { order, page, size: 10 })
    const [first, deep] = [
      await fastest(() => listArticles(ctx, at(1))),
      await fastest(() => listArticles(ctx, at(1000))),
    ]
    const times = `${first.toFixed(1)} ms, page 1000 ${deep.toFixed(1)} ms`
    console.log(`  articles by ${order}: page 1 ${times}, ${(deep / first).toFixed(1)}× (limit ${limitDeep}×)`)
    if (deep / first > limitDeep) process.exitCode = 1
  }
  await app.close()
  await db.destroy()

  async function fastest(work: () => Promise<unknown>): Promise<number> {
    await work()
    let best = Infinity
    for (let round = 0; round < rounds; round++) best = Math.min(best, await measureOnce(work))
    return best
  }

  /** CPU time for SQLite, which runs in this process; wall-clock time for PostgreSQL. */
  async function measureOnce(work: () => Promise<unknown>): Promise<number> {
    const [cpu, startedAt] = [process.cpuUsage(), performance.now()]
    await work()
    if (engine === 'postgres') return performance.now() - startedAt
    const { user, system } = process.cpuUsage(cpu)
    return (user + system) / 1000
  }
}

/** Articles that differ in every column that lists sort by, each with a long text. */
async function seedArticles(db: Db, count: number): Promise<void> {
  const content = `<p>${'一篇文章里的一句话。'.repeat(60)}</p>`.repeat(5)
  const step = 500
  for (let first = 1; first <= count; first += step) {
    const rows = Array.from({ length: Math.min(step, count - first + 1) }, (_, index) => {
      const id = first + index
      return {
        identifier: `article-${id}`,
        title: `第 ${id} 篇文章`,
        description: '关于这篇文章的几句话。',
        content,
        user_id: seededIds.author + (id % 1000),
        status: id % 50 === 0 ? ReviewStatus.Pending : ReviewStatus.Approved,
        view_count: (id * 7919) % 100_000,
        favorite_count: (id * 7919) % 100,
        comment_count: (id * 7919) % 30,
        recommend_at: id % 200 === 0 ? id : null,
        deleted_at: id % 100 === 1 ? id : null,
        created_at: id,
        updated_at: id,
      }
    })
    await db.insertInto('article').values(rows).execute()
  }
}
