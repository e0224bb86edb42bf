import { afterAll, beforeAll, expect, test } from 'vitest'
import { spiderDocuments, spiderSources } from '#shared/contract/spider.ts'
import { ContentType, ReviewStatus } from '#shared/enums.ts'
import { SpiderDocumentStatus, SpiderPublish } from '#shared/spider.ts'
import { JobPriority } from '#server/jobs/queue.ts'
import { openSanitizer, type Sanitizer } from '#server/modules/articles/articles.sanitizer.ts'
import { type CrawledSite, openCrawledSite } from '#server/testing/spider/crawled-site.ts'
import { publishDocument } from './publish-document.ts'

const { Downloaded, Publishing, PublishQueue, Published } = SpiderDocumentStatus

let site: CrawledSite
let sanitizer: Sanitizer
beforeAll(async () => {
  site = await openCrawledSite()
  sanitizer = openSanitizer()
})
afterAll(async () => {
  await sanitizer.close()
  await site.close()
})

const form = { target: ContentType.Article, item: ['/news/*'] }
const article = { target: ContentType.Article, title: '新闻', content: '<p>正文</p>' }
const hashOf = (letter: string) => letter.repeat(64)

async function publish(id: number): Promise<void> {
  const { signal } = new AbortController()
  const run = { attempt: 1, last: false, owner: 0, priority: JobPriority.Normal, signal }
  await publishDocument(await site.app.context(), { sanitizer }, { id, run })
}

async function rowsOf(ids: readonly number[]) {
  return site.db.selectFrom('spider_document').selectAll().where('id', 'in', ids).orderBy('id').execute()
}

test('an article and its print view become one article, also when both are published at once', async () => {
  const [source_id, other] = [await site.source(form), await site.source(form)]
  const row = { ...article, source_id, status: PublishQueue, hash: hashOf('a') }
  const ids = await site.addFound(row, row, row, { ...row, hash: hashOf('b') }, { ...row, source_id: other })
  await Promise.all(ids.map(publish))
  const rows = await rowsOf(ids)
  expect(rows.map(({ status }) => status)).toEqual(ids.map(() => Published))
  const [one, two, three, text, foreign] = rows.map(({ article_id }) => article_id)
  expect([two, three]).toEqual([one, one])
  expect(new Set([one, text, foreign]).size).toBe(3)
  const made = await site.db.selectFrom('article').select('id').where('title', '=', '新闻').execute()
  expect(made).toHaveLength(3)
  const logs = await Promise.all(
    ids
      .slice(0, 3)
      .map(async (id) => (await site.root.call(spiderDocuments.log, { id })).log.map(({ event }) => event)),
  )
  expect(logs.flat().toSorted()).toEqual(['linked', 'linked', 'published'])
})

test('a file of a kind that the site does not accept any more is not published, and its row says why', async () => {
  await site.configure({ 'security.document_allowed_ext': '.docx' })
  const file = { target: ContentType.Document, title: '讲义', ext: '.pdf', name: '讲义.pdf', hash: hashOf('e') }
  const ids = await site.addFound({ ...file, source_id: await site.source(form), status: PublishQueue })
  await Promise.all(ids.map(publish))
  await site.configure({ 'security.document_allowed_ext': '' })
  const [row] = await rowsOf(ids)
  expect(row).toMatchObject({ document_id: 0, reason: expect.stringMatching(/.+/) })
  expect(`${row?.reason} ${row?.detail}`).toContain('.pdf')
})

test('a text that is not published yet, or was deleted, is no reason to leave another one out', async () => {
  const source_id = await site.source(form)
  const row = { ...article, source_id, hash: hashOf('c') }
  const [first = 0] = await site.addFound({ ...row, hash: hashOf('d'), status: PublishQueue })
  await publish(first)
  const [before] = await rowsOf([first])
  // Its text has changed since: the new one waits.
  await site.db
    .updateTable('spider_document')
    .set({ status: Downloaded, hash: hashOf('c') })
    .where('id', '=', first)
    .execute()
  const [second = 0, third = 0] = await site.addFound(
    { ...row, status: PublishQueue },
    { ...row, status: PublishQueue },
  )
  await publish(second)
  const [after] = await rowsOf([second])
  expect(after?.article_id).not.toBe(before?.article_id)
  await site.db
    .updateTable('article')
    .set({ deleted_at: Date.now() })
    .where('id', '=', after?.article_id ?? 0)
    .execute()
  await publish(third)
  expect((await rowsOf([third]))[0]?.article_id).not.toBe(after?.article_id)
})

test('what is being published when its source is deleted is reviewed', async () => {
  const source_id = await site.source({ ...form, publish: SpiderPublish.Now })
  const [id = 0, own = 0] = await site.addFound(
    { ...article, source_id, status: Publishing, hash: hashOf('e') },
    { ...article, source_id: 0, status: Publishing, hash: hashOf('f') },
  )
  await site.root.call(spiderSources.delete, { id: [source_id] })
  await publish(id)
  await publish(own)
  const rows = await rowsOf([id, own])
  expect(rows).toMatchObject([
    { status: Published, source_id: 0, url_id: 0 },
    { status: Published, source_id: 0 },
  ])
  const statusOf = async (article_id = 0) =>
    (await site.db.selectFrom('article').select('status').where('id', '=', article_id).executeTakeFirstOrThrow()).status
  expect(await statusOf(rows[0]?.article_id)).toBe(ReviewStatus.Pending)
  expect(await statusOf(rows[1]?.article_id)).toBe(ReviewStatus.Approved)
})
