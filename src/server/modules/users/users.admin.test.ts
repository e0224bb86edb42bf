import { client } from '#shared/client.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { Punishment, RecordStatus, ReviewStatus } from '#shared/enums.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { punishments } from '#shared/contract/access.ts'
import { settings } from '#shared/contract/settings.ts'
import { users } from '#shared/contract/users.ts'
import type { CallInput } from '#shared/endpoint.ts'
import type { PermissionPath } from '#shared/permissions.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'
import { storeDocument } from '#server/testing/store-document.ts'
import { addArticles } from '#server/testing/add-articles.ts'
import { endMemberships } from './invitations/invitations.ts'

const beyondOwn = { status: 403, reason: 'groups.beyondOwn' }
const standard = 2
const dayMs = 86_400_000

let site: Site
let count = 0
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

describe('creating a user', () => {
  test('creates an account that can log in, in the chosen groups', async () => {
    const group = await groupWith('ConfigAPI/ListConfig')
    await create({ username: '新同事', email: 'colleague@example.com', group_id: [standard, group, group] })
    const { user, token } = await site.call(users.login, { username: '新同事', password: 'a good password' })
    expect(user).toMatchObject({ email: 'colleague@example.com', group_id: [standard, group] })
    const { permission } = await site.caller({ token })(users.permission)
    expect(permission.map(({ path }) => path)).toEqual(['/api.v1.ConfigAPI/ListConfig'])
  })

  test.each([
    [{ username: 'ab' }, 400, 'request.invalid'],
    [{ username: 'a@b.example' }, 400, 'users.nameLooksLikeAddress'],
    [{ username: 'odd name' }, 400, 'users.nameHasOddCharacters'],
    [{ username: 'ADM1N' }, 409, 'users.nameTaken'],
    [{ password: '12345' }, 400, 'request.invalid'],
    [{ email: 'nobody' }, 400, 'request.invalid'],
    [{ group_id: [] }, 400, 'request.invalid'],
    [{ group_id: [standard, 999_999] }, 400, 'users.groupUnknown'],
  ])('is refused with %j', async (change, status, reason) => {
    expect(await refusal(create(change))).toMatchObject({ status, reason })
  })

  test('grants only permissions that the creator holds', async () => {
    const creator = await site.staff('UserAPI/AddUser')
    const higher = await groupWith('UserAPI/AddUser', 'ConfigAPI/UpdateConfig')
    expect(await refusal(create({ group_id: [higher] }, creator))).toMatchObject(beyondOwn)
    expect(await refusal(create({ group_id: [standard, higher] }, creator))).toMatchObject(beyondOwn)
    expect(await create({ group_id: [standard] }, creator)).toEqual({})
  })
})

