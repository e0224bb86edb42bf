import { allCodes } from '#shared/codes.ts'
import { Punishment } from '#shared/enums.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { groups, punishments } from '#shared/contract/access.ts'
import { sessions, users } from '#shared/contract/users.ts'
import type { CallInput } from '#shared/endpoint.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'

const hour = 3_600_000
const active = { status: 403, reason: 'punishments.active' }

let site: Site
let member: Person
beforeAll(async () => {
  site = await openSite()
  const standard = await site.call(groups.get, { id: 2 })
  await site.root.call(groups.update, { ...standard, enable_upload: true, enable_article: true })
  site.freezeClock()
})
afterAll(() => site.close())
beforeEach(async () => {
  member = await site.member()
})

/** Actions of a member, and the punishments that forbid them. */
const actions: [string, (person: Person) => Promise<unknown>, Punishment[]][] = [
  ['upload documents', ({ call }) => call(users.canUploadDocument), [Punishment.NoUpload]],
  ['publish articles', ({ call }) => call(users.canPublishArticle), [Punishment.NoArticle]],
  ['edit their profile', ({ call }) => call(users.profile, { signature: 'still here' }), []],
  ['see their sessions', ({ call }) => call(sessions.list), []],
  ['log in', ({ username, password }) => site.call(users.login, { username, password }), []],
]

describe.each(allCodes(Punishment).filter((type) => type !== Punishment.Disabled))('punishment %d', (type) => {
  test.each(actions.filter(([, , forbidden]) => forbidden.includes(type)))(
    'forbids a member to %s',
    async (_name, attempt) => {
      await attempt(member)
      await punish({ type: [type], reason: '多次违规' })
      const refused = await refusal(attempt(member))
      expect(refused).toMatchObject({ ...active, message: expect.stringContaining('多次违规') })
    },
  )

  test.each(actions.filter(([, , forbidden]) => !forbidden.includes(type)))(
    'allows a member to %s',
    async (_name, attempt) => {
      await punish({ type: [type] })
      await attempt(member)
    },
  )
})

describe('a disabled account', () => {
  test.each(actions.slice(0, 4))('can no longer %s, also with a token it already had', async (_name, attempt) => {
    await punish({ type: [Punishment.Disabled] })
    expect(await refusal(attempt(member))).toMatchObject({ status: 401 })
  })

  test('cannot log in', async () => {
    await punish({ type: [Punishment.Disabled], reason: '冒充他人' })
    const { username, password } = member
    expect(await refusal(site.call(users.login, { username, password }))).toMatchObject({
      ...active,
      message: expect.stringContaining('冒充他人'),
    })
  })

  test('is still shown to others', async () => {
    await punish({ type: [Punishment.Disabled] })
    expect((await site.call(users.get, { id: member.id })).username).toBe(member.username)
  })
})

describe('a punishment ends', () => {
  test('on time, to the millisecond', async () => {
    await punish({ type: [Punishment.NoUpload], end_time: await after(hour) })
    site.advanceClock(hour - 1)
    expect(await refusal(member.call(users.canUploadDocument))).toMatchObject(active)
    site.advanceClock(1)
    expect(await member.call(users.canUploadDocument)).toEqual({})
  })

  test('on time for a disabled account, which may then log in again', async () => {
    await punish({ type: [Punishment.Disabled], end_time: await after(hour) })
    const { username, password } = member
    expect(await refusal(site.call(users.login, { username, password }))).toMatchObject(active)
    site.advanceClock(hour)
    expect((await site.call(users.login, { username, password })).user.id).toBe(member.id)
    expect(await refusal(member.call(users.get))).toMatchObject({ status: 401 })
  })

  test('when it is cancelled', async () => {
    await punish({ type: [Punishment.NoUpload, Punishment.NoArticle] })
    const ids = await findPunishmentIds(member)
    expect(ids).toHaveLength(2)
    await site.root.call(punishments.cancel, { id: ids })
    expect(await member.call(users.canUploadDocument)).toEqual({})
    expect(await member.call(users.canPublishArticle)).toEqual({})
  })

  test('when it is switched off, and begins again when it is switched on', async () => {
    await punish({ type: [Punishment.NoArticle] })
    const [id = 0] = await findPunishmentIds(member)
    await site.root.call(punishments.update, { id, type: Punishment.NoArticle, enable: false })
    expect(await member.call(users.canPublishArticle)).toEqual({})
    await site.root.call(punishments.update, { id, type: Punishment.Disabled, enable: true })
    expect(await refusal(member.call(users.get))).toMatchObject({ status: 401 })
  })

  test('before it begins, if it was over from the start or is not switched on', async () => {
    await punish({ type: [Punishment.Disabled, Punishment.NoUpload], end_time: await after(-1) })
    await punish({ type: [Punishment.Disabled, Punishment.NoUpload], enable: false })
    expect(await member.call(users.canUploadDocument)).toEqual({})
  })
})

