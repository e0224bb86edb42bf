import { expect, test } from 'vitest'
import { assertDocumented } from './documented.ts'

const check = (path: string, reply: unknown, status = 200) =>
  assertDocumented(new Request(`http://localhost/api/v1${path}`), Response.json(reply, { status }))

test('a reply that the published document does not allow fails the test that got it', async () => {
  await check('/category/list', { total: 1, category: [{ id: 1, created_at: '2026-01-02T03:04:05.678Z' }] })
  await check('/category/list', {})
  for (const category of [{}, [{ id: '1' }], [{ created_at: 5 }], [{ created_at: 'yesterday' }], [{ enable: 1 }]])
    await expect(check('/category/list', { category })).rejects.toThrow('contradicts openapi.json')
  await check('/category/list', { error: '请先登录', code: 16, message: '请先登录' }, 401)
  await expect(check('/category/list', { message: '请先登录' }, 401)).rejects.toThrow('contradicts openapi.json')
  await expect(assertDocumented(new Request('http://localhost/api/v1/settings'), new Response('<p>'))).rejects.toThrow(
    'no JSON',
  )
})
