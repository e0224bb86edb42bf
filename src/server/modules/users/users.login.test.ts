import { afterAll, beforeAll, expect, test } from 'vitest'
import { users } from '#shared/contract/users.ts'
import { openSite, refusal, type Site } from '#server/testing/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

test('a member logs in and is known by the token', async () => {
  const { username, password, id } = await site.member()
  const { token, user } = await site.call(users.login, { username, password })
  expect(user.id).toBe(id)
  const known = await site.caller({ token })(users.get)
  expect(known).toMatchObject({ id, username })
})

test('a wrong password and an unknown name are refused in the same words', async () => {
  const { username } = await site.member()
  const wrong = await refusal(site.call(users.login, { username, password: 'not it' }))
  const unknown = await refusal(site.call(users.login, { username: 'nobody-here', password: 'not it' }))
  expect(wrong).toMatchObject({ status: 400, reason: 'users.wrongCredentials' })
  expect(unknown.message).toBe(wrong.message)
})
