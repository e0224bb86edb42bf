import { AttachmentType, OrderType, PaymentMethod, Punishment } from '#shared/enums.ts'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { groups, punishments } from '#shared/contract/access.ts'
import { attachments } from '#shared/contract/attachments.ts'
import { orders } from '#shared/contract/orders.ts'
import { users } from '#shared/contract/users.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'
import { retireUnused } from '../attachments.sweep.ts'
import { contentKey } from '../storage-keys.ts'
import { tinyPdf, sha256, uploadForm } from '#server/testing/upload.ts'

let site: Site
let member: Person
beforeAll(async () => {
  site = await openSite()
  member = await site.member()
})
afterAll(() => site.close())

const red = { r: 200, g: 30, b: 40 }
async function picture(
  format: 'png' | 'jpeg' | 'webp' | 'gif',
  width = 60,
  height = 40,
  background = red,
): Promise<Uint8Array<ArrayBuffer>> {
  const image = await sharp({ create: { width, height, channels: 3, background } })
    .toFormat(format)
    .toBuffer()
  return new Uint8Array(image)
}

async function send(person: Pick<Person, 'token'>, to: string, bytes: Uint8Array<ArrayBuffer>, name = '图.png') {
  const form = new FormData()
  form.append('file', new File([bytes], name))
  const headers = { authorization: `Bearer ${person.token}` }
  const response = await site.request(`/api/v1/upload/${to}`, { method: 'POST', headers, body: form })
  const json = (await response.json()) as {
    reason?: string
    errno?: number
    data?: { path?: string; url?: string; alt?: string }
  }
  return { status: response.status, path: json.data?.path ?? json.data?.url ?? '', reason: json.reason ?? '', json }
}

describe('an avatar', () => {
  test('is re-encoded, shown at once, and replaces the previous one', async () => {
    const first = await send(member, 'avatar', await picture('jpeg', 1200, 800))
    expect(first).toMatchObject({
      status: 200,
      path: expect.stringMatching(/^\/uploads\/[0-9a-f]{2}\/[0-9a-f]{64}\.webp$/),
    })
    expect(await member.call(users.get)).toMatchObject({ avatar: first.path })
    const response = await site.request(first.path)
    expect(response.status).toBe(200)
    expect(await sharp(await response.arrayBuffer()).metadata()).toMatchObject({
      format: 'webp',
      width: 512,
      height: 341,
    })

    const second = await send(member, 'avatar', await picture('png'))
    expect(await member.call(users.get)).toMatchObject({ avatar: second.path })
    expect((await site.request(first.path)).status).toBe(404)
    expect((await site.request(second.path)).status).toBe(200)
  })

  test('that is replaced is removed at once, with its file, unless others have the same picture', async () => {
    const [person, other] = [await site.member(), await site.member()]
    const blue = await picture('png', 31, 31, { r: 0, g: 0, b: 200 })
    const shown = await send(person, 'avatar', blue)
    await send(other, 'avatar', blue)
    await send(person, 'avatar', await picture('png', 32, 32))
    expect((await site.request(shown.path)).status).toBe(200)
    await send(other, 'avatar', await picture('png', 33, 33))
    expect((await site.request(shown.path)).status).toBe(404)
    const [hash = ''] = /[0-9a-f]{64}/.exec(shown.path) ?? []
    const { storage } = await site.app.context()
    for (const table of ['attachment', 'stored_file'] as const)
      expect(await site.db.selectFrom(table).select('hash').where('hash', '=', hash).execute()).toEqual([])
    expect(await storage.find(contentKey(hash))).toBeUndefined()
    expect((await send(person, 'avatar', blue)).path).toBe(shown.path)
    expect((await site.request(shown.path)).status).toBe(200)
  })

  test('can be changed twenty times a day, also by concurrent requests', async () => {
    const person = await site.member()
    await site.db
      .insertInto('quota_usage')
      .values({ quota: 'avatar.changes', subject: String(person.id), day: today(), used: 18 })
      .execute()
    const bytes = await picture('png')
    const sent = await Promise.all(Array.from({ length: 5 }, () => send(person, 'avatar', bytes)))
    expect(sent.filter(({ status }) => status === 200)).toHaveLength(2)
    expect(sent.filter(({ status }) => status === 429)).toHaveLength(3)
    expect(await send(person, 'avatar', bytes)).toMatchObject({ status: 429, reason: 'uploads.quotaAvatars' })
    const files = site.db.selectFrom('attachment').select('id').where('type', '=', AttachmentType.Avatar)
    expect(await files.where('type_id', '=', person.id).execute()).toHaveLength(1)
  })

  test('is for members, and has at most 2 MB', async () => {
    expect(await send({ token: '' }, 'avatar', await picture('png'))).toMatchObject({ status: 401 })
    const large = new Uint8Array(2 * 1024 * 1024 + 1)
    large.set(await picture('png'))
    expect(await send(member, 'avatar', large)).toMatchObject({ status: 413 })
  })
})

