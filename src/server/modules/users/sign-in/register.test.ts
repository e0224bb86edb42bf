import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { groups } from '#shared/contract/access.ts'
import { users } from '#shared/contract/users.ts'
import type { CallInput } from '#shared/endpoint.ts'
import { openSite, refusal, type Site } from '#server/testing/site.ts'

let site: Site
let newcomers = 0
beforeAll(async () => {
  site = await openSite()
  site.freezeClock()
})
afterAll(() => site.close())

test('a new member is logged in at once, in the default group', async () => {
  const { token, user } = await register({ username: '文豆小编', email: 'Bian.Ji@Example.com' })
  const own = await site.caller({ token })(users.get)
  expect(own).toMatchObject({ id: user.id, username: '文豆小编', email: 'Bian.Ji@Example.com' })
  expect(own.email_verified).toBe(false)
  const { group } = await site.caller({ token })(users.group)
  expect(group).toMatchObject([{ title: '普通用户', is_default: true }])
  const { permission } = await site.caller({ token })(users.permission)
  expect(permission).toEqual([])
})

test.each([
  ['ab', 'request.invalid'],
  ['  ab  ', 'request.invalid'],
  ['x'.repeat(33), 'request.invalid'],
  // A single character that NFKC normalizes to four.
  ['㍿'.repeat(32), 'users.nameLength'],
  ['someone@example.com', 'users.nameLooksLikeAddress'],
  ['ab＠c', 'users.nameLooksLikeAddress'],
  ['13800138000', 'users.nameLooksLikeAddress'],
  ['１３８００１３８０００', 'users.nameLooksLikeAddress'],
  ['文豆客服', 'users.nameReserved'],
  ['Official_1', 'users.nameReserved'],
  ['two words', 'users.nameHasOddCharacters'],
  ['<script>alert(1)</script>', 'users.nameHasOddCharacters'],
  ["o'hara", 'users.nameHasOddCharacters'],
  ['аdministrator', 'users.nameHasOddCharacters'],
  ['zero\u200bwidth', 'users.nameHasOddCharacters'],
  ['right\u202eleft', 'users.nameHasOddCharacters'],
  ['smile😀', 'users.nameHasOddCharacters'],
  ['line\nbreak', 'users.nameHasOddCharacters'],
])('%j is refused as a username', async (username, reason) => {
  expect(await refusal(register({ username }))).toMatchObject({ status: 400, reason })
})

test.each(['abc', 'x'.repeat(32), '张三丰', 'a.b-c_d', '阿·凡·提'])(
  '%s is accepted as a username',
  async (username) => {
    expect((await register({ username })).user.username).toBe(username)
  },
)

describe('names that look the same are one account', () => {
  beforeAll(() => register({ username: 'Wendou_Bill', password: 'the first one' }))

  test.each(['wendou_bill', 'WENDOU_BILL', 'ｗｅｎｄｏｕ＿ｂｉｌｌ', 'Wend0u_BiII', 'wendou_b1ll', ' Wendou_Bill '])(
    '%j is taken',
    async (username) => {
      expect(await refusal(register({ username }))).toMatchObject({ status: 409, reason: 'users.nameTaken' })
    },
  )

  test.each(['wendou_bill', 'ＷＥＮＤＯＵ＿ＢＩＬＬ', 'Wendou\u200b_Bill', 'Wendou_Bi\u2060ll'])(
    '%j logs in to it',
    async (username) => {
      const { user } = await site.call(users.login, { username, password: 'the first one' })
      expect(user.username).toBe('Wendou_Bill')
    },
  )
})

test('a full-width name is normalized', async () => {
  expect((await register({ username: 'Ｗｉｄｅ８８' })).user.username).toBe('Wide88')
})

test('an e-mail that is not proven may be that of another account, and logs nobody in', async () => {
  await register({ email: 'shared@example.com', password: 'the first one' })
  const { user } = await register({ email: 'SHARED@example.com', password: 'the second one' })
  expect(user).toMatchObject({ email: 'SHARED@example.com', email_verified: false })
  for (const password of ['the first one', 'the second one'])
    expect(await refusal(site.call(users.login, { username: 'shared@example.com', password }))).toMatchObject({
      reason: 'users.wrongCredentials',
    })
})

test.each([
  '',
  'nobody',
  '@example.com',
  'a@b',
  'a b@example.com',
  'a@example.com,b@example.com',
  'a,b@example.com',
  'a(b)@example.com',
  'a\r\nbcc:b@example.com',
  'a\u0001@example.com',
  'a\u200bb@example.com',
  '"><script>@example.com',
])('%j is not an e-mail', async (email) => {
  expect(await refusal(register({ email }))).toMatchObject({ status: 400, reason: 'request.invalid' })
})

