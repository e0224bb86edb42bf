import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openSite, type Site } from '#server/testing/site.ts'
import { openIcons } from './icons.ts'

const iconCache = openIcons()

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())
beforeEach(() => site.configure({ 'system.favicon': '', 'system.logo': '', 'system.theme_color': '#1f6f5c' }))

interface Manifest {
  name: string
  theme_color: string
  icons: { src: string; sizes: string; purpose: string }[]
}

async function manifest(): Promise<Manifest> {
  return JSON.parse((await site.send('GET', '/manifest.webmanifest')).text) as Manifest
}

async function pixels(path: string) {
  const response = await site.request(path)
  expect([response.status, response.headers.get('content-type')], path).toEqual([200, 'image/png'])
  const { data, info } = await sharp(await response.arrayBuffer())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)]
  return { width: info.width, height: info.height, corner: at(0, 0), centre: at(info.width >> 1, info.height >> 1) }
}

/** Uploads a monochrome image for the settings. */
async function putPicture(background: string, [width, height]: [number, number]): Promise<string> {
  const png = await sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()
  const form = new FormData()
  form.append('file', new File([new Uint8Array(png)], '标志.png', { type: 'image/png' }))
  const headers = { authorization: `Bearer ${site.root.token}` }
  const response = await site.request('/api/v1/upload/config', { method: 'POST', headers, body: form })
  return ((await response.json()) as { data: { path: string } }).data.path
}

test('has the name and the colours of the site, and an ETag', async () => {
  await site.configure({ 'system.sitename': '某文库', 'system.theme_color': '#123456' })
  const { headers, text } = await site.send('GET', '/manifest.webmanifest')
  expect(headers.get('content-type')).toBe('application/manifest+json; charset=utf-8')
  expect(JSON.parse(text)).toMatchObject({
    name: '某文库',
    short_name: '某文库',
    start_url: '/',
    display: 'standalone',
    theme_color: '#123456',
  })
  const second = await site.send('GET', '/manifest.webmanifest', {
    headers: { 'if-none-match': headers.get('etag') ?? '' },
  })
  expect(second.status).toBe(304)
})

test('without an image the icons are the logo in the theme color', async () => {
  await site.configure({ 'system.theme_color': '#ff0000' })
  const { icons } = await manifest()
  expect(icons.map(({ sizes, purpose }) => [sizes, purpose])).toEqual([
    ['192x192', 'any'],
    ['512x512', 'any'],
    ['512x512', 'maskable'],
  ])
  for (const { src, sizes } of icons) {
    const { width, height } = await pixels(src)
    expect(`${width}x${height}`).toBe(sizes)
  }
  expect((await pixels('/icons/maskable.png')).corner).toEqual([255, 0, 0, 255])
  expect((await pixels('/icons/192.png')).corner[3]).toBe(0)
})

test('the owner’s image becomes the icons, the favicon before the logo', async () => {
  const [wide, small] = [await putPicture('#0000ff', [400, 100]), await putPicture('#00ff00', [100, 100])]
  const before = (await manifest()).icons[0]?.src ?? ''
  await site.configure({ 'system.logo': wide })
  expect(await pixels('/icons/192.png')).toMatchObject({ corner: [0, 0, 0, 0], centre: [0, 0, 255, 255] })
  await site.configure({ 'system.favicon': small })
  const { icons } = await manifest()
  expect(icons[0]?.src).not.toBe(before)
  expect(await pixels(icons[0]?.src ?? '')).toMatchObject({ width: 192, corner: [0, 255, 0, 255] })
  expect(await pixels('/icons/maskable.png')).toMatchObject({ corner: [255, 255, 255, 255], centre: [0, 255, 0, 255] })
  expect(await pixels('/icons/apple.png')).toMatchObject({ width: 180, corner: [255, 255, 255, 255] })
  expect(await pixels('/favicon.ico')).toMatchObject({ width: 48, centre: [0, 255, 0, 255] })
})

test('for a missing or external image the icons are the logo', async () => {
  for (const picture of ['/uploads/config/missing.png', 'https://pictures.example/a.png', '/api/v1/settings']) {
    await site.configure({ 'system.favicon': picture })
    expect((await pixels('/icons/192.png')).width, picture).toBe(192)
  }
})

test('an image that cannot be read for a moment is used as soon as it can be', async () => {
  const missing = `/uploads/ab/${'ab'.repeat(32)}.png`
  await site.configure({ 'system.favicon': missing })
  const { icons } = await manifest()
  const fallback = await site.send('GET', icons[0]?.src ?? '')
  expect([fallback.status, fallback.headers.get('cache-control')]).toEqual([200, 'no-cache'])
  const red = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#ff0000' } })
    .png()
    .toBuffer()
  const source = { picture: missing, color: '#1f6f5c' }
  const away = iconCache.get('192.png', { ...source, read: () => Promise.reject(new Error('away')) })
  expect((await away)?.isFallback).toBe(true)
  const back = await iconCache.get('192.png', { ...source, read: async () => red })
  expect(back?.isFallback).toBe(false)
  expect(back?.bytes).not.toEqual((await away)?.bytes)
})

test('only images of this site are read, whatever the configured address is', async () => {
  for (const picture of [
    '/uploads/../api/v1/settings',
    '/uploads/ab/../../metrics',
    '/uploads/config/a.png',
    '/metrics',
  ])
    await iconCache.get('48.png', { picture, color: '', read: () => expect.fail(picture) })
})

test('icons with the current version are immutable, others are cached for an hour; unknown names are missing', async () => {
  const { icons } = await manifest()
  const versioned = await site.send('GET', icons[0]?.src ?? '')
  expect(versioned.headers.get('cache-control')).toContain('immutable')
  const plain = await site.send('GET', '/icons/192.png?v=old')
  expect(plain.headers.get('cache-control')).toBe('public, max-age=3600')
  const etag = plain.headers.get('etag') ?? ''
  expect((await site.send('GET', '/icons/192.png', { headers: { 'if-none-match': etag } })).status).toBe(304)
  for (const name of ['1000.png', 'constructor', '..%2f192.png', ''])
    expect((await site.send('GET', `/icons/${name}`)).status, name).toBe(404)
})
