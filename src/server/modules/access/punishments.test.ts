import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { groups, punishments } from '#shared/contract/access.ts'
import { sessions, users } from '#shared/contract/users.ts'
import type { Ask } from '#shared/endpoint.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'

const hour = 3_600_000
const active = { status: 403, reason: 'punishments.active' }

let site: Site
let member: Person
beforeAll(async () => {
  site = await openSite()
  const standard = await site.call(groups.get, { id: 2 })
  await site.root.call(groups.update, { ...standard, enable_upload: true, enable_article: true })
  site.holdClock()
})
afterAll(() => site.close())
beforeEach(async () => {
  member = await site.member()
})

/** What a member could do before, and which kinds forbid it. */
const deeds: [string, (person: Person) => Promise<unknown>, number[]][] = [
  ['upload documents', ({ call }) => call(users.canUploadDocument), [3]],
  ['publish articles', ({ call }) => call(users.canPublishArticle), [6]],
  ['edit their profile', ({ call }) => call(users.profile, { signature: 'still here' }), []],
  ['see their sessions', ({ call }) => call(sessions.list), []],
  ['log in', ({ username, password }) => site.call(users.login, { username, password }), []],
]

describe.each([2, 3, 4, 5, 6])('kind %d', (kind) => {
  test.each(deeds.filter(([, , forbidden]) => forbidden.includes(kind)))('forbids to %s', async (_deed, attempt) => {
    await attempt(member)
    await punish({ type: [kind], reason: '多次违规' })
    const refused = await refusal(attempt(member))
    expect(refused).toMatchObject({ ...active, message: expect.stringContaining('多次违规') })
  })

  test.each(deeds.filter(([, , forbidden]) => !forbidden.includes(kind)))('lets them %s', async (_deed, attempt) => {
    await punish({ type: [kind] })
    await attempt(member)
  })
})

describe('a disabled account', () => {
  test.each(deeds.slice(0, 4))('can no longer %s, also with a token it already had', async (_deed, attempt) => {
    await punish({ type: [1] })
    expect(await refusal(attempt(member))).toMatchObject({ status: 401 })
  })

  test('cannot log in', async () => {
    await punish({ type: [1], reason: '冒充他人' })
    const { username, password } = member
    expect(await refusal(site.call(users.login, { username, password }))).toMatchObject({
      ...active,
      message: expect.stringContaining('冒充他人'),
    })
  })

  test('is still shown to others', async () => {
    await punish({ type: [1] })
    expect((await site.call(users.get, { id: member.id })).username).toBe(member.username)
  })
})

describe('a punishment ends', () => {
  test('on time, to the millisecond', async () => {
    await punish({ type: [3], end_time: await after(hour) })
    site.pass(hour - 1)
    expect(await refusal(member.call(users.canUploadDocument))).toMatchObject(active)
    site.pass(1)
    expect(await member.call(users.canUploadDocument)).toEqual({})
  })

  test('on time for a disabled account, which may then log in again', async () => {
    await punish({ type: [1], end_time: await after(hour) })
    const { username, password } = member
    expect(await refusal(site.call(users.login, { username, password }))).toMatchObject(active)
    site.pass(hour)
    expect((await site.call(users.login, { username, password })).user.id).toBe(member.id)
    expect(await refusal(member.call(users.get))).toMatchObject({ status: 401 })
  })

  test('when it is cancelled', async () => {
    await punish({ type: [3, 6] })
    const ids = await idsOf(member)
    expect(ids).toHaveLength(2)
    await site.root.call(punishments.cancel, { id: ids })
    expect(await member.call(users.canUploadDocument)).toEqual({})
    expect(await member.call(users.canPublishArticle)).toEqual({})
  })

  test('when it is switched off, and begins again when it is switched on', async () => {
    await punish({ type: [6] })
    const [id = 0] = await idsOf(member)
    await site.root.call(punishments.update, { id, type: 6, enable: false })
    expect(await member.call(users.canPublishArticle)).toEqual({})
    await site.root.call(punishments.update, { id, type: 1, enable: true })
    expect(await refusal(member.call(users.get))).toMatchObject({ status: 401 })
  })

  test('before it begins, if it was over from the start or is not switched on', async () => {
    await punish({ type: [1, 3], end_time: await after(-1) })
    await punish({ type: [1, 3], enable: false })
    expect(await member.call(users.canUploadDocument)).toEqual({})
  })
})

