import { DocumentStatus, reviewableStatuses } from '#shared/document-status.ts'
import { gunzipSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { groups, punishments } from '#shared/contract/access.ts'
import { documents } from '#shared/contract/documents.ts'
import { Punishment } from '#shared/enums.ts'
import { users } from '#shared/contract/users.ts'
import { downloads } from '#shared/contract/downloads.ts'
import { publishDocument, convertAll, documentRow, renditionRow } from '#server/testing/publish-document.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { openSite, type Person, type Site } from '#server/testing/site.ts'
import { enqueue } from '#server/jobs.ts'
import { renditionPrefix } from '#server/modules/renditions/storage-keys.ts'
import { viewKey } from '../documents.keys.ts'

const brokenPdf = `%PDF-1.7\n${'x'.repeat(300)}`

let site: Site
let owner: Person
let id: number
let hash: string
beforeAll(async () => {
  site = await openSite()
  owner = await site.member()
  ;({ id, hash } = await publishDocument(site, {
    name: '年报.pdf',
    content: makePdf({ title: '年报', pages: 30 }),
    owner,
  }))
  await convertAll(site)
  await site.configure({ 'converter.max_preview_free': '12' })
})
afterAll(() => site.close())
afterEach(async () => {
  await site.configure({
    'security.is_close': 'false',
    'security.login_required': 'false',
    'converter.max_preview_free': '12',
    'system.enable_watermark': 'false',
  })
  await site.db
    .updateTable('document')
    .set({ status: DocumentStatus.Converted, deleted_at: null })
    .where('id', '=', id)
    .execute()
})

test('a page on another ground has an address and a tag of its own, and the same limits', async () => {
  const key = await keyFor(site.call)
  const [white, night] = [
    await fetchFile(`/view/page/${key}/1.svg`, { 'accept-encoding': 'gzip' }),
    await fetchFile(`/view/page/${key}/1.night.svg`, { 'accept-encoding': 'gzip' }),
  ]
  expect(gunzipSync(white.body).toString()).toContain('<path fill="#fff"')
  expect(gunzipSync(night.body).toString()).toContain('<path fill="#181b1a"')
  expect(night.headers.get('cache-control')).toBe(white.headers.get('cache-control'))
  expect(night.headers.get('content-security-policy')).toBe(white.headers.get('content-security-policy'))
  expect(night.headers.get('etag')).not.toBe(white.headers.get('etag'))
  expect((await fetchFile(`/view/page/${key}/13.night.svg`)).status, 'beyond the preview').toBe(403)
  expect((await fetchFile(`/view/page/${key}/1.blue.svg`)).status).toBe(404)
})

test('a page is compressed, sandboxed and immutable', async () => {
  const key = await keyFor(site.call)
  for (const name of ['1.svg', '1.gzip.svg']) {
    const { status, headers, body } = await fetchFile(`/view/page/${key}/${name}`, { 'accept-encoding': 'gzip, br' })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('image/svg+xml')
    expect(headers.get('content-encoding')).toBe('gzip')
    expect(headers.get('content-length')).toBe(String(body.length))
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, s-maxage=3600, immutable')
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
    )
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    // Compressed once, not twice.
    expect(gunzipSync(body).toString('utf8')).toMatch(/^<svg [^]*<\/svg>\s*$/)
  }
})

test('a client that does not accept gzip gets plain SVG, except by the gzip address', async () => {
  const key = await keyFor(site.call)
  for (const encodings of ['', 'identity', 'gzip;q=0, br']) {
    const plain = await fetchFile(`/view/page/${key}/2.svg`, { 'accept-encoding': encodings })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(plain.headers.get('vary')).toBe('accept-encoding')
    expect(plain.body.toString('utf8', 0, 5)).toBe('<svg ')
    const gzipped = await fetchFile(`/view/page/${key}/2.gzip.svg`, { 'accept-encoding': encodings })
    expect(gzipped.headers.get('content-encoding')).toBe('gzip')
  }
})

test('HEAD returns the same headers, and an unchanged page is answered with 304', async () => {
  const key = await keyFor(site.call)
  const path = `/view/page/${key}/1.gzip.svg`
  const response = await fetchFile(path)
  const head = await site.request(path, { method: 'HEAD' })
  expect(await head.text()).toBe('')
  for (const name of ['content-type', 'content-encoding', 'content-length', 'etag', 'cache-control'])
    expect(head.headers.get(name)).toBe(response.headers.get(name))
  const again = await site.request(path, { headers: { 'if-none-match': response.headers.get('etag') ?? '' } })
  expect(again.status).toBe(304)
})

