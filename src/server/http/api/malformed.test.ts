import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#shared/contract/contract.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { openSite, type Site } from '#server/testing/site.ts'

/** Whatever a client sends, the fault is the client's: no request ends in an error of the server. */

let site: Site
let requests = 0
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const endpoints: Endpoint[] = Object.values(contract).flatMap((area) => Object.values<Endpoint>(area))

/** Each is sent for every key of every endpoint. */
const texts = [
  '',
  'x',
  '-1',
  '1.5',
  '0',
  '1e400',
  '9'.repeat(20),
  '9007199254740993',
  '\0',
  '甲\0乙',
  '%',
  "'",
  '\ud800',
  '\\',
]
const odd = ['x'.repeat(70_000), '2147483648', '4294967296', '9007199254740991', 'NaN', '0x10', ' ', 'true', '[]']
const values: unknown[] = [
  null,
  true,
  -1,
  0.5,
  1e308,
  2 ** 31,
  2 ** 53,
  '\0',
  '甲\0乙',
  '\ud800',
  'x'.repeat(70_000),
  [],
  {},
  [[[]]],
  [null],
  [0, -1, 2 ** 53],
  { toString: 1 },
  { $gt: '' },
]
const bodies = [
  '',
  ' ',
  '{',
  'null',
  '[]',
  '1',
  '"text"',
  '\0',
  '{"__proto__": {"isRoot": true}}',
  '{"constructor": {"prototype": 1}}',
  `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  `{"id": ${'9'.repeat(400)}}`,
  '\ufeff{}',
  'a=1&b=2',
]
const headers: Record<string, string>[] = [
  { authorization: 'Bearer' },
  { authorization: 'Bearer x.y.z' },
  { authorization: 'Basic eDp5' },
  { authorization: `Bearer ${'a'.repeat(7000)}` },
  { 'content-type': 'multipart/form-data' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': '\u00ff;charset=nothing' },
  { 'content-encoding': 'gzip' },
  { 'transfer-encoding': 'x' },
  { accept: 'nothing/at-all;q=x' },
  { 'accept-encoding': ';;;,q=' },
  { range: 'bytes=9-1' },
  { 'if-none-match': '"' },
  { 'if-modified-since': 'tomorrow' },
  { 'x-forwarded-for': 'x, , ::g' },
  { cookie: 'wendou_pictures=%' },
  { 'user-agent': '\u00ff'.repeat(2000) },
  { 'upload-defer-length': '1' },
  { 'tus-resumable': '9' },
]

/** From ever new addresses, as each has a limit of its own. */
async function send(method: string, path: string, options: { headers?: Record<string, string>; body?: string } = {}) {
  const ip = `10.${(requests += 1) >> 16}.${(requests >> 8) & 255}.${requests & 255}`
  const { body, headers } = options
  const authorization = `Bearer ${site.root.token}`
  const response = await site.request(path, { method, ip, headers: { authorization, ...headers }, body })
  const { status } = response
  const text = await response.text()
  return status < 500 || mayFail(text)
    ? []
    : [`${method} ${path.slice(0, 200)} ${options.body?.slice(0, 100)}: ${text}`]
}

/** Another server does not answer. */
function mayFail(text: string): boolean {
  return text.includes('releases.unreachable')
}

function toQuery(keys: readonly string[], value: string): string {
  return keys.map((key) => `${key}=${value === '%' ? '%' : encodeURIComponent(value.toWellFormed())}`).join('&')
}

describe.each(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  '%s',
  (_name, { method, path, input }) => {
    const keys = Object.keys(input.shape)
    const address = `/api/v1${path}`
    const isRead = method === 'GET' || method === 'DELETE'

    test('is answered whatever its keys have for values', async () => {
      // A single key is read no further where others are required.
      const isReadAlone = keys.length > 1 && input.safeParse({}).success
      const sets = isReadAlone ? [keys, ...keys.map((key) => [key])] : [keys]
      for (const set of sets) {
        const sent = isRead
          ? [...texts, ...odd].map((text) => send(method, `${address}?${toQuery(set, text)}`))
          : values.map((value) =>
              send(method, address, { body: JSON.stringify(Object.fromEntries(set.map((key) => [key, value]))) }),
            )
        expect((await Promise.all(sent)).flat()).toEqual([])
      }
    })

    test('is answered whatever its body and its headers are', async () => {
      const sent = headers.map((odd) => send(method, address, { headers: odd }))
      if (method !== 'GET') sent.push(...bodies.map((body) => send(method, address, { body })))
      expect((await Promise.all(sent)).flat()).toEqual([])
    })
  },
)

const files = [
  '/api/v1/upload/document',
  '/api/v1/upload/avatar',
  '/api/v1/upload/article',
  '/api/v1/upload/config',
  '/api/v1/upload/tus',
  '/api/v1/upload/tus/x',
  '/api/v1/upload/tus/%00',
  '/api/v1/nothing',
  '/uploads/00/x.png',
  `/uploads/00/${'0'.repeat(64)}.png`,
  '/uploads/%00/%00',
  '/uploads/..%2f..%2f/x',
  '/view/page/x/1.svg',
  `/view/page/${'A'.repeat(32)}/1.svg`,
  `/view/cover/${'A'.repeat(46)}`,
  '/view/text/%00/%00.json',
  '/view/table/%00/%00.json',
  '/view/reflow/%00/%00.json',
  `/view/reflow/${'A'.repeat(32)}/1.json`,
  '/view/picture/%00/%00',
  `/view/picture/${'A'.repeat(32)}/1-0`,
  '/download/x',
  '/download/%00',
  '/feed/document?category_id=%00',
  '/feed/article?user_id=9e9',
  '/sitemap/documents-9999999999.xml',
  '/sitemap/%00.xml',
  '/icons/x.png',
  '/robots.txt',
  '/metrics',
]
const tusHeaders: Record<string, string>[] = [
  { 'upload-defer-length': '1' },
  { 'upload-defer-length': '2' },
  { 'upload-length': '10', 'upload-defer-length': '1' },
  { 'upload-length': '-1' },
  { 'upload-length': '1e9' },
  { 'upload-length': '9'.repeat(30) },
  { 'upload-length': '10', 'upload-metadata': 'filename' },
  { 'upload-length': '10', 'upload-metadata': 'filename ====' },
  { 'upload-length': '10', 'upload-metadata': ',,,' },
  { 'upload-length': '10', 'upload-metadata': `filename ${btoa('a\0b.pdf')}` },
  { 'upload-length': '10', 'upload-metadata': `filename ${btoa('a.pdf')},sha256 ${btoa('x')}` },
  { 'upload-length': '10', 'upload-concat': 'partial' },
  { 'upload-length': '10', 'upload-concat': 'final;/x /y' },
  { 'upload-offset': '-1', 'content-type': 'application/offset+octet-stream' },
  { 'upload-offset': 'x', 'content-type': 'application/offset+octet-stream' },
  { 'upload-offset': '0', 'content-type': 'text/plain' },
  { 'x-http-method-override': 'PATCH' },
]

test.each(files)('%s is answered whatever its headers and its body are', async (path) => {
  const failures: string[] = []
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    for (const odd of [{}, ...headers, ...tusHeaders.map((sent) => ({ 'tus-resumable': '1.0.0', ...sent }))])
      failures.push(...(await send(method, path, { headers: odd })))
    if (method !== 'GET' && method !== 'HEAD')
      for (const type of ['multipart/form-data; boundary=b', 'multipart/form-data', 'application/offset+octet-stream'])
        for (const body of ['', '--b\r\n', '--b\r\n\r\n--b--', 'x'])
          failures.push(...(await send(method, path, { headers: { 'content-type': type }, body })))
  }
  expect(failures).toEqual([])
})
