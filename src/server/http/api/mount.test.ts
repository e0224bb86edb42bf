import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#shared/contract/contract.ts'
import { groups } from '#shared/contract/access.ts'
import { friendlinks, navigations } from '#shared/contract/site.ts'
import { users } from '#shared/contract/users.ts'
import { defaultBodyLimit, type Endpoint } from '#shared/endpoint.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'

const endpoints: Endpoint[] = Object.values(contract).flatMap((area) => Object.values<Endpoint>(area))
/** Paged lists without required filters; in `/document/find` a page is one of a document. */
const lists = endpoints.filter(
  ({ input, path }) =>
    Object.hasOwn(input.def.shape, 'page') && input.safeParse({}).success && path !== '/document/find',
)

let site: Site
let member: Person
let addresses = 0
beforeAll(async () => {
  site = await openSite()
  member = await site.member()
})
afterAll(() => site.close())

test('a short reply is sent whole, with its length; a long one is compressed', async () => {
  const headersOf = async (path: string) => {
    const { headers } = await site.request(`/api/v1${path}`, { headers: { 'accept-encoding': 'gzip' } })
    return [headers.get('content-encoding'), headers.get('content-length') !== null]
  }
  expect(await headersOf('/friendlink/list?page=999')).toEqual([null, true])
  expect(await headersOf('/settings')).toEqual(['gzip', false])
})

describe('a query', () => {
  test('repeats a key for several values', async () => {
    const { json } = await asRoot('GET', `/user/list?id=1&id=${member.id}`)
    expect((json.user as { id: number }[]).map(({ id }) => id)).toEqual([member.id, 1])
  })

  test('uses the first of repeated values for a single-value key', async () => {
    const { json } = await asRoot('GET', '/user/list?size=1&size=50')
    expect(json.user).toHaveLength(1)
  })

  test.each([
    ['1', true],
    ['true', true],
    ['0', false],
    ['false', false],
  ])('accepts the boolean %s', async (word, enable) => {
    const { id } = await site.root.call(friendlinks.create, { title: `friend ${word}`, link: '/', enable })
    const { json } = await asRoot('GET', `/friendlink/list?enable=${word}`)
    expect((json.friendlink as { id: number }[]).map((row) => row.id)).toContain(id)
  })

  test('may contain unknown and empty keys', async () => {
    const { status, json } = await asRoot('GET', '/navigation/list?_t=17&type=&duration=x&page=&size=&__proto__=1')
    expect(status).toBe(200)
    expect(json.total).toBe(3)
  })

  test('selects columns: unknown ones are ignored, the id stays', async () => {
    const query = 'field=title&field=no_such_column&field=__proto__&field=constructor'
    const { json } = await asRoot('GET', `/navigation/list?${query}`)
    expect((json.navigation as object[])[0]).toEqual({ id: 1, title: '首页' })
  })

  test('selects columns, and keeps the author', async () => {
    const { json } = await asRoot('GET', '/article/list?field=title&size=1')
    expect((json.article as object[])[0]).toEqual({
      id: expect.any(Number),
      title: expect.any(String),
      user: expect.objectContaining({ username: 'admin' }),
    })
  })

  test('has the ids to delete', async () => {
    const [first, second] = [await newGroup(), await newGroup()]
    expect((await asRoot('DELETE', `/group?id=${first}&id=${second}`)).status).toBe(200)
    expect(await refusal(site.call(groups.get, { id: second }))).toMatchObject({ status: 404 })
  })
})

