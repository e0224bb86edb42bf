import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLog } from '#server/log.ts'
import { openSite, type Site } from '#server/testing/site.ts'
import { databaseMetrics } from './database.ts'

let site: Site
beforeAll(async () => {
  const web = { dev: false, render: async () => new Response('<p>', { headers: { 'content-type': 'text/html' } }) }
  site = await openSite({}, { web })
  site.freezeClock()
})
afterAll(() => site.close())

async function read(): Promise<Map<string, number>> {
  const { status, text, headers } = await site.send('GET', '/metrics')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const samples = text.split('\n').filter((line) => line && !line.startsWith('#'))
  return new Map(
    samples.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  )
}

test('every line is valid for Prometheus, and every metric has its type', async () => {
  await site.send('GET', '/api/v1/settings')
  const { text } = await site.send('GET', '/metrics')
  const lines = text.trimEnd().split('\n')
  const sample = /^[a-z_]+(\{[a-z_]+="[^"\\\n]*"(,[a-z_]+="[^"\\\n]*")*\})? -?[\d.]+(e[+-]?\d+)?$/
  for (const line of lines) if (!line.startsWith('#')) expect(line).toMatch(sample)
  const described = new Set(lines.flatMap((line) => /^# TYPE (\S+) (?:counter|gauge|histogram)$/.exec(line)?.[1] ?? []))
  for (const line of lines) {
    const name = /^[a-z_]+/.exec(line)?.[0].replace(/_(bucket|sum|count)$/, '')
    if (name) expect([...described]).toContain(name)
  }
  expect(lines.length).toBeGreaterThan(20)
})

test('requests are counted by method, route class and status, for any path', async () => {
  const before = await read()
  for (const path of ['/api/v1/nothing', '/api/v1/other', '/api/v1/third']) await site.send('GET', path)
  await site.send('BREW', '/api/v1/coffee')
  const after = await read()
  const key = 'wendou_http_requests_total{method="GET",route="api",status="404"}'
  expect((after.get(key) ?? 0) - (before.get(key) ?? 0)).toBe(3)
  expect(after.get('wendou_http_requests_total{method="other",route="api",status="404"}')).toBe(1)
  expect([...after.keys()].join('\n')).not.toMatch(/nothing|coffee|BREW/)
  const all = after.get('wendou_http_request_duration_seconds_count{route="api"}') ?? 0
  expect(all).toBeGreaterThanOrEqual(4)
  expect(after.get('wendou_http_request_duration_seconds_bucket{route="api",le="+Inf"}')).toBe(all)
  expect(after.get('wendou_http_request_duration_seconds_bucket{route="api",le="10"}')).toBe(all)
})

test('a cached page is not rendered again', async () => {
  const rendered = 'wendou_pages_rendered_total{result="ok"}'
  const before = (await read()).get(rendered) ?? 0
  for (let n = 0; n < 3; n++) await site.send('GET', '/about')
  const after = await read()
  expect((after.get(rendered) ?? 0) - before).toBe(1)
  expect(after.get('wendou_http_requests_total{method="GET",route="page",status="200"}')).toBeGreaterThanOrEqual(3)
})

test('there are metrics of the queue, the conversions, the files and the process', async () => {
  const stamps = { created_at: 0, updated_at: 0 }
  await site.db
    .insertInto('job')
    .values({ kind: 'test.kind', payload: '{}', state: 'failed', run_at: 0, ...stamps })
    .execute()
  await site.db
    .insertInto('rendition')
    .values({ hash: 'x', ext: '.pdf', state: 'waiting', ...stamps })
    .execute()
  site.advanceClock(15_000)
  const figures = await read()
  expect(figures.get('wendou_jobs{kind="test.kind",state="failed"}')).toBe(1)
  expect(figures.get('wendou_conversions{state="waiting"}')).toBe(1)
  expect(figures.get('wendou_up')).toBe(1)
  for (const name of ['process_resident_memory_bytes', 'process_uptime_seconds', 'wendou_database_size_bytes'])
    expect(figures.get(name)).toBeGreaterThan(0)
  expect(figures.has('wendou_stored_files')).toBe(true)
  expect(figures.has('nodejs_eventloop_delay_seconds{quantile="0.99"}')).toBe(true)
})

test('the database is queried at most once in 15 seconds, however often it is scraped', async () => {
  const failed = async () => (await read()).get('wendou_jobs{kind="test.often",state="failed"}')
  site.advanceClock(15_000)
  expect(await failed()).toBeUndefined()
  const stamps = { created_at: 0, updated_at: 0 }
  await site.db
    .insertInto('job')
    .values({ kind: 'test.often', payload: '{}', state: 'failed', run_at: 0, ...stamps })
    .execute()
  site.advanceClock(14_000)
  expect(await failed()).toBeUndefined()
  site.advanceClock(1000)
  expect(await failed()).toBe(1)
})

test('a database that does not answer is reported, with the reason in the log', async () => {
  const lines: string[] = []
  const log = openLog('warn', { write: (line) => lines.push(line) })
  const figures = databaseMetrics({ db: site.db, log, now: () => 0 })
  await site.db.schema.alterTable('rendition').renameTo('rendition_away').execute()
  expect(await figures()).toMatchObject([{ name: 'wendou_up', values: [{ value: 0 }] }])
  expect(lines.join()).toContain('rendition')
  await site.db.schema.alterTable('rendition_away').renameTo('rendition').execute()
  expect(await figures()).toContainEqual(expect.objectContaining({ name: 'wendou_up', values: [{ value: 1 }] }))
})

test('without a token only this machine may read them, without a proxy', async () => {
  expect((await site.send('GET', '/metrics', { ip: '::1' })).status).toBe(200)
  expect((await site.send('GET', '/metrics', { ip: '::ffff:127.0.0.1' })).status).toBe(200)
  for (const ip of ['10.0.0.5', '203.0.113.9', '', '127.evil', '2001:db8::1'])
    expect((await site.send('GET', '/metrics', { ip })).status, ip).toBe(404)
  for (const name of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'])
    expect((await site.send('GET', '/metrics', { headers: { [name]: '127.0.0.1' } })).status, name).toBe(404)
})

test('a site with a domain or a proxy requires a token, as a tunnel looks local', async () => {
  await site.configure({ 'system.domain': 'https://wenku.example' })
  expect((await site.send('GET', '/metrics')).status).toBe(404)
  await site.configure({ 'system.domain': '' })
  expect((await site.send('GET', '/metrics')).status).toBe(200)
  const behind = await openSite({ TRUST_PROXY: '10.0.0.1' })
  expect((await behind.send('GET', '/metrics')).status).toBe(404)
  await behind.close()
})

test('with a token only the token counts', async () => {
  const guarded = await openSite({ METRICS_TOKEN: 'a long token' })
  const scrape = (token?: string, ip = '203.0.113.9') => guarded.send('GET', '/metrics', { token, ip })
  expect((await scrape('a long token')).status).toBe(200)
  expect((await scrape('another token')).status).toBe(404)
  expect((await scrape()).status).toBe(404)
  expect((await scrape(undefined, '127.0.0.1')).status).toBe(404)
  await guarded.close()
})
