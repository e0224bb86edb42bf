import { ReviewStatus, AttachmentType } from '#shared/enums.ts'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { articleDrafts } from '#shared/contract/article-drafts.ts'
import { articleVersions } from '#shared/contract/article-versions.ts'
import { articleRecycle, articles } from '#shared/contract/articles.ts'
import { type ArticleSite, openArticleSite } from '#server/testing/article-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'
import { purgeRetired, removeUnneeded, retireUnused } from '#server/modules/attachments/attachments.sweep.ts'

const day = 24 * 60 * 60_000

let site: ArticleSite
let author: Person
beforeEach(async () => {
  site = await openArticleSite()
  // Sessions outlast the months that pass in these tests.
  await site.configure({ 'security.session_days': '90' })
  author = await site.writer()
})
afterEach(() => site.close())

let imageCount = 0

async function upload(person: Person): Promise<string> {
  imageCount += 1
  const bytes = await sharp({ create: { width: 20 + imageCount, height: 10, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const form = new FormData()
  form.append('file', new File([new Uint8Array(bytes)], '插图.png'))
  const headers = { authorization: `Bearer ${person.token}` }
  const response = await site.request('/api/v1/upload/article?type=image', { method: 'POST', headers, body: form })
  const json = (await response.json()) as { data: { url: string } }
  return json.data.url
}

/** Moves the clock by days, with the daily cleanup. */
async function cleanUp(days = 6): Promise<void> {
  for (let passed = 0; passed < days; passed += 2) {
    site.advanceClock(2 * day)
    const ctx = await site.app.context()
    await retireUnused(ctx)
    await purgeRetired(ctx)
    await removeUnneeded(ctx)
  }
}

async function fetchStatus(path: string): Promise<number> {
  return (await site.request(path)).status
}

const img = (...paths: string[]) => paths.map((path) => `<img src="${path}">`).join('')

test('images stay as long as an article shows them, and are removed when it is purged', async () => {
  const path = await upload(author)
  const { id } = await site.createArticle(author, { content: img(path) })
  await cleanUp()
  expect(await fetchStatus(path)).toBe(200)
  await author.call(articles.delete, { id: [id] })
  await cleanUp()
  expect(await fetchStatus(path)).toBe(200)
  await site.root.call(articleRecycle.delete, { id: [id] })
  expect(await fetchStatus(path)).toBe(404)
  await cleanUp()
  const hash = path.split('/').at(-1)?.split('.')[0] ?? ''
  expect(await site.db.selectFrom('stored_file').select('hash').where('hash', '=', hash).execute()).toEqual([])
})

test('uploads that no article shows are removed after a month', async () => {
  const [published, unused] = [await upload(author), await upload(author)]
  await cleanUp(28)
  expect([await fetchStatus(published), await fetchStatus(unused)]).toEqual([200, 200])
  await site.createArticle(author, { content: img(published) })
  await cleanUp(36)
  expect([await fetchStatus(published), await fetchStatus(unused)]).toEqual([200, 404])
})

test('soft-deleted images are restored by an article that their owner publishes', async () => {
  const otherAuthor = await site.writer()
  const [unused, moved] = [await upload(author), await upload(author)]
  const old = await site.createArticle(author, { content: img(moved) })
  site.advanceClock(31 * day)
  await retireUnused(await site.app.context())
  await author.call(articles.update, { ...old, content: '<p>图挪走了</p>' })
  expect([await fetchStatus(unused), await fetchStatus(moved)]).toEqual([404, 404])
  await site.createArticle(otherAuthor, { content: img(unused, moved) })
  expect([await fetchStatus(unused), await fetchStatus(moved)]).toEqual([404, 404])
  await site.createArticle(author, { content: img(unused, moved) })
  await cleanUp(36)
  expect([await fetchStatus(unused), await fetchStatus(moved)]).toEqual([200, 200])
})

test('an article has at most 500 files; addresses that cannot be uploads do not count', async () => {
  const many = (count: number) =>
    img(...Array.from({ length: count }, (_, at) => `/uploads/ab/${at.toString(16).padStart(64, '0')}.webp`))
  expect(await refusal(site.createArticle(author, { content: many(501) }))).toMatchObject({
    status: 400,
    reason: 'articles.tooManyFiles',
  })
  const article = await site.createArticle(author, { content: many(500) })
  expect(await refusal(author.call(articles.update, { ...article, content: many(501) }))).toMatchObject({ status: 400 })
  const notUploads = img(...Array.from({ length: 6000 }, (_, at) => `/uploads/${at}`))
  expect(await site.createArticle(author, { content: notUploads })).toMatchObject({ status: ReviewStatus.Approved })
})

test('an image that is taken out is removed later, and restored if it is put back before', async () => {
  const [first, second] = [await upload(author), await upload(author)]
  const article = await site.createArticle(author, { content: img(first, second) })
  await author.call(articles.update, { ...article, content: img(second) })
  expect([await fetchStatus(first), await fetchStatus(second)]).toEqual([404, 200])
  await author.call(articles.update, { ...article, content: img(first, second) })
  expect([await fetchStatus(first), await fetchStatus(second)]).toEqual([200, 200])
  await author.call(articles.update, { ...article, content: img(second) })
  await cleanUp()
  expect([await fetchStatus(first), await fetchStatus(second)]).toEqual([404, 200])
})

test('an image in two articles stays until both are purged', async () => {
  const otherAuthor = await site.writer()
  const path = await upload(author)
  const [first, second] = [
    await site.createArticle(author, { content: img(path) }),
    await site.createArticle(otherAuthor, { content: `<p>转引</p>${img(path)}` }),
  ]
  await site.root.call(articles.delete, { id: [first.id] })
  await site.root.call(articleRecycle.delete, { id: [first.id] })
  await cleanUp()
  expect(await fetchStatus(path)).toBe(200)
  await site.root.call(articles.delete, { id: [second.id] })
  await site.root.call(articleRecycle.delete, { id: [second.id] })
  await cleanUp()
  expect(await fetchStatus(path)).toBe(404)
})

test('an article cannot make the file of a document public', async () => {
  const { hash } = await site.upload(author)
  const path = `/uploads/${hash.slice(0, 2)}/${hash}.pdf`
  const { id } = await site.createArticle(author, { content: `<p><a href="${path}">x</a></p>${img(path)}` })
  const rows = await site.db
    .selectFrom('attachment')
    .select('id')
    .where('type', '=', AttachmentType.Article)
    .where('type_id', '=', id)
    .execute()
  expect(rows).toEqual([])
  expect(await fetchStatus(path)).toBe(404)
})

test('a banned image stays banned', async () => {
  const path = await upload(author)
  await site.db.updateTable('attachment').set({ enable: 0 }).where('path', '=', path).execute()
  await site.createArticle(author, { content: `<p>字</p>${img(path)}` })
  expect(await fetchStatus(path)).toBe(404)
})

test('a chosen cover is kept with the article, though its text does not show it', async () => {
  const [cover, shown] = [await upload(author), await upload(author)]
  const article = await site.createArticle(author, { content: img(shown), cover })
  expect(article.cover).toBe(cover)
  await cleanUp(36)
  expect(await fetchStatus(cover)).toBe(200)
  const { cover: _sent, ...form } = article
  await author.call(articles.update, { ...form, content: '<p>没有图了</p>' })
  expect(await author.call(articles.get, { id: article.id })).toMatchObject({ cover })
  await author.call(articles.update, { ...form, content: img(shown), cover: '' })
  expect(await author.call(articles.get, { id: article.id })).toMatchObject({ cover: shown })
  expect(await fetchStatus(cover)).toBe(404)
})

test('a cover is an upload or a picture in the text; the first picture follows the text', async () => {
  const [first, second] = ['https://example.com/1.png', 'https://example.com/2.png']
  const article = await site.createArticle(author, { content: img(first, second), cover: 'https://evil.example/x.png' })
  expect(article.cover).toBe(first)
  await author.call(articles.update, { ...article, content: img(second, first) })
  expect(await author.call(articles.get, { id: article.id })).toMatchObject({ cover: second })
  await author.call(articles.update, { ...article, content: img(second, first), cover: first })
  expect(await author.call(articles.get, { id: article.id })).toMatchObject({ cover: first })
  await author.call(articles.update, { ...article, content: img(second), cover: first })
  expect(await author.call(articles.get, { id: article.id })).toMatchObject({ cover: second })
})

test('pictures stay while a draft shows them, and while the author can restore them', async () => {
  const [drafted, cover, removed] = [await upload(author), await upload(author), await upload(author)]
  const { id } = await author.call(articleDrafts.save, { title: '慢慢写', content: img(drafted), cover })
  const article = await site.createArticle(author, { content: img(removed) })
  await author.call(articles.update, { ...article, content: '<p>拿掉了</p>' })
  await cleanUp(40)
  expect([await fetchStatus(drafted), await fetchStatus(cover)]).toEqual([200, 200])
  const { version } = await author.call(articleVersions.list, { id: article.id })
  await author.call(articleVersions.restore, { id: version.at(-1)?.id ?? 0 })
  expect(await fetchStatus(removed)).toBe(200)
  await author.call(articleDrafts.delete, { id: [id] })
  await cleanUp(6)
  expect([await fetchStatus(drafted), await fetchStatus(cover)]).toEqual([404, 404])
})