describe('a body', () => {
  test('may be missing, without a content type', async () => {
    const { status, json } = await asMember('PUT', '/user/profile')
    expect(status).toBe(200)
    expect(json).toEqual({})
  })

  test('may contain nulls and unknown keys', async () => {
    const body = { email: null, mobile: null, realname: null, group: { a: [null] }, score: 4.33, signature: 'kept' }
    expect((await asMember('PUT', '/user/profile', body)).status).toBe(200)
    expect((await member.call(users.get)).signature).toBe('kept')
  })

  test('uses the last of a duplicate key', async () => {
    const body = '{"signature": "first", "signature": "last"}'
    expect((await asMember('PUT', '/user/profile', body)).status).toBe(200)
    expect((await member.call(users.get)).signature).toBe('last')
  })

  test.each(['{"a":', '{a: 1}', "{'a': 1}", '{} {}', '{\u0000}'])('%j is not JSON', async (body) => {
    const { status, json } = await asMember('PUT', '/user/profile', body)
    expect(status).toBe(400)
    expect(json).toMatchObject({ reason: 'request.notJson', message: '请求内容不是有效的 JSON' })
  })

  test.each(['[]', '[{"signature": "x"}]', '"text"', '5', 'true', 'null', 'signature=x', '<xml/>', '\u0000'])(
    '%j is not an object',
    async (body) => {
      await member.call(users.profile, { signature: 'before' })
      const { status, json } = await asMember('PUT', '/user/profile', body)
      expect(status).toBe(400)
      expect(json).toMatchObject({ reason: 'request.notObject', message: '请求内容必须是 JSON 对象' })
      expect((await member.call(users.get)).signature).toBe('before')
    },
  )

  test('cannot pollute a prototype', async () => {
    const body = `{"__proto__": {"is_default": true, "polluted": 1}, "constructor": {"prototype": {"polluted": 1}},
      "title": "group of a prototype"}`
    const { status, json } = await asRoot('POST', '/group', body)
    expect(status).toBe(200)
    expect((await site.root.call(groups.get, { id: Number(json.id) })).is_default).toBe(false)
    expect({}).not.toHaveProperty('polluted')
    expect((await asRoot('POST', '/group', '{"__proto__": {"title": "inherited"}}')).status).toBe(400)
  })

  test.each([
    ['arrays', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
    ['objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['arrays without an end', '['.repeat(60_000)],
  ])('%s nested ten thousand deep are refused in known keys and in unknown ones', async (_what, deep) => {
    for (const key of ['signature', 'unknown'])
      expect((await asMember('PUT', '/user/profile', `{"${key}": ${deep}}`)).status).toBe(400)
  })

  test('over its limit is refused, with or without a declared length', async () => {
    const body = JSON.stringify({ signature: 'x'.repeat(defaultBodyLimit) })
    const undeclared = await asMember('PUT', '/user/profile', body)
    expect(undeclared.status).toBe(413)
    expect(undeclared.json).toMatchObject({ code: 3, reason: 'request.tooLarge', message: '请求内容过大' })
    const headers = { 'content-length': String(body.length) }
    const response = await site.send('PUT', '/api/v1/user/profile', { token: member.token, body, headers })
    expect(response.status).toBe(413)
  })

  test('just under its limit is accepted', async () => {
    const body = JSON.stringify({ signature: 'kept', padding: 'x'.repeat(defaultBodyLimit - 1000) })
    expect((await asMember('PUT', '/user/profile', body)).status).toBe(200)
  })
})

describe('a reply', () => {
  test('leaves out zero values and writes numbers as numbers', async () => {
    const { text } = await asRoot('GET', '/user')
    expect(text).toMatch(/^\{"id":1,/)
    expect(text).not.toMatch(/:(0|false|null|""|\[\]|"\d+")[,}]/)
  })

  test('writes times as RFC 3339', async () => {
    const { json } = await asRoot('GET', '/user')
    expect(json.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  test('is an empty object if it has no data', async () => {
    const { text, status } = await asMember('PUT', '/user/profile', {})
    expect([status, text]).toEqual([200, '{}'])
  })

  test('is never cached', async () => {
    expect((await asRoot('GET', '/user')).headers.get('cache-control')).toBe('no-store')
  })
})

describe('hostile values in every list', () => {
  const numbers = ['-1', '0', '99999999', '9007199254740991', '9007199254740993', '-9007199254740992', '1e308', '1.5']
  const words = ['abc', '０', 'NaN', 'Infinity', 'null', '1;drop table user', '%00', '%ED%A0%80', '😀', "'", '[]', '{}']
  const orders = ['id desc; drop table user', 'id, (select 1)', '__proto__', 'constructor asc', 'id asc,'.repeat(20)]
  const searches = ['%', '_', '\\', "' or 1=1 --", '"', '*', 'NEAR(', '-', 'a\0b', 'x'.repeat(1000), 'a '.repeat(499)]

  test.each(lists.map((endpoint) => [endpoint.path, endpoint] as const))('%s', async (path, { input }) => {
    const before = await asRoot('GET', path)
    expect(before.status).toBe(200)
    const filters = Object.keys(input.def.shape).filter((key) => !['wd', 'order', 'sort', 'field'].includes(key))
    const queries = [
      ...[...numbers, ...words].map((value) => filters.map((key) => `${key}=${value}`).join('&')),
      ...filters.map((key) => Array.from({ length: 10_000 }, () => `${key}=1`).join('&')),
      ...orders.flatMap((order) => [`order=${encodeURIComponent(order)}`, `sort=${encodeURIComponent(order)}`]),
      ...searches.map((wd) => `wd=${encodeURIComponent(wd)}`),
      `wd=${'x'.repeat(10_000)}`,
      `order=${'x'.repeat(10_000)}`,
      Array.from({ length: 10_000 }, (_, index) => `field=f${index}`).join('&'),
      'page[]=1&id[]=2&size[$gt]=1',
      'page=1&size=-5&order=id&field=&id=',
    ]
    for (const query of queries) {
      const { status, json } = await asRoot('GET', `${path}?${query}`)
      // One of them names an order, too.
      const expected = path === '/user/vip/order' ? [200, 400, 404] : [200, 400]
      expect(expected, `${query.slice(0, 100)}: ${JSON.stringify(json).slice(0, 200)}`).toContain(status)
    }
    // Some tell the time as well.
    expect({ ...(await asRoot('GET', path)).json, now: '' }).toEqual({ ...before.json, now: '' })
  })

  test('the lists were found', () => {
    expect(lists.length).toBeGreaterThan(7)
  })
})

test.each([
  'id=0',
  'id=-1',
  'id=1.5',
  'id=abc',
  'id=9007199254740993',
  'id=1&id=x',
  '',
  Array.from({ length: 10_000 }, (_, index) => `id=${index + 1000}`).join('&'),
])('a deletion requires valid ids: %.40s', async (query) => {
  const { status, json } = await asRoot('DELETE', `/friendlink?${query}`)
  expect(status).toBe(400)
  expect(json.reason).toBe('request.invalid')
})

test('text is stored as written, except for characters that databases refuse', async () => {
  const signature = "  名言：“学而时习之” — O'Brien; DROP TABLE user; 100% \\ 😀 \u0000\ud800 "
  await asMember('PUT', '/user/profile', JSON.stringify({ signature }))
  expect((await member.call(users.get)).signature).toBe(
    "名言：“学而时习之” — O'Brien; DROP TABLE user; 100% \\ 😀 \ufffd",
  )
})

test('without paging a list has all rows', async () => {
  const own = await openSite()
  for (let index = 0; index < 15; index++) await own.root.call(navigations.create, { title: `entry ${index}` })
  expect((await own.call(navigations.list)).navigation).toHaveLength(18)
  const paged = await own.call(navigations.list, { page: 2, size: 10 })
  expect(paged.navigation).toHaveLength(8)
  expect(paged.total).toBe(18)
  await own.close()
})

function asRoot(method: string, path: string, body?: unknown) {
  return site.send(method, `/api/v1${path}`, { token: site.root.token, ip: nextAddress(), body })
}

function asMember(method: string, path: string, body?: unknown) {
  return site.send(method, `/api/v1${path}`, { token: member.token, ip: nextAddress(), body })
}

async function newGroup(): Promise<number> {
  const { id } = await site.root.call(groups.create, { title: `group ${(addresses += 1)} of the wire` })
  return id
}

function nextAddress(): string {
  addresses += 1
  return `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`
}