describe('setting a user', () => {
  test('replaces the groups, with effect from the next request', async () => {
    const member = await site.member()
    const group = await groupWith('ConfigAPI/ListConfig')
    expect(await refusal(member.call(settings.list))).toMatchObject({ status: 403 })
    await site.root.call(users.set, { id: member.id, group_id: [group] })
    expect((await member.call(settings.list)).config.length).toBeGreaterThan(10)
    expect((await member.call(users.get)).group_id).toEqual([group])
    await site.root.call(users.set, { id: member.id, group_id: [standard] })
    expect(await refusal(member.call(settings.list))).toMatchObject({ status: 403 })
  })

  test('may end its memberships, but never that of the default group', async () => {
    const member = await site.member()
    const [lasting, passing] = [await groupWith('ConfigAPI/ListConfig'), await groupWith('ConfigAPI/UpdateConfig')]
    const now = (await site.app.context()).now()
    const member_until = now + dayMs
    const shown = async () => (await site.root.call(users.get, { id: member.id })).member_until
    const stays = async () => (await member.call(users.get)).group_id
    await site.root.call(users.set, { id: member.id, group_id: [standard, lasting] })
    expect(await shown()).toBeNull()
    await site.root.call(users.set, {
      id: member.id,
      group_id: [standard, lasting, passing],
      sets_end: true,
      member_until,
    })
    expect(await shown()).toBe(member_until)
    const past = site.root.call(users.set, { id: member.id, group_id: [standard], sets_end: true, member_until: now })
    expect(await refusal(past)).toMatchObject({ reason: 'invitations.endsBefore' })
    await endMemberships(await site.app.context())
    expect(await stays()).toEqual([standard, lasting, passing])
    site.advanceClock(dayMs + 1)
    await endMemberships(await site.app.context())
    expect(await stays()).toEqual([standard])
  })

  test('gives new groups the end that was shown, and leaves the others theirs', async () => {
    const member = await site.member()
    const [lasting, passing, further] = [
      await groupWith('ConfigAPI/ListConfig'),
      await groupWith('ConfigAPI/UpdateConfig'),
      await groupWith('UserAPI/GetUser'),
    ]
    const member_until = (await site.app.context()).now() + dayMs
    const ends = async () => {
      const rows = await site.db.selectFrom('user_group').selectAll().where('user_id', '=', member.id).execute()
      return new Map(rows.map(({ group_id, ends_at }) => [group_id, ends_at]))
    }
    await site.root.call(users.set, { id: member.id, group_id: [passing], sets_end: true, member_until })
    await site.root.call(users.set, { id: member.id, group_id: [passing, lasting] })
    await site.root.call(users.set, {
      id: member.id,
      group_id: [passing, lasting, further],
      sets_end: true,
      member_until,
    })
    expect(await ends()).toEqual(
      new Map([
        [passing, member_until],
        [lasting, null],
        [further, member_until],
      ]),
    )
    await site.root.call(users.set, { id: member.id, group_id: [passing, further], sets_end: true })
    expect(await ends()).toEqual(
      new Map([
        [passing, null],
        [further, null],
      ]),
    )
  })

  test('keeps the password unless a new one is given', async () => {
    const { id, username, password, call } = await site.member()
    await site.root.call(users.set, { id, group_id: [standard], password: '' })
    expect((await call(users.get)).id).toBe(id)
    expect((await site.call(users.login, { username, password })).user.id).toBe(id)
    expect(await refusal(site.root.call(users.set, { id, group_id: [standard], password: 'short' }))).toMatchObject({
      status: 400,
    })
  })

  test('works twice at the same time', async () => {
    const { id, call } = await site.member()
    const group = await groupWith('ConfigAPI/ListConfig')
    await Promise.all(Array.from({ length: 8 }, () => site.root.call(users.set, { id, group_id: [standard, group] })))
    expect((await call(users.get)).group_id).toEqual([standard, group])
  })

  test('needs an existing user and group', async () => {
    const { id } = await site.member()
    const unknown = site.root.call(users.set, { id: 999_999, group_id: [standard] })
    expect(await refusal(unknown)).toMatchObject({ status: 404, reason: 'users.notFound' })
    expect(await refusal(site.root.call(users.set, { id, group_id: [] }))).toMatchObject({ status: 400 })
    expect(await refusal(site.root.call(users.set, { id, group_id: [777_777] }))).toMatchObject({
      status: 400,
      reason: 'users.groupUnknown',
    })
  })

  test('is refused for the first administrator', async () => {
    const setter = await site.staff('UserAPI/SetUser')
    const attempt = setter.call(users.set, { id: 1, group_id: [standard], password: 'mine now' })
    expect(await refusal(attempt)).toMatchObject({ status: 403, reason: 'users.rootKept' })
  })

  test('keeps the first administrator among the administrators', async () => {
    const demotion = site.root.call(users.set, { id: 1, group_id: [standard] })
    expect(await refusal(demotion)).toMatchObject({ status: 403, reason: 'users.rootGroupKept' })
    await site.root.call(users.set, { id: 1, group_id: [1, standard] })
    await site.root.call(users.set, { id: 1, group_id: [1] })
  })

  test('is refused for users with more permissions', async () => {
    const setter = await site.staff('UserAPI/SetUser')
    const higher = await site.staff('UserAPI/SetUser', 'ConfigAPI/ListConfig')
    const attempt = setter.call(users.set, { id: higher.id, group_id: [standard], password: 'mine now' })
    expect(await refusal(attempt)).toMatchObject(beyondOwn)
    expect((await higher.call(settings.list)).config.length).toBeGreaterThan(0)
  })

  test('grants only permissions that the viewer holds, also to the viewer', async () => {
    const setter = await site.staff('UserAPI/SetUser')
    const member = await site.member()
    const higher = await groupWith('ConfigAPI/UpdateConfig')
    expect(await refusal(setter.call(users.set, { id: member.id, group_id: [higher] }))).toMatchObject(beyondOwn)
    expect(await refusal(setter.call(users.set, { id: setter.id, group_id: [higher] }))).toMatchObject(beyondOwn)
    expect(await setter.call(users.set, { id: member.id, group_id: [standard] })).toEqual({})
  })
})

