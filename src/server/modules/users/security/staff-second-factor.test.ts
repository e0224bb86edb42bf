import { decodeJwt } from 'jose'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { contract } from '#shared/contract/contract.ts'
import { groups } from '#shared/contract/access.ts'
import { secondFactor } from '#shared/contract/account-security.ts'
import { settings } from '#shared/contract/settings.ts'
import { sessions, users } from '#shared/contract/users.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { findViewerOfSession } from '#server/modules/access/access.viewer.ts'
import { enrol } from '#server/testing/second-factor/authenticator-app.ts'
import { openSite, refusal, type Site } from '#server/testing/site.ts'

const day = 86_400_000

let site: Site
beforeEach(async () => {
  site = await openSite()
  site.freezeClock()
})
afterEach(() => site.close())

const owed = { status: 403, reason: 'access.secondFactorOwed' }

test('exactly these endpoints ask for a fresh proof', () => {
  const named = (proof: Endpoint['proof']) =>
    Object.values(contract)
      .flatMap((area) => Object.values<Endpoint>(area))
      .filter((endpoint) => endpoint.proof === proof)
      .map(({ method, path }) => `${method} ${path}`)
      .toSorted()
  expect(named('enrolled')).toEqual([
    'DELETE /group',
    'DELETE /user',
    'DELETE /user/oauth',
    'POST /group',
    'POST /group/copy',
    'POST /group/readymade',
    'POST /invitation',
    'POST /oauth/authorize',
    'POST /user',
    'POST /user/deletion',
    'POST /user/export',
    'PUT /config',
    'PUT /group',
    'PUT /group/permission',
    'PUT /outlay',
    'PUT /user',
    'PUT /user/mobile',
    'PUT /user/mobile/unbind',
    'PUT /user/owner',
    'PUT /user/password',
  ])
  expect(named('everyone')).toEqual([
    'DELETE /backup',
    'DELETE /user/passkey',
    'DELETE /user/totp',
    'POST /backup/link',
    'POST /user/passkey',
    'POST /user/passkey/options',
    'POST /user/recovery',
    'POST /user/totp',
    'PUT /user/security/passkey',
    'PUT /user/totp',
  ])
})

test('each of them refuses an enrolled owner without one', async () => {
  await enrol(site, site.root)
  site.advanceClock(10 * 60_000)
  for (const { method, path, proof } of Object.values(contract).flatMap((area) => Object.values<Endpoint>(area))) {
    if (!proof) continue
    const { status, json } = await site.send(method, `/api/v1${path}`, { token: site.root.token, body: {} })
    expect({ path, status, reason: json.reason }).toEqual({ path, status: 403, reason: 'security.proofNeeded' })
  }
})

test('staff have the days of grace, then only what concerns themselves, until they are enrolled', async () => {
  const staff = await site.staff('UserAPI/ListUser', 'DocumentAPI/ListDocument')
  const member = await site.member()
  await enrol(site, site.root)
  await site.configure({ 'security.staff_second_factor': 'true', 'security.staff_second_factor_days': '3' })
  const { due_at, owed: isOwed } = await staff.call(secondFactor.get)
  const { now } = await site.app.context()
  expect({ due: Number(due_at) - now(), isOwed }).toEqual({ due: 3 * day, isOwed: false })
  site.advanceClock(3 * day - 1)
  const manages = async () => (await staff.call(users.get, { id: member.id })).group_id.length > 0
  expect(await refusal(staff.call(groups.permissions, { id: 1 }))).toMatchObject({ reason: 'access.denied' })
  expect((await staff.call(users.list, {})).user.some(({ username }) => username === member.username)).toBe(true)
  site.advanceClock(1)
  expect((await staff.call(users.list, {})).user.every(({ username }) => username === '')).toBe(true)
  expect(await manages()).toBe(false)
  expect(await refusal(staff.call(users.canUploadDocument))).toMatchObject(owed)
  expect((await staff.call(users.get)).id).toBe(staff.id)
  expect((await staff.call(sessions.list)).session).toHaveLength(1)
  expect((await staff.call(secondFactor.get)).owed).toBe(true)
  expect(await staff.call(users.permission)).toMatchObject({ second_factor_owed: true })
  const ofPictures = await findViewerOfSession(await site.app.context(), Number(decodeJwt(staff.token).sid))
  expect(ofPictures).toMatchObject({ id: staff.id, isStaff: false })
  expect(await member.call(secondFactor.get)).toMatchObject({ owed: false, due_at: null })
  const { token } = await site.call(users.login, { username: staff.username, password: staff.password })
  const again = { ...staff, call: site.caller({ token }) }
  await enrol(site, again)
  expect(await again.call(secondFactor.get)).toMatchObject({ owed: false, enabled: true })
  expect((await again.call(users.list, {})).user.some(({ username }) => username === member.username)).toBe(true)
  expect(await refusal(again.call(secondFactor.remove))).toMatchObject({ status: 403, reason: 'security.demanded' })
})

test('also the owner, without grace, is never locked out wholly, even of a closed site', async () => {
  await site.configure({
    'security.staff_second_factor': 'true',
    'security.staff_second_factor_days': '0',
    'security.is_close': 'true',
  })
  expect(await refusal(site.root.call(settings.list, {}))).toMatchObject(owed)
  expect((await site.root.call(users.get)).id).toBe(site.root.id)
  await enrol(site, site.root)
  expect((await site.root.call(settings.list, {})).config.length).toBeGreaterThan(10)
})

test('a demand that was taken back begins anew', async () => {
  const staff = await site.staff('UserAPI/ListUser')
  await enrol(site, site.root)
  await site.configure({ 'security.staff_second_factor': 'true' })
  await staff.call(secondFactor.get)
  site.advanceClock(10 * 60_000)
  await site.db
    .updateTable('session')
    .set({ proven_at: (await site.app.context()).now() })
    .execute()
  await site.configure({ 'security.staff_second_factor': 'false' })
  await site.runDueJobs()
  site.advanceClock(8 * day)
  await site.db
    .updateTable('session')
    .set({ proven_at: (await site.app.context()).now() })
    .execute()
  await site.configure({ 'security.staff_second_factor': 'true' })
  expect((await staff.call(secondFactor.get)).owed).toBe(false)
})
