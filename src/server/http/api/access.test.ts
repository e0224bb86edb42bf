import { Punishment } from '#shared/enums.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#shared/contract/contract.ts'
import { users } from '#shared/contract/users.ts'
import { groups, permissions, punishments } from '#shared/contract/access.ts'
import type { Access, Endpoint } from '#shared/endpoint.ts'
import { wirePath } from '#shared/permissions.ts'
import { findMemberships } from '#server/modules/users/users.queries.ts'
import { openSite, type Person, type Site } from '#server/testing/site.ts'

/**
 * Calls every endpoint as every kind of user. The public endpoints are listed here, so that an endpoint that becomes public
 * by mistake fails this test.
 */

const reachableByAnyone = [
  'DELETE /user/logout',
  'GET /oauth/configs',
  'GET /settings',
  'GET /spider/about',
  'GET /user/captcha',
  'POST /invitation/accept',
  'POST /invitation/look',
  'POST /notification/subscription',
  'POST /notification/unsubscribe',
  'POST /oauth/bind',
  'POST /oauth/login',
  'POST /oauth/scan',
  'POST /oauth/scan/poll',
  'POST /oauth/wechatmp/login',
  'POST /sms',
  'POST /user/email/code',
  'POST /user/findpassword/email',
  'POST /user/findpassword/mobile',
  'POST /user/findpassword/stepone',
  'POST /user/login',
  'POST /user/login/email',
  'POST /user/login/factor',
  'POST /user/login/factor/passkey',
  'POST /user/login/mobile',
  'POST /user/login/passkey',
  'POST /user/login/passkey/options',
  'POST /user/register',
  'POST /user/register/mobile',
  'POST /visit',
  'PUT /user/findpassword/steptwo',
]
const publicOnAnOpenSite = [
  'GET /advertisement/position',
  'GET /announcement/current',
  'GET /announcement/published',
  'GET /announcement/read',
  'GET /article',
  'GET /article/list',
  'GET /article/related',
  'GET /article/search',
  'GET /banner/list',
  'GET /category/list',
  'GET /collection',
  'GET /collection/item/list',
  'GET /collection/list',
  'GET /comment/list',
  'GET /comment/thread',
  'GET /document',
  'GET /document/authors',
  'GET /document/download',
  'GET /document/exist',
  'GET /document/find',
  'GET /document/home',
  'GET /document/list',
  'GET /document/plan',
  'GET /document/progress',
  'GET /document/ranking',
  'GET /document/reading',
  'GET /document/related',
  'GET /document/search',
  'GET /document/table/find',
  'GET /document/terms',
  'GET /document/wxacode',
  'GET /follow',
  'GET /friendlink',
  'GET /friendlink/list',
  'GET /group',
  'GET /group/list',
  'GET /language/list',
  'GET /navigation',
  'GET /navigation/list',
  'GET /search/hot',
  'GET /search/suggest',
  'GET /stats',
  'GET /topic/published',
  'GET /topic/read',
  'GET /user',
  'GET /user/list',
  'POST /document/share/open',
  'POST /search/shown',
]

const endpoints: Endpoint[] = Object.values(contract).flatMap((area) => Object.values<Endpoint>(area))
const guarded = endpoints.filter(({ access }) => access !== 'open' && access !== 'public')

/** Each request has another address, as so many from one would be refused. */
let requests = 0
const nextAddress = () => `10.1.${(++requests >> 8) % 256}.${requests % 256}`

test('exactly these endpoints are public', () => {
  expect(nameEndpoints('open')).toEqual(reachableByAnyone)
  expect(nameEndpoints('public')).toEqual(publicOnAnOpenSite)
})

