import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { audits } from '#shared/contract/audit.ts'
import { privacy } from '#shared/contract/privacy.ts'
import { users } from '#shared/contract/users.ts'
import { settingsCommand } from '#server/cli/settings.ts'
import { openLog } from '#server/log.ts'
import { encryptStoredIdentities } from '#server/modules/users/identity/encrypt-stored.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'

const plain = { realname: '王小二', identity: '11010519491231002X' }
const masked = { realname: '王**', identity: '1101**********002X' }
const other = { realname: '欧阳明', identity: '440524198001010013' }

let site: Site
let member: Person
const lines: string[] = []
beforeAll(async () => {
  site = await openSite({}, { log: openLog('debug', { write: (line) => void lines.push(line) }) })
  member = await site.member('zhang-san')
  await member.call(users.profile, plain)
})
afterAll(() => site.close())

const rowOf = ({ id }: Person) => site.db.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

test('a name and a number are stored encrypted, and every reply but one has them masked', async () => {
  const row = await rowOf(member)
  expect(row.realname).toMatch(/^enc:v1:/)
  expect(row.identity).toMatch(/^enc:v1:/)
  expect(JSON.stringify(row)).not.toMatch(/王小二|11010519491231002X/)
  expect(await member.call(users.get)).toMatchObject(masked)
  const session = await site.caller({})(users.login, { username: 'zhang-san', password: member.password })
  expect(session.user).toMatchObject(masked)
  expect(await member.call(privacy.identity)).toEqual(plain)
})

test('a form that sends them back as they were shown changes nothing', async () => {
  const before = await rowOf(member)
  await member.call(users.profile, { ...masked, signature: '新签名' })
  const after = await rowOf(member)
  expect(after).toMatchObject({ realname: before.realname, identity: before.identity, signature: '新签名' })
  await member.call(users.profile, { realname: masked.realname, identity: plain.identity.toLowerCase() })
  expect(await member.call(privacy.identity)).toEqual(plain)
})

test('half of a masked value, or the mask of another, is refused', async () => {
  for (const input of [{ realname: '李**' }, { realname: '王*' }])
    expect(await refusal(member.call(users.profile, { ...masked, ...input }))).toMatchObject({
      reason: 'users.realnameWrong',
      status: 400,
    })
  const refused = await refusal(member.call(users.profile, { ...masked, identity: '1101**********0021' }))
  expect(refused).toMatchObject({ reason: 'users.identityWrong', details: [{ field: 'identity' }] })
  expect(await member.call(privacy.identity)).toEqual(plain)
})

test('one of them can be changed or emptied, and the other stays', async () => {
  const person = await site.member()
  await person.call(users.profile, plain)
  await person.call(users.profile, { realname: other.realname, identity: masked.identity })
  expect(await person.call(privacy.identity)).toEqual({ ...plain, realname: other.realname })
  await person.call(users.profile, { realname: '', identity: masked.identity })
  expect(await person.call(privacy.identity)).toEqual({ ...plain, realname: '' })
  expect(await rowOf(person)).toMatchObject({ realname: '', realname_key: '' })
})

describe('staff', () => {
  test('with the permission of its own see them, and each look is in the audit log', async () => {
    const clerk = await site.staff('UserAPI/GetUserIdentity', 'UserAPI/GetUser')
    expect(await clerk.call(users.get, { id: member.id })).toMatchObject(masked)
    expect(await clerk.call(privacy.identity, { id: member.id })).toEqual(plain)
    expect(await clerk.call(privacy.identity, { id: member.id })).toEqual(plain)
    const { audit } = await site.root.call(audits.list, { user_id: [clerk.id] })
    expect(audit).toMatchObject([
      { area: 'privacy', action: 'identity', target_id: [String(member.id)] },
      { area: 'privacy', action: 'identity', target_id: [String(member.id)] },
    ])
    expect(JSON.stringify(audit)).not.toMatch(/王小二|11010519491231002X/)
  })

  test('see their own without an entry', async () => {
    const clerk = await site.staff('UserAPI/GetUserIdentity')
    await clerk.call(users.profile, other)
    expect(await clerk.call(privacy.identity)).toEqual(other)
    expect(await clerk.call(privacy.identity, { id: clerk.id })).toEqual(other)
    const { audit } = await site.root.call(audits.list, { user_id: [clerk.id] })
    expect(audit.filter(({ area }) => area === 'privacy')).toEqual([])
  })

  test('without it see masks, whatever else they may do', async () => {
    const manager = await site.staff(
      'UserAPI/ListUser',
      'UserAPI/GetUser',
      'UserAPI/UpdateUserProfile',
      'UserAPI/SetUser',
    )
    expect(await manager.call(users.get, { id: member.id })).toMatchObject(masked)
    expect((await manager.call(users.list, { id: [member.id] })).user).toMatchObject([masked])
    expect(await refusal(manager.call(privacy.identity, { id: member.id }))).toMatchObject({ status: 403 })
    await manager.call(users.profile, { id: member.id, ...masked, remark: '电话核实过' })
    expect(await member.call(privacy.identity)).toEqual(plain)
  })

  test('do not see those of members with more rights', async () => {
    await site.root.call(users.profile, other)
    const clerk = await site.staff('UserAPI/GetUserIdentity')
    const senior = await site.staff('UserAPI/GetUserIdentity', 'UserAPI/DeleteUser')
    expect(await refusal(clerk.call(privacy.identity, { id: site.root.id }))).toMatchObject({ status: 403 })
    expect(await refusal(clerk.call(privacy.identity, { id: senior.id }))).toMatchObject({ status: 403 })
  })

  test('find a member by the whole name, if they may see it', async () => {
    const clerk = await site.staff('UserAPI/GetUserIdentity', 'UserAPI/ListUser')
    const lister = await site.staff('UserAPI/ListUser')
    const find = async (person: Person, wd: string) => (await person.call(users.list, { wd })).user.map(({ id }) => id)
    expect(await find(clerk, '王小二')).toContain(member.id)
    expect(await find(clerk, '王小')).not.toContain(member.id)
    expect(await find(lister, '王小二')).toEqual([])
    expect(await find(lister, 'zhang-san')).toEqual([member.id])
    expect(await find(lister, 'enc:v1')).toEqual([])
  })
})

