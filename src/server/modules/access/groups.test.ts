import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { groups, permissions, punishments } from '#shared/contract/access.ts'
import { Punishment } from '#shared/enums.ts'
import { orders } from '#shared/contract/orders.ts'
import { settings } from '#shared/contract/settings.ts'
import { users } from '#shared/contract/users.ts'
import { getAdminPages, permissionCatalogue, type PermissionPath, wirePath } from '#shared/permissions.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'
import { readyMadeGroups } from './ready-made-groups.ts'

let site: Site
let count = 0
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

test('a new group is returned as it is stored', async () => {
  const form = {
    title: '编辑部',
    color: '#1f6f5c',
    description: '审核文档',
    is_display: true,
    sort: -3,
    enable_upload: true,
    enable_comment: true,
  }
  const group = await site.root.call(groups.create, form)
  expect(group).toMatchObject({ ...form, is_default: false, user_count: 0, enable_article: false })
  expect(await site.root.call(groups.get, { id: group.id })).toEqual(group)
})

test('a site starts with administrators, groups for a team, and standard users', async () => {
  const fresh = await openSite()
  const { group } = await fresh.root.call(groups.list)
  expect(group.map(({ title }) => title)).toEqual(['超级管理员', '审核员', '编辑', '运营', '客服', '财务', '普通用户'])
  expect(group.filter(({ id }) => id <= 2)).toMatchObject([
    { id: 1, title: '超级管理员', is_default: false, user_count: 1 },
    { id: 2, title: '普通用户', enable_upload: true, enable_document_review: true, is_default: true },
  ])
  for (const { id, ...flags } of group.filter(({ is_default }) => !is_default)) {
    expect(flags, flags.title).toMatchObject({
      enable_upload: true,
      enable_document_review: false,
      enable_article: true,
      enable_article_approval: false,
      enable_comment: true,
      enable_comment_approval: false,
    })
    expect((await fresh.root.call(groups.permissions, { id })).permission_id.length, flags.title).toBeGreaterThan(5)
  }
  await fresh.close()
})

describe('the ready-made groups', () => {
  const titles = readyMadeGroups.map(({ title }) => title)
  const staffIn = async (title: string) => {
    const { group } = await site.root.call(groups.list)
    const member = await site.member()
    await site.root.call(users.set, { id: member.id, group_id: [group.find((each) => each.title === title)?.id ?? 0] })
    return member
  }

  test.each([
    ['审核员', ['/admin/document/list', '/admin/article/list', '/admin/comment', '/admin/report'], '/admin/user/list'],
    [
      '编辑',
      ['/admin/document/list', '/admin/document/category', '/admin/document/recycle', '/admin/spider/document'],
      '/admin/banner',
    ],
    ['运营', ['/admin/banner', '/admin/advertisement', '/admin/announcement'], '/admin/order'],
    ['客服', ['/admin/user/list', '/admin/user/punishment', '/admin/user/mail', '/admin/order'], '/admin/downloadcode'],
    ['财务', ['/admin/order', '/admin/order/difference', '/admin/downloadcode', '/admin/user/vip'], '/admin/user/list'],
  ])('%s opens the pages of the work, and not others', async (title, pages, foreign) => {
    const { permission } = await (await staffIn(title)).call(users.permission)
    const opened = getAdminPages(permission.map(({ path }) => path))
    expect(opened).toEqual(expect.arrayContaining(pages))
    expect(opened).not.toContain(foreign)
  })

  test.each([
    ['审核员', []],
    ['编辑', []],
    ['运营', []],
    ['客服', ['confirm']],
    ['财务', ['confirm', 'refund']],
  ])('%s handles orders as far as the work goes', async (title, acts) => {
    const person = await staffIn(title)
    const key = `refund by ${title}`
    const calls = {
      confirm: () => person.call(orders.confirm, { id: 999 }),
      refund: () => person.call(orders.refund, { id: 999, amount: 1, reason: '退', key }),
      topUp: () => person.call(orders.systemTopUp, { user_id: person.id, amount: 1, remark: '送' }),
    }
    const allowed: string[] = []
    for (const [act, call] of Object.entries(calls))
      if ((await refusal(call())).reason !== 'access.denied') allowed.push(act)
    expect(allowed).toEqual(acts)
  })

  test('that are missing are added, once, and by administrators alone', async () => {
    const add = (person: Person) => person.call(groups.addReadyMade)
    const titled = async () =>
      (await site.root.call(groups.list)).group.filter(({ title }) => titles.includes(title)).map(({ title }) => title)
    const before = await site.root.call(groups.list)
    const kept = before.group.find(({ title }) => title === '编辑')
    const removed = before.group.find(({ title }) => title === '运营')
    await site.db
      .deleteFrom('user_group')
      .where('group_id', '=', removed?.id ?? 0)
      .execute()
    await site.root.call(groups.delete, { id: [removed?.id ?? 0] })
    await grant(site.root, kept?.id ?? 0, ['DocumentAPI/ListDocument'])
    const creator = await site.staff('GroupAPI/CreateGroup', 'GroupAPI/UpdateGroupPermission')
    expect(await refusal(add(creator))).toMatchObject({ status: 403, reason: 'access.denied' })

    const second = await newAdministrator()
    await Promise.all([add(site.root), add(second), add(second)])
    expect(await titled()).toEqual(titles)
    const { group } = await site.root.call(groups.list)
    const added = group.find(({ title }) => title === '运营')
    expect(added?.id).not.toBe(removed?.id)
    expect((await site.root.call(groups.permissions, { id: added?.id ?? 0 })).permission_id).toHaveLength(
      readyMadeGroups.find(({ title }) => title === '运营')?.permissions.length ?? 0,
    )
    // What the owner has made of a group stays.
    expect((await site.root.call(groups.permissions, { id: kept?.id ?? 0 })).permission_id).toHaveLength(1)
  })
})

