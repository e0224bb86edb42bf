import { gunzipSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import { bring, convertAll, documentRow, renditionRow } from '#server/testing/converting.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { openSite, type Person, type Site } from '#server/testing/site.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { renditionPrefix } from '#server/modules/renditions/storage-keys.ts'
import { viewKey } from '../documents.keys.ts'

let site: Site
let owner: Person
let id: number
let hash: string
beforeAll(async () => {
  site = await openSite()
  owner = await site.member()
  ;({ id, hash } = await bring(site, { name: '年报.pdf', content: makePdf({ title: '年报', pages: 30 }), owner }))
  await convertAll(site)
})
afterAll(() => site.close())
afterEach(async () => {
  await site.configure({
    'security.is_close': 'false',
    'security.login_required': 'false',
    'converter.max_preview': '12',
    'system.enable_watermark': 'false',
  })
  await site.db.updateTable('document').set({ status: 2, deleted_at: null }).where('id', '=', id).execute()
})

test('a page comes compressed, sealed off and to be kept for ever', async () => {
  const key = await keyFor(site.call)
  for (const name of ['1.svg', '1.gzip.svg']) {
    const { status, headers, body } = await ask(`/view/page/${key}/${name}`, { 'accept-encoding': 'gzip, br' })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('image/svg+xml')
    expect(headers.get('content-encoding')).toBe('gzip')
    expect(headers.get('content-length')).toBe(String(body.length))
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, s-maxage=3600, immutable')
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
    )
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    // Compressed once: what comes out is the drawing.
    expect(gunzipSync(body).toString('utf8')).toMatch(/^<svg [^]*<\/svg>\s*$/)
  }
})

test('who does not take gzip gets the drawing itself, except where the name says gzip', async () => {
  const key = await keyFor(site.call)
  for (const accepted of ['', 'identity', 'gzip;q=0, br']) {
    const plain = await ask(`/view/page/${key}/2.svg`, { 'accept-encoding': accepted })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(plain.headers.get('vary')).toBe('accept-encoding')
    expect(plain.body.toString('utf8', 0, 5)).toBe('<svg ')
    const named = await ask(`/view/page/${key}/2.gzip.svg`, { 'accept-encoding': accepted })
    expect(named.headers.get('content-encoding')).toBe('gzip')
  }
})

test('HEAD tells the same without the page, and an unchanged page is not sent again', async () => {
  const key = await keyFor(site.call)
  const path = `/view/page/${key}/1.gzip.svg`
  const got = await ask(path)
  const head = await site.request(path, { method: 'HEAD' })
  expect(await head.text()).toBe('')
  for (const name of ['content-type', 'content-encoding', 'content-length', 'etag', 'cache-control'])
    expect(head.headers.get(name)).toBe(got.headers.get(name))
  const again = await site.request(path, { headers: { 'if-none-match': got.headers.get('etag') ?? '' } })
  expect(again.status).toBe(304)
})

test('covers and thumbnails are WebP pictures, text comes with its places', async () => {
  const key = await keyFor(site.call)
  const cover = await ask(`/view/cover/${key}`)
  expect(cover.headers.get('content-type')).toBe('image/webp')
  const { width, height, format } = await sharp(cover.body).metadata()
  expect(format).toBe('webp')
  expect(height / width).toBeCloseTo(842 / 595, 1)
  expect(width).toBeGreaterThanOrEqual(210)
  const thumb = await ask(`/view/thumb/${key}/3.webp`)
  expect(await sharp(thumb.body).metadata()).toMatchObject({ format: 'webp', width: 160 })
  const { json } = await site.send('GET', `/view/text/${key}/3.json`)
  expect(json).toMatchObject({ width: 595, height: 842 })
  expect((json.lines as unknown[][])[0]?.[4]).toBe('年报 3')
  const small = await ask(`/view/text/${key}/3.json`, { 'accept-encoding': 'gzip' })
  expect(small.headers.get('content-encoding')).toBe('gzip')
  expect(JSON.parse(gunzipSync(small.body).toString('utf8'))).toEqual(json)
})

test('beyond the preview no address gives anything of a page, also after the limit was lowered', async () => {
  const key = await keyFor(site.call)
  const addresses = (page: number) => [
    `/view/page/${key}/${page}.svg`,
    `/view/page/${key}/${page}.gzip.svg`,
    `/view/thumb/${key}/${page}.webp`,
    `/view/text/${key}/${page}.json`,
  ]
  for (const path of addresses(12)) expect((await site.request(path)).status).toBe(200)
  for (const path of addresses(13)) expect((await site.request(path)).status).toBe(403)
  await site.configure({ 'converter.max_preview': '5' })
  for (const path of addresses(5)) expect((await site.request(path)).status).toBe(200)
  for (const path of addresses(6)) {
    const refused = await site.send('GET', path)
    expect(refused.status).toBe(403)
    expect(refused.json).toMatchObject({ reason: 'documents.beyondPreview' })
    expect(refused.headers.get('cache-control')).toBe('no-store')
  }
  expect((await site.request(`/view/cover/${key}`)).status).toBe(200)
  const plan = await site.call(documents.plan, { id })
  expect(plan).toMatchObject({ pages: 30, preview: 5, size: [{ count: 5 }] })
  expect(plan.outline.map(({ page }) => page)).toEqual([1, 2, 3, 4, 5])
  for (const path of addresses(31)) expect((await site.request(path)).status).toBe(404)
  for (const page of ['0', '-1', '1.5', 'x', '9999999', '1e1'])
    expect((await site.request(`/view/page/${key}/${page}.svg`)).status).toBe(404)
})