test.each(['password', 'PassWord123', '12345678', 'qwertyuiop', 'woaini1314', 'zzzzzzzz', '１２３４５６７８'])(
  '%s is too common to be a password',
  async (password) => {
    expect(await refusal(register({ password }))).toMatchObject({ status: 400, reason: 'users.passwordCommon' })
  },
)

test('a password is neither the name nor the address of its owner, nor the name of the site', async () => {
  await site.configure({ 'system.sitename': '大江东去文档分享网' })
  const person = { username: 'Zhao.Mengfu', email: 'zi-ang-1254@example.com' }
  for (const password of ['zhao.mengfu', 'ZI-ANG-1254@example.com', 'zi-ang-1254', '大江东去文档分享网'])
    expect(await refusal(register({ ...person, password }))).toMatchObject({
      status: 400,
      reason: 'users.passwordNamed',
    })
})

test('a password has at least eight characters and is not trimmed', async () => {
  expect(await refusal(register({ password: '1a2b3c4' }))).toMatchObject({ status: 400, reason: 'request.invalid' })
  expect(await refusal(register({ password: 'x'.repeat(129) }))).toMatchObject({ status: 400 })
  const { user } = await register({ password: ' spaced ' })
  const login = (password: string) => site.call(users.login, { username: user.username, password })
  expect(await refusal(login('spaced'))).toMatchObject({ reason: 'users.wrongCredentials' })
  expect((await login(' spaced ')).user.id).toBe(user.id)
})

test('additional keys of the form are ignored', async () => {
  const extra = {
    id: 1,
    is_vip: true,
    credit_count: 9999,
    group_id: [1],
    status: 4 as never,
    doc_count: 7,
    remark: 'boss',
  }
  const { json, status } = await site.send('POST', '/api/v1/user/register', {
    ip: nextAddress(),
    body: { ...form(), ...extra, register_ip: '8.8.8.8', password_hash: 'x' },
  })
  expect(status).toBe(200)
  const { id } = json.user as { id: number }
  const { status: usualStatus } = await site.root.call(users.get)
  const user = await site.root.call(users.get, { id })
  const { group } = await site.call(groups.list)
  const standard = group.find(({ is_default }) => is_default)
  expect(user).toMatchObject({ is_vip: false, credit_count: 10, status: usualStatus, doc_count: 0, remark: '' })
  expect(user).toMatchObject({ group_id: [standard?.id], register_ip: expect.not.stringContaining('8.8.8.8') })
  expect(id).toBeGreaterThan(1)
})

test('of twenty concurrent registrations of a name one succeeds', async () => {
  const requests = Array.from({ length: 20 }, () => register({ username: 'wanted-name' }))
  const { created, refused } = await outcomes(requests)
  expect(created).toHaveLength(1)
  expect(new Set(refused.map(({ reason }) => reason))).toEqual(new Set(['users.nameTaken']))
})

test('registrations are rate limited per IP address', async () => {
  const requests = Array.from({ length: 80 }, () => register({}, '203.0.113.9'))
  const { created, refused } = await outcomes(requests)
  expect(created).toHaveLength(60)
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]))
})

describe('registration is refused when', () => {
  test('it is switched off', async () => {
    await site.configure({ 'security.enable_register': 'false' })
    expect(await refusal(register())).toMatchObject({ status: 400, reason: 'users.registerClosed' })
    await site.configure({ 'security.enable_register': 'true' })
  })

  test('the site is closed', async () => {
    await site.configure({ 'security.is_close': 'true' })
    expect(await refusal(register())).toMatchObject({ status: 400, reason: 'users.siteClosed' })
    await site.configure({ 'security.is_close': 'false' })
  })

  test('there is no default group, with the reason', async () => {
    await site.db.updateTable('group').set({ is_default: 0 }).where('is_default', '=', 1).execute()
    expect(await refusal(register())).toMatchObject({ status: 500, reason: 'users.noDefaultGroup' })
    await site.db.updateTable('group').set({ is_default: 1 }).where('title', '=', '普通用户').execute()
  })
})

function register(change: Partial<CallInput<typeof users.register>> = {}, ip = nextAddress()) {
  return site.caller({ ip })(users.register, { ...form(), ...change })
}

function form(): CallInput<typeof users.register> {
  newcomers += 1
  return { username: `newcomer${newcomers}x`, password: 'a good password', email: `new${newcomers}@example.com` }
}

function nextAddress(): string {
  newcomers += 1
  return `10.0.${newcomers >> 8}.${newcomers & 255}`
}

async function outcomes<T>(calls: Promise<T>[]) {
  const settled = await Promise.allSettled(calls)
  return {
    created: settled.filter((result) => result.status === 'fulfilled').map(({ value }) => value),
    refused: settled
      .filter((result) => result.status === 'rejected')
      .map(({ reason }) => reason as Awaited<ReturnType<typeof refusal>>),
  }
}