describe('a copy of a group', () => {
  test('has its flags and permissions, and neither its members nor its place as the default', async () => {
    const { permission } = await site.root.call(permissions.list, { area: ['CommentAPI'] })
    const source = await site.root.call(groups.create, {
      title: '评论组',
      color: '#1f6f5c',
      sort: 5,
      is_display: true,
      enable_comment: true,
    })
    const permission_id = permission.map(({ id }) => id).toSorted((a, b) => a - b)
    await site.root.call(groups.setPermissions, { group_id: source.id, permission_id })
    const copy = await site.root.call(groups.copy, { id: source.id, title: '评论组（实习）' })
    const { id, title, ...rest } = copy
    expect(rest).toMatchObject({ color: '#1f6f5c', sort: 5, is_display: true, enable_comment: true, user_count: 0 })
    expect([id === source.id, title]).toEqual([false, '评论组（实习）'])
    expect((await site.root.call(groups.permissions, { id })).permission_id).toEqual(permission_id)
    const ofDefault = await site.root.call(groups.copy, { id: 2, title: '普通用户（二）' })
    expect(ofDefault.is_default).toBe(false)
    expect(await defaults()).toEqual([2])
  })

  test('needs a title of its own, and a source that exists', async () => {
    const copy = (form: { id: number; title: string }) => site.root.call(groups.copy, form)
    expect(await refusal(copy({ id: 2, title: '普通用户' }))).toMatchObject({ reason: 'groups.titleTaken' })
    expect(await refusal(copy({ id: 2, title: ' ' }))).toMatchObject({ status: 400 })
    expect(await refusal(copy({ id: 999_999, title: '无源' }))).toMatchObject({ reason: 'groups.notFound' })
  })

  test('is made only by managers who hold what it grants', async () => {
    const powerful = await newGroup()
    await grant(site.root, powerful.id, ['ConfigAPI/UpdateConfig'])
    const copy = (person: Person, id: number) => person.call(groups.copy, { id, title: `copy ${(count += 1)}` })
    const [creator, giver] = [
      await site.staff('GroupAPI/CreateGroup'),
      await site.staff('GroupAPI/CreateGroup', 'GroupAPI/UpdateGroupPermission'),
    ]
    expect(await refusal(copy(creator, powerful.id))).toMatchObject({ reason: 'access.denied' })
    expect(await refusal(copy(giver, powerful.id))).toMatchObject({ reason: 'groups.beyondOwn' })
    expect(await refusal(copy(giver, 1))).toMatchObject({ reason: 'groups.beyondOwn' })
    expect((await copy(creator, (await newGroup()).id)).user_count).toBe(0)
    const { id } = await copy(await newAdministrator(), 1)
    expect((await site.root.call(groups.permissions, { id })).permission_id).toHaveLength(permissionCatalogue.length)
  })
})