describe('each guarded endpoint', () => {
  let site: Site
  let member: Person
  let revoked: string
  let disabled: string

  beforeAll(async () => {
    site = await openSite()
    member = await site.member()
    const loggedOut = await site.member()
    await loggedOut.call(users.logout)
    revoked = loggedOut.token
    const banned = await site.member()
    await site.root.call(punishments.create, { user_id: [banned.id], type: [Punishment.Disabled], enable: true })
    disabled = banned.token
  })
  afterAll(() => site.close())

  test.each(guarded.map((endpoint) => [nameEndpoint(endpoint), endpoint] as const))('%s', async (_name, endpoint) => {
    expect(await requestStatus(''), 'without a token').toBe(401)
    expect(await requestStatus(revoked), 'with a revoked token').toBe(401)
    expect(await requestStatus(disabled), 'as a disabled account').toBe(401)
    expect(await requestStatus('eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.'), 'with a forged token').toBe(401)
    const asMember = await requestStatus(member.token)
    if (endpoint.access === 'member' || endpoint.access === 'self') expect(asMember, 'as a member').not.toBe(401)
    else expect(asMember, 'as a plain member').toBe(403)

    async function requestStatus(token: string): Promise<number> {
      const headers: HeadersInit = token ? { authorization: `Bearer ${token}` } : {}
      const { method, path } = endpoint
      const response = await site.request(`/api/v1${path}`, { method, headers, ip: nextAddress() })
      expect(await response.json()).toMatchObject(response.ok ? {} : { message: expect.any(String) })
      return response.status
    }
  })

  test('a permission opens its own endpoints and no others', async () => {
    const required = [
      ...new Set(guarded.flatMap(({ access }) => (typeof access === 'object' ? [access.permission] : []))),
    ]
    const outsider = await site.staff()
    const [membership] = (await findMemberships(site.db, [outsider.id])).get(outsider.id) ?? []
    const group_id = membership?.group_id ?? 0
    const { permission: all } = await site.root.call(permissions.list)
    for (const permission of required) {
      const permission_id = all.filter(({ path }) => path !== wirePath(permission)).map(({ id }) => id)
      await site.root.call(groups.setPermissions, { group_id, permission_id })
      for (const endpoint of guarded) {
        if (typeof endpoint.access !== 'object' || endpoint.access.permission !== permission) continue
        const response = await site.request(`/api/v1${endpoint.path}`, {
          method: endpoint.method,
          headers: { authorization: `Bearer ${outsider.token}` },
          ip: nextAddress(),
        })
        expect(response.status, `${nameEndpoint(endpoint)} with everything but ${permission}`).toBe(403)
      }
    }
    expect(required.length).toBeGreaterThan(15)
  })
})

describe('while the site is closed or requires login', () => {
  let site: Site
  let member: Person
  beforeAll(async () => {
    site = await openSite()
    member = await site.member()
  })
  afterAll(() => site.close())

  test.each([
    ['security.login_required', 401, [200, 400, 404]],
    ['security.is_close', 401, [403]],
  ] as const)('%s closes the public endpoints', async (setting, anonymous, asMember) => {
    await site.configure({ [setting]: 'true' })
    for (const { method, path } of endpoints.filter(({ access }) => access === 'public')) {
      const asVisitor = await site.request(`/api/v1${path}`, { method })
      expect(asVisitor.status, path).toBe(anonymous)
      const headers = { authorization: `Bearer ${member.token}` }
      const response = await site.request(`/api/v1${path}`, { method, headers })
      expect(asMember, path).toContain(response.status)
    }
    const settings = await site.request('/api/v1/settings')
    expect(settings.status).toBe(200)
    const root = await site.request('/api/v1/user/list', { headers: { authorization: `Bearer ${site.root.token}` } })
    expect(root.status).toBe(200)
    await site.configure({ [setting]: 'false' })
  })
})

function nameEndpoints(access: Access): string[] {
  return endpoints
    .filter((endpoint) => endpoint.access === access)
    .map(nameEndpoint)
    .toSorted()
}

function nameEndpoint({ method, path }: Endpoint): string {
  return `${method} ${path}`
}
