import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Call } from '#shared/client.ts'
import { users } from '#shared/contract/users.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'

const secrets = {
  email: 'private@example.com',
  mobile: '13912345678',
  realname: '李四光',
  identity: '11010519491231002X',
  address: '上海市黄浦区',
}
/** To staff. */
const masked = { ...secrets, realname: '李**', identity: '1101**********002X' }
const shownToAll = ['id', 'username', 'avatar', 'signature']

let site: Site
let person: Person
let plain: Person
beforeAll(async () => {
  site = await openSite()
  person = await site.member('wang-wu')
  plain = await site.member()
  await person.call(users.profile, { ...secrets, signature: 'hello', avatar: '/uploads/w.png' })
  await site.root.call(users.profile, { id: person.id, ...secrets, signature: 'hello', remark: 'watch this one' })
  await site.caller({ ip: '198.51.100.99' })(users.login, { username: person.username, password: person.password })
})
afterAll(() => site.close())

describe.each([
  ['a visitor', () => ''],
  ['a plain member', () => plain.token],
])('%s', (_who, token) => {
  test.each(['/api/v1/user?id=', '/api/v1/user/list?id='])('sees only public data at %s', async (path) => {
    const { status, text } = await site.send('GET', `${path}${person.id}`, { token: token() })
    expect(status).toBe(200)
    expect(text).toContain('hello')
    for (const secret of [...Object.values(secrets), '198.51.100.99', 'watch this one', 'argon2', 'login_at']) {
      expect(text).not.toContain(secret)
    }
  })

  test('gets exactly these keys of a user', async () => {
    const single = await site.send('GET', `/api/v1/user?id=${person.id}`, { token: token() })
    expect(Object.keys(single.json).toSorted()).toEqual(shownToAll.toSorted())
    const many = await site.send('GET', `/api/v1/user/list?id=${person.id}`, { token: token() })
    const [row] = many.json.user as object[]
    expect(Object.keys(row ?? {}).toSorted()).toEqual(['id', 'avatar', 'signature'].toSorted())
  })

  test('learns no balance of another member', async () => {
    await site.db.updateTable('user').set({ credit_count: 77 }).where('id', '=', person.id).execute()
    const { json } = await site.send('GET', `/api/v1/user?id=${person.id}`, { token: token() })
    expect(json).not.toHaveProperty('credit_count')
    await site.db.updateTable('user').set({ credit_count: 0 }).where('id', '=', person.id).execute()
  })

  test('learns neither login names nor balances from the list', async () => {
    await site.db.updateTable('user').set({ credit_count: 77 }).where('id', '=', person.id).execute()
    for (const query of [`id=${person.id}`, `id=${person.id}&field=username&field=credit_count`, 'size=100']) {
      const { text } = await site.send('GET', `/api/v1/user/list?${query}`, { token: token() })
      for (const secret of ['wang-wu', 'admin', 'username', 'credit_count', '77']) expect(text).not.toContain(secret)
    }
    await site.db.updateTable('user').set({ credit_count: 0 }).where('id', '=', person.id).execute()
  })

  test('cannot select hidden keys', async () => {
    const fields = 'field=email&field=identity&field=realname&field=password&field=mobile'
    const { text } = await site.send('GET', `/api/v1/user/list?id=${person.id}&${fields}`, { token: token() })
    expect(JSON.parse(text)).toEqual({ total: 1, user: [{ id: person.id }] })
  })

  test('cannot infer hidden values by searching, filtering or ordering', async () => {
    const all = (await list('')).length
    for (const secret of Object.values(secrets))
      expect(await list(`wd=${encodeURIComponent(secret)}`)).toHaveLength(all)
    expect(await list('group_id=1')).toHaveLength(all)
    const newestFirst = await list('')
    for (const column of ['email', 'mobile', 'identity', 'login_at', 'password', 'credit_count']) {
      expect(await list(`sort=${column}%20asc`)).toEqual(newestFirst)
      expect(await list(`order=${column}%20asc`)).toEqual(newestFirst)
    }

    async function list(query: string) {
      const { json } = await site.send('GET', `/api/v1/user/list?size=100&${query}`, { token: token() })
      return (json.user as { id: number }[]).map(({ id }) => id)
    }
  })

  test('gets at most a hundred users', async () => {
    const stamps = { login_at: null, created_at: 0, updated_at: 0 }
    const crowd = Array.from({ length: 120 }, (_, index) => `crowd-${token().length}-${index}`)
    const rows = crowd.map((username) => ({ username, username_key: username, password: '', ...stamps }))
    await site.db.insertInto('user').values(rows).execute()
    const { user, total } = await createCaller()(users.list, { size: 10_000, page: 1 })
    expect(user).toHaveLength(100)
    expect(total).toBeGreaterThan(120)
    expect((await createCaller()(users.list, { limit: 5000 })).user).toHaveLength(100)
    expect((await createCaller()(users.list)).user).toHaveLength(10)
    await site.db.deleteFrom('user').where('username', 'in', crowd).execute()

    function createCaller(): Call {
      return site.caller({ token: token() })
    }
  })
})

describe('staff who may', () => {
  test('view users see the full user with the remark, and no password', async () => {
    const viewer = await site.staff('UserAPI/GetUser')
    const full = await viewer.call(users.get, { id: person.id })
    expect(full).toMatchObject({ ...masked, remark: 'watch this one', last_login_ip: '198.51.100.99', group_id: [2] })
    const { text } = await site.send('GET', `/api/v1/user?id=${person.id}`, { token: viewer.token })
    expect(text).not.toMatch(/argon2|password|_key/)
  })

  test('view users may not list them', async () => {
    const viewer = await site.staff('UserAPI/GetUser')
    const { user } = await viewer.call(users.list, { id: [person.id] })
    expect(user).toMatchObject([{ username: 'wang-wu', email: '', realname: '' }])
  })

  test('list users see, find and order by everything', async () => {
    const lister = await site.staff('UserAPI/ListUser')
    const { user } = await lister.call(users.list, { wd: secrets.mobile })
    expect(user).toMatchObject([{ id: person.id, ...masked, remark: 'watch this one' }])
    const byGroup = await lister.call(users.list, { group_id: [1] })
    expect(byGroup.user.map(({ id }) => id)).toEqual([1])
    const sorted = await lister.call(users.list, { sort: 'username asc', size: 1 })
    expect(sorted.user).toMatchObject([{ username: 'admin' }])
    expect((await lister.call(users.get, { id: person.id })).email).toBe('')
  })
})

test('members see their own data, except the remark', async () => {
  const own = await person.call(users.get)
  expect(own).toMatchObject({ ...masked, remark: '', group_id: [2] })
  expect(await person.call(users.get, { id: person.id })).toEqual(own)
})

test('a visitor has no own data', async () => {
  expect(await refusal(site.call(users.get))).toMatchObject({ status: 401, reason: 'access.loginNeeded' })
  expect(await refusal(site.call(users.get, { id: 999_999 }))).toMatchObject({ status: 404, reason: 'users.notFound' })
})