describe('the record', () => {
  test('is one for each person and kind', async () => {
    const other = await site.member()
    await punish({ user_id: [member.id, other.id, 999_999], type: [2, 4], reason: '刷屏', remark: 'internal' })
    const { punishment, total } = await site.root.call(punishments.list, { user_id: [member.id, other.id] })
    expect(total).toBe(4)
    const made = new Set(punishment.map(({ user_id, type }) => `${user_id}:${type}`))
    expect(made).toEqual(new Set([`${member.id}:2`, `${member.id}:4`, `${other.id}:2`, `${other.id}:4`]))
    expect(punishment[0]).toMatchObject({ reason: '刷屏', remark: 'internal', enable: true, end_time: null })
  })

  test('names the person, and who touched it when', async () => {
    await punish({ type: [2] })
    const [id = 0] = await idsOf(member)
    const officer = await site.staff('PunishmentAPI/CancelPunishment')
    site.pass(hour)
    await officer.call(punishments.cancel, { id: [id] })
    const { username, operators, enable } = await site.root.call(punishments.get, { id })
    expect(username).toBe(member.username)
    expect(enable).toBe(false)
    const { now } = await site.app.context()
    expect(JSON.parse(operators)).toEqual([
      { u: 'admin', t: expect.any(String), ts: now() - hour },
      { u: officer.username, t: new Date(now()).toISOString(), ts: now() },
    ])
  })

  test('goes with the account', async () => {
    await punish({ type: [2], reason: 'before leaving' })
    await site.root.call(users.delete, { id: [member.id], password: site.root.password })
    expect((await site.root.call(punishments.list, { wd: 'before leaving' })).punishment).toEqual([])
  })

  test('is found by kind, state, person and words', async () => {
    await punish({ type: [5], reason: 'a very rare reason' })
    await punish({ type: [5], reason: 'a very rare reason', enable: false })
    const found = (query: Partial<Ask<typeof punishments.list>>) =>
      site.root.call(punishments.list, { user_id: [member.id], ...query })
    expect((await found({ wd: 'RARE reason' })).total).toBe(2)
    expect((await found({ enable: [true] })).total).toBe(1)
    expect((await found({ enable: [true, false], type: [5] })).total).toBe(2)
    expect((await found({ type: [4] })).total).toBe(0)
    const wire = await site.send('GET', `/api/v1/punishment/list?enable=0&user_id=${member.id}`, {
      token: site.root.token,
    })
    expect(wire.json.total).toBe(1)
  })

  test('is not found when it is not there', async () => {
    const gone = { status: 404, reason: 'punishments.notFound' }
    expect(await refusal(site.root.call(punishments.get, { id: 999_999 }))).toMatchObject(gone)
    expect(await refusal(site.root.call(punishments.update, { id: 999_999, type: 2 }))).toMatchObject(gone)
  })

  test('may be for a thousand people and all kinds at once', async () => {
    const stamps = { login_at: null, created_at: 0, updated_at: 0 }
    const names = Array.from({ length: 1000 }, (_, index) => `mob-${index}`)
    const rows = names.map((username) => ({ username, username_key: username, password: '', ...stamps }))
    const mob = await site.db.insertInto('user').values(rows).returning('id').execute()
    await punish({ user_id: mob.map(({ id }) => id), type: [1, 2, 3, 4, 5, 6], reason: 'riot' })
    expect((await site.root.call(punishments.list, { wd: 'riot', size: 1 })).total).toBe(6000)
  })
})