test.each(['png', 'jpeg', 'webp', 'gif'] as const)('a %s is accepted as an image of the site', async (format) => {
  const { status, path, json } = await send(site.root, 'config', await picture(format), `标志.${format}`)
  expect(status).toBe(200)
  expect(json.data).toMatchObject({ name: `标志.${format}`, width: 60, height: 40, type_name: '配置' })
  const response = await site.request(path)
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(response.headers.get('content-type')).toMatch(/^image\/(png|jpeg|webp)$/)
})

test('nothing of a picture stays in memory when it has been encoded', () => {
  const { memory, items } = sharp.cache()
  expect([memory.current, items.current]).toEqual([0, 0])
})

test('a bmp is accepted as well', async () => {
  const width = 3
  const file = Buffer.alloc(54 + 12 * 2)
  file.write('BM')
  file.writeUInt32LE(54, 10)
  file.writeUInt32LE(40, 14)
  file.writeInt32LE(width, 18)
  file.writeInt32LE(2, 22)
  file.writeUInt16LE(1, 26)
  file.writeUInt16LE(24, 28)
  for (let at = 54; at < file.length; at += 1) file[at] = at % 3 === 2 ? 220 : 20
  const { status, json } = await send(site.root, 'config', new Uint8Array(file), '图.bmp')
  expect(status).toBe(200)
  expect(json.data).toMatchObject({ width: 3, height: 2, ext: '.webp' })
})

test('an animated image stays animated', async () => {
  const frames = await Promise.all([picture('png', 20, 20), picture('png', 20, 20, { r: 0, g: 90, b: 200 })])
  const moving = await sharp(frames, { join: { animated: true } })
    .gif({ delay: [100, 100], keepDuplicateFrames: true })
    .toBuffer()
  const { path } = await send(site.root, 'banner', new Uint8Array(moving), '动.gif')
  const served = await (await site.request(path)).arrayBuffer()
  expect(await sharp(served, { animated: true }).metadata()).toMatchObject({ format: 'webp', width: 20, pages: 2 })
})