describe('deleting users', () => {
  test("takes the viewer's password in the body; older clients send it in the address", async () => {
    const addresses: string[] = []
    const call = client({
      origin: 'http://localhost',
      token: () => site.root.token,
      fetch(request) {
        addresses.push(request.url)
        return site.app.fetch(request)
      },
    })
    const [first, second] = [await site.member(), await site.member()]
    await call(users.delete, { id: [first.id], password: site.root.password })
    expect(addresses).toEqual([`http://localhost/api/v1/user?id=${first.id}`])
    const query = new URLSearchParams({ id: String(second.id), password: site.root.password })
    expect((await site.send('DELETE', `/api/v1/user?${query}`, { token: site.root.token })).status).toBe(200)
    for (const { id } of [first, second])
      expect(await refusal(site.call(users.get, { id }))).toMatchObject({ status: 404 })
  })

  test('deletes the accounts and their rows', async () => {
    const [first, second] = [await site.member(), await site.member()]
    await remove([first.id, second.id])
    expect(await refusal(site.call(users.get, { id: first.id }))).toMatchObject({ status: 404 })
    expect(await refusal(first.call(users.get))).toMatchObject({ status: 401 })
    const left = await site.db
      .selectFrom('user_group')
      .selectAll()
      .where('user_id', 'in', [first.id, second.id])
      .execute()
    expect(left).toEqual([])
  })

  test('frees the name for another account', async () => {
    const { id } = await site.member('phoenix')
    await remove([id])
    const reborn = await site.member('phoenix')
    expect(reborn.id).toBeGreaterThan(id)
  })

  test('needs the viewer’s own password', async () => {
    const { id } = await site.member()
    expect(await refusal(remove([id], { password: 'not mine' }))).toMatchObject({
      status: 400,
      reason: 'users.ownPasswordWrong',
    })
    expect(await refusal(remove([id], { password: '' }))).toMatchObject({ status: 400 })
    expect((await site.call(users.get, { id })).id).toBe(id)
  })

  test('throttles guesses of the password', async () => {
    const deleter = await site.staff('UserAPI/DeleteUser')
    const { id } = await site.member()
    const guess = () => remove([id], { person: deleter, password: 'a guess' })
    for (let tries = 0; tries < 5; tries++) expect(await refusal(guess())).toMatchObject({ status: 400 })
    expect(await refusal(remove([id], { person: deleter }))).toMatchObject({ status: 429 })
  })

  test('is refused as a whole when one of them has content', async () => {
    const [empty, writer, uploader] = [await site.member(), await site.member(), await site.member()]
    // Not visible in any list, but still owned by the user.
    await addArticles(site, { author: writer, status: ReviewStatus.Pending, deleted_at: 1 })
    await storeDocument(site, { owner: uploader, status: DocumentStatus.Disabled })
    for (const author of [writer, uploader]) {
      expect(await refusal(remove([empty.id, author.id]))).toMatchObject({ status: 400, reason: 'users.hasContent' })
    }
    expect((await empty.call(users.get)).id).toBe(empty.id)
  })

  test('never deletes the first administrator', async () => {
    const { id } = await site.member()
    expect(await refusal(remove([id, 1]))).toMatchObject({ status: 403, reason: 'users.rootKept' })
    const deleter = await site.staff('UserAPI/DeleteUser')
    expect(await refusal(remove([1], { person: deleter }))).toMatchObject({ status: 403, reason: 'users.rootKept' })
    expect((await site.call(users.get, { id })).id).toBe(id)
  })

  test('is refused for users with more permissions, alone or among others', async () => {
    const deleter = await site.staff('UserAPI/DeleteUser')
    const higher = await site.staff('UserAPI/DeleteUser', 'ConfigAPI/UpdateConfig')
    const { id } = await site.member()
    expect(await refusal(remove([id, higher.id], { person: deleter }))).toMatchObject(beyondOwn)
    expect((await site.call(users.get, { id })).id).toBe(id)
    expect(await remove([id], { person: deleter })).toEqual({})
  })
})

function create(change: Partial<CallInput<typeof users.create>> = {}, person: Person = site.root) {
  const username = `created${(count += 1)}x`
  return person.call(users.create, { username, password: 'a good password', group_id: [standard], ...change })
}

function remove(
  id: number[],
  { person = site.root, password = person.password }: { person?: Person; password?: string } = {},
) {
  return person.call(users.delete, { id, password })
}

async function groupWith(...paths: PermissionPath[]): Promise<number> {
  const { call } = await site.staff(...paths)
  const { group } = await call(users.group)
  return Number(group[0]?.id)
}

describe('the status of a user', () => {
  test('is disabled while a punishment disables the account, and staff can list users by it', async () => {
    const [person, other] = [await site.member(), await site.member()]
    const statusOf = async ({ id }: Person) => (await site.root.call(users.get, { id })).status
    const listed = async (status: RecordStatus[]) => {
      const { user, total } = await site.root.call(users.list, { id: [person.id, other.id, 1], status })
      expect(user).toHaveLength(total)
      return user.map(({ id }) => id).toSorted((a, b) => a - b)
    }
    await punish(person, Punishment.NoComment)
    expect(await statusOf(person)).toBe(RecordStatus.Normal)
    await punish(person, Punishment.Disabled)
    expect([await statusOf(person), await statusOf(other)]).toEqual([RecordStatus.Disabled, RecordStatus.Normal])
    expect(await listed([RecordStatus.Disabled])).toEqual([person.id])
    expect(await listed([RecordStatus.Normal])).toEqual([1, other.id])
    expect(await listed([RecordStatus.Normal, RecordStatus.Disabled])).toEqual([1, person.id, other.id])
    expect(await listed([RecordStatus.Ignored])).toEqual([])
    await site.db.updateTable('punishment').set({ end_time: 1 }).where('user_id', '=', person.id).execute()
    expect(await statusOf(person)).toBe(RecordStatus.Normal)
  })

  test('is not told to strangers', async () => {
    const person = await site.member()
    await punish(person, Punishment.Disabled)
    expect((await site.call(users.get, { id: person.id })).status).toBe(RecordStatus.Normal)
  })

  const punish = ({ id }: Person, type: Punishment) =>
    site.root.call(punishments.create, { user_id: [id], type: [type], enable: true, reason: '' })
})