test('covers and thumbnails are WebP images, text comes with positions', async () => {
  const key = await keyFor(site.call)
  const cover = await fetchFile(`/view/cover/${key}`)
  expect(cover.headers.get('content-type')).toBe('image/webp')
  const { width, height, format } = await sharp(cover.body).metadata()
  expect(format).toBe('webp')
  expect(height / width).toBeCloseTo(842 / 595, 1)
  expect(width).toBeGreaterThanOrEqual(210)
  const thumb = await fetchFile(`/view/thumb/${key}/3.webp`)
  expect(await sharp(thumb.body).metadata()).toMatchObject({ format: 'webp', width: 160 })
  const { json } = await site.send('GET', `/view/text/${key}/3.json`)
  expect(json).toMatchObject({ width: 595, height: 842 })
  expect((json.lines as unknown[][])[0]?.[4]).toBe('年报 3')
  const compressed = await fetchFile(`/view/text/${key}/3.json`, { 'accept-encoding': 'gzip' })
  expect(compressed.headers.get('content-encoding')).toBe('gzip')
  expect(JSON.parse(gunzipSync(compressed.body).toString('utf8'))).toEqual(json)
})

test('the layout tells what all pages leave empty at their edges', async () => {
  const { crop } = await site.call(documents.layout, { id })
  const { json } = await site.send('GET', `/view/text/${await keyFor(site.call)}/1.json`)
  const [x = 0, y = 0] = (json.lines as number[][])[0] ?? []
  expect(crop?.left).toBeGreaterThan(0.05)
  expect(crop?.left).toBeLessThan(x / 595)
  expect(crop?.top).toBeGreaterThan(0.02)
  expect(crop?.top).toBeLessThan(y / 842)
  expect(crop?.right).toBeGreaterThan(0.02)
  expect(crop?.bottom).toBeGreaterThan(0.02)
})

test('no address serves a page beyond the preview, also after the limit was lowered', async () => {
  const key = await keyFor(site.call)
  const addresses = (page: number) => [
    `/view/page/${key}/${page}.svg`,
    `/view/page/${key}/${page}.gzip.svg`,
    `/view/thumb/${key}/${page}.webp`,
    `/view/text/${key}/${page}.json`,
  ]
  for (const path of addresses(12)) expect((await site.request(path)).status).toBe(200)
  for (const path of addresses(13)) expect((await site.request(path)).status).toBe(403)
  await site.configure({ 'converter.max_preview_free': '5' })
  for (const path of addresses(5)) expect((await site.request(path)).status).toBe(200)
  for (const path of addresses(6)) {
    const refused = await site.send('GET', path)
    expect(refused.status).toBe(403)
    expect(refused.json).toMatchObject({ reason: 'documents.beyondPreview' })
    expect(refused.headers.get('cache-control')).toBe('no-store')
  }
  expect((await site.request(`/view/cover/${key}`)).status).toBe(200)
  const plan = await site.call(documents.layout, { id })
  expect(plan).toMatchObject({ pages: 30, preview: 5, size: [{ count: 5 }] })
  // The outline is whole: readers see what they would get.
  expect(plan.outline).toHaveLength(30)
  for (const path of addresses(31)) expect((await site.request(path)).status).toBe(404)
  for (const page of ['0', '-1', '1.5', 'x', '9999999', '1e1'])
    expect((await site.request(`/view/page/${key}/${page}.svg`)).status).toBe(404)
})

test('the outline of a priced document ends where its preview does, unless the owner shows it as a teaser', async () => {
  await site.configure({ 'converter.max_preview': '12', 'converter.max_preview_free': '5' })
  const outline = async (call = site.call) => (await call(documents.layout, { id })).outline.length
  expect(await outline(), 'free').toBe(30)
  await site.db.updateTable('document').set({ price: 3 }).where('id', '=', id).execute()
  expect(await outline()).toBe(12)
  expect(await outline(owner.call), 'its owner reads it all').toBe(30)
  await site.configure({ 'converter.paid_outline': 'true' })
  expect(await outline()).toBe(30)
  await site.configure({ 'converter.paid_outline': 'false' })
  await site.db.updateTable('document').set({ price: 0 }).where('id', '=', id).execute()
})

