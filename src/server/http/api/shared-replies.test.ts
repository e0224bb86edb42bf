import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { categories } from '#shared/contract/catalog.ts'
import { contract } from '#shared/contract/contract.ts'
import { settings } from '#shared/contract/settings.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { ContentType } from '#shared/enums.ts'
import { type CommunitySite, openCommunitySite } from '#server/testing/community-site.ts'
import { openLog } from '#server/log.ts'
import { openSite, type Person } from '#server/testing/site.ts'

/** A site that keeps answers, as it does wherever there are pages. */
let site: CommunitySite
let people: { member: Person; staff: Person }
let queries: Record<string, string>
beforeAll(async () => {
  const render = async () => new Response('<p>', { headers: { 'content-type': 'text/html' } })
  site = await openCommunitySite({ web: { dev: false, render } })
  people = {
    member: await site.member(),
    staff: await site.staff('ArticleAPI/ListArticle', 'DocumentAPI/ListDocument'),
  }
  const document = await site.document({ owner: people.member, title: '一份文档' })
  const article = await site.article()
  await site.root.call(categories.create, { title: '分类', type: ContentType.Document, enable: true })
  const { identifier } = await site.db
    .selectFrom('article')
    .select('identifier')
    .where('id', '=', article.document_id)
    .executeTakeFirstOrThrow()
  queries = {
    '/document/related': `id=${document.document_id}`,
    '/article/related': `identifier=${identifier}`,
  }
})
afterAll(() => site.close())

const shared = Object.values(contract)
  .flatMap((area) => Object.values<Endpoint>(area))
  .filter((endpoint) => endpoint.shared)
const addressOf = ({ path }: Endpoint) => `/api/v1${path}${queries[path] ? `?${queries[path]}` : ''}`

let addresses = 0
const visit = (address: string, headers: Record<string, string> = {}, token?: string) =>
  site.send('GET', address, { headers, token, ip: `10.9.0.${(addresses += 1) & 255}` })
const withoutId = (headers: Headers) => Object.fromEntries([...headers].filter(([name]) => name !== 'x-request-id'))
const change = () =>
  site.root.call(categories.create, { title: `又一个 ${(addresses += 1)}`, type: ContentType.Document, enable: true })

describe.each(shared.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  '%s',
  (_, endpoint) => {
    test('is a reading that anybody may ask for', () => {
      expect(endpoint.method).toBe('GET')
      expect(['open', 'public']).toContain(endpoint.access)
    })

    test('says the same to every visitor, wherever they come from', async () => {
      const address = addressOf(endpoint)
      const texts = new Set<string>()
      const callers: Record<string, string>[] = [
        {},
        { 'user-agent': 'Mozilla/5.0 (iPhone) MicroMessenger/8.0' },
        { 'accept-language': 'en', 'x-forwarded-for': '203.0.113.9', host: 'evil.example', cookie: 'a=b' },
      ]
      for (const headers of callers) {
        // A share's key that nobody has given makes it a call of its own, which is made anew.
        const { status, text } = await visit(address, { ...headers, 'x-share-key': 'none' })
        expect(status).toBe(200)
        texts.add(text)
      }
      texts.add((await visit(address)).text)
      expect(texts.size).toBe(1)
    })

    test('is kept for visitors, and never answered from there to members and staff', async () => {
      const address = addressOf(endpoint)
      const first = await visit(address)
      const second = await visit(address)
      expect(second.text).toBe(first.text)
      expect(withoutId(second.headers)).toEqual(withoutId(first.headers))
      const etag = first.headers.get('etag') ?? ''
      expect(etag).not.toBe('')
      expect((await site.request(address, { headers: { 'if-none-match': etag } })).status).toBe(304)
      for (const { token } of [people.member, people.staff, site.root]) {
        const own = await visit(address, { 'if-none-match': etag }, token)
        expect(own).toMatchObject({ status: 200 })
        expect(own.headers.get('cache-control')).toBe('no-store')
        expect(own.headers.get('etag')).toBeNull()
      }
    })
  },
)

