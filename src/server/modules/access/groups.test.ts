import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { groups, permissions } from '#shared/contract/access.ts'
import { settings } from '#shared/contract/system.ts'
import { users } from '#shared/contract/users.ts'
import { type PermissionPath, wirePath } from '#shared/permissions.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'

let site: Site
let count = 0
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

test('a new group comes back as it is kept', async () => {
  const form = {
    title: '编辑部',
    color: '#1f6f5c',
    description: '审核文档',
    is_display: true,
    sort: -3,
    enable_upload: true,
    enable_comment: true,
  }
  const made = await site.root.call(groups.create, form)
  expect(made).toMatchObject({ ...form, is_default: false, user_count: 0, enable_article: false })
  expect(await site.call(groups.get, { id: made.id })).toEqual(made)
})

test('a site starts with administrators and standard users', async () => {
  const fresh = await openSite()
  const { group, total } = await fresh.root.call(groups.list)
  expect(total).toBe(2)
  expect(group).toMatchObject([
    {
      id: 1,
      title: '超级管理员',
      enable_upload: true,
      enable_document_review: false,
      is_default: false,
      user_count: 1,
    },
    { id: 2, title: '普通用户', enable_upload: false, enable_document_review: true, is_default: true },
  ])
  await fresh.close()
})

test('how many people are in a group is known to who manages groups', async () => {
  const staff = await site.staff('GroupAPI/ListGroup')
  const { group } = await staff.call(users.group)
  expect(group).toMatchObject([{ user_count: 1 }])
  const [own] = group
  expect(await site.call(groups.get, { id: own?.id ?? 0 })).toMatchObject({ user_count: 0 })
})

test('nobody makes a group the default that may do more than they: whoever registers would get it', async () => {
  const { group } = await (await site.staff('ConfigAPI/UpdateConfig')).call(users.group)
  const powerful = group[0]
  const editor = await site.staff('GroupAPI/UpdateGroup')
  const form = { id: powerful?.id ?? 0, title: powerful?.title ?? '', is_default: true }
  expect(await refusal(editor.call(groups.update, form))).toMatchObject({ status: 403, reason: 'groups.beyondOwn' })
  await editor.call(groups.update, { ...form, is_default: false, description: '可以修改' })
})

describe('titles are unique', () => {
  test('for a new group', async () => {
    const { title } = await newGroup()
    expect(await refusal(newGroup({ title }))).toMatchObject({ status: 409, reason: 'groups.titleTaken' })
    expect(await refusal(newGroup({ title: ` ${title} ` }))).toMatchObject({ status: 409 })
  })

  test('for one that is renamed, which may keep its own', async () => {
    const [one, two] = [await newGroup(), await newGroup()]
    const rename = (title: string) => site.root.call(groups.update, { ...two, title })
    expect(await refusal(rename(one.title))).toMatchObject({ status: 409, reason: 'groups.titleTaken' })
    expect(await rename(two.title)).toEqual({})
  })

  test('for ten that are made at once', async () => {
    const settled = await Promise.allSettled(Array.from({ length: 10 }, () => newGroup({ title: 'wanted' })))
    const refused = settled.filter((one) => one.status === 'rejected').map((one) => one.reason as unknown)
    expect(refused).toHaveLength(9)
    for (const error of refused) expect(error).toMatchObject({ status: 409, reason: 'groups.titleTaken' })
  })

  test('for two that are renamed at once', async () => {
    const pair = [await newGroup(), await newGroup()]
    const renames = pair.map((group) => site.root.call(groups.update, { ...group, title: 'wanted by two' }))
    const refused = (await Promise.allSettled(renames)).filter((one) => one.status === 'rejected')
    expect(refused.map((one) => one.reason as unknown)).toMatchObject([{ status: 409, reason: 'groups.titleTaken' }])
  })
})

describe('there is always one default group', () => {
  test('making another the default unsets the first', async () => {
    const made = await newGroup({ is_default: true })
    expect(await defaults()).toEqual([made.id])
    const other = await newGroup()
    await site.root.call(groups.update, { ...other, is_default: true })
    expect(await defaults()).toEqual([other.id])
    await makeDefault(2)
  })

  test('it cannot be given up without naming another', async () => {
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
    expect((await site.call(groups.get, { id })).id).toBe(id)
  })
})

describe('deleting', () => {
  test('takes empty groups', async () => {
    const [one, two] = [await newGroup(), await newGroup()]
    await site.root.call(groups.delete, { id: [one.id, two.id, 999_999] })
    expect(await refusal(site.call(groups.get, { id: one.id }))).toMatchObject({
      status: 404,
      reason: 'groups.notFound',
    })
    expect(await refusal(site.call(groups.get, { id: two.id }))).toMatchObject({ status: 404 })
  })

  test('is refused while somebody is in one of them', async () => {
    const staff = await site.staff('ConfigAPI/ListConfig')
    const [group] = (await staff.call(users.group)).group
    const { id } = await newGroup()
    const attempt = site.root.call(groups.delete, { id: [id, Number(group?.id)] })
    expect(await refusal(attempt)).toMatchObject({ status: 400, reason: 'groups.hasUsers' })
    expect((await staff.call(settings.list)).config.length).toBeGreaterThan(0)
  })
})

