import { DocumentStatus } from '#shared/document-status.ts'
import { Visibility } from '#shared/enums.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anonymous, type Ctx } from '#server/context.ts'
import { openSite, type Site } from '#server/testing/site.ts'
import { parseViewKey, viewKey } from './documents.keys.ts'

let site: Site
let ctx: Ctx
beforeAll(async () => {
  site = await openSite()
  ctx = await site.app.context()
})
afterAll(() => site.close())

const open = {
  id: 12,
  user_id: 5,
  status: DocumentStatus.Converted,
  visibility: Visibility.Public,
  deleted_at: null,
  price: 1,
  isPaidFor: false,
}
const owner = { ...anonymous, id: 5, sessionId: 70 }

test("a public document's key is the same for every visitor and at all times", () => {
  const key = viewKey(ctx, open, 1)
  expect(key).toMatch(/^[\w-]{32}$/)
  expect(viewKey({ ...ctx, now: () => ctx.now() + 1e10 }, open, 1)).toBe(key)
  expect(viewKey({ ...ctx, viewer: { ...anonymous, id: 9 } }, open, 1)).toBe(key)
  expect(parseViewKey({ ...ctx, now: () => ctx.now() + 1e12 }, key)).toMatchObject({
    id: 12,
    sessionId: 0,
  })
})

test('a new conversion and another watermark make new keys', () => {
  const watermarked = { ...ctx.settings, system: { ...ctx.settings.system, enable_watermark: true, watermark: '内部' } }
  const keys = [viewKey(ctx, open, 1), viewKey(ctx, open, 2), viewKey({ ...ctx, settings: watermarked }, open, 1)]
  expect(new Set(keys).size).toBe(3)
  expect(keys.map((key) => parseViewKey(ctx, key)?.id)).toEqual([12, 12, 12])
})

test('another preview limit makes new keys, so that cached pages beyond it are not requested any more', () => {
  const limited = (converter: Partial<Ctx['settings']['converter']>) =>
    viewKey({ ...ctx, settings: { ...ctx.settings, converter: { ...ctx.settings.converter, ...converter } } }, open, 1)
  const keys = [limited({}), limited({ max_preview: 3 }), limited({ max_preview_percent: 7 })]
  expect(new Set(keys).size).toBe(3)
})

test('a price makes a new key if priced documents have another limit', () => {
  const free = { ...open, price: 0 }
  expect(viewKey(ctx, free, 1)).not.toBe(viewKey(ctx, open, 1))
  expect(viewKey(ctx, { ...open, price: 9 }, 1)).toBe(viewKey(ctx, open, 1))
})

test('on a site for members, and for those who read all of a document, a key names the session and expires', () => {
  const closed = { ...ctx.settings, security: { ...ctx.settings.security, login_required: true } }
  const member = { ...anonymous, id: 9, sessionId: 71 }
  const keys = [
    viewKey({ ...ctx, settings: closed, viewer: member }, open, 1),
    viewKey({ ...ctx, viewer: owner }, { ...open, status: DocumentStatus.InReview }, 1),
    viewKey({ ...ctx, viewer: owner }, open, 1),
  ]
  expect(keys.map((key) => parseViewKey(ctx, key))).toMatchObject([
    { id: 12, sessionId: 71 },
    { id: 12, sessionId: 70 },
    { id: 12, sessionId: 70 },
  ])
  const later = { ...ctx, now: () => ctx.now() + 3 * 3_600_000 }
  for (const key of keys) expect(parseViewKey(later, key)).toBeUndefined()
})

test('a forged key is refused', async () => {
  for (const key of [viewKey(ctx, open, 1), viewKey({ ...ctx, viewer: owner }, open, 1)]) {
    const forged = Array.from(
      { length: key.length },
      (_, at) => `${key.slice(0, at)}${key[at] === 'A' ? 'B' : 'A'}${key.slice(at + 1)}`,
    )
    for (const invalid of ['', 'x', `${key}A`, `${key}=`, key.slice(1), '../../etc/passwd', ...forged])
      expect(parseViewKey(ctx, invalid), invalid).toBeUndefined()
  }
})