test('free documents are read whole, priced ones up to the preview, from the moment the price changes', async () => {
  await site.configure({ 'converter.max_preview_free': '0', 'converter.max_preview': '12' })
  const free = await keyFor(site.call)
  const statusOf = async (key: string, page: number) => (await site.request(`/view/page/${key}/${page}.svg`)).status
  expect(await statusOf(free, 30)).toBe(200)
  expect(await site.call(documents.layout, { id })).toMatchObject({ pages: 30, preview: 30 })
  await site.db.updateTable('document').set({ price: 5 }).where('id', '=', id).execute()
  const priced = await keyFor(site.call)
  // Other addresses: what caches hold of the free document is not asked for any more.
  expect(priced).not.toBe(free)
  for (const key of [free, priced]) expect([await statusOf(key, 12), await statusOf(key, 13)]).toEqual([200, 403])
  expect(await site.call(documents.layout, { id })).toMatchObject({ pages: 30, preview: 12, size: [{ count: 12 }] })
  expect(await site.call(documents.get, { id })).toMatchObject({ pages: 30, preview: 12 })
  await site.db.updateTable('document').set({ price: 0 }).where('id', '=', id).execute()
})

test('the owner reads all pages, with a key that shared caches do not store', async () => {
  const key = await keyFor(owner.call)
  for (const path of [`page/${key}/30.svg`, `thumb/${key}/30.webp`, `text/${key}/30.json`, `reflow/${key}/21.json`]) {
    const response = await fetchFile(`/view/${path}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('private, no-cache')
  }
  site.advanceClock(3 * 3600_000)
  expect((await site.request(`/view/page/${key}/1.svg`)).status).toBe(404)
})

test('images follow at once when the site is closed or for members, or the document is hidden or deleted', async () => {
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
  expect(await statuses()).toEqual(new Set([401]))
  await site.configure({ 'security.is_close': 'false', 'security.login_required': 'true' })
  expect(await statuses()).toEqual(new Set([401]))
  await site.configure({ 'security.login_required': 'false' })
  for (const status of reviewableStatuses) {
    await site.db.updateTable('document').set({ status }).where('id', '=', id).execute()
    expect(await statuses()).toEqual(new Set([404]))
  }
  await site.db
    .updateTable('document')
    .set({ status: DocumentStatus.Converted, deleted_at: 1 })
    .where('id', '=', id)
    .execute()
  expect(await statuses()).toEqual(new Set([404]))
  await site.db.updateTable('document').set({ deleted_at: null }).where('id', '=', id).execute()
  expect(await statuses()).toEqual(new Set([200]))
})

test("a member's key is refused once the site is closed or the document is hidden", async () => {
  await site.configure({ 'security.login_required': 'true' })
  const [memberKey, ownerKey, staffKey] = [
    await keyFor((await site.member()).call),
    await keyFor(owner.call),
    await keyFor(site.root.call),
  ]
  const statuses = () =>
    Promise.all(
      [memberKey, ownerKey, staffKey].map(async (key) => (await site.request(`/view/page/${key}/1.svg`)).status),
    )
  expect(await statuses()).toEqual([200, 200, 200])
  await site.db.updateTable('document').set({ status: DocumentStatus.Disabled }).where('id', '=', id).execute()
  expect(await statuses()).toEqual([404, 200, 200])
  await site.db.updateTable('document').set({ status: DocumentStatus.Converted }).where('id', '=', id).execute()
  await site.configure({ 'security.is_close': 'true' })
  expect(await statuses()).toEqual([403, 403, 200])
})

describe("a person's key ends at once", () => {
  const opens = async (key: string) => (await site.request(`/view/page/${key}/30.svg`)).status === 200

  test('with the session', async () => {
    const reviewer = await site.staff('DocumentAPI/GetDocument')
    const key = await keyFor(reviewer.call)
    expect(await opens(key)).toBe(true)
    await reviewer.call(users.logout)
    expect(await opens(key)).toBe(false)
    expect((await site.request(`/view/page/${key}/1.svg`)).status).toBe(200)
  })

  test('with another password', async () => {
    const reviewer = await site.staff('DocumentAPI/GetDocument')
    const { token } = await site.call(users.login, reviewer)
    const [own, elsewhere] = [await keyFor(reviewer.call), await keyFor(site.caller({ token }))]
    await reviewer.call(users.password, { old_password: reviewer.password, new_password: 'quite another one' })
    expect([await opens(own), await opens(elsewhere)]).toEqual([true, false])
  })

  test('with a punishment, and the permissions of the group', async () => {
    const [punished, moved, reduced] = [
      await site.staff('DocumentAPI/GetDocument'),
      await site.staff('DocumentAPI/GetDocument'),
      await site.staff('DocumentAPI/GetDocument'),
    ]
    const keys = await Promise.all([punished, moved, reduced].map(({ call }) => keyFor(call)))
    expect(await Promise.all(keys.map(opens))).toEqual([true, true, true])
    await site.root.call(punishments.create, { user_id: [punished.id], type: [Punishment.Disabled], enable: true })
    const { group } = await site.root.call(groups.list)
    const standard = group.find(({ is_default }) => is_default)
    await site.root.call(users.set, { id: moved.id, group_id: [standard?.id ?? 0] })
    const { group: own } = await reduced.call(users.group)
    await site.root.call(groups.setPermissions, { group_id: own[0]?.id ?? 0, permission_id: [] })
    expect(await Promise.all(keys.map(opens))).toEqual([false, false, false])
  })

  test('on a closed site, where only staff see anything', async () => {
    await site.configure({ 'security.is_close': 'true' })
    const reviewer = await site.staff('DocumentAPI/GetDocument')
    const key = await keyFor(reviewer.call)
    expect(await opens(key)).toBe(true)
    const { group } = await reviewer.call(users.group)
    await site.root.call(groups.setPermissions, { group_id: group[0]?.id ?? 0, permission_id: [] })
    expect((await site.request(`/view/cover/${key}`)).status).toBe(403)
    await reviewer.call(users.logout)
    expect((await site.request(`/view/cover/${key}`)).status).toBe(401)
  })
})

test('forged keys are refused', async () => {
  const key = await keyFor(site.call)
  const flipped = (key.startsWith('A') ? 'B' : 'A') + key.slice(1)
  for (const forged of [flipped, key.slice(0, -1), `${key}A`, 'x'.repeat(32), hash, hash.slice(0, 32), '..%2f..%2fetc'])
    for (const path of [`page/${forged}/1.svg`, `thumb/${forged}/1.webp`, `text/${forged}/1.json`, `cover/${forged}`])
      expect((await site.request(`/view/${path}`)).status, path).toBe(404)
})

test('the watermark is on every page image, for every viewer and format', async () => {
  const before = await keyFor(site.call)
  await site.configure({ 'system.enable_watermark': 'true', 'system.watermark': '文豆 <样章>' })
  const keys = [before, await keyFor(site.call), await keyFor(owner.call), await keyFor(site.root.call)]
  for (const key of keys)
    for (const name of ['1.svg', '1.gzip.svg', '11.svg']) {
      const { body, headers } = await fetchFile(`/view/page/${key}/${name}`, { 'accept-encoding': 'gzip' })
      expect(headers.get('content-encoding')).toBe('gzip')
      expect(gunzipSync(body).toString('utf8')).toContain('文豆 &#60;样章&#62;')
    }
  // An address from before the watermark serves it too, but is not cached for long.
  const old = await fetchFile(`/view/page/${before}/1.svg`)
  expect(old.headers.get('cache-control')).toBe('public, max-age=60')
  await site.configure({ 'system.watermark': '内部资料' })
  const key = await keyFor(site.call)
  const { body } = await fetchFile(`/view/page/${key}/1.gzip.svg`)
  expect(gunzipSync(body).toString('utf8')).toContain('内部资料')
})

test('during a reconversion the pages stay; afterwards old addresses serve the new ones', async () => {
  const key = await keyFor(site.call)
  const before = await renditionRow(site, hash)
  const etag = (await fetchFile(`/view/page/${key}/1.svg`)).headers.get('etag')
  await site.root.call(documents.reconvert, { id: [id] })
  expect(await documentRow(site, id)).toMatchObject({ status: DocumentStatus.PendingReconversion, pages: 30 })
  expect((await site.request(`/view/page/${key}/7.svg`)).status).toBe(200)
  await site.runDueJobs()
  expect(await documentRow(site, id)).toMatchObject({ status: DocumentStatus.Converted, pages: 30 })
  const after = await renditionRow(site, hash)
  expect(after.revision).toBeGreaterThan(before.revision)
  expect(after).toMatchObject({ state: 'done', has_cover: 1, text_pages: 30 })
  const { storage } = await site.app.context()
  for await (const file of storage.list(renditionPrefix(hash))) expect(file.key).toContain(`/${after.revision}/`)
  const old = await fetchFile(`/view/page/${key}/1.svg`)
  expect(old.status).toBe(200)
  expect(old.headers.get('etag')).not.toBe(etag)
  expect(old.headers.get('cache-control')).toBe('public, max-age=60')
  expect((await site.request(`/view/cover/${key}`)).status).toBe(200)
  expect(await keyFor(site.call)).not.toBe(key)
})

test('a failed reconversion keeps the existing pages', async () => {
  const content = makePdf({ title: '再来', pages: 2 })
  const again = await publishDocument(site, { name: '再来.pdf', content, owner })
  await site.runDueJobs()
  await site.configure({ 'converter.max_pages': '1' })
  await site.root.call(documents.reconvert, { id: [again.id] })
  await site.runDueJobs()
  expect(await documentRow(site, again.id)).toMatchObject({ status: DocumentStatus.Failed, pages: 2 })
  const key = await keyFor(site.call, again.id)
  expect((await site.request(`/view/page/${key}/2.svg`)).status).toBe(200)
  await site.configure({ 'converter.max_pages': '20000' })
  await site.root.call(documents.reconvert, {})
  await site.runDueJobs()
  expect(await documentRow(site, again.id)).toMatchObject({ status: DocumentStatus.Converted, pages: 2 })
})

test('unused renditions are removed, and nothing else', async () => {
  const content = makePdf({ title: '要走' })
  const first = await publishDocument(site, { name: '甲.pdf', content })
  const second = await publishDocument(site, { name: '乙.pdf', content })
  await site.runDueJobs()
  const ctx = await site.app.context()
  const countFiles = async () => (await Array.fromAsync(ctx.storage.list(renditionPrefix(first.hash)))).length
  const remove = async (id: number) => {
    await site.db.deleteFrom('document').where('id', '=', id).execute()
    await enqueue(ctx, 'renditions.remove', { hash: first.hash })
    await site.runDueJobs()
  }
  await remove(first.id)
  expect(await countFiles()).toBeGreaterThan(0)
  // A conversion still runs: the removal is retried later.
  const busy = {
    kind: 'renditions.prerender',
    payload: '{}',
    key: `prerender:${first.hash}`,
    state: 'running' as const,
  }
  const stamps = { run_at: 0, created_at: 0, updated_at: 0, lease_until: ctx.now() + 3600_000 }
  const { id } = await site.db
    .insertInto('job')
    .values({ ...busy, ...stamps, run_at: ctx.now() + 3600_000 })
    .returning('id')
    .executeTakeFirstOrThrow()
  await remove(second.id)
  expect(await countFiles()).toBeGreaterThan(0)
  await site.db.deleteFrom('job').where('id', '=', id).execute()
  site.advanceClock(61_000)
  await site.runDueJobs()
  expect(await countFiles()).toBe(0)
  expect(await site.db.selectFrom('rendition').select('hash').where('hash', '=', first.hash).execute()).toEqual([])
})

test('a document without pages is answered as not ready', async () => {
  const waiting = await publishDocument(site, { name: '等.pdf', content: makePdf({ title: '等' }), owner })
  const ctx = await site.app.context()
  const key = viewKey(ctx, { ...(await documentRow(site, waiting.id)), isPaidFor: false }, 0)
  const response = await site.send('GET', `/view/page/${key}/1.svg`)
  expect(response.status).toBe(404)
  expect(response.json).toMatchObject({ reason: 'documents.notReady' })
  expect(await site.call(documents.layout, { id: waiting.id })).toEqual({
    pages: 0,
    preview: 0,
    size: [],
    outline: [],
    views: [],
  })
  await site.runDueJobs()
})

test('a document that cannot be converted says so, to programs and to people who look at the picture', async () => {
  const broken = await publishDocument(site, { name: '坏.pdf', content: brokenPdf, owner })
  await convertAll(site)
  const { attachment, status } = await site.call(documents.get, { id: broken.id })
  expect(status).toBe(DocumentStatus.Failed)
  const path = `/view/page/${attachment.hash}/1.gzip.svg`
  const { status: code, json } = await site.send('GET', path)
  expect({ code, json }).toMatchObject({
    code: 404,
    json: { reason: 'documents.unconvertible', message: '文件无法转换，不能在线预览，请下载后查看' },
  })
  const picture = await fetchFile(path, { accept: 'image/avif,image/webp,image/svg+xml,image/*,*/*;q=0.8' })
  expect(picture.status).toBe(404)
  expect(picture.headers.get('content-type')).toBe('image/svg+xml')
  expect(picture.headers.get('cache-control')).toBe('no-store')
  expect(picture.headers.get('content-encoding')).toBeNull()
  expect(picture.body.toString('utf8')).toContain('文件无法转换')
  const { url } = await (await site.member()).call(downloads.download, { id: broken.id })
  expect((await fetchFile(url)).body.toString()).toBe(brokenPdf)
})

async function keyFor(call: Site['call'], document = id): Promise<string> {
  const reply = await call(documents.progress, { id: [document] })
  return reply.document[0]?.hash ?? ''
}

async function fetchFile(path: string, headers: Record<string, string> = {}) {
  const response = await site.request(path, { headers })
  return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) }
}