describe('on a site that is not open to everybody', () => {
  const status = async (path: string, headers: Record<string, string> = {}) =>
    (await site.request(path, { headers })).status
  /** As a browser keeps it from any reply. */
  const cookieOf = async (person: Person) => {
    const { headers } = await site.send('GET', '/api/v1/user/group', { token: person.token })
    return headers.get('set-cookie')?.split(';')[0] ?? ''
  }
  let avatar: string
  let logo: string
  beforeAll(async () => {
    avatar = (await send(member, 'avatar', await picture('png', 41, 41))).path
    logo = (await send(site.root, 'config', await picture('png', 42, 42))).path
  })
  afterAll(() => site.configure({ 'security.is_close': 'false', 'security.login_required': 'false' }))

  test('pictures are for members where a login is required, but for those of the settings', async () => {
    expect(await cookieOf(member)).toBe('')
    const open = await site.request(avatar)
    expect(open.headers.get('cache-control')).toBe('public, max-age=31536000, s-maxage=3600, immutable')
    await site.configure({ 'security.login_required': 'true' })
    expect([await status(avatar), await status(logo)]).toEqual([401, 200])
    expect(await status(avatar, { authorization: `Bearer ${member.token}` })).toBe(200)
    const cookie = await cookieOf(member)
    const shown = await site.request(avatar, { headers: { cookie: `other=1; ${cookie}` } })
    expect([shown.status, shown.headers.get('cache-control')]).toEqual([200, 'private, no-cache'])
    const forged = cookie.replace(/=\d+/, (id) => `=${Number(id.slice(1)) + 1}`)
    for (const wrong of [forged, `${cookie}x`, cookie.slice(0, -1), 'wendou_pictures=1.'])
      expect(await status(avatar, { cookie: wrong }), wrong).toBe(401)
  })

  test('and for staff where it is closed; the cookie ends with the session', async () => {
    await site.configure({ 'security.is_close': 'true' })
    const staff = await site.staff('UserAPI/ListUser')
    const [cookie, staffCookie] = [await cookieOf(member), await cookieOf(staff)]
    expect(await Promise.all([status(avatar, { cookie }), status(avatar, { cookie: staffCookie })])).toEqual([403, 200])
    expect([await status(avatar), await status(logo)]).toEqual([401, 200])
    await staff.call(users.logout)
    expect(await status(avatar, { cookie: staffCookie })).toBe(401)
  })
})

describe('an unsafe image is refused', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  test.each([
    ['an SVG', svg],
    ['a page', '<!doctype html><script>alert(1)</script>'],
    ['a page that begins like a picture', 'GIF89a/*<script>alert(1)</script>*/'],
    ['nothing', ''],
    ['a document', '%PDF-1.4'],
  ])('%s', async (_what, text) => {
    const bytes = new Uint8Array(Buffer.from(text))
    for (const to of ['avatar', 'config', 'article']) {
      expect(await send(site.root, to, bytes, '图.png')).toMatchObject({ status: 400, reason: 'uploads.notImage' })
    }
  })

  test('a decompression bomb', async () => {
    const bomb = hugePng(60_000, 60_000)
    expect(bomb.length).toBeLessThan(2000)
    expect(await send(member, 'avatar', bomb)).toMatchObject({ status: 400, reason: 'uploads.imageTooLarge' })
  })

  test('but a script inside a real image is removed', async () => {
    const bytes = Buffer.concat([await picture('jpeg'), Buffer.from('<script>alert(1)</script>')])
    const { path } = await send(site.root, 'article', new Uint8Array(bytes))
    const served = await (await site.request(path)).text()
    expect(served).not.toContain('<script')
  })
})

