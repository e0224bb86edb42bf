import { BannerType, AttachmentType } from '#shared/enums.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attachments } from '#shared/contract/attachments.ts'
import { banners } from '#shared/contract/site.ts'
import type { CallInput } from '#shared/endpoint.ts'
import { enqueue } from '#server/jobs.ts'
import { openSite, refusal, type Site } from '#server/testing/site.ts'

const hour = 3_600_000
const day = 24 * hour

let site: Site
beforeAll(async () => {
  site = await openSite()
  site.freezeClock()
})
afterAll(() => site.close())

test('visitors see enabled banners within their schedule', async () => {
  const now = await time()
  const always = await createBanner({ title: '常设' })
  const bounded = await createBanner({ title: '双十一', start_time: now + hour, end_time: now + 2 * hour })
  const off = await createBanner({ title: '停用', enable: false })
  expect(await visibleIds()).toEqual([always.id])
  site.advanceClock(hour)
  expect(await visibleIds()).toEqual([always.id, bounded.id])
  site.advanceClock(hour)
  expect(await visibleIds()).toEqual([always.id])
  const manager = await site.staff('BannerAPI/ListBanner')
  const { banner } = await manager.call(banners.list)
  expect(banner.map(({ id }) => id)).toEqual([always.id, bounded.id, off.id])
})

test('visitors get the fields they need, without schedule and order', async () => {
  const now = await time()
  await createBanner({
    title: '小程序',
    type: BannerType.MiniProgram,
    url: '/category',
    description: '开学',
    sort: 7,
    end_time: now + hour,
  })
  const { json } = await site.send('GET', '/api/v1/banner/list?type=1')
  const [visible] = json.banner as Record<string, unknown>[]
  expect(visible).toMatchObject({
    title: '小程序',
    path: '/picture.webp',
    url: '/category',
    type: BannerType.MiniProgram,
  })
  expect(visible).toMatchObject({ description: '开学' })
  expect(Object.keys(visible ?? {})).not.toEqual(expect.arrayContaining(['end_time']))
  for (const key of ['sort', 'start_time', 'end_time', 'created_at', 'updated_at']) expect(visible?.[key]).toBeFalsy()
})

test('staff with the permission get all fields of a disabled banner', async () => {
  const { id } = await createBanner({ enable: false, sort: 3, description: '备用' })
  const editor = await site.staff('BannerAPI/GetBanner', 'BannerAPI/UpdateBanner')
  expect(await editor.call(banners.get, { id })).toMatchObject({ sort: 3, description: '备用', enable: false })
  expect(await refusal(site.call(banners.get, { id }))).toMatchObject({ status: 401 })
})

test('the end comes after the start', async () => {
  const now = await time()
  const backward = { status: 400, reason: 'schedule.backward' }
  expect(await refusal(createBanner({ start_time: now, end_time: now }))).toMatchObject(backward)
  const banner = await createBanner({ start_time: now })
  expect(await refusal(site.root.call(banners.update, { ...banner, end_time: now - 1 }))).toMatchObject(backward)
})

test.each<Partial<CallInput<typeof banners.create>>>([
  { title: '' },
  { path: '' },
  { path: 'javascript:alert(1)' },
  { url: 'javascript:alert(1)' },
  { url: '//evil.example' },
  { type: 3 as never },
])('%j is refused', async (change) => {
  expect(await refusal(createBanner(change))).toMatchObject({ status: 400, reason: 'request.invalid' })
})

test('the sweep removes images that no banner shows any more', async () => {
  const [red, replaced, dropped] = [await upload('red'), await upload('green'), await upload('blue')]
  const replacedBanner = await createBanner({ path: replaced })
  const deletedBanner = await createBanner({ path: dropped })
  await sweep()
  expect(await listImages()).toEqual([replaced, dropped].toSorted())
  const again = await upload('red')
  expect(again).toBe(red)
  await site.root.call(banners.update, { ...replacedBanner, path: again })
  await site.root.call(banners.delete, { id: [deletedBanner.id] })
  await sweep()
  expect(await listImages()).toEqual([red])
})

function createBanner(change: Partial<CallInput<typeof banners.create>> = {}) {
  return site.root.call(banners.create, { title: '横幅', path: '/picture.webp', enable: true, ...change })
}

async function visibleIds(): Promise<number[]> {
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

/** Unused files are removed after a day. */
async function sweep(): Promise<void> {
  site.advanceClock(day + 1)
  await enqueue(await site.app.context(), 'attachments.sweep', {})
  await site.runDueJobs()
}

async function listImages(): Promise<string[]> {
  const { attachment } = await site.root.call(attachments.list, { type: [AttachmentType.Banner] })
  return attachment.map(({ path }) => path).toSorted()
}
