import { afterAll, beforeAll, expect, test } from 'vitest'
import { permissions } from '#shared/contract/access.ts'
import { users } from '#shared/contract/users.ts'
import { permissionCatalogue } from '#shared/permissions.ts'
import { openSite, refusal, type Site } from '#server/testing/site.ts'
import { addMissingPermissions } from './access.seed.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

test('lists the permissions in the order of the catalogue, without a limit', async () => {
  const { permission, total } = await site.root.call(permissions.list)
  expect(total).toBe(permissionCatalogue.length)
  expect(permission.map(({ path }) => path)).toEqual(permissionCatalogue.map(({ path }) => path))
  expect(permission.every(({ id, title }) => id > 0 && title !== '')).toBe(true)
})

test('gives them page by page, and those of some areas', async () => {
  const { permission, total } = await site.root.call(permissions.list, { page: 2, size: 10 })
  expect([total, ...permission.map(({ path }) => path)]).toEqual([
    permissionCatalogue.length,
    ...permissionCatalogue.slice(10, 20).map(({ path }) => path),
  ])
  const some = await site.root.call(permissions.list, { area: ['UserAPI', 'upload'], size: 3 })
  expect(some.total).toBe(permissionCatalogue.filter(({ path }) => /\.UserAPI\/|\/upload\//.test(path)).length)
  expect(some.permission.every(({ path }) => path.includes('.UserAPI/'))).toBe(true)
})

test('the method filter is case-insensitive and takes several values', async () => {
  const query = 'method=grpc&method=get&method=post&method=put&method=delete'
  const both = await site.send('GET', `/api/v1/permission/list?${query}`, { token: site.root.token })
  expect(both.json.total).toBe(permissionCatalogue.length)
  const { permission } = await site.root.call(permissions.list, { method: ['Post'] })
  expect(permission.length).toBeGreaterThan(3)
  expect(new Set(permission.map(({ method }) => method))).toEqual(new Set(['POST']))
})

test('permissions are found by title and by path', async () => {
  const byTitle = await site.root.call(permissions.list, { wd: '下载待审核' })
  expect(byTitle.permission.map(({ path }) => path)).toEqual(['/api.v1.DocumentAPI/DownloadDocumentToBeReviewed'])
  const byPath = await site.root.call(permissions.list, { path: 'recycleapi' })
  expect(byPath.permission).toHaveLength(4)
})

test('the first administrator holds all of them, a plain member none', async () => {
  expect((await site.root.call(users.permission)).permission).toHaveLength(permissionCatalogue.length)
  const member = await site.member()
  expect((await member.call(users.permission)).permission).toEqual([])
})

test('a title can be edited, a path cannot', async () => {
  const { permission } = await site.root.call(permissions.list, { path: 'UserAPI/ListUser' })
  const id = Number(permission[0]?.id)
  const { status } = await site.send('PUT', '/api/v1/permission', {
    token: site.root.token,
    body: { id, title: '<b>看用户</b>', description: '说明', path: '/api.v1.ConfigAPI/UpdateConfig', method: 'GET' },
  })
  expect(status).toBe(200)
  expect(await site.root.call(permissions.get, { id })).toMatchObject({
    title: '<b>看用户</b>',
    description: '说明',
    path: '/api.v1.UserAPI/ListUser',
    method: 'GRPC',
  })
})

test('an edited title stays when the site starts again', async () => {
  const { permission } = await site.root.call(permissions.list, { path: 'GroupAPI/ListGroup' })
  const id = Number(permission[0]?.id)
  await site.root.call(permissions.update, { id, title: '看用户组' })
  await addMissingPermissions(await site.app.context())
  expect((await site.root.call(permissions.get, { id })).title).toBe('看用户组')
  expect((await site.root.call(permissions.list)).total).toBe(permissionCatalogue.length)
})

test('a permission that does not exist is not found', async () => {
  const notFound = { status: 404, reason: 'permissions.notFound' }
  expect(await refusal(site.root.call(permissions.get, { id: 999_999 }))).toMatchObject(notFound)
  expect(await refusal(site.root.call(permissions.update, { id: 999_999, title: 'x' }))).toMatchObject(notFound)
})
