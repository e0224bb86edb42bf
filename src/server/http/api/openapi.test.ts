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
  const answer = await site.send('GET', '/api/v1/openapi.json')
  text = answer.text
  paths = answer.json.paths as typeof paths
  expect(answer.json.openapi).toBe('3.1.0')
})
afterAll(() => site.close())

test('the specification holds every endpoint and no other', () => {
  const told = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(told.toSorted()).toEqual(endpoints.map(({ method, path }) => `${method} /api/v1${path}`).toSorted())
})

test('every operation has a name of its own', () => {
  const names = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
  expect(new Set(names).size).toBe(endpoints.length)
})

describe('an operation tells', () => {
  test('what goes into the query, and what of it is needed', () => {
    const parameters = paths['/api/v1/user/captcha']?.get?.parameters
    expect(parameters).toMatchObject([{ name: 'type', required: true }])
    const list = paths['/api/v1/user/list']?.get?.parameters ?? []
    expect(list.every(({ required }) => !required)).toBe(true)
    expect(list.find(({ name }) => name === 'id')?.schema.type).toBe('array')
  })

  test('what goes into the body', () => {
    const schema = paths['/api/v1/user/register']?.post?.requestBody?.content['application/json'].schema
    expect(schema?.required?.toSorted()).toEqual(['email', 'password', 'username'])
  })

  test('that times are text, and that a reply may leave anything out', () => {
    const { schema } = paths['/api/v1/user']?.get?.responses[200].content['application/json'] ?? { schema: undefined }
    expect(schema?.properties?.login_at?.anyOf?.[0]).toEqual({ type: 'string', format: 'date-time' })
    expect(schema).not.toHaveProperty('required')
  })

  test('whether one must be logged in', () => {
    expect(paths['/api/v1/settings']?.get?.security).toEqual([{}, { bearer: [] }])
    expect(paths['/api/v1/config']?.put?.security).toEqual([{ bearer: [] }])
  })
})

test('every reference leads somewhere', () => {
  const references = new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference))
  expect([...references]).toEqual(['#/components/schemas/Error'])
  expect(text).toContain('"schemas":{"Error":')
})

test('the page for people names every path', async () => {
  const { text: page } = await site.send('GET', '/api/docs')
  for (const { path } of endpoints) expect(page).toContain(`<code>/api/v1${path}</code>`)
})