test('the owner reads all of it, with a key that is not for caches others share', async () => {
  const key = await keyFor(owner.call)
  for (const path of [`page/${key}/30.svg`, `thumb/${key}/30.webp`, `text/${key}/30.json`]) {
    const got = await ask(`/view/${path}`)
    expect(got.status).toBe(200)
    expect(got.headers.get('cache-control')).toBe('private, max-age=600')
  }
  site.pass(3 * 3600_000)
  expect((await site.request(`/view/page/${key}/1.svg`)).status).toBe(404)
})

test('a closed site, a site for members, a restricted or deleted document: pictures obey at once', async () => {
  const key = await keyFor(site.call)
  const addresses = [
    `/view/page/${key}/1.svg`,
    `/view/page/${key}/1.gzip.svg`,
    `/view/thumb/${key}/1.webp`,
    `/view/text/${key}/1.json`,
    `/view/cover/${key}`,
  ]
  const statuses = async () =>
    new Set(await Promise.all(addresses.map(async (path) => (await site.request(path)).status)))
  expect(await statuses()).toEqual(new Set([200]))
  await site.configure({ 'security.is_close': 'true' })
  expect(await statuses()).toEqual(new Set([403]))
  await site.configure({ 'security.is_close': 'false', 'security.login_required': 'true' })
  expect(await statuses()).toEqual(new Set([401]))
  await site.configure({ 'security.login_required': 'false' })
  for (const status of [4, 6, 7]) {
    await site.db.updateTable('document').set({ status }).where('id', '=', id).execute()
    expect(await statuses()).toEqual(new Set([404]))
  }
  await site.db.updateTable('document').set({ status: 2, deleted_at: 1 }).where('id', '=', id).execute()
  expect(await statuses()).toEqual(new Set([404]))
  await site.db.updateTable('document').set({ deleted_at: null }).where('id', '=', id).execute()
  expect(await statuses()).toEqual(new Set([200]))
})

test("a member's key ends with what it was given for: a site that closes, a document that is hidden", async () => {
  await site.configure({ 'security.login_required': 'true' })
  const [reader, own, staff] = [
    await keyFor((await site.member()).call),
    await keyFor(owner.call),
    await keyFor(site.root.call),
  ]
  const statuses = () =>
    Promise.all([reader, own, staff].map(async (key) => (await site.request(`/view/page/${key}/1.svg`)).status))
  expect(await statuses()).toEqual([200, 200, 200])
  await site.db.updateTable('document').set({ status: 4 }).where('id', '=', id).execute()
  expect(await statuses()).toEqual([404, 200, 200])
  await site.db.updateTable('document').set({ status: 2 }).where('id', '=', id).execute()
  await site.configure({ 'security.is_close': 'true' })
  expect(await statuses()).toEqual([403, 403, 200])
})

test('keys we did not make open nothing', async () => {
  const key = await keyFor(site.call)
  const flipped = (key.startsWith('A') ? 'B' : 'A') + key.slice(1)
  for (const bad of [flipped, key.slice(0, -1), `${key}A`, 'x'.repeat(32), hash, hash.slice(0, 32), '..%2f..%2fetc'])
    for (const path of [`page/${bad}/1.svg`, `thumb/${bad}/1.webp`, `text/${bad}/1.json`, `cover/${bad}`])
      expect((await site.request(`/view/${path}`)).status, path).toBe(404)
})

test('the watermark is on every page picture, whoever asks and however', async () => {
  const before = await keyFor(site.call)
  await site.configure({ 'system.enable_watermark': 'true', 'system.watermark': '文豆 <样章>' })
  const keys = [before, await keyFor(site.call), await keyFor(owner.call), await keyFor(site.root.call)]
  for (const key of keys)
    for (const name of ['1.svg', '1.gzip.svg', '11.svg']) {
      const { body, headers } = await ask(`/view/page/${key}/${name}`, { 'accept-encoding': 'gzip' })
      expect(headers.get('content-encoding')).toBe('gzip')
      expect(gunzipSync(body).toString('utf8')).toContain('文豆 &#60;样章&#62;')
    }
  // An address from before the watermark shows it too; it just is not kept for long.
  const old = await ask(`/view/page/${before}/1.svg`)
  expect(old.headers.get('cache-control')).toBe('public, max-age=60')
  await site.configure({ 'system.watermark': '内部资料' })
  const key = await keyFor(site.call)
  const { body } = await ask(`/view/page/${key}/1.gzip.svg`)
  expect(gunzipSync(body).toString('utf8')).toContain('内部资料')
})

