import { expect, test } from 'vitest'
import { client } from './client.ts'
import { contract } from './contract/contract.ts'
import { ApiError } from './errors.ts'

const { users, settings, documents } = contract
const page = `<html>\n<head><title>502 Bad Gateway</title></head><body><h1>nginx</h1></body></html>`
const account = { username: '某人', password: 'a password', captcha: '', captcha_id: '' }

function answer(status: number, body: string, statusText = '') {
  return client({ origin: 'http://localhost', fetch: () => new Response(body, { status, statusText }) })
}

async function messageOf(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.catch((error: unknown) => error)
  return error instanceof ApiError ? error.message : 'no refusal'
}

test('the page of a proxy is never shown; a sentence says what has failed', async () => {
  const call = answer(502, page, 'Bad Gateway')
  const because = '，请稍后重试（502 Bad Gateway）'
  expect(await messageOf(call(users.login, account))).toBe(`登录失败${because}`)
  expect(await messageOf(call(users.register, { ...account, email: 'a@b.cn', code: '' }))).toBe(`注册失败${because}`)
  expect(await messageOf(call(users.permission))).toBe(`获取权限失败${because}`)
  expect(await messageOf(call(users.profile, {}))).toBe(`修改资料失败${because}`)
  expect(await messageOf(call(settings.get))).toBe(`查询设置失败${because}`)
  expect(await messageOf(call(documents.home))).toBe(`请求失败${because}`)
})

test('a short plain answer is quoted, and the sentence of the server is shown as it is', async () => {
  expect(await messageOf(answer(503, 'overloaded')(users.login, account))).toBe(
    '登录失败，请稍后重试（503 overloaded）',
  )
  expect(await messageOf(answer(403, '{"message":"帐号已停用"}')(users.login, account))).toBe('帐号已停用')
})

test('the API may be below a path, or elsewhere', async () => {
  const asked: string[] = []
  const fetch = (request: Request) => {
    asked.push(request.url)
    return Response.json({})
  }
  for (const origin of ['http://localhost', 'http://localhost/wenku', 'https://api.example.com'])
    await client({ origin, fetch })(users.permission)
  expect(asked).toEqual([
    'http://localhost/api/v1/user/permission',
    'http://localhost/wenku/api/v1/user/permission',
    'https://api.example.com/api/v1/user/permission',
  ])
})
