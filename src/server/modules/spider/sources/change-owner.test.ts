import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { spiderSources } from '#shared/contract/spider.ts'
import { AttachmentType, ContentType } from '#shared/enums.ts'
import { SpiderDocumentStatus } from '#shared/spider.ts'
import { retireUnused } from '#server/modules/attachments/attachments.sweep.ts'
import { keepCrawledPicture } from '#server/modules/attachments/pictures/receive.ts'
import { writeTempFile } from '#server/testing/folder.ts'
import type { Person } from '#server/testing/site.ts'
import { type CrawledSite, openCrawledSite } from '#server/testing/spider/crawled-site.ts'

const { Downloaded, PublishFailed, Published } = SpiderDocumentStatus
const dayMs = 24 * 60 * 60_000

let site: CrawledSite
beforeAll(async () => {
  site = await openCrawledSite()
})
afterAll(() => site.close())

/** A picture that the crawler has kept for a user; its path. */
async function keep(owner: Person, width: number): Promise<string> {
  const bytes = await sharp({ create: { width, height: 9, channels: 3, background: 'navy' } })
    .png()
    .toBuffer()
  const { path } = writeTempFile('picture', bytes)
  return keepCrawledPicture(await site.app.context(), { path, name: '图.png', ownerId: owner.id })
}

async function picture(path: string) {
  const columns = ['user_id', 'deleted_at'] as const
  return site.db.selectFrom('attachment').select(columns).where('path', '=', path).executeTakeFirstOrThrow()
}

async function ownerOf(id: number): Promise<number> {
  const row = await site.db.selectFrom('attachment').select('user_id').where('id', '=', id).executeTakeFirstOrThrow()
  return row.user_id
}

test('files and pictures that wait for their publication follow the source to its new owner', async () => {
  const [before, after] = [await site.author(), await site.author()]
  const form = { name: '新闻网', start: ['https://news.example/'], target: ContentType.Article, item: ['/news/*'] }
  const source_id = await site.source({ ...form, user_id: before.id })
  const [first, second, published, foreign] = [
    await keep(before, 11),
    await keep(before, 12),
    await keep(before, 13),
    await keep(before, 14),
  ]
  const file = await site.upload(before, { type: AttachmentType.CrawledDocument })
  const publishedFile = await site.upload(before, { type: AttachmentType.CrawledDocument })
  const row = { source_id, user_id: before.id, target: ContentType.Article }
  await site.addFound(
    { ...row, status: Downloaded, content: `<p>文</p><img src="${first}" alt="a"><img src="${second}">` },
    { ...row, status: PublishFailed, content: `<img src="${first}">` },
    { ...row, status: Published, content: `<img src="${published}">` },
    { ...row, target: ContentType.Document, status: Downloaded, attachment_id: file.id },
    { ...row, target: ContentType.Document, status: Published, attachment_id: publishedFile.id },
    { ...row, source_id: 0, status: Downloaded, content: `<img src="${foreign}">` },
  )
  await site.root.call(spiderSources.update, { id: source_id, ...form, user_id: after.id })
  expect([await ownerOf(file.id), await ownerOf(publishedFile.id)]).toEqual([after.id, before.id])
  const owners = await Promise.all([first, second, published, foreign].map(picture))
  expect(owners.map(({ user_id }) => user_id)).toEqual([after.id, after.id, before.id, before.id])
  // Nothing of the former owner waits any more.
  await site.db.deleteFrom('spider_document').where('user_id', '=', before.id).execute()
  site.advanceClock(60 * dayMs)
  await retireUnused(await site.app.context())
  expect((await picture(first)).deleted_at).toBeNull()
  expect((await picture(foreign)).deleted_at).toBeGreaterThan(0)
})
