import sharp from 'sharp'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { articleRecycle, articles } from '#shared/contract/articles.ts'
import { type Newsroom, openNewsroom } from '#server/testing/article-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'
import { purgeRetired, removeUnneeded, retireUnused } from '#server/modules/attachments/attachments.sweep.ts'

const day = 24 * 60 * 60_000

let site: Newsroom
let author: Person
beforeEach(async () => {
  site = await openNewsroom()
  // Who comes back after a month does not have to sign in again.
  await site.configure({ 'security.session_days': '90' })
  author = await site.writer()
})
afterEach(() => site.close())

let drawn = 0

async function upload(person: Person): Promise<string> {
  drawn += 1
  const bytes = await sharp({ create: { width: 20 + drawn, height: 10, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const form = new FormData()
  form.append('file', new File([new Uint8Array(bytes)], '插图.png'))
  const headers = { authorization: `Bearer ${person.token}` }
  const response = await site.request('/api/v1/upload/article?type=image', { method: 'POST', headers, body: form })
  const json = (await response.json()) as { data: { url: string } }
  return json.data.url
}

/** Days go by, and now and then somebody tidies up. */
async function tidyUp(days = 6): Promise<void> {
  for (let passed = 0; passed < days; passed += 2) {
    site.pass(2 * day)
    const ctx = await site.app.context()
    await retireUnused(ctx)
    await purgeRetired(ctx)
    await removeUnneeded(ctx)
  }
}

async function shown(path: string): Promise<number> {
  return (await site.request(path)).status
}

const img = (...paths: string[]) => paths.map((path) => `<img src="${path}">`).join('')

test('pictures stay as long as an article shows them, and go when it goes for good', async () => {
  const kept = await upload(author)
  const { id } = await site.post(author, { content: img(kept) })
  await tidyUp()
  expect(await shown(kept)).toBe(200)
  await author.call(articles.delete, { id: [id] })
  await tidyUp()
  expect(await shown(kept)).toBe(200)
  await site.root.call(articleRecycle.delete, { id: [id] })
  expect(await shown(kept)).toBe(404)
  await tidyUp()
  const hash = kept.split('/').at(-1)?.split('.')[0] ?? ''
  expect(await site.db.selectFrom('stored_file').select('hash').where('hash', '=', hash).execute()).toEqual([])
})

test('pictures of a draft wait for it for a month', async () => {
  const [published, unused] = [await upload(author), await upload(author)]
  await tidyUp(28)
  expect([await shown(published), await shown(unused)]).toEqual([200, 200])
  await site.post(author, { content: img(published) })
  await tidyUp(36)
  expect([await shown(published), await shown(unused)]).toEqual([200, 404])
})

test('pictures that have retired come back with the article that their owner publishes after all', async () => {
  const other = await site.writer()
  const [waited, moved] = [await upload(author), await upload(author)]
  const old = await site.post(author, { content: img(moved) })
  site.pass(31 * day)
  await retireUnused(await site.app.context())
  await author.call(articles.update, { ...old, content: '<p>图挪走了</p>' })
  expect([await shown(waited), await shown(moved)]).toEqual([404, 404])
  await site.post(other, { content: img(waited, moved) })
  expect([await shown(waited), await shown(moved)]).toEqual([404, 404])
  await site.post(author, { content: img(waited, moved) })
  await tidyUp(36)
  expect([await shown(waited), await shown(moved)]).toEqual([200, 200])
})

test('an article has 500 files at most, and does not count what can be none', async () => {
  const many = (count: number) =>
    img(...Array.from({ length: count }, (_, at) => `/uploads/ab/${at.toString(16).padStart(64, '0')}.webp`))
  expect(await refusal(site.post(author, { content: many(501) }))).toMatchObject({
    status: 400,
    reason: 'articles.tooManyFiles',
  })
  const made = await site.post(author, { content: many(500) })
  expect(await refusal(author.call(articles.update, { ...made, content: many(501) }))).toMatchObject({ status: 400 })
  const strange = img(...Array.from({ length: 33_000 }, (_, at) => `/uploads/${at}`))
  expect(await site.post(author, { content: strange })).toMatchObject({ status: 1 })
})

test('a picture that is taken out goes after a while, and comes back if it is put in again in time', async () => {
  const [first, second] = [await upload(author), await upload(author)]
  const made = await site.post(author, { content: img(first, second) })
  await author.call(articles.update, { ...made, content: img(second) })
  expect([await shown(first), await shown(second)]).toEqual([404, 200])
  await author.call(articles.update, { ...made, content: img(first, second) })
  expect([await shown(first), await shown(second)]).toEqual([200, 200])
  await author.call(articles.update, { ...made, content: img(second) })
  await tidyUp()
  expect([await shown(first), await shown(second)]).toEqual([404, 200])
})

test('a picture that two articles show outlives either of them', async () => {
  const other = await site.writer()
  const path = await upload(author)
  const [one, two] = [
    await site.post(author, { content: img(path) }),
    await site.post(other, { content: `<p>转引</p>${img(path)}` }),
  ]
  await site.root.call(articles.delete, { id: [one.id] })
  await site.root.call(articleRecycle.delete, { id: [one.id] })
  await tidyUp()
  expect(await shown(path)).toBe(200)
  await site.root.call(articles.delete, { id: [two.id] })
  await site.root.call(articleRecycle.delete, { id: [two.id] })
  await tidyUp()
  expect(await shown(path)).toBe(404)
})

test('no file of a document can be named into an article', async () => {
  const { hash } = await site.upload(author)
  const path = `/uploads/${hash.slice(0, 2)}/${hash}.pdf`
  const { id } = await site.post(author, { content: `<p><a href="${path}">x</a></p>${img(path)}` })
  const rows = await site.db
    .selectFrom('attachment')
    .select('id')
    .where('type', '=', 3)
    .where('type_id', '=', id)
    .execute()
  expect(rows).toEqual([])
  expect(await shown(path)).toBe(404)
})

test('what was banned stays banned', async () => {
  const path = await upload(author)
  await site.db.updateTable('attachment').set({ enable: 0 }).where('path', '=', path).execute()
  await site.post(author, { content: `<p>字</p>${img(path)}` })
  expect(await shown(path)).toBe(404)
})
