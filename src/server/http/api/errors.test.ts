import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSite, type Site } from '#server/testing/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

describe('every error has the same format', () => {
  test.each([
    ['GET', '/api/v1/user', 401, 16, 'access.loginNeeded'],
    ['GET', '/api/v1/config/list', 401, 16, 'access.loginNeeded'],
    ['GET', '/api/v1/user?id=999999', 404, 5, 'users.notFound'],
    ['GET', '/api/v1/user?id=abc', 400, 3, 'request.invalid'],
    ['GET', '/api/v1/no/such/thing', 404, 5, 'request.notFound'],
    ['GET', '/api/v2/settings', 404, 5, 'request.notFound'],
    ['GET', '/api', 404, 5, 'request.notFound'],
    ['GET', '/api/v1/settings/', 404, 5, 'request.notFound'],
    ['POST', '/api/v1/settings', 404, 5, 'request.notFound'],
    ['DELETE', '/api/v1/settings', 404, 5, 'request.notFound'],
    ['PATCH', '/api/v1/user', 404, 5, 'request.notFound'],
    ['POST', '/', 404, 5, 'request.notFound'],
  ])('%s %s', async (method, path, status, code, reason) => {
    const response = await site.send(method, path)
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(response.json).toMatchObject({ code, reason, message: expect.stringMatching(/[\u4e00-\u9fff]/) })
    expect(response.json.error).toBe(response.json.message)
  })

  test('for a missing permission', async () => {
    const { token } = await site.member()
    const { status, json } = await site.send('GET', '/api/v1/config/list', { token })
    expect([status, json.code, json.reason]).toEqual([403, 7, 'access.denied'])
  })

  test('for a conflict', async () => {
    const body = { title: '普通用户' }
    const { status, json } = await site.send('POST', '/api/v1/group', { token: site.root.token, body })
    expect([status, json.code, json.reason]).toEqual([409, 6, 'groups.titleTaken'])
  })
})

describe('the error of an invalid request', () => {
  test('names the invalid fields', async () => {
    const body = { username: 'x', password: '123', email: 'nobody' }
    const { json } = await site.send('POST', '/api/v1/user/register', { body })
    expect(json.message).toBe('用户名：至少 3 个字符')
    expect(json.details).toEqual([
      { field: 'username', message: '至少 3 个字符' },
      { field: 'password', message: '密码至少 8 个字符' },
      { field: 'email', message: '请输入正确的邮箱地址' },
    ])
  })

  test('names the missing fields', async () => {
    const { json } = await site.send('POST', '/api/v1/user/register', { body: {} })
    expect(json.message).toMatch(/^用户名：/)
    expect(json.details).toHaveLength(3)
  })

  test('names at most 20 fields', async () => {
    const config = Array.from({ length: 500 }, () => ({}))
    const { json, status } = await site.send('PUT', '/api/v1/config', { token: site.root.token, body: { config } })
    expect(status).toBe(400)
    expect(json.details).toHaveLength(20)
  })

  test('comes after the access check', async () => {
    expect((await site.send('PUT', '/api/v1/config', { body: 'no json' })).status).toBe(401)
  })
})

describe('an internal error', () => {
  test('has the request id, and no internals', async () => {
    const own = await openSite()
    await sql`alter table friendlink rename to gone`.execute(own.db)
    const { status, json, text, headers } = await own.send('GET', '/api/v1/friendlink/list')
    expect(status).toBe(500)
    expect(json).toMatchObject({ code: 13, reason: 'request.internal' })
    const id = headers.get('x-request-id') ?? ''
    expect(id).toHaveLength(12)
    expect(json.message).toContain(id)
    expect(text).not.toMatch(/friendlink|select|sqlite|postgres|at .*\.ts/i)
    await own.close()
  })
})
