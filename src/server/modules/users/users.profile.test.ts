import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { activities } from '#shared/contract/activities.ts'
import { users } from '#shared/contract/users.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'

let site: Site
let member: Person
let count = 0
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())
beforeEach(async () => {
  member = await site.member()
})

test('members edit their own profile', async () => {
  const profile = {
    email: nextEmail(),
    mobile: nextMobile(),
    realname: '张三',
    identity: '11010519491231002X',
    address: '北京市东城区',
    signature: '读书破万卷',
    avatar: '/uploads/avatar/2026/a.png',
  }
  await member.call(users.profile, profile)
  const masked = { realname: '张*', identity: '1101**********002X' }
  expect(await member.call(users.get)).toMatchObject({ ...profile, ...masked, id: member.id })
})

test('an empty avatar keeps the picture', async () => {
  await member.call(users.profile, { avatar: '/uploads/kept.png' })
  await member.call(users.profile, { avatar: '', signature: '改了签名' })
  expect(await member.call(users.get)).toMatchObject({ avatar: '/uploads/kept.png', signature: '改了签名' })
})

test('avatar, e-mail and mobile stay if they are not given', async () => {
  await member.call(users.profile, { email: nextEmail(), mobile: nextMobile(), avatar: '/uploads/a.png' })
  const before = await member.call(users.get)
  await member.call(users.profile, { signature: 'new' })
  const { email, mobile, avatar, signature } = await member.call(users.get)
  expect({ email, mobile, avatar }).toEqual({ email: before.email, mobile: before.mobile, avatar: before.avatar })
  expect(signature).toBe('new')
})

test('members cannot change an e-mail or a mobile that is set', async () => {
  const [email, mobile] = [nextEmail(), nextMobile()]
  await member.call(users.profile, { email, mobile })
  await member.call(users.profile, { email: nextEmail(), mobile: nextMobile(), signature: 'moved' })
  await member.call(users.profile, { email: '', mobile: '', signature: 'moved' })
  expect(await member.call(users.get)).toMatchObject({ email, mobile, signature: 'moved' })
})

test('staff who manage users can change both', async () => {
  const manager = await site.staff('UserAPI/UpdateUserProfile', 'UserAPI/GetUser')
  await member.call(users.profile, { email: nextEmail(), mobile: nextMobile() })
  const [email, mobile] = [nextEmail(), nextMobile()]
  await manager.call(users.profile, { id: member.id, email, mobile, remark: 'phoned on Monday' })
  expect(await manager.call(users.get, { id: member.id })).toMatchObject({ email, mobile, remark: 'phoned on Monday' })
  await manager.call(users.profile, { id: member.id, email: '', mobile: '' })
  expect(await manager.call(users.get, { id: member.id })).toMatchObject({ email: '', mobile: '' })
})

test('a member cannot change the profile of another', async () => {
  const otherMember = await site.member()
  const attempt = otherMember.call(users.profile, { id: member.id, signature: 'I was here' })
  expect(await refusal(attempt)).toMatchObject({ status: 403, reason: 'access.denied' })
  expect((await member.call(users.get)).signature).toBe('')
  expect(await refusal(otherMember.call(users.profile, { id: 999_999 }))).toMatchObject({ status: 403 })
})

test('a manager of users cannot change the first administrator, nor users with more permissions', async () => {
  const manager = await site.staff('UserAPI/UpdateUserProfile')
  const higher = await site.staff('UserAPI/UpdateUserProfile', 'ConfigAPI/UpdateConfig')
  expect(await refusal(manager.call(users.profile, { id: 1, email: nextEmail() }))).toMatchObject({
    status: 403,
    reason: 'users.rootKept',
  })
  expect(await refusal(manager.call(users.profile, { id: higher.id, email: nextEmail() }))).toMatchObject({
    status: 403,
    reason: 'groups.beyondOwn',
  })
  expect(await refusal(manager.call(users.profile, { id: 999_999 }))).toMatchObject({ status: 404 })
})

