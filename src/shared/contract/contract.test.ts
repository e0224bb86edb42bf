import { expect, expectTypeOf, test } from 'vitest'
import * as z from 'zod/mini'
import { errors, wireCodes } from '../errors.ts'
import { isFile } from '../fields.ts'
import { getAdminPages, permissionCatalogue, type PermissionPath, wirePath } from '../permissions.ts'
import { defaultBodyLimit, type Endpoint } from '../endpoint.ts'
import { decode, queryToObject } from '../wire.ts'
import { contract } from './contract.ts'

const endpoints: Endpoint[] = Object.values(contract).flatMap((area) => Object.values<Endpoint>(area))
const permissionPaths = permissionCatalogue.map(({ path }) => path)

test('the contract has its endpoints', () => {
  expect(endpoints.length).toBeGreaterThan(45)
})

test('no two endpoints have the same method and path', () => {
  const names = endpoints.map(({ method, path }) => `${method} ${path}`)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

test('clients find every call that the specification names', () => {
  const named = `
    POST /user/register, POST /user/register/mobile, POST /user/login, POST /user/login/mobile, DELETE /user/logout
    GET /user, POST /user, PUT /user, DELETE /user, GET /user/list, PUT /user/password, PUT /user/profile
    GET /user/caniuploaddocument, GET /user/canipublisharticle, GET /user/captcha, GET /user/dynamic, GET /user/download
    GET /user/permission, GET /user/sign, PUT /user/sign, POST /user/findpassword/stepone, PUT /user/findpassword/steptwo
    POST /user/findpassword/mobile, GET /user/order, GET /user/vip, GET /user/vip/order, GET /user/oauth, DELETE /user/oauth
    POST /user/email/code, POST /oauth/login, POST /oauth/bind, GET /oauth/configs
    GET /settings, PUT /config, GET /config/list, PUT /sitemap, GET /stats, GET /envs, GET /license, GET /device
    GET /wechatpay/cert, PUT /sqlmode, PUT /renew/document/index, GET /release, POST /release, PUT /release/source
    POST /category, PUT /category, DELETE /category, GET /category, GET /category/list
    POST /navigation, PUT /navigation, DELETE /navigation, GET /navigation, GET /navigation/list
    POST /friendlink, PUT /friendlink, DELETE /friendlink, GET /friendlink, GET /friendlink/list
    POST /advertisement, PUT /advertisement, DELETE /advertisement, GET /advertisement, GET /advertisement/position
    GET /advertisement/list`
  const present = new Set(endpoints.map(({ method, path }) => `${method} ${path}`))
  const missing = named
    .split(/[,\n]/)
    .map((call) => call.trim())
    .filter((call) => call !== '' && !present.has(call))
  expect(missing).toEqual([])
})

test('paths and summaries are well formed', () => {
  for (const { path, summary } of endpoints) {
    expect(path).toMatch(/^(\/[a-z]+)+$/)
    expect(summary, path).toMatch(/[\u4e00-\u9fff]/)
  }
})

test('a secret is called password, which our client never puts into an address, and nothing is read by one', () => {
  for (const { method, path, input } of endpoints) {
    if (method !== 'GET' && method !== 'DELETE') continue
    const secrets = Object.keys(input.shape).filter((key) => /password|secret|token/.test(key))
    expect(secrets, path).toEqual(path === '/user' && method === 'DELETE' ? ['password'] : [])
  }
})

test('an empty query value is the same as none', () => {
  for (const { method, path, input } of endpoints) {
    if (method !== 'GET') continue
    const read = (query: string) => z.safeParse(input, decode(input, queryToObject(new URLSearchParams(query))))
    const without = read('')
    for (const key of Object.keys(input.shape))
      expect(read(`${key}=`), `${path}?${key}=`).toEqual(
        without.success ? without : expect.objectContaining({ success: false }),
      )
  }
})

test('every permission that an endpoint requires is in the catalogue', () => {
  const required = endpoints.flatMap(({ access }) => (typeof access === 'object' ? [wirePath(access.permission)] : []))
  expect(required.length).toBeGreaterThan(20)
  expect(required.filter((path) => !permissionPaths.includes(path))).toEqual([])
})

test('every area opens its admin pages with its list method, and none without', () => {
  const lists = permissionPaths.filter((path) => /\/List[A-Z]/.test(path))
  expect(lists.length).toBeGreaterThan(20)
  expect(getAdminPages(permissionPaths)).toContain('/admin/config/email')
  expect(getAdminPages(['/api.v1.UserAPI/ListUser'])).toEqual([
    '/admin/user',
    '/admin/user/list',
    '/admin/user/invitation',
  ])
  expect(getAdminPages(permissionPaths.filter((path) => !lists.includes(path)))).toEqual([
    '/admin/document/replacement',
    '/admin/review',
    '/admin/outlay',
  ])
})

test('every declared error has a status with a wire code and a message in Chinese', () => {
  const all = Object.values(errors).flatMap((area) =>
    Object.values<(value: never) => { status: number; message: string }>(area),
  )
  expect(all.length).toBeGreaterThan(40)
  for (const make of all) {
    const { status, message } = make('原因' as never)
    expect(wireCodes[status], message).toBeTypeOf('number')
    expect(message).toMatch(/[\u4e00-\u9fff]/)
  }
})

test('input and reply of every endpoint that replies with JSON can be written as JSON Schema', () => {
  for (const { input, reply, path } of endpoints.filter(({ reply }) => !isFile(reply))) {
    expect(() => z.toJSONSchema(input, { io: 'input' }), path).not.toThrow()
    expect(() => z.toJSONSchema(reply, { io: 'input' }), path).not.toThrow()
  }
})

test('an endpoint cannot require a permission that does not exist', () => {
  expectTypeOf<'UserAPI/ListUser'>().toExtend<PermissionPath>()
  expectTypeOf<'UserAPI/Nothing'>().not.toExtend<PermissionPath>()
})

test('the largest input that a schema bounds fits into the body of its endpoint', () => {
  for (const { method, path, input, bodyLimit = defaultBodyLimit } of endpoints) {
    if (method === 'GET') continue
    const { bytes, parts } = largest(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }))
    if (bytes !== Infinity) expect(bytes, `${method} ${path}`).toBeLessThan(bodyLimit)
    // The limit of json-body.ts.
    if (parts !== Infinity) expect(parts, `${method} ${path}`).toBeLessThan(10_000)
  }
})