test('whole objects may be sent back: the number of users stays what it is', async () => {
  const made = await newGroup()
  const { status } = await site.send('PUT', '/api/v1/group', {
    token: site.root.token,
    body: { ...made, user_count: 500, created_at: '2001-01-01T00:00:00Z', description: 'sent back' },
  })
  expect(status).toBe(200)
  const kept = await site.call(groups.get, { id: made.id })
  expect(kept).toMatchObject({ user_count: 0, description: 'sent back', created_at: made.created_at })
})

test('only who may list groups can search them', async () => {
  const { title } = await newGroup({ title: 'needle in a haystack' })
  expect((await site.root.call(groups.list, { wd: 'NEEDLE' })).group).toMatchObject([{ title }])
  expect((await site.call(groups.list, { wd: 'NEEDLE' })).group.length).toBeGreaterThan(1)
})

test.each(['red;background:url(//evil.example)', 'expression(alert(1))', '"><script>', '#12', 'url(x)'])(
  '%j is no colour',
  async (color) => {
    expect(await refusal(newGroup({ color }))).toMatchObject({ status: 400, reason: 'request.invalid' })
  },
)

test('script in a title is kept as the text that it is', async () => {
  const title = '<script>alert("组")</script>'
  const { id } = await newGroup({ title, description: title })
  const { json } = await site.send('GET', `/api/v1/group?id=${id}`)
  expect(json).toMatchObject({ title, description: title })
})

describe('what a group may do', () => {
  test('is replaced as a whole, and the next request feels it', async () => {
    const staff = await site.staff('ConfigAPI/ListConfig', 'UserAPI/ListUser')
    const group_id = await groupOf(staff)
    expect((await staff.call(settings.list)).config.length).toBeGreaterThan(0)
    await give(site.root, group_id, ['UserAPI/ListUser'])
    expect(await refusal(staff.call(settings.list))).toMatchObject({ status: 403 })
    const { permission_id } = await site.root.call(groups.permissions, { id: group_id })
    expect(permission_id).toEqual(await idsOf(['UserAPI/ListUser']))
    await give(site.root, group_id, [])
    expect((await site.root.call(groups.permissions, { id: group_id })).permission_id).toEqual([])
    expect((await staff.call(users.permission)).permission).toEqual([])
  })

  test('takes no notice of ids that are no permission', async () => {
    const { id } = await newGroup()
    const [known] = await idsOf(['UserAPI/ListUser'])
    const permission_id = [Number(known), Number(known), -5, 0, 999_999_999]
    await site.root.call(groups.setPermissions, { group_id: id, permission_id })
    expect((await site.root.call(groups.permissions, { id })).permission_id).toEqual([known])
  })

  test('saved twice at once is as once', async () => {
    const { id } = await newGroup()
    await Promise.all(
      Array.from({ length: 8 }, () => give(site.root, id, ['UserAPI/ListUser', 'ConfigAPI/ListConfig'])),
    )
    expect((await site.root.call(groups.permissions, { id })).permission_id).toHaveLength(2)
  })

  test('is asked of a group that is there', async () => {
    expect(await refusal(give(site.root, 999_999, []))).toMatchObject({ status: 404, reason: 'groups.notFound' })
  })

  test('is never more than who gives it has', async () => {
    const giver = await site.staff('GroupAPI/UpdateGroupPermission', 'UserAPI/ListUser')
    const { id } = await newGroup()
    expect(await refusal(give(giver, id, ['ConfigAPI/UpdateConfig']))).toMatchObject({
      status: 403,
      reason: 'groups.beyondOwn',
    })
    expect(await refusal(give(giver, await groupOf(giver), ['ConfigAPI/UpdateConfig']))).toMatchObject({ status: 403 })
    expect(await give(giver, id, ['UserAPI/ListUser'])).toEqual({})
  })

  test('is never taken by who has less', async () => {
    const giver = await site.staff('GroupAPI/UpdateGroupPermission', 'UserAPI/ListUser')
    const { id } = await newGroup()
    await give(site.root, id, ['ConfigAPI/UpdateConfig', 'UserAPI/ListUser'])
    expect(await refusal(give(giver, id, []))).toMatchObject({ status: 403, reason: 'groups.beyondOwn' })
    expect(await give(giver, id, ['ConfigAPI/UpdateConfig'])).toEqual({})
    const { permission_id } = await site.root.call(groups.permissions, { id })
    expect(permission_id).toEqual(await idsOf(['ConfigAPI/UpdateConfig']))
  })
})

function newGroup(change: Partial<Parameters<typeof made>[0]> = {}) {
  return made({ title: `group no ${(count += 1)}`, ...change })
}

function made(form: { title: string; color?: string; description?: string; is_default?: boolean }) {
  return site.root.call(groups.create, form)
}

async function defaults(): Promise<number[]> {
  const { group } = await site.call(groups.list)
  return group.filter(({ is_default }) => is_default).map(({ id }) => id)
}

async function makeDefault(id: number): Promise<void> {
  await site.root.call(groups.update, { ...(await site.call(groups.get, { id })), is_default: true })
}

async function groupOf({ call }: Person): Promise<number> {
  const { group } = await call(users.group)
  return Number(group[0]?.id)
}

async function give(by: Person, group_id: number, held: PermissionPath[]) {
  return by.call(groups.setPermissions, { group_id, permission_id: await idsOf(held) })
}

async function idsOf(held: PermissionPath[]): Promise<number[]> {
  const { permission } = await site.root.call(permissions.list)
  const paths = new Set(held.map(wirePath))
  return permission
    .filter(({ path }) => paths.has(path))
    .map(({ id }) => id)
    .toSorted((a, b) => a - b)
}