describe('for an article', () => {
  test('an image has its address and its name', async () => {
    const { status, json } = await send(site.root, 'article?type=image', await picture('png'), '插图.png')
    expect({ status, json }).toMatchObject({ status: 200, json: { errno: 0, data: { alt: '插图.png' } } })
  })

  test('a video can be read by range; other formats are refused', async () => {
    const mp4 = new Uint8Array(Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isomiso2 and what follows'))
    const { status, path, json } = await send(site.root, 'article?type=video', mp4, '片.mp4')
    expect({ status, json }).toMatchObject({ status: 200, json: { errno: 0, data: { url: path } } })
    const part = await site.request(path, { headers: { range: 'bytes=4-7' } })
    expect(part.status).toBe(206)
    expect(part.headers.get('content-type')).toBe('video/mp4')
    expect(await part.text()).toBe('ftyp')
    const page = new Uint8Array(Buffer.from('<script>alert(1)</script>'))
    expect(await send(site.root, 'article?type=video', page, '片.mp4')).toMatchObject({
      status: 400,
      reason: 'uploads.notVideo',
    })
  })
})

describe('images for articles', () => {
  test('can be uploaded only by members who may write', async () => {
    const { group } = await site.root.call(groups.list)
    const standard = group.find(({ is_default }) => is_default)
    expect(standard).toMatchObject({ enable_article: true })
    expect(await send(member, 'article?type=image', await picture('png'))).toMatchObject({ status: 200 })
    const writer = await site.member()
    await site.root.call(punishments.create, {
      user_id: [writer.id],
      type: [Punishment.NoArticle],
      reason: '灌水',
      enable: true,
    })
    expect(await send(writer, 'article', await picture('png'))).toMatchObject({
      status: 403,
      reason: 'punishments.active',
    })
    const outsider = await site.staff('DocumentAPI/ListDocument')
    for (const to of ['article', 'article?type=video'])
      expect(await send(outsider, to, await picture('png'))).toMatchObject({
        status: 403,
        reason: 'users.publishDenied',
      })
    expect(await send({ token: '' }, 'article', await picture('png'))).toMatchObject({ status: 401 })
  })

  test('are limited in number per day, also if they are concurrent', async () => {
    const writer = await site.member()
    await site.db
      .insertInto('quota_usage')
      .values({ quota: 'article.files', subject: String(writer.id), day: today(), used: 197 })
      .execute()
    const bytes = await picture('png')
    const sent = await Promise.all(Array.from({ length: 8 }, () => send(writer, 'article', bytes)))
    expect(sent.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(sent.filter(({ status }) => status === 429)).toHaveLength(5)
    expect(await send(writer, 'article', bytes)).toMatchObject({ status: 429, reason: 'uploads.quotaCount' })
    expect(await send(writer, 'avatar', bytes)).toMatchObject({ status: 200 })
    const staff = await site.staff('upload/article')
    await site.db
      .insertInto('quota_usage')
      .values({ quota: 'article.files', subject: String(staff.id), day: today(), used: 200 })
      .execute()
    expect(await send(staff, 'article', bytes)).toMatchObject({ status: 200 })
  })

  test('are limited in size per day', async () => {
    const writer = await site.member()
    await site.db
      .insertInto('quota_usage')
      .values({ quota: 'article.bytes', subject: String(writer.id), day: today(), used: 500 * 1024 * 1024 - 20 })
      .execute()
    expect(await send(writer, 'article', await picture('png'))).toMatchObject({
      status: 429,
      reason: 'uploads.quotaSize',
    })
    const files = await site.db.selectFrom('quota_usage').select('used').where('quota', '=', 'article.files').execute()
    expect(files.every(({ used }) => used >= 100 || used === 1)).toBe(true)
  })
})

describe('a picture of a payment', () => {
  const seen = async ({ token }: Pick<Person, 'token'>, path: string) =>
    (await site.request(path, { headers: token ? { authorization: `Bearer ${token}` } : {} })).status
  /** As a browser asks for it, after a page that shows it. */
  const seenAfter = async (api: string, { token }: Person, path: string) => {
    const { headers } = await site.send('GET', api, { token })
    return site.request(path, { headers: { cookie: headers.get('set-cookie')?.split(';')[0] ?? '' } })
  }

  test('is seen by the buyer and by staff who see orders; for all others it does not exist', async () => {
    const [buyer, otherMember] = [await site.member(), await site.member()]
    const { path } = await send(buyer, 'order', await picture('png', 55, 56))
    const cashier = await site.staff('OrderAPI/ListOrder')
    for (const person of [buyer, cashier, await site.staff('OrderAPI/GetOrder'), site.root])
      expect(await seen(person, path)).toBe(200)
    const others = [{ token: '' }, otherMember, await site.staff('UserAPI/ListUser', 'AttachmentAPI/ListAttachment')]
    for (const person of others) expect(await seen(person, path)).toBe(404)
    const shown = await seenAfter('/api/v1/order/list', cashier, path)
    expect([shown.status, shown.headers.get('cache-control')]).toEqual([200, 'private, no-cache'])
    expect((await seenAfter('/api/v1/order/list', otherMember, path)).status).toBe(404)
    expect((await seenAfter('/api/v1/order/list', buyer, path)).status).toBe(200)
    await cashier.call(users.logout)
    expect(await seen(cashier, path)).toBe(404)
  })

  test('proves the payment of the member who sent it alone', async () => {
    const [buyer, other] = [await site.member(), await site.member()]
    await site.configure({ 'pay.enable_cash': 'true' })
    const proof = await send(buyer, 'order', await picture('png', 57, 58))
    const avatar = await send(other, 'avatar', await picture('png', 59, 60))
    const { order_no } = await other.call(orders.create, { order_type: OrderType.TopUp, quantity: 100 })
    for (const { path } of [proof, avatar, { path: '/uploads/00/none.png' }]) {
      const claim = { order_no, payment_type: PaymentMethod.Cash, content: '已付', picture: path }
      expect(await refusal(other.call(orders.claim, claim))).toMatchObject({ reason: 'orders.pictureUnusable' })
    }
  })

  test('is sent by any member, so many a day, and stays while an order has it', async () => {
    const buyer = await site.member()
    expect(await send({ token: '' }, 'order', await picture('png'))).toMatchObject({ status: 401 })
    const [used, unused] = [
      await send(buyer, 'order', await picture('png', 51, 52)),
      await send(buyer, 'order', await picture('png', 53, 54)),
    ]
    expect(used).toMatchObject({ status: 200, path: expect.stringMatching(/^\/uploads\//) })
    await site.configure({ 'pay.enable_cash': 'true' })
    const { order_no } = await buyer.call(orders.create, { order_type: OrderType.TopUp, quantity: 100 })
    const claim = { order_no, payment_type: PaymentMethod.Cash, content: '已付', picture: used.path }
    await buyer.call(orders.claim, claim)
    const ctx = await site.app.context()
    await retireUnused({ ...ctx, now: () => Date.now() + 2 * 86_400_000 })
    expect(await seen(buyer, used.path)).toBe(200)
    expect(await seen(buyer, unused.path)).toBe(404)
    await site.db.updateTable('quota_usage').set({ used: 20 }).where('quota', '=', 'order.proofs').execute()
    expect(await send(buyer, 'order', await picture('png'))).toMatchObject({
      status: 429,
      reason: 'uploads.quotaCount',
    })
  })
})

/** In the site's time zone. */
function today(): number {
  const now = new Date()
  return now.getFullYear() * 10_000 + (now.getMonth() + 1) * 100 + now.getDate()
}

test('each use requires its own permission', async () => {
  const uses = ['banner', 'category', 'config', 'article'] as const
  for (const use of uses) {
    const otherPermissions = uses.filter((name) => name !== use).map((name) => `upload/${name}` as const)
    const bytes = await picture('png')
    expect(await send(await site.staff(...otherPermissions), use, bytes)).toMatchObject({ status: 403 })
    expect(await send(await site.staff(`upload/${use}`), use, bytes)).toMatchObject({ status: 200 })
  }
})

test('documents are not served as images, and neither is a banned image', async () => {
  const bytes = tinyPdf('secret')
  await uploadForm(site, member, { name: 'a.pdf', bytes })
  const hash = sha256(bytes)
  for (const ext of ['pdf', 'png', 'webp', 'html']) {
    expect((await site.request(`/uploads/${hash.slice(0, 2)}/${hash}.${ext}`)).status).toBe(404)
  }
  const { path, json } = await send(site.root, 'config', await picture('png', 77, 33))
  const { id } = json.data as { id: number }
  expect((await site.request(path.replace('/uploads/', '/uploads/0'))).status).toBe(404)
  await site.root.call(attachments.update, { id, name: 'x.png', enable: false })
  expect((await site.request(path)).status).toBe(404)
})

/** Declares a large size, but has hardly any data. */
function hugePng(width: number, height: number): Uint8Array<ArrayBuffer> {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length)
    return Buffer.concat([frame.subarray(0, 4), body, crc(body)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.alloc(1000))), chunk('IEND', Buffer.alloc(0))]
  return new Uint8Array(Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]))
}

function crc(bytes: Buffer): Buffer {
  let value = 0xffffffff
  for (const byte of bytes) {
    value ^= byte
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  }
  const out = Buffer.alloc(4)
  out.writeUInt32BE((value ^ 0xffffffff) >>> 0)
  return out
}
