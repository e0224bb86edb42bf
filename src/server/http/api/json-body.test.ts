import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#shared/contract/contract.ts'
import { defaultBodyLimit, type Endpoint } from '#shared/endpoint.ts'
import { openSite, type Site } from '#server/testing/site.ts'

let site: Site
let requests = 0
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const endpoints = Object.values(contract)
  .flatMap((area) => Object.values<Endpoint>(area))
  .filter(({ method }) => method !== 'GET')
  .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)

/** By the owner, from ever new addresses, as each has a limit of its own. */
async function send({ method, path }: Endpoint, body: string) {
  const ip = `10.3.${(requests += 1) >> 8}.${requests & 255}`
  const headers = { authorization: `Bearer ${site.root.token}`, 'content-type': 'application/json' }
  const response = await site.request(`/api/v1${path}`, { method, ip, headers, body })
  return { status: response.status, ...((await response.json()) as { reason?: string }) }
}

const nested = (depth: number) => `{"x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
const wide = (items: number) => `{"x":[${Array.from({ length: items }, () => '0').join()}]}`

test.each(endpoints)('%s refuses a body that is too deep, too wide or too large', async (_name, endpoint) => {
  const tooComplex = { status: 400, reason: 'request.tooComplex' }
  expect(await send(endpoint, nested(33))).toMatchObject(tooComplex)
  expect(await send(endpoint, wide(10_000))).toMatchObject(tooComplex)
  const limit = endpoint.bodyLimit ?? defaultBodyLimit
  expect(await send(endpoint, JSON.stringify({ x: 'x'.repeat(limit) }))).toMatchObject({
    status: 413,
    reason: 'request.tooLarge',
  })
})

describe('a body', () => {
  const login: Endpoint = contract.users.login
  const read = async (body: string) => (await send(login, body)).reason

  test('of as much as is allowed is read', async () => {
    for (const body of ['', ' ', '\ufeff{}', '{}', nested(32), wide(9990), `{"x":"${'[,{\\"'.repeat(5000)}"}`])
      expect(await read(body), body.slice(0, 40)).toBe('request.invalid')
  })

  test('that is no object, or no JSON, is refused', async () => {
    for (const body of ['[]', 'null', '1', '"x"', 'x=1']) expect(await read(body), body).toBe('request.notObject')
    for (const body of ['{', '{"x"', '{"x":"', '{"x":"\\', '{]', `{${']'.repeat(50)}${'['.repeat(20)}`])
      expect(await read(body), body).toBe('request.notJson')
  })
})