test('an update may contain the whole object: keys that the member may not change are ignored', async () => {
  const before = await member.call(users.get)
  const { status } = await site.send('PUT', '/api/v1/user/profile', {
    token: member.token,
    body: {
      ...before,
      credit_count: 9999,
      is_vip: true,
      group_id: [1],
      status: 3 as never,
      doc_count: 5,
      remark: 'nice',
      register_ip: '8.8.8.8',
      created_at: '2001-01-01T00:00:00Z',
      password: 'changed',
      signature: 'sent back',
    },
  })
  expect(status).toBe(200)
  const stored = await site.root.call(users.get, { id: member.id })
  expect(stored).toMatchObject({ username: member.username, credit_count: 0, is_vip: false, doc_count: 0 })
  expect(stored.status).toBe(before.status)
  expect(stored).toMatchObject({ remark: '', signature: 'sent back', group_id: [2] })
  expect(stored.register_ip).not.toBe('8.8.8.8')
  expect(new Date(Number(stored.created_at)).getFullYear()).toBeGreaterThan(2020)
  expect((await site.call(users.login, { username: member.username, password: member.password })).user.id).toBe(
    member.id,
  )
})

describe('the user name', () => {
  const rename = (username: string, { call } = member) => call(users.profile, { username })

  test('is chosen anew in the profile; tokens stay valid, and the new name logs in', async () => {
    await rename('Second_Name')
    const own = await member.call(users.get)
    expect(own).toMatchObject({ id: member.id, username: 'Second_Name' })
    const login = (username: string) => site.call(users.login, { username, password: member.password })
    expect((await login('second_name')).user.id).toBe(member.id)
    expect(await refusal(login(member.username))).toMatchObject({ reason: 'users.wrongCredentials' })
    const { dynamic } = await member.call(activities.list)
    expect(dynamic[0]).toMatchObject({ action: '修改了用户名', subject: `${member.username} → Second_Name` })
  })

  test('is required, as the form says; without it, it stays', async () => {
    expect(await refusal(rename('  '))).toMatchObject({ status: 400, message: '请输入登录用户名' })
    await member.call(users.profile, { signature: 'kept' })
    await member.call(users.profile, { username: member.username, signature: 'sent back' })
    const { username, username_locked_until } = await member.call(users.get)
    expect({ username, username_locked_until }).toEqual({ username: member.username, username_locked_until: null })
  })

  test.each([
    ['ab', 'users.nameLength'],
    ['someone@example.com', 'users.nameLooksLikeAddress'],
    ['13800138000', 'users.nameLooksLikeAddress'],
    ['two words', 'users.nameHasOddCharacters'],
    ['官方客服', 'users.nameReserved'],
    ['Admin_2', 'users.nameReserved'],
  ])('is refused: %s', async (username, reason) => {
    expect(await refusal(rename(username))).toMatchObject({ status: 400, reason })
  })

  test('cannot be one that looks like another member’s', async () => {
    await rename('Bill_the_First')
    const other = await site.member()
    expect(await refusal(rename('bi11_The_First', other))).toMatchObject({ status: 409, reason: 'users.nameTaken' })
  })

  test('is changed once in 180 days, and nobody else gets the old one meanwhile', async () => {
    const days = 86_400_000
    const other = await site.member()
    await rename('once_changed')
    const { username_locked_until } = await member.call(users.get)
    expect(username_locked_until).toBeGreaterThan(Date.now() + 179 * days)
    expect(await refusal(rename('twice_changed'))).toMatchObject({ status: 403, reason: 'users.renamedLately' })
    const register = () =>
      site.call(users.register, { username: member.username, password: 'Correct-horse', email: nextEmail() })
    expect(await refusal(rename(member.username, other))).toMatchObject({ reason: 'users.nameTaken' })
    expect(await refusal(register())).toMatchObject({ reason: 'users.nameTaken' })
    const { username_changed_at } = await row(member)
    await site.db
      .updateTable('user')
      .set({ username_changed_at: Number(username_changed_at) - 181 * days })
      .where('id', '=', member.id)
      .execute()
    await rename(member.username, other)
    await rename('twice_changed')
    expect((await member.call(users.get)).username).toBe('twice_changed')
  })

  test('of ten changes at once, one is made', async () => {
    const settled = await Promise.allSettled(Array.from({ length: 10 }, (_, at) => rename(`race_${member.id}_${at}`)))
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('is tried five times a day: each answer tells whether a name is free', async () => {
    await rename('somebody_known', await site.member())
    for (let tries = 0; tries < 5; tries++)
      expect(await refusal(rename('somebody_known'))).toMatchObject({ reason: 'users.nameTaken' })
    expect(await refusal(rename('a_free_name'))).toMatchObject({ status: 429, reason: 'users.renamedTooOften' })
  })

  test('is given by staff at any time, also a reserved one, and the change is in the audit log', async () => {
    const manager = await site.staff('UserAPI/UpdateUserProfile', 'UserAPI/GetUser')
    await rename('by_myself')
    await manager.call(users.profile, { id: member.id, username: '文豆客服一号', identity: '11010519491231002X' })
    expect((await member.call(users.get)).username).toBe('文豆客服一号')
    const entries = await site.db.selectFrom('audit_log').selectAll().where('user_id', '=', manager.id).execute()
    expect(entries).toMatchObject([{ area: 'users', action: 'profile', target_ids: String(member.id) }])
    expect(entries[0]?.change).toContain('用户名: by_myself → 文豆客服一号')
    expect(entries[0]?.change).not.toContain('11010519491231002X')
  })

  const row = ({ id }: Person) => site.db.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
})

describe('an address or a number that is not proven', () => {
  test('may be that of another account: the answer tells nothing', async () => {
    const contact = { email: nextEmail(), mobile: nextMobile() }
    const holder = await site.member()
    await holder.call(users.profile, contact)
    const proven = { email_verified_at: 1, mobile_verified_at: 1 }
    await site.db.updateTable('user').set(proven).where('id', '=', holder.id).execute()
    expect(await member.call(users.profile, contact)).toEqual({})
    expect(await member.call(users.get)).toMatchObject({ ...contact, email_verified: false })
    const { user } = await site.call(users.login, { username: contact.email, password: holder.password })
    expect(user.id).toBe(holder.id)
  })

  test('belongs to one account once it is proven, also of ten at the same time', async () => {
    const contact = { email: nextEmail(), mobile: nextMobile() }
    const members = await Promise.all(Array.from({ length: 10 }, () => site.member()))
    for (const { call } of members) await call(users.profile, contact)
    for (const proven of [{ email_verified_at: 1 }, { mobile_verified_at: 1 }]) {
      const prove = ({ id }: Person) => site.db.updateTable('user').set(proven).where('id', '=', id).execute()
      const settled = await Promise.allSettled(members.map(prove))
      expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    }
  })
})

describe('a profile is refused', () => {
  test.each([
    { identity: '123' },
    { identity: '1101051949123100XX' },
    { identity: '<script>' },
    { identity: 'G12345678' },
    { mobile: '12345' },
    { mobile: '23800138000' },
    { mobile: '+8613800138000' },
    { email: 'nobody' },
    { realname: '长'.repeat(21) },
    { address: '长'.repeat(256) },
    { signature: '长'.repeat(256) },
    { avatar: 'javascript:alert(1)' },
    { avatar: 'https://evil.example/track.png' },
    { avatar: '//evil.example/a.png' },
    { avatar: '/uploads/a.png"onerror="alert(1)' },
    { avatar: '/uploads/../api/v1/settings' },
  ])('with %j', async (input) => {
    expect(await refusal(member.call(users.profile, input))).toMatchObject({ status: 400, reason: 'request.invalid' })
  })

  test.each([
    ['with another check character', { identity: '110105194912310021' }, 'users.identityWrong'],
    ['of 15 digits, which is no longer valid', { identity: '110105491231002' }, 'users.identityWrong'],
    ['with a digit', { realname: '王小二1' }, 'users.realnameWrong'],
    ['of one character', { realname: '王' }, 'users.realnameWrong'],
  ])('with a number or name %s', async (_, input, reason) => {
    const [field] = Object.keys(input)
    expect(await refusal(member.call(users.profile, input))).toMatchObject({
      status: 400,
      reason,
      details: [{ field }],
    })
  })

  test.each(['email', 'mobile', 'realname', 'signature'])(
    'never by a fault of ours: NUL and half characters in %s',
    async (field) => {
      const { status } = await site.send('PUT', '/api/v1/user/profile', {
        token: member.token,
        body: `{"${field}": "a\\u0000b\\ud800@c.example"}`,
      })
      expect(status).toBeLessThan(500)
    },
  )

  test('but a mobile may be a number', async () => {
    const mobile = nextMobile()
    const body = { mobile: Number(mobile) }
    expect((await site.send('PUT', '/api/v1/user/profile', { token: member.token, body })).status).toBe(200)
    expect((await member.call(users.get)).mobile).toBe(mobile)
  })
})

test('markup in a signature is stored as text', async () => {
  const signature = '<img src=x onerror=alert(1)>"\'&lt;'
  await member.call(users.profile, { signature })
  const { headers, json } = await site.send('GET', `/api/v1/user?id=${member.id}`)
  expect(json.signature).toBe(signature)
  expect(headers.get('content-type')).toContain('application/json')
})

describe('the password', () => {
  test('is changed with the old one', async () => {
    const wrong = member.call(users.password, { old_password: 'not it', new_password: 'a new one' })
    expect(await refusal(wrong)).toMatchObject({ status: 400, reason: 'users.wrongPassword' })
    const same = member.call(users.password, { old_password: member.password, new_password: member.password })
    expect(await refusal(same)).toMatchObject({ status: 400, reason: 'users.samePassword' })
    const short = member.call(users.password, { old_password: member.password, new_password: '12345' })
    expect(await refusal(short)).toMatchObject({ status: 400, reason: 'request.invalid' })
    await member.call(users.password, { old_password: member.password, new_password: 'a new one' })
    expect((await site.call(users.login, { username: member.username, password: 'a new one' })).user.id).toBe(member.id)
  })

  test('cannot be guessed with a stolen session', async () => {
    const guess = () => member.call(users.password, { old_password: 'a guess', new_password: 'a new one' })
    for (let tries = 0; tries < 5; tries++) expect(await refusal(guess())).toMatchObject({ status: 400 })
    expect(await refusal(guess())).toMatchObject({ status: 429 })
  })

  test('of another user is set by a manager of users, unless that user has more permissions', async () => {
    const manager = await site.staff('UserAPI/SetUser')
    const plain = await site.member()
    expect(await refusal(plain.call(users.password, { id: member.id, new_password: 'stolen by me' }))).toMatchObject({
      status: 403,
    })
    expect(await refusal(manager.call(users.password, { id: 1, new_password: 'stolen by me' }))).toMatchObject({
      status: 403,
    })
    await manager.call(users.password, { id: member.id, new_password: 'given anew' })
    expect((await site.call(users.login, { username: member.username, password: 'given anew' })).user.id).toBe(
      member.id,
    )
  })

  test('of the viewer needs the old one, also for managers of users', async () => {
    const manager = await site.staff('UserAPI/SetUser')
    const attempt = manager.call(users.password, { id: manager.id, new_password: 'a new one' })
    expect(await refusal(attempt)).toMatchObject({ status: 400, reason: 'users.wrongPassword' })
  })
})

function nextEmail(): string {
  return `person${(count += 1)}@example.com`
}

function nextMobile(): string {
  return `138${String((count += 1)).padStart(8, '0')}`
}
