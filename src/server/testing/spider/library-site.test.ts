import { expect, onTestFinished, test } from 'vitest'
import { type LibraryOptions, openLibrarySite } from './library-site.ts'
import { mostAtOnce, openWebServer } from './web-server.ts'

test('every document and article can be reached from the home page', async () => {
  const site = await open({ documents: 8, articles: 3 })
  const found = new Set(['/'])
  for (const path of found) {
    const text = path.endsWith('.html') || path.endsWith('/') ? await (await fetch(site.origin + path)).text() : ''
    for (const [, href = ''] of text.matchAll(/href="(\/[^"]*)"/g)) if (href !== '/private/') found.add(href)
  }
  expect([...found].toSorted()).toEqual(site.reachable().toSorted())
  expect(site.log.map(({ status }) => status)).not.toContain(404)
})

test('files are the same each time, and conditional requests are answered without a body', async () => {
  const site = await open()
  const [document] = site.documents
  const address = site.origin + (document?.file ?? '')
  const first = await fetch(address)
  const bytes = await first.bytes()
  expect(Buffer.from(bytes).toString('latin1', 0, 5)).toBe('%PDF-')
  const etag = first.headers.get('etag') ?? ''
  const modified = first.headers.get('last-modified') ?? ''
  expect((await fetch(address, { headers: { 'if-none-match': etag } })).status).toBe(304)
  expect((await fetch(address, { headers: { 'if-modified-since': modified } })).status).toBe(304)
  site.change(document?.file ?? '', 'other bytes')
  expect((await fetch(address, { headers: { 'if-none-match': etag } })).status).toBe(200)
  expect((await fetch(address, { headers: { 'if-modified-since': modified } })).status).toBe(200)
  site.remove(document?.file ?? '')
  expect((await fetch(address)).status).toBe(404)
})

test('a document that is added stands in its list and in the sitemap', async () => {
  const site = await open()
  const { page, file } = site.add('history', '.txt')
  expect(await (await fetch(`${site.origin}/sitemap.xml`)).text()).toContain(site.origin + page)
  expect(await (await fetch(site.origin + page)).text()).toContain(file)
  expect(site.reachable()).toContain(file)
})

test('the log tells when requests came, how, and how many at once', async () => {
  const { promise: both, resolve: arrived } = Promise.withResolvers<void>()
  const server = await openWebServer(
    async ({ path }) => {
      if (path === '/second') arrived()
      await both
      return {}
    },
    { now: () => 7 },
  )
  onTestFinished(() => server.close())
  const get = (path: string) => fetch(server.origin + path, { headers: { 'user-agent': 'bot' } })
  await Promise.all([get('/first'), get('/second')])
  await expect.poll(() => server.log.map(({ endedAt }) => endedAt)).toEqual([7, 7])
  expect(server.log[0]).toMatchObject({ at: 7, status: 200, headers: { 'user-agent': 'bot' } })
  expect(mostAtOnce(server.log)).toBe(2)
  expect(new Set(server.log.map(({ connection }) => connection)).size).toBe(2)
})

async function open(options?: LibraryOptions) {
  const site = await openLibrarySite(options)
  onTestFinished(() => site.close())
  return site
}