describe('others', () => {
  test('get nothing of them, neither at the endpoint nor anywhere a member shows', async () => {
    const otherMember = await site.member()
    expect(await refusal(otherMember.call(privacy.identity, { id: member.id }))).toMatchObject({ status: 403 })
    expect(await refusal(site.call(privacy.identity, { id: member.id }))).toMatchObject({ status: 401 })
    for (const path of [
      `user?id=${member.id}`,
      `user/list?id=${member.id}`,
      'user/list?wd=王小二',
      'user/list?size=100',
    ])
      for (const token of ['', otherMember.token]) {
        const { text } = await site.send('GET', `/api/v1/${encodeURI(path)}`, { token })
        expect(text).not.toMatch(/王小二|王\*\*|11010519|002X|enc:v1/)
      }
  })

  test('nothing of them is in a log line', async () => {
    await refusal(member.call(users.profile, { ...plain, identity: '110105194912310021' }))
    await site.send('GET', `/api/v1/user/identity?id=${member.id}`, { token: site.root.token })
    expect(lines.length).toBeGreaterThan(20)
    expect(lines.join('')).not.toMatch(/王小二|11010519491231002X|110105194912310021/)
  })
})

describe('at rest', () => {
  test('what an earlier version stored as plain text is encrypted at the next start, in batches', async () => {
    const people = [await site.member(), await site.member()]
    for (const { id } of people)
      await site.db
        .updateTable('user')
        .set({ ...plain, realname_key: '' })
        .where('id', '=', id)
        .execute()
    await site.openSecondProcess()
    for (const person of people) {
      expect((await rowOf(person)).identity).toMatch(/^enc:v1:/)
      expect(await person.call(privacy.identity)).toEqual(plain)
      expect(await person.call(users.get)).toMatchObject(masked)
    }
    const { cipher } = await site.app.context()
    expect(await encryptStoredIdentities(site.db, cipher)).toBe(0)
    const { user } = await site.root.call(users.list, { wd: plain.realname })
    expect(user.map(({ id }) => id)).toEqual(expect.arrayContaining(people.map(({ id }) => id)))
  })

  test('a value that was copied into the row of another member cannot be read', async () => {
    const thief = await site.member()
    const { realname, identity } = await rowOf(member)
    await site.db.updateTable('user').set({ realname, identity }).where('id', '=', thief.id).execute()
    expect(await thief.call(users.get)).toMatchObject({ realname: '******', identity: '******' })
    expect(await refusal(thief.call(privacy.identity))).toMatchObject({ reason: 'users.identityUnreadable' })
    await thief.call(users.profile, other)
    expect(await thief.call(privacy.identity)).toEqual(other)
  })

  test('a new key encrypts them again, and names are still found', async () => {
    const before = await rowOf(member)
    const ctx = await site.app.context()
    await settingsCommand.run(ctx, ['rekey'], site.app, site.config)
    const after = await rowOf(member)
    expect(after.realname.split(':')[2]).not.toBe(before.realname.split(':')[2])
    expect(after.realname_key).not.toBe(before.realname_key)
    expect(await member.call(privacy.identity)).toEqual(plain)
    const { user } = await site.root.call(users.list, { wd: plain.realname })
    expect(user.map(({ id }) => id)).toContain(member.id)
  })
})