describe('administrators', () => {
  test('hold every permission, those of a later version too, without being given any', async () => {
    const second = await newAdministrator()
    const stamps = { created_at: 0, updated_at: 0 }
    await site.db
      .insertInto('permission')
      .values({ method: 'GRPC', path: '/api.v1.LaterAPI/ListLater', ...stamps })
      .execute()
    const rows = await site.db.selectFrom('group_permission').selectAll().where('group_id', '=', 1).execute()
    expect(rows).toEqual([])
    const { permission } = await second.call(users.permission)
    expect(permission.map(({ path }) => path)).toContain('/api.v1.LaterAPI/ListLater')
    expect(permission).toHaveLength(permissionCatalogue.length + 1)
    expect((await second.call(settings.list)).config.length).toBeGreaterThan(0)
    expect((await second.call(groups.permissions, { id: 1 })).permission_id).toHaveLength(permission.length)
    await site.db.deleteFrom('permission').where('path', '=', '/api.v1.LaterAPI/ListLater').execute()
  })

  test('cannot be given fewer, nor their group be deleted', async () => {
    const second = await newAdministrator()
    for (const person of [site.root, second]) {
      expect(await refusal(grant(person, 1, ['UserAPI/ListUser']))).toMatchObject({
        status: 400,
        reason: 'groups.administratorsHoldAll',
      })
      expect(await refusal(person.call(groups.delete, { id: [1] }))).toMatchObject({
        status: 403,
        reason: 'groups.administratorsKept',
      })
    }
  })

  test('never all leave their group, nor are they all disabled: the owner stays', async () => {
    const second = await newAdministrator()
    await second.call(users.set, { id: second.id, group_id: [2] })
    expect(await refusal(site.root.call(users.set, { id: site.root.id, group_id: [2] }))).toMatchObject({
      reason: 'users.rootGroupKept',
    })
    const third = await newAdministrator()
    const attempts = [
      () => third.call(punishments.create, { user_id: [site.root.id], type: [Punishment.Disabled], enable: true }),
      () => third.call(users.set, { id: site.root.id, group_id: [2] }),
      () => third.call(users.delete, { id: [site.root.id], password: third.password }),
    ]
    for (const attempt of attempts) expect((await refusal(attempt())).reason).toMatch(/^users\.root/)
  })
})

test('the number of members of a group is shown to managers of groups', async () => {
  const staff = await site.staff('GroupAPI/ListGroup')
  const { group } = await staff.call(users.group)
  expect(group).toMatchObject([{ user_count: 1 }])
  const [own] = group
  await site.root.call(groups.patch, { id: own?.id ?? 0, is_display: true })
  expect(await site.call(groups.get, { id: own?.id ?? 0 })).toMatchObject({ user_count: 0 })
})

describe('the default group holds no permissions', () => {
  test('as every new member would get them', async () => {
    expect(await refusal(grant(site.root, 2, ['UserAPI/ListUser']))).toMatchObject({
      status: 400,
      reason: 'groups.defaultHoldsNothing',
    })
    expect((await site.root.call(groups.permissions, { id: 2 })).permission_id).toEqual([])
  })

  test('and no group with permissions becomes the default one, nor that of the administrators', async () => {
    const powerful = await newGroup()
    await grant(site.root, powerful.id, ['UserAPI/ListUser'])
    const makeDefault = (group: typeof powerful) => site.root.call(groups.update, { ...group, is_default: true })
    expect(await refusal(makeDefault(powerful))).toMatchObject({ status: 400, reason: 'groups.defaultHoldsNothing' })
    const administrators = await site.root.call(groups.get, { id: 1 })
    expect(await refusal(makeDefault(administrators))).toMatchObject({ reason: 'groups.administratorsNotDefault' })
    expect(await defaults()).toEqual([2])
    await grant(site.root, powerful.id, [])
    await makeDefault(powerful)
    await site.root.call(groups.update, { ...(await site.root.call(groups.get, { id: 2 })), is_default: true })
  })
})