describe('the record', () => {
  test('exists for each user and type', async () => {
    const second = await site.member()
    await punish({
      user_id: [member.id, second.id, 999_999],
      type: [Punishment.NoComment, Punishment.NoDownload],
      reason: '刷屏',
      remark: 'internal',
    })
    const { punishment, total } = await site.root.call(punishments.list, { user_id: [member.id, second.id] })
    expect(total).toBe(4)
    const created = new Set(punishment.map(({ user_id, type }) => `${user_id}:${type}`))
    expect(created).toEqual(new Set([`${member.id}:2`, `${member.id}:4`, `${second.id}:2`, `${second.id}:4`]))
    expect(punishment[0]).toMatchObject({ reason: '刷屏', remark: 'internal', enable: true, end_time: null })
  })

  test('has the user, and the staff who changed it', async () => {
    await punish({ type: [Punishment.NoComment] })
    const [id = 0] = await findPunishmentIds(member)
    const officer = await site.staff('PunishmentAPI/CancelPunishment')
    site.advanceClock(hour)
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

  test('is deleted with the account', async () => {
    await punish({ type: [Punishment.NoComment], reason: 'before leaving' })
    await site.root.call(users.delete, { id: [member.id], password: site.root.password })
    expect((await site.root.call(punishments.list, { wd: 'before leaving' })).punishment).toEqual([])
  })

  test('is found by type, state, user and words', async () => {
    await punish({ type: [Punishment.NoFavorite], reason: 'a very rare reason' })
    await punish({ type: [Punishment.NoFavorite], reason: 'a very rare reason', enable: false })
    const findIds = (query: Partial<CallInput<typeof punishments.list>>) =>
      site.root.call(punishments.list, { user_id: [member.id], ...query })
    expect((await findIds({ wd: 'RARE reason' })).total).toBe(2)
    expect((await findIds({ enable: [true] })).total).toBe(1)
    expect((await findIds({ enable: [true, false], type: [Punishment.NoFavorite] })).total).toBe(2)
    expect((await findIds({ type: [Punishment.NoDownload] })).total).toBe(0)
    const wire = await site.send('GET', `/api/v1/punishment/list?enable=0&user_id=${member.id}`, {
      token: site.root.token,
    })
    expect(wire.json.total).toBe(1)
  })

  test('is not found if it does not exist', async () => {
    const notFound = { status: 404, reason: 'punishments.notFound' }
    expect(await refusal(site.root.call(punishments.get, { id: 999_999 }))).toMatchObject(notFound)
    expect(
      await refusal(site.root.call(punishments.update, { id: 999_999, type: Punishment.NoComment })),
    ).toMatchObject(notFound)
  })

  test('can be created for a thousand users and all types at once', async () => {
    const stamps = { login_at: null, created_at: 0, updated_at: 0 }
    const names = Array.from({ length: 1000 }, (_, index) => `mob-${index}`)
    const rows = names.map((username) => ({ username, username_key: username, password: '', ...stamps }))
    const mob = await site.db.insertInto('user').values(rows).returning('id').execute()
    await punish({
      user_id: mob.map(({ id }) => id),
      type: [
        Punishment.Disabled,
        Punishment.NoComment,
        Punishment.NoUpload,
        Punishment.NoDownload,
        Punishment.NoFavorite,
        Punishment.NoArticle,
      ],
      reason: 'riot',
    })
    expect((await site.root.call(punishments.list, { wd: 'riot', size: 1 })).total).toBe(6000)
  })
})

describe('staff cannot punish', () => {
  test('the first administrator, alone or among others, by any member of staff', async () => {
    const officer = await site.staff('PunishmentAPI/CreatePunishment')
    for (const call of [site.root.call, officer.call])
      for (const user_id of [[1], [1, member.id]]) {
        const attempt = call(punishments.create, { user_id, type: [Punishment.Disabled], enable: true })
        expect(await refusal(attempt)).toMatchObject({ status: 403, reason: 'users.rootUnpunishable' })
      }
    expect((await site.root.call(users.get)).id).toBe(1)
    expect((await site.root.call(punishments.list, { user_id: [1] })).total).toBe(0)
    expect((await member.call(users.get)).id).toBe(member.id)
  })

  test('users with more permissions, alone or among others', async () => {
    const officer = await site.staff('PunishmentAPI/CreatePunishment')
    const higher = await site.staff('PunishmentAPI/CreatePunishment', 'ConfigAPI/UpdateConfig')
    const attempt = officer.call(punishments.create, {
      user_id: [member.id, higher.id],
      type: [Punishment.Disabled],
      enable: true,
    })
    expect(await refusal(attempt)).toMatchObject({ status: 403, reason: 'groups.beyondOwn' })
    expect(await member.call(users.canUploadDocument)).toEqual({})
  })

  test('nor cancels punishments of users with more permissions', async () => {
    const officer = await site.staff('PunishmentAPI/CancelPunishment', 'PunishmentAPI/UpdatePunishment')
    const higher = await site.staff('PunishmentAPI/CancelPunishment', 'ConfigAPI/UpdateConfig')
    await punish({ user_id: [higher.id], type: [Punishment.NoUpload] })
    const [id = 0] = await findPunishmentIds(higher)
    const beyondOwn = { status: 403, reason: 'groups.beyondOwn' }
    expect(await refusal(officer.call(punishments.cancel, { id: [id] }))).toMatchObject(beyondOwn)
    expect(await refusal(officer.call(punishments.update, { id, type: Punishment.NoUpload }))).toMatchObject(beyondOwn)
  })
})

test.each([
  { type: [] },
  { type: [0 as never] },
  { type: [7 as never] },
  { type: [1.5 as never] },
  { user_id: [] },
  { user_id: [-1] },
  { reason: '长'.repeat(2001) },
])('%j is not a punishment', async (change) => {
  expect(await refusal(punish({ type: [Punishment.NoComment], ...change }))).toMatchObject({
    status: 400,
    reason: 'request.invalid',
  })
})

test.each([9_007_199_254_740_991, -1, '"+275760-01-01T00:00:00Z"', '"0000-01-01"', '"tomorrow"', '{}'])(
  'no punishment ends at %s',
  async (end) => {
    const body = `{"user_id": [${member.id}], "type": [2], "enable": true, "end_time": ${end}}`
    expect((await site.send('POST', '/api/v1/punishment', { token: site.root.token, body })).status).toBe(400)
    expect(await findPunishmentIds(member)).toEqual([])
  },
)

test('uploading and publishing also depend on the group', async () => {
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

function punish(change: Partial<CallInput<typeof punishments.create>>) {
  return site.root.call(punishments.create, {
    user_id: [member.id],
    type: [Punishment.NoComment],
    enable: true,
    ...change,
  })
}

async function after(ms: number): Promise<number> {
  const { now } = await site.app.context()
  return now() + ms
}

async function findPunishmentIds({ id }: Person): Promise<number[]> {
  const { punishment } = await site.root.call(punishments.list, { user_id: [id] })
  return punishment.map((row) => row.id)
}

test('staff cannot lift a punishment of their own', async () => {
  const judge = await site.staff('PunishmentAPI/CancelPunishment', 'PunishmentAPI/UpdatePunishment')
  await site.root.call(punishments.create, { user_id: [judge.id], type: [Punishment.NoUpload], enable: true })
  const { punishment } = await site.root.call(punishments.list, { user_id: [judge.id] })
  const id = punishment[0]?.id ?? 0
  const own = { status: 403, reason: 'punishments.ownKept' }
  expect(await refusal(judge.call(punishments.cancel, { id: [id] }))).toMatchObject(own)
  expect(await refusal(judge.call(punishments.update, { id, type: Punishment.NoUpload, enable: false }))).toMatchObject(
    own,
  )
})