describe('nobody punishes', () => {
  test('the first administrator, who is passed over among others', async () => {
    await punish({ user_id: [1, member.id], type: [1] })
    expect((await site.root.call(users.get)).id).toBe(1)
    expect((await site.root.call(punishments.list, { user_id: [1] })).total).toBe(0)
    expect(await refusal(member.call(users.get))).toMatchObject({ status: 401 })
  })

  test('who may do more, alone or among others', async () => {
    const officer = await site.staff('PunishmentAPI/CreatePunishment')
    const higher = await site.staff('PunishmentAPI/CreatePunishment', 'ConfigAPI/UpdateConfig')
    const attempt = officer.call(punishments.create, { user_id: [member.id, higher.id], type: [1], enable: true })
    expect(await refusal(attempt)).toMatchObject({ status: 403, reason: 'groups.beyondOwn' })
    expect(await member.call(users.canUploadDocument)).toEqual({})
  })

  test('nor lets off who may do more', async () => {
    const officer = await site.staff('PunishmentAPI/CancelPunishment', 'PunishmentAPI/UpdatePunishment')
    const higher = await site.staff('PunishmentAPI/CancelPunishment', 'ConfigAPI/UpdateConfig')
    await punish({ user_id: [higher.id], type: [3] })
    const [id = 0] = await idsOf(higher)
    const beyondOwn = { status: 403, reason: 'groups.beyondOwn' }
    expect(await refusal(officer.call(punishments.cancel, { id: [id] }))).toMatchObject(beyondOwn)
    expect(await refusal(officer.call(punishments.update, { id, type: 3 }))).toMatchObject(beyondOwn)
  })
})

test.each([
  { type: [] },
  { type: [0] },
  { type: [7] },
  { type: [1.5] },
  { user_id: [] },
  { user_id: [-1] },
  { reason: '长'.repeat(2001) },
])('%j is no punishment', async (change) => {
  expect(await refusal(punish({ type: [2], ...change }))).toMatchObject({ status: 400, reason: 'request.invalid' })
})

test.each([9_007_199_254_740_991, -1, '"+275760-01-01T00:00:00Z"', '"0000-01-01"', '"tomorrow"', '{}'])(
  'no punishment ends at %s',
  async (end) => {
    const body = `{"user_id": [${member.id}], "type": [2], "enable": true, "end_time": ${end}}`
    expect((await site.send('POST', '/api/v1/punishment', { token: site.root.token, body })).status).toBe(400)
    expect(await idsOf(member)).toEqual([])
  },
)

test('whether one may upload or publish is a matter of the group, too', async () => {
  const person = await site.staff('ConfigAPI/ListConfig')
  expect(await refusal(person.call(users.canUploadDocument))).toMatchObject({
    status: 403,
    reason: 'users.uploadDenied',
  })
  expect(await refusal(person.call(users.canPublishArticle))).toMatchObject({
    status: 403,
    reason: 'users.publishDenied',
  })
})

function punish(change: Partial<Ask<typeof punishments.create>>) {
  return site.root.call(punishments.create, { user_id: [member.id], type: [2], enable: true, ...change })
}

async function after(ms: number): Promise<number> {
  const { now } = await site.app.context()
  return now() + ms
}

async function idsOf({ id }: Person): Promise<number[]> {
  const { punishment } = await site.root.call(punishments.list, { user_id: [id] })
  return punishment.map((row) => row.id)
}

test('staff cannot lift a punishment of their own', async () => {
  const judge = await site.staff('PunishmentAPI/CancelPunishment', 'PunishmentAPI/UpdatePunishment')
  await site.root.call(punishments.create, { user_id: [judge.id], type: [3], enable: true })
  const { punishment } = await site.root.call(punishments.list, { user_id: [judge.id] })
  const id = punishment[0]?.id ?? 0
  const own = { status: 403, reason: 'punishments.ownKept' }
  expect(await refusal(judge.call(punishments.cancel, { id: [id] }))).toMatchObject(own)
  expect(await refusal(judge.call(punishments.update, { id, type: 3, enable: false }))).toMatchObject(own)
})
