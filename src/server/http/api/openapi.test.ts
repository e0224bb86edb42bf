import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#shared/contract/contract.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { openSite, type Site } from '#server/testing/site.ts'

interface Operation {
  operationId: string
  security: object[]
  parameters?: { name: string; required: boolean; schema: { type?: string } }[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
  responses: { 200: { content: { 'application/json': { schema: Schema } } } }
}
interface Schema {
  required?: string[]
  properties?: Record<string, { type?: string; format?: string; anyOf?: { format?: string }[] }>
}

const endpoints: Endpoint[] = Object.values(contract).flatMap((area) => Object.values<Endpoint>(area))

let site: Site
let paths: Record<string, Record<string, Operation>>
let text: string
beforeAll(async () => {
  site = await openSite()
  const response = await site.send('GET', '/api/v1/openapi.json')
  text = response.text
  paths = response.json.paths as typeof paths
  expect(response.json.openapi).toBe('3.1.0')
})
afterAll(() => site.close())

test('the specification has every endpoint and no other', () => {
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(documented.toSorted()).toEqual(endpoints.map(({ method, path }) => `${method} /api/v1${path}`).toSorted())
})

test('every operation has a unique name', () => {
  const names = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
  expect(new Set(names).size).toBe(endpoints.length)
})

describe('an operation describes', () => {
  test('its query parameters, and which are required', () => {
    const parameters = paths['/api/v1/user/captcha']?.get?.parameters
    expect(parameters).toMatchObject([{ name: 'type', required: true }])
    const list = paths['/api/v1/user/list']?.get?.parameters ?? []
    expect(list.every(({ required }) => !required)).toBe(true)
    expect(list.find(({ name }) => name === 'id')?.schema.type).toBe('array')
  })

  test('its request body', () => {
    const schema = paths['/api/v1/user/register']?.post?.requestBody?.content['application/json'].schema
    expect(schema?.required?.toSorted()).toEqual(['email', 'password', 'username'])
  })

  test('times as text, and every key of a reply as optional', () => {
    const { schema } = paths['/api/v1/user']?.get?.responses[200].content['application/json'] ?? { schema: undefined }
    expect(schema?.properties?.login_at?.anyOf?.[0]).toEqual({ type: 'string', format: 'date-time' })
    expect(schema).not.toHaveProperty('required')
  })

  test('whether it requires login', () => {
    expect(paths['/api/v1/settings']?.get?.security).toEqual([{}, { bearer: [] }])
    expect(paths['/api/v1/config']?.put?.security).toEqual([{ bearer: [] }])
  })
})

test('every reference can be resolved', () => {
  const references = new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference))
  expect([...references]).toEqual(['#/components/schemas/Error'])
  expect(text).toContain('"schemas":{"Error":')
})

test('the documentation page has every path', async () => {
  const { text: page } = await site.send('GET', '/api/docs')
  for (const { path } of endpoints) expect(page).toContain(`<code>/api/v1${path}</code>`)
})
