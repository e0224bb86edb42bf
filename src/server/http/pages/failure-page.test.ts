import { sql } from 'kysely'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openSite, type Site } from '#server/testing/site.ts'
import type { Web } from './render.ts'

const web: Web = { dev: false, render: () => Promise.resolve(new Response('page')) }
const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const database = inject('database')

async function openPages(parts: Partial<Web> = {}): Promise<Site> {
  const site = await openSite({}, { web: { ...web, ...parts } })
  onTestFinished(() => site.close())
  return site
}

test('a page that fails is a page in words; programs get JSON', async () => {
  const site = await openPages({ render: () => Promise.reject(new Error('secret')) })
  const page = await site.send('GET', '/', { headers: asBrowser })
  expect([page.status, page.headers.get('content-type')]).toEqual([500, 'text/html; charset=UTF-8'])
  expect(page.text).toContain('网站暂时不能访问')
  expect(page.text).not.toContain('secret')
  expect((await site.send('GET', '/')).json).toMatchObject({ reason: 'request.internal' })
})

// SQLite is a file on this machine: it does not go away.
test.runIf(database.engine === 'postgres')('without the database visitors are told so, and programs too', async () => {
  const site = await openPages()
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(site.db)
  const name = rows[0]?.name ?? ''
  const server = new pg.Client({ connectionString: database.url })
  await server.connect()
  onTestFinished(() => server.end())
  await server.query(`alter database ${name} allow_connections false`)
  await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])

  await expect
    .poll(async () => (await site.send('GET', '/', { headers: asBrowser })).status, { timeout: 20_000 })
    .toBe(503)
  const page = await site.send('GET', '/', { headers: asBrowser })
  expect(page.text).toContain('网站暂时连接不上数据库，请稍后重试')
  expect(page.headers.get('retry-after')).toBe('10')
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
  const reply = await site.send('GET', '/api/v1/document/list', { headers: asBrowser })
  expect(reply).toMatchObject({ status: 503, json: { reason: 'request.databaseUnreachable', code: 14 } })

  await server.query(`alter database ${name} allow_connections true`)
  await expect.poll(async () => (await site.send('GET', '/', { headers: asBrowser })).status).toBe(200)
})