type Schema = z.core.JSONSchema.BaseSchema

/** In UTF-8, where a Chinese character takes three bytes. Infinity for what the schema does not bound. */
function largest({ anyOf, enum: values, type, properties, items, maxItems = Infinity, maxLength = Infinity }: Schema): {
  bytes: number
  parts: number
} {
  if (anyOf) {
    const choices = anyOf.map((choice) => largest(choice))
    return {
      bytes: Math.max(...choices.map(({ bytes }) => bytes)),
      parts: Math.max(...choices.map(({ parts }) => parts)),
    }
  }
  if (values) return { bytes: Math.max(...values.map((value) => JSON.stringify(value).length)), parts: 0 }
  if (type === 'string') return { bytes: maxLength * 3 + 2, parts: 0 }
  if (type === 'array') {
    const item = largest(items as Schema)
    return { bytes: maxItems * (item.bytes + 1) + 2, parts: maxItems * (item.parts + 1) + 1 }
  }
  if (type !== 'object') return { bytes: 20, parts: 0 }
  const fields = Object.entries(properties ?? {}).map(([key, field]) => ({ key, ...largest(field as Schema) }))
  return {
    bytes: fields.reduce((sum, { key, bytes }) => sum + key.length + 4 + bytes, 2),
    parts: fields.reduce((sum, { parts }) => sum + parts + 1, 1),
  }
}
