import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { articles } from '#shared/contract/articles.ts'
import { AttachmentType, ContentType, ReviewStatus } from '#shared/enums.ts'
import { transaction } from '#server/context.ts'
import { keepCrawledPicture } from '#server/modules/attachments/pictures/receive.ts'
import { type ArticleSite, openArticleSite } from '#server/testing/article-site.ts'
import { writeTempFile } from '#server/testing/folder.ts'
import type { Person } from '#server/testing/site.ts'
import { openSanitizer, type Sanitizer } from '../articles.sanitizer.ts'
import { type CrawledArticle, prepareCrawledArticle } from './crawled.ts'

let site: ArticleSite
let owner: Person
let category: number
let sanitizer: Sanitizer
beforeAll(async () => {
  site = await openArticleSite()
  owner = await site.member()
  category = await site.category('新闻', { type: ContentType.Article })
  sanitizer = openSanitizer()
})
afterAll(async () => {
  await sanitizer.close()
  await site.close()
})

function input(changes: Partial<CrawledArticle> = {}): CrawledArticle {
  return {
    ownerId: owner.id,
    title: '转载的新闻',
    description: '',
    keywords: '新闻',
    content: '<p onclick="x()">正文</p><script>alert(1)</script>',
    categoryIds: [category],
    sourceName: '',
    sourceUrl: 'https://news.example.com/1.html',
    isReviewed: false,
    ...changes,
  }
}

async function publish(changes: Partial<CrawledArticle> = {}) {
  const ctx = await site.app.context()
  const { publish } = await prepareCrawledArticle(ctx, input(changes), sanitizer)
  return publish(ctx)
}

describe('a crawled article', () => {
  test('is cleaned as any other, and names its source', async () => {
    const before = await site.articleCount({ category })
    const { id, identifier } = await publish()
    expect(await site.call(articles.get, { identifier })).toMatchObject({
      id,
      user_id: owner.id,
      content: '<p>正文</p>',
      description: '正文',
      source_name: '',
      source_url: 'https://news.example.com/1.html',
      category_id: [category],
    })
    expect(await site.articleCount({ category })).toBe(before + 1)
    expect(await site.activityTypes(owner)).toEqual([])
    const reviewed = await publish({ isReviewed: true, categoryIds: [] })
    expect(await site.root.call(articles.get, { id: reviewed.id })).toMatchObject({ status: ReviewStatus.Pending })
  })

  test('adopts the pictures that were fetched for it', async () => {
    const bytes = await sharp({ create: { width: 31, height: 10, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const { path } = writeTempFile('picture', bytes)
    const kept = await keepCrawledPicture(await site.app.context(), { path, name: '图.png', ownerId: owner.id })
    const { id } = await publish({ content: `<p>有图</p><img src="${kept}">` })
    const row = await site.db.selectFrom('attachment').selectAll().where('path', '=', kept).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ type: AttachmentType.Article, type_id: id, user_id: owner.id })
    const second = await publish({ content: `<p>又一篇</p><img src="${kept}">` })
    const rows = await site.db.selectFrom('attachment').select('type_id').where('path', '=', kept).execute()
    expect(rows.map(({ type_id }) => type_id).toSorted((a, b) => a - b)).toEqual([id, second.id])
  })

  test('is published in the transaction of the caller, or not at all', async () => {
    const ctx = await site.app.context()
    const before = await site.articleCount({ person: owner })
    const prepared = await prepareCrawledArticle(ctx, input(), sanitizer)
    const failing = transaction(ctx, async (ctx) => {
      await prepared.publish(ctx)
      throw new Error('killed')
    })
    await expect(failing).rejects.toThrow('killed')
    expect(await site.articleCount({ person: owner })).toBe(before)
  })

  test('is refused without a title, a text or an owner', async () => {
    await expect(publish({ title: ' ' })).rejects.toMatchObject({ reason: 'articles.titleNeeded' })
    await expect(publish({ content: '<script>1</script>' })).rejects.toMatchObject({ reason: 'articles.contentNeeded' })
    await expect(publish({ ownerId: 999_999 })).rejects.toMatchObject({ reason: 'users.ownerGone' })
    await expect(publish({ categoryIds: [999_999] })).rejects.toMatchObject({ reason: 'articles.categoryUnknown' })
  })
})
