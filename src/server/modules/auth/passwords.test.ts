import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { users } from '#shared/contract/users.ts'
import { type Mailbox, openMailbox } from '#server/testing/mailbox.ts'
import { deliverMails } from '#server/testing/deliver-mails.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'
import { hashPassword } from './passwords.ts'

const common = 'iloveyou1'

let site: Site
let member: Person
let mailbox: Mailbox
beforeAll(async () => {
  site = await openSite()
  mailbox = await openMailbox()
  await site.configure({ ...mailbox.settings, 'system.domain': 'https://wendou.example' })
  member = await site.member()
  await site.root.call(users.profile, { id: member.id, email: 'member@example.com' })
})
afterAll(async () => {
  await mailbox.close()
  await site.close()
})

describe('a common password is refused', () => {
  const refused = { status: 400, reason: 'users.passwordCommon' }

  test('when members change theirs', async () => {
    const change = { old_password: member.password, new_password: common }
    expect(await refusal(member.call(users.password, change))).toMatchObject(refused)
  })

  test('when staff create a user or set a password', async () => {
    const form = { username: 'new-person', password: common, email: '', group_id: [2] }
    expect(await refusal(site.root.call(users.create, form))).toMatchObject(refused)
    const { id } = member
    expect(await refusal(site.root.call(users.set, { id, group_id: [2], password: common }))).toMatchObject(refused)
    expect(await refusal(site.root.call(users.password, { id, new_password: common }))).toMatchObject(refused)
  })

  test('when it is reset by mail, with a link that stays valid for a better one', async () => {
    await site.call(users.requestPasswordReset, { email: 'member@example.com' })
    await deliverMails(site)
    const link = /https:\S+\/findpassword\S+/.exec(mailbox.latest('member@example.com').text)?.[0] ?? ''
    const token = new URL(link).searchParams.get('token') ?? ''
    const reset = (password: string) => site.call(users.resetPassword, { email: 'member@example.com', token, password })
    expect(await refusal(reset(common))).toMatchObject(refused)
    expect(await reset('a much better one')).toEqual({})
  })
})

test('passwords from before the rule still open their accounts', async () => {
  const { id, username } = await site.member()
  await site.db
    .updateTable('user')
    .set({ password: await hashPassword('123456') })
    .where('id', '=', id)
    .execute()
  expect((await site.call(users.login, { username, password: '123456' })).user.id).toBe(id)
})