describe("the administrators' group is changed only by its own members", () => {
  const manage = [
    'GroupAPI/UpdateGroup',
    'GroupAPI/DeleteGroup',
    'GroupAPI/UpdateGroupPermission',
    'UserAPI/AddUser',
    'UserAPI/SetUser',
    'UserAPI/DeleteUser',
    'UserAPI/UpdateUserProfile',
    'PunishmentAPI/CreatePunishment',
  ] as const
  const administratorsOnly = { status: 403, reason: 'groups.administratorsOnly' }
  let outsider: Person
  let administrator: Person
  beforeAll(async () => {
    outsider = await site.staff(...manage)
    administrator = await newAdministrator()
  })

  test('the group itself', async () => {
    const group = await site.root.call(groups.get, { id: 1 })
    const attempts = (person: Person) => [
      () => person.call(groups.update, { ...group, description: '改过' }),
      () => person.call(groups.patch, { id: 1, is_display: false }),
    ]
    for (const attempt of attempts(outsider)) expect(await refusal(attempt())).toMatchObject(administratorsOnly)
    expect(await refusal(grant(outsider, 1, ['UserAPI/SetUser']))).toMatchObject(administratorsOnly)
    expect(await refusal(outsider.call(groups.delete, { id: [1] }))).toMatchObject(administratorsOnly)
    for (const attempt of attempts(administrator)) expect(await attempt()).toEqual({})
  })

  test('its membership', async () => {
    const member = await site.member()
    const form = { username: 'intruder', password: 'let me in please', email: '', group_id: [1] }
    expect(await refusal(outsider.call(users.create, form))).toMatchObject(administratorsOnly)
    for (const id of [member.id, outsider.id])
      expect(await refusal(outsider.call(users.set, { id, group_id: [1, 2] }))).toMatchObject(administratorsOnly)
    expect(await refusal(outsider.call(users.set, { id: administrator.id, group_id: [2] }))).toMatchObject(
      administratorsOnly,
    )
    await administrator.call(users.set, { id: member.id, group_id: [1, 2] })
    await administrator.call(users.set, { id: member.id, group_id: [2] })
  })

  test('its members', async () => {
    const { id } = administrator
    const attempts = [
      () => outsider.call(users.set, { id, group_id: [1], password: 'mine from now on' }),
      () => outsider.call(users.password, { id, new_password: 'mine from now on' }),
      () => outsider.call(users.profile, { id, email: 'mine@example.com' }),
      () => outsider.call(users.delete, { id: [id], password: outsider.password }),
      () => outsider.call(punishments.create, { user_id: [id], type: [Punishment.Disabled], enable: true }),
    ]
    for (const attempt of attempts) expect(await refusal(attempt())).toMatchObject(administratorsOnly)
    expect((await administrator.call(users.get)).id).toBe(id)
  })
})

test('strangers see the groups that are displayed, members their own too, and staff all of them', async () => {
  const hidden = await newGroup()
  const insider = await site.member()
  await site.root.call(users.set, { id: insider.id, group_id: [hidden.id] })
  const sees = async (call: Person['call']) => (await call(groups.list)).group.some(({ id }) => id === hidden.id)
  const plain = await site.member()
  const staff = await site.staff('UserAPI/ListUser')
  const callers = [site.call, plain.call, insider.call, staff.call]
  expect(await Promise.all(callers.map(sees))).toEqual([false, false, true, true])
  expect(await refusal(site.call(groups.get, { id: hidden.id }))).toMatchObject({ status: 404 })
  expect((await insider.call(groups.get, { id: hidden.id })).id).toBe(hidden.id)
  await site.root.call(groups.patch, { id: hidden.id, is_display: true })
  expect(await sees(site.call)).toBe(true)
})

describe('titles are unique', () => {
  test('for a new group', async () => {
    const { title } = await newGroup()
    expect(await refusal(newGroup({ title }))).toMatchObject({ status: 409, reason: 'groups.titleTaken' })
    expect(await refusal(newGroup({ title: ` ${title} ` }))).toMatchObject({ status: 409 })
  })

  test('for a renamed group, which may keep its own title', async () => {
    const [first, second] = [await newGroup(), await newGroup()]
    const rename = (title: string) => site.root.call(groups.update, { ...second, title })
    expect(await refusal(rename(first.title))).toMatchObject({ status: 409, reason: 'groups.titleTaken' })
    expect(await rename(second.title)).toEqual({})
  })

  test('for ten groups that are created at the same time', async () => {
    const settled = await Promise.allSettled(Array.from({ length: 10 }, () => newGroup({ title: 'wanted' })))
    const refused = settled.filter((result) => result.status === 'rejected').map((result) => result.reason as unknown)
    expect(refused).toHaveLength(9)
    for (const error of refused) expect(error).toMatchObject({ status: 409, reason: 'groups.titleTaken' })
  })

  test('for two groups that are renamed at the same time', async () => {
    const pair = [await newGroup(), await newGroup()]
    const renames = pair.map((group) => site.root.call(groups.update, { ...group, title: 'contested' }))
    const refused = (await Promise.allSettled(renames)).filter((result) => result.status === 'rejected')
    expect(refused.map((result) => result.reason as unknown)).toMatchObject([
      { status: 409, reason: 'groups.titleTaken' },
    ])
  })
})

