import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { groups } from '#shared/contract/access.ts'
import { invitations } from '#shared/contract/invitations.ts'
import { users } from '#shared/contract/users.ts'
import { openMailbox } from '#server/testing/mailbox.ts'
import { openSite, refusal, type Site } from '#server/testing/site.ts'
import { endMemberships } from './invitations.ts'

const dayMs = 86_400_000

let site: Site
beforeAll(async () => {
  site = await openSite()
  await site.configure({ 'system.domain': 'https://wenku.example', 'security.enable_captcha_login': 'false' })
})
afterAll(() => site.close())

const password = 'chosen by herself'
const newGroup = async (title: string) => (await site.root.call(groups.create, { title })).id

function tokenOf(link: string): string {
  return new URL(link).searchParams.get('token') ?? ''
}

describe('an invitation', () => {
  test('is a link, good once, by which somebody joins groups with a password of their own', async () => {
    const group = await newGroup('特约编辑')
    const { link } = await site.root.call(invitations.create, { group_id: [group] })
    expect(link).toMatch(/^https:\/\/wenku\.example\/invite\?token=/)
    const token = tokenOf(link)
    expect(await site.call(invitations.look, { token })).toMatchObject({
      username: 'admin',
      group: ['特约编辑'],
      email: '',
    })
    const { token: session, user } = await site.call(invitations.accept, { token, username: '新编辑', password })
    expect(session).not.toBe('')
    expect(user.group_id).toContain(group)
    const again = site.call(invitations.accept, { token, username: '第二个', password })
    expect(await refusal(again)).toMatchObject({ reason: 'invitations.notValid' })
    expect(await site.call(users.login, { username: '新编辑', password })).toMatchObject({
      user: { username: '新编辑' },
    })
    const [row] = (await site.root.call(invitations.list)).invitation
    expect(row).toMatchObject({ username: 'admin', used_name: '新编辑', group_id: [group] })
  })

  test('of an address is mailed, shown to nobody else, and proves the address', async () => {
    const mailbox = await openMailbox()
    await site.configure(mailbox.settings)
    const email = 'invited@example.com'
    const created = await site.root.call(invitations.create, { group_id: [2], email })
    expect(created.link).toBe('')
    await site.runDueJobs()
    const mailed = await site.db.selectFrom('mail').selectAll().where('recipient', '=', email).executeTakeFirstOrThrow()
    expect(mailed).toMatchObject({ template: 'invitation', state: 'sent' })
    const link = /https:\/\/\S+/.exec(mailbox.latest(email).text)?.[0] ?? ''
    const accept = { token: tokenOf(link), username: '受邀人', password }
    const { user } = await site.call(invitations.accept, accept)
    const { email_verified_at } = await site.db
      .selectFrom('user')
      .select('email_verified_at')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow()
    expect(email_verified_at).not.toBeNull()
    // Only a proven address lets in.
    expect(await site.call(users.login, { username: email, password })).toMatchObject({ user: { username: '受邀人' } })
    await mailbox.close()
  })

  test('ends with its time, when it is withdrawn, and when who invited may not any more', async () => {
    const late = await site.root.call(invitations.create, { group_id: [2], days: 1 })
    site.advanceClock(2 * dayMs)
    const withdrawn = await site.root.call(invitations.create, { group_id: [2] })
    await site.root.call(invitations.withdraw, { id: [withdrawn.id] })
    const inviter = await site.staff('UserAPI/AddUser')
    const orphaned = await inviter.call(invitations.create, { group_id: [2] })
    await site.root.call(users.set, { id: inviter.id, group_id: [2] })
    for (const { link } of [late, withdrawn, orphaned]) {
      const accepted = site.call(invitations.accept, { token: tokenOf(link), username: '不该进来', password })
      expect(await refusal(accepted)).toMatchObject({ reason: 'invitations.notValid' })
    }
  })

  test('grants nothing that who invites does not hold', async () => {
    const inviter = await site.staff('UserAPI/AddUser')
    expect(await refusal(inviter.call(invitations.create, { group_id: [1] }))).toMatchObject({ status: 403 })
    const member = await site.member()
    expect(await refusal(member.call(invitations.create, { group_id: [2] }))).toMatchObject({ status: 403 })
  })

  test('may end the membership: the rights end at once, and the groups soon after', async () => {
    const group = await newGroup('临时审核')
    const rows = await site.db.selectFrom('permission').select('id').where('path', 'like', '%CheckDocument').execute()
    await site.root.call(groups.setPermissions, { group_id: group, permission_id: rows.map(({ id }) => id) })
    const member_until = (await site.app.context()).now() + dayMs
    const { link } = await site.root.call(invitations.create, { group_id: [group], member_until })
    const { token, user } = await site.call(invitations.accept, { token: tokenOf(link), username: '临时工', password })
    const review = () => site.send('GET', '/api/v1/document/check/list', { token })
    expect((await review()).status).toBe(200)
    site.advanceClock(dayMs + 1)
    expect((await review()).status).toBe(403)
    await endMemberships(await site.app.context())
    const left = await site.db.selectFrom('user_group').select('group_id').where('user_id', '=', user.id).execute()
    expect(left).toEqual([{ group_id: 2 }])
  })
})

describe('a password that somebody else has typed', () => {
  const owes = async (person: { username: string; password: string }) => {
    const { token } = await site.call(users.login, person)
    const { status, json } = await site.send('GET', '/api/v1/user/report', { token })
    return { token, status, reason: json.reason }
  }

  test.each(['created', 'reset'])('for an account that was %s has to be changed at the first log-in', async (how) => {
    const username = `由别人${how}`
    const person = { username, password: 'typed by staff' }
    if (how === 'created') await site.root.call(users.create, { ...person, group_id: [2] })
    else {
      const member = await site.member(username)
      await site.root.call(users.set, { id: member.id, group_id: [2], password: person.password })
    }
    const { token, ...refused } = await owes(person)
    expect(refused).toEqual({ status: 403, reason: 'access.passwordOwed' })
    const change = { old_password: person.password, new_password: password }
    const { status } = await site.send('PUT', '/api/v1/user/password', { token, body: change })
    expect(status).toBe(200)
    expect(await owes({ username, password })).toMatchObject({ status: 200 })
  })

  test('leaves staff without their rights until then', async () => {
    const person = { username: '新管理员', password: 'typed by staff' }
    await site.root.call(users.create, { ...person, group_id: [1] })
    const { token } = await site.call(users.login, person)
    expect((await site.send('GET', '/api/v1/document/check/list', { token })).status).toBe(403)
    expect((await site.send('GET', '/api/v1/user/permission', { token })).json).toMatchObject({ password_owed: true })
  })
})