const list = '/api/v1/category/list'
const made = async () =>
  Number(/wendou_replies_made_total\{result="ok"\} (\d+)/.exec((await site.send('GET', '/metrics')).text)?.[1])

test('there are shared replies', () => {
  expect(shared.length).toBeGreaterThan(15)
})

test('a reply is made once for all spellings of a call, and for all who ask at the same time', async () => {
  await change()
  const before = await made()
  await Promise.all(Array.from({ length: 20 }, () => visit(`${list}?page=1&size=5`)))
  for (const query of ['size=5&page=1', 'page=1&size=5&utm_source=x', 'page=1&size=5&wd='])
    await visit(`${list}?${query}`)
  expect(await made()).toBe(before + 1)
  await visit(`${list}?page=2&size=5`)
  expect(await made()).toBe(before + 2)
})

test('a value that is given several times is not the first of them', async () => {
  const { text } = await visit(`${list}?type=0&type=1`)
  expect((await visit(`${list}?type=0&type=1`, { 'x-share-key': 'none' })).text).toBe(text)
})

test('what changes is seen at once', async () => {
  const { text } = await visit(list)
  await change()
  expect((await visit(list)).text).not.toBe(text)
})

test('what is refused is not kept, and has the number of its request', async () => {
  const refused = await visit(`${list}?page=x`)
  expect([refused.status, refused.headers.get('etag')]).toEqual([400, null])
  expect(refused.headers.get('x-request-id')).toMatch(/\w{8}/)
  expect((await visit(`${list}?page=x`)).text).toBe(refused.text)
})

test('a fault is told once to all who ask at the same time, with the number by which the log has it', async () => {
  const lines: string[] = []
  const log = openLog('error', { write: (line: string) => void lines.push(line) })
  const own = await openSite({}, { log, web: { dev: false, render: async () => new Response('') } })
  onTestFinished(() => own.close())
  await own.db.schema.dropTable('friendlink').execute()
  const answers = await Promise.all(Array.from({ length: 5 }, () => own.request('/api/v1/friendlink/list')))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 500))
  const texts = new Set(await Promise.all(answers.map((answer) => answer.text())))
  const { id }: { id: string } = JSON.parse(lines.join(''))
  expect([...texts]).toEqual([expect.stringContaining(`编号 ${id}`)])
})

test('other spellings of a path are not taken for it', async () => {
  const one = await visit(`${list}?size=1`)
  expect(one.json.category).toHaveLength(1)
  for (const path of ['/api/v1/category/%6cist', '/api/v1/%63ategory/list'])
    expect((await visit(`${path}?size=1`)).text).toBe(one.text)
  expect((await visit('/api/v1/category/%6cist?page=x')).status).toBe(400)
})

test('what HEAD tells is what GET sends', async () => {
  const { headers } = await visit(list)
  const head = await site.request(list, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect(head.headers.get('content-length')).toBe(headers.get('content-length'))
})

test('a site that is closed, or asks for a log-in, tells visitors nothing that was kept', async () => {
  onTestFinished(() => site.configure({ 'security.is_close': 'false', 'security.login_required': 'false' }))
  for (const setting of ['security.is_close', 'security.login_required']) {
    expect((await visit(list)).status).toBe(200)
    await site.configure({ [setting]: 'true' })
    expect((await visit(list)).status).toBe(401)
    expect((await visit('/api/v1/settings')).status).toBe(200)
    await site.configure({ [setting]: 'false' })
  }
  expect((await site.call(settings.get)).security).toMatchObject({ is_close: false })
})

test('nothing is kept where the owner wants no cache', async () => {
  await site.configure({ 'ssr.cache_seconds': '0' })
  onTestFinished(() => site.configure({ 'ssr.cache_seconds': '5' }))
  const before = await made()
  await visit(list)
  await visit(list)
  expect(await made()).toBe(before + 2)
})