describe('there is always one default group', () => {
  test('making another group the default unsets the first', async () => {
    const newDefault = await newGroup({ is_default: true })
    expect(await defaults()).toEqual([newDefault.id])
    const ordinary = await newGroup()
    await site.root.call(groups.update, { ...ordinary, is_default: true })
    expect(await defaults()).toEqual([ordinary.id])
    await makeDefault(2)
  })

  test('it cannot be unset without another default', async () => {
    const standard = await site.call(groups.get, { id: 2 })
    const attempt = site.root.call(groups.update, { ...standard, is_default: false })
    expect(await refusal(attempt)).toMatchObject({ status: 400, reason: 'groups.defaultNeeded' })
    expect(await defaults()).toEqual([2])
  })

  test('it cannot be deleted, alone or among others', async () => {
    const { id } = await newGroup()
    expect(await refusal(site.root.call(groups.delete, { id: [id, 2] }))).toMatchObject({
      status: 400,
      reason: 'groups.defaultKept',
    })
    expect((await site.root.call(groups.get, { id })).id).toBe(id)
  })
})

describe('deleting', () => {
  test('deletes empty groups', async () => {
    const [first, second] = [await newGroup(), await newGroup()]
    await site.root.call(groups.delete, { id: [first.id, second.id, 999_999] })
    expect(await refusal(site.call(groups.get, { id: first.id }))).toMatchObject({
      status: 404,
      reason: 'groups.notFound',
    })
    expect(await refusal(site.call(groups.get, { id: second.id }))).toMatchObject({ status: 404 })
  })

  test('is refused while one of them has members', async () => {
    const staff = await site.staff('ConfigAPI/ListConfig')
    const [group] = (await staff.call(users.group)).group
    const { id } = await newGroup()
    const attempt = site.root.call(groups.delete, { id: [id, Number(group?.id)] })
    expect(await refusal(attempt)).toMatchObject({ status: 400, reason: 'groups.hasUsers' })
    expect((await staff.call(settings.list)).config.length).toBeGreaterThan(0)
  })
})

test('an update may contain the whole object: the number of users is ignored', async () => {
  const group = await newGroup()
  const { status } = await site.send('PUT', '/api/v1/group', {
    token: site.root.token,
    body: { ...group, user_count: 500, created_at: '2001-01-01T00:00:00Z', description: 'sent back' },
  })
  expect(status).toBe(200)
  const reread = await site.root.call(groups.get, { id: group.id })
  expect(reread).toMatchObject({ user_count: 0, description: 'sent back', created_at: group.created_at })
})

test('searching groups needs the permission to list them', async () => {
  const { title } = await newGroup({ title: 'needle in a haystack' })
  expect((await site.root.call(groups.list, { wd: 'NEEDLE' })).group).toMatchObject([{ title }])
  expect((await site.call(groups.list, { wd: 'NEEDLE' })).group.length).toBeGreaterThan(1)
})

test.each(['red;background:url(//evil.example)', 'expression(alert(1))', '"><script>', '#12', 'url(x)'])(
  '%j is not a color',
  async (color) => {
    expect(await refusal(newGroup({ color }))).toMatchObject({ status: 400, reason: 'request.invalid' })
  },
)

test('markup in a title is stored as text', async () => {
  const title = '<script>alert("组")</script>'
  const { id } = await newGroup({ title, description: title })
  const { json } = await site.send('GET', `/api/v1/group?id=${id}`, { token: site.root.token })
  expect(json).toMatchObject({ title, description: title })
})