test('while a document is converted anew its pages stay; old addresses then show the new ones', async () => {
  const key = await keyFor(site.call)
  const before = await renditionRow(site, hash)
  const etag = (await ask(`/view/page/${key}/1.svg`)).headers.get('etag')
  await site.root.call(documents.reconvert, { id: [id] })
  expect(await documentRow(site, id)).toMatchObject({ status: 5, pages: 30 })
  expect((await site.request(`/view/page/${key}/7.svg`)).status).toBe(200)
  await site.settle()
  expect(await documentRow(site, id)).toMatchObject({ status: 2, pages: 30 })
  const after = await renditionRow(site, hash)
  expect(after.revision).toBeGreaterThan(before.revision)
  expect(after).toMatchObject({ state: 'done', has_cover: 1, read_pages: 30 })
  const { storage } = await site.app.context()
  for await (const { key: kept } of storage.list(renditionPrefix(hash))) expect(kept).toContain(`/${after.revision}/`)
  const old = await ask(`/view/page/${key}/1.svg`)
  expect(old.status).toBe(200)
  expect(old.headers.get('etag')).not.toBe(etag)
  expect(old.headers.get('cache-control')).toBe('public, max-age=60')
  expect((await site.request(`/view/cover/${key}`)).status).toBe(200)
  expect(await keyFor(site.call)).not.toBe(key)
})

test('a conversion that fails the second time leaves the pages that were there', async () => {
  const content = makePdf({ title: '再来', pages: 2 })
  const again = await bring(site, { name: '再来.pdf', content, owner })
  await site.settle()
  await site.configure({ 'converter.max_pages': '1' })
  await site.root.call(documents.reconvert, { id: [again.id] })
  await site.settle()
  expect(await documentRow(site, again.id)).toMatchObject({ status: 3, pages: 2 })
  const key = await keyFor(site.call, again.id)
  expect((await site.request(`/view/page/${key}/2.svg`)).status).toBe(200)
  await site.configure({ 'converter.max_pages': '20000' })
  await site.root.call(documents.reconvert, {})
  await site.settle()
  expect(await documentRow(site, again.id)).toMatchObject({ status: 2, pages: 2 })
})

test('what nobody uses any more is removed, and nothing else', async () => {
  const content = makePdf({ title: '要走' })
  const one = await bring(site, { name: '甲.pdf', content })
  const two = await bring(site, { name: '乙.pdf', content })
  await site.settle()
  const ctx = await site.app.context()
  const kept = async () => (await Array.fromAsync(ctx.storage.list(renditionPrefix(one.hash)))).length
  const remove = async (id: number) => {
    await site.db.deleteFrom('document').where('id', '=', id).execute()
    await enqueue(ctx, { kind: 'rendition.remove', payload: { hash: one.hash } })
    await site.settle()
  }
  await remove(one.id)
  expect(await kept()).toBeGreaterThan(0)
  // Somebody still works on it: a little later, then.
  const busy = { kind: 'document.draw', payload: '{}', key: `draw:${one.hash}`, state: 'running' as const }
  const stamps = { run_at: 0, created_at: 0, updated_at: 0, lease_until: ctx.now() + 3600_000 }
  const { id } = await site.db
    .insertInto('job')
    .values({ ...busy, ...stamps, run_at: ctx.now() + 3600_000 })
    .returning('id')
    .executeTakeFirstOrThrow()
  await remove(two.id)
  expect(await kept()).toBeGreaterThan(0)
  await site.db.deleteFrom('job').where('id', '=', id).execute()
  site.pass(61_000)
  await site.settle()
  expect(await kept()).toBe(0)
  expect(await site.db.selectFrom('rendition').select('hash').where('hash', '=', one.hash).execute()).toEqual([])
})

test('a document without pages says so', async () => {
  const waiting = await bring(site, { name: '等.pdf', content: makePdf({ title: '等' }), owner })
  const ctx = await site.app.context()
  const key = viewKey(ctx, await documentRow(site, waiting.id), 0)
  const answer = await site.send('GET', `/view/page/${key}/1.svg`)
  expect(answer.status).toBe(404)
  expect(answer.json).toMatchObject({ reason: 'documents.notReady' })
  expect(await site.call(documents.plan, { id: waiting.id })).toEqual({ pages: 0, preview: 0, size: [], outline: [] })
  await site.settle()
})

async function keyFor(call: Site['call'], document = id): Promise<string> {
  const { document: found } = await call(documents.progress, { id: [document] })
  return found[0]?.hash ?? ''
}

async function ask(path: string, headers: Record<string, string> = {}) {
  const response = await site.request(path, { headers })
  return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) }
}
