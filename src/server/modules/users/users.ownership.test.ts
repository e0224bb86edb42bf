import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { punishments } from '#shared/contract/access.ts'
import { audits } from '#shared/contract/audit.ts'
import { users } from '#shared/contract/users.ts'
import { Punishment } from '#shared/enums.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'
import { setOwner } from './users.ownership.ts'

const administrators = 1
const standard = 2

let site: Site
let root: Person
let heir: Person
beforeEach(async () => {
  await site?.close()
  site = await openSite()
  root = site.root
  heir = await addAdministrator()
})
afterAll(() => site.close())

async function addAdministrator(): Promise<Person> {
  const person = await site.member()
  await site.root.call(users.set, { id: person.id, group_id: [administrators] })
  return person
}

const handOver = (to: Person, { by = root, password = by.password }: { by?: Person; password?: string } = {}) =>
  by.call(users.handOver, { id: to.id, password })

const ownerIds = async () =>
  (await site.db.selectFrom('user').select('id').where('is_root', '=', 1).execute()).map(({ id }) => id)

test('the first administrator owns a new site, which the member and managers of users see', async () => {
  expect(await ownerIds()).toEqual([root.id])
  expect((await root.call(users.get)).is_root).toBe(true)
  const { user } = await heir.call(users.list, { id: [root.id, heir.id] })
  expect(user.map(({ id, is_root }) => [id, is_root])).toEqual([
    [heir.id, false],
    [root.id, true],
  ])
  expect((await site.call(users.get, { id: root.id })).is_root).toBe(false)
})

test('the owner hands the site over and stays an administrator; the heir is protected from then on', async () => {
  await handOver(heir)
  expect(await ownerIds()).toEqual([heir.id])
  expect((await heir.call(users.get)).is_root).toBe(true)
  const { is_root, group_id } = await root.call(users.get)
  expect([is_root, group_id]).toEqual([false, [administrators]])
  const attempts = [
    () => root.call(users.set, { id: heir.id, group_id: [standard] }),
    () => root.call(users.password, { id: heir.id, new_password: 'mine once more' }),
    () => root.call(users.delete, { id: [heir.id], password: root.password }),
    () => root.call(punishments.create, { user_id: [heir.id], type: [Punishment.Disabled], enable: true }),
  ]
  for (const attempt of attempts) expect((await refusal(attempt())).reason).toMatch(/^users\.root/)
  expect(await refusal(heir.call(users.set, { id: heir.id, group_id: [standard] }))).toMatchObject({
    reason: 'users.rootGroupKept',
  })
  // The former owner is an administrator like any other.
  await heir.call(users.set, { id: root.id, group_id: [standard] })
  expect((await root.call(users.permission)).permission).toEqual([])
})

test('it is in the audit log, without the password', async () => {
  await refusal(handOver(heir, { password: 'a guess' }))
  await handOver(heir)
  const { audit } = await heir.call(audits.list, { area: ['users'], wd: '站长' })
  const { total } = await heir.call(audits.list, { area: ['users'], user_id: [root.id] })
  // Creating the heir, making them an administrator, and this.
  expect(total).toBe(3)
  expect(audit).toMatchObject([
    {
      username: root.username,
      sentence: '把网站移交给了“member-2”',
      target_id: [String(heir.id)],
      change: `站长: admin → ${heir.username}`,
    },
  ])
})

describe('it is refused', () => {
  test('to all but the owner', async () => {
    const other = await addAdministrator()
    expect(await refusal(handOver(other, { by: heir }))).toMatchObject({ status: 403, reason: 'access.denied' })
    expect(await refusal(handOver(heir, { by: heir }))).toMatchObject({ status: 403 })
  })

  test('without the own password, and guesses are throttled', async () => {
    const wrong = () => refusal(handOver(heir, { password: 'a guess' }))
    for (let tries = 0; tries < 5; tries++) expect(await wrong()).toMatchObject({ reason: 'users.ownPasswordWrong' })
    expect(await wrong()).toMatchObject({ status: 429 })
    expect(await ownerIds()).toEqual([root.id])
  })

  test('for users who are no administrators, disabled, unknown, or the owner already', async () => {
    expect(await refusal(handOver(await site.member()))).toMatchObject({ reason: 'users.heirNotAdministrator' })
    await root.call(punishments.create, { user_id: [heir.id], type: [Punishment.Disabled], enable: true })
    expect(await refusal(handOver(heir))).toMatchObject({ reason: 'users.heirDisabled' })
    expect(await refusal(handOver({ ...heir, id: 999_999 }))).toMatchObject({ reason: 'users.notFound' })
    expect(await refusal(handOver(root))).toMatchObject({ reason: 'users.rootAlready' })
  })
})

test('handed over to several at once, and while they are demoted or deleted, there is one owner, an administrator', async () => {
  const heirs = [heir, await addAdministrator(), await addAdministrator()]
  const deputy = await addAdministrator()
  const { password } = deputy
  const results = await Promise.allSettled([
    ...heirs.map((each) => handOver(each)),
    ...heirs.map(({ id }) => deputy.call(users.set, { id, group_id: [standard] })),
    ...heirs.map(({ id }) => deputy.call(users.delete, { id: [id], password })),
  ])
  expect(results.length).toBe(9)
  const [owner, ...others] = await ownerIds()
  expect(others).toEqual([])
  const groups = await site.db
    .selectFrom('user_group')
    .select('group_id')
    .where('user_id', '=', owner ?? 0)
    .execute()
  expect(groups).toContainEqual({ group_id: administrators })
})

test('the CLI names the owner without asking for a password, by the same rules', async () => {
  const ctx = await site.app.context()
  await setOwner(ctx, heir.id)
  expect(await ownerIds()).toEqual([heir.id])
  await expect(setOwner(ctx, (await site.member()).id)).rejects.toMatchObject({ reason: 'users.heirNotAdministrator' })
})