describe('the permissions of a group', () => {
  test('are replaced as a whole, with effect from the next request', async () => {
    const staff = await site.staff('ConfigAPI/ListConfig', 'UserAPI/ListUser')
    const group_id = await findGroupId(staff)
    expect((await staff.call(settings.list)).config.length).toBeGreaterThan(0)
    await grant(site.root, group_id, ['UserAPI/ListUser'])
    expect(await refusal(staff.call(settings.list))).toMatchObject({ status: 403 })
    const { permission_id } = await site.root.call(groups.permissions, { id: group_id })
    expect(permission_id).toEqual(await findPermissionIds(['UserAPI/ListUser']))
    await grant(site.root, group_id, [])
    expect((await site.root.call(groups.permissions, { id: group_id })).permission_id).toEqual([])
    expect((await staff.call(users.permission)).permission).toEqual([])
  })

  test('ignore unknown ids', async () => {
    const { id } = await newGroup()
    const [existingId] = await findPermissionIds(['UserAPI/ListUser'])
    const permission_id = [Number(existingId), Number(existingId), -5, 0, 999_999_999]
    await site.root.call(groups.setPermissions, { group_id: id, permission_id })
    expect((await site.root.call(groups.permissions, { id })).permission_id).toEqual([existingId])
  })

  test('can be saved twice at the same time', async () => {
    const { id } = await newGroup()
    await Promise.all(
      Array.from({ length: 8 }, () => grant(site.root, id, ['UserAPI/ListUser', 'ConfigAPI/ListConfig'])),
    )
    expect((await site.root.call(groups.permissions, { id })).permission_id).toHaveLength(2)
  })

  test('need an existing group', async () => {
    expect(await refusal(grant(site.root, 999_999, []))).toMatchObject({ status: 404, reason: 'groups.notFound' })
  })

  test('can only be granted by a manager who holds them', async () => {
    const giver = await site.staff('GroupAPI/UpdateGroupPermission', 'UserAPI/ListUser')
    const { id } = await newGroup()
    expect(await refusal(grant(giver, id, ['ConfigAPI/UpdateConfig']))).toMatchObject({
      status: 403,
      reason: 'groups.beyondOwn',
    })
    expect(await refusal(grant(giver, await findGroupId(giver), ['ConfigAPI/UpdateConfig']))).toMatchObject({
      status: 403,
    })
    expect(await grant(giver, id, ['UserAPI/ListUser'])).toEqual({})
  })

  test('cannot be revoked by a manager with fewer permissions', async () => {
    const giver = await site.staff('GroupAPI/UpdateGroupPermission', 'UserAPI/ListUser')
    const { id } = await newGroup()
    await grant(site.root, id, ['ConfigAPI/UpdateConfig', 'UserAPI/ListUser'])
    expect(await refusal(grant(giver, id, []))).toMatchObject({ status: 403, reason: 'groups.beyondOwn' })
    expect(await grant(giver, id, ['ConfigAPI/UpdateConfig'])).toEqual({})
    const { permission_id } = await site.root.call(groups.permissions, { id })
    expect(permission_id).toEqual(await findPermissionIds(['ConfigAPI/UpdateConfig']))
  })
})

function newGroup(change: Partial<Parameters<typeof createGroup>[0]> = {}) {
  return createGroup({ title: `group no ${(count += 1)}`, ...change })
}

function createGroup(form: { title: string; color?: string; description?: string; is_default?: boolean }) {
  return site.root.call(groups.create, form)
}

async function newAdministrator(): Promise<Person> {
  const person = await site.member()
  await site.root.call(users.set, { id: person.id, group_id: [1] })
  return person
}

async function defaults(): Promise<number[]> {
  const { group } = await site.root.call(groups.list)
  return group.filter(({ is_default }) => is_default).map(({ id }) => id)
}

async function makeDefault(id: number): Promise<void> {
  await site.root.call(groups.update, { ...(await site.call(groups.get, { id })), is_default: true })
}

async function findGroupId({ call }: Person): Promise<number> {
  const { group } = await call(users.group)
  return Number(group[0]?.id)
}

async function grant(person: Person, group_id: number, paths: PermissionPath[]) {
  return person.call(groups.setPermissions, { group_id, permission_id: await findPermissionIds(paths) })
}

async function findPermissionIds(paths: PermissionPath[]): Promise<number[]> {
  const { permission } = await site.root.call(permissions.list)
  const wirePaths = new Set(paths.map(wirePath))
  return permission
    .filter(({ path }) => wirePaths.has(path))
    .map(({ id }) => id)
    .toSorted((a, b) => a - b)
}
