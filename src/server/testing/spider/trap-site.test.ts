import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { openTrapSite, type Trap } from './trap-site.ts'
import { endlessBodies, lyingLengths } from './traps/bodies.ts'
import { bombs } from './traps/bombs.ts'
import { brokenHtml } from './traps/broken-html.ts'
import { calendar } from './traps/calendar.ts'
import { encodings } from './traps/encodings.ts'
import { hostile } from './traps/hostile.ts'
import { loops } from './traps/loops.ts'
import { manyLinks } from './traps/many-links.ts'
import { names } from './traps/names.ts'
import { sessionIds } from './traps/session-ids.ts'

test('traps stand beside each other, each with a start', async () => {
  const { starts } = await open(loops, calendar, sessionIds, encodings, hostile)
  for (const start of starts) expect((await fetch(start)).status, start).toBe(200)
})

test('an endless calendar always has a next page', async () => {
  const { origin } = await open(calendar)
  const text = async (path: string) => (await fetch(origin + path)).text()
  expect(await text('/calendar/2026/12/')).toContain('/calendar/2027/1/')
  expect(await text('/events?month=99')).toContain('/events?month=100')
  expect(await text('/deeper/deeper/x/')).toContain('deeper/')
})

test('what is streamed is as large as asked for, and ends when the reader goes away', async () => {
  const { origin, log } = await open(manyLinks(100_000), brokenHtml(300_000), endlessBodies)
  expect((await (await fetch(`${origin}/many-links.html`)).text()).match(/<a /g)).toHaveLength(100_000)
  const { length } = await (await fetch(`${origin}/broken.html`)).text()
  expect(Math.abs(length - 300_000)).toBeLessThan(60_000)
  const leaving = new AbortController()
  const endless = await fetch(`${origin}/endless/file.pdf`, { signal: leaving.signal })
  expect((await endless.body?.getReader().read())?.value?.length).toBeGreaterThan(0)
  leaving.abort()
  await expect.poll(() => log.at(-1)?.endedAt).toBeTypeOf('number')
})

test('a bomb is small on the wire, and a lying length is sent as it is', async () => {
  const { origin } = await open(bombs, lyingLengths)
  const twice = await raw(`${origin}/bombs/twice.html`)
  expect(twice.body.length).toBeLessThan(1000)
  expect(gunzipSync(gunzipSync(twice.body)).length).toBe(10_000_000)
  expect((await raw(`${origin}/lengths/short.pdf`)).headers['content-length']).toBe('1000000')
})

test('names are sent as raw bytes', async () => {
  const { origin } = await open(names)
  const { headers } = await raw(`${origin}/names/3`)
  const sent = Buffer.from(headers['content-disposition'] ?? '', 'latin1')
  expect(new TextDecoder('gbk').decode(sent)).toContain('年度报告.pdf')
})

async function open(...traps: Trap[]) {
  const site = await openTrapSite(...traps)
  onTestFinished(() => site.close())
  return site
}

/** As it comes, with nothing unpacked. A connection that is cut ends the body. */
function raw(address: string) {
  return new Promise<{ headers: NodeJS.Dict<string | string[]> & { 'content-disposition'?: string }; body: Buffer }>(
    (resolve, reject) => {
      const sent = request(address, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', () => {})
        response.on('close', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }))
      })
      sent.on('error', reject).end()
    },
  )
}
