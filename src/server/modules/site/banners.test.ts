import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attachments } from '#shared/contract/attachments.ts'
import { banners } from '#shared/contract/site.ts'
import type { Ask } from '#shared/endpoint.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { openSite, refusal, type Site } from '#server/testing/site.ts'

const hour = 3_600_000
const day = 24 * hour

let site: Site
beforeAll(async () => {
  site = await openSite()
  site.holdClock()
})
afterAll(() => site.close())

test('visitors see what is switched on, inside its time', async () => {
  const now = await time()
  const always = await hang({ title: '常设' })
  const bounded = await hang({ title: '双十一', start_time: now + hour, end_time: now + 2 * hour })
  const off = await hang({ title: '停用', enable: false })
  expect(await seen()).toEqual([always.id])
  site.pass(hour)
  expect(await seen()).toEqual([always.id, bounded.id])
  site.pass(hour)
  expect(await seen()).toEqual([always.id])
  const manager = await site.staff('BannerAPI/ListBanner')
  const { banner } = await manager.call(banners.list)
  expect(banner.map(({ id }) => id)).toEqual([always.id, bounded.id, off.id])
})

test('visitors are told what they need, and nothing of when or why', async () => {
  const now = await time()
  await hang({ title: '小程序', type: 1, url: '/category', description: '开学', sort: 7, end_time: now + hour })
  const { json } = await site.send('GET', '/api/v1/banner/list?type=1')
  const [told] = json.banner as Record<string, unknown>[]
  expect(told).toMatchObject({ title: '小程序', path: '/picture.webp', url: '/category', type: 1, description: '开学' })
  expect(Object.keys(told ?? {})).not.toEqual(expect.arrayContaining(['end_time']))
  for (const key of ['sort', 'start_time', 'end_time', 'created_at', 'updated_at']) expect(told?.[key]).toBeFalsy()
})

test('one who may look at single banners gets the whole of one that is switched off', async () => {
  const { id } = await hang({ enable: false, sort: 3, description: '备用' })
  const editor = await site.staff('BannerAPI/GetBanner', 'BannerAPI/UpdateBanner')
  expect(await editor.call(banners.get, { id })).toMatchObject({ sort: 3, description: '备用', enable: false })
  expect(await refusal(site.call(banners.get, { id }))).toMatchObject({ status: 401 })
})

test('the end comes after the start', async () => {
  const now = await time()
  const backward = { status: 400, reason: 'schedule.backward' }
  expect(await refusal(hang({ start_time: now, end_time: now }))).toMatchObject(backward)
  const made = await hang({ start_time: now })
  expect(await refusal(site.root.call(banners.update, { ...made, end_time: now - 1 }))).toMatchObject(backward)
})

test.each<Partial<Ask<typeof banners.create>>>([
  { title: '' },
  { path: '' },
  { path: 'javascript:alert(1)' },
  { url: 'javascript:alert(1)' },
  { url: '//evil.example' },
  { type: 3 },
])('%j makes no banner', async (change) => {
  expect(await refusal(hang(change))).toMatchObject({ status: 400, reason: 'request.invalid' })
})

test('a picture that no banner shows any more retires, whether it was replaced or its banner is gone', async () => {
  const [kept, replaced, dropped] = [await upload('red'), await upload('green'), await upload('blue')]
  const one = await hang({ path: replaced })
  const two = await hang({ path: dropped })
  await sweep()
  expect(await pictures()).toEqual([replaced, dropped].toSorted())
  const again = await upload('red')
  expect(again).toBe(kept)
  await site.root.call(banners.update, { ...one, path: again })
  await site.root.call(banners.delete, { id: [two.id] })
  await sweep()
  expect(await pictures()).toEqual([kept])
})

function hang(change: Partial<Ask<typeof banners.create>> = {}) {
  return site.root.call(banners.create, { title: '横幅', path: '/picture.webp', enable: true, ...change })
}

async function seen(): Promise<number[]> {
  return (await site.call(banners.list)).banner.map(({ id }) => id)
}

async function time(): Promise<number> {
  return (await site.app.context()).now()
}

async function upload(background: string): Promise<string> {
  const bytes = await sharp({ create: { width: 60, height: 21, channels: 3, background } })
    .png()
    .toBuffer()
  const body = new FormData()
  body.append('file', new File([new Uint8Array(bytes)], `${background}.png`))
  const headers = { authorization: `Bearer ${site.root.token}` }
  const response = await site.request('/api/v1/upload/banner', { method: 'POST', headers, body })
  const { data } = (await response.json()) as { data: { path: string } }
  return data.path
}

/** What nobody uses goes after a day. */
async function sweep(): Promise<void> {
  site.pass(day + 1)
  await enqueue(await site.app.context(), { kind: 'attachments.sweep' })
  await site.settle()
}

async function pictures(): Promise<string[]> {
  const { attachment } = await site.root.call(attachments.list, { type: [5] })
  return attachment.map(({ path }) => path).toSorted()
}
