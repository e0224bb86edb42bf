import { Punishment } from '#shared/enums.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { punishments } from '#shared/contract/access.ts'
import { factorLogins, proofs, secondFactor } from '#shared/contract/account-security.ts'
import { users } from '#shared/contract/users.ts'
import { enrol, firstStep, type AuthenticatorApp } from '#server/testing/second-factor/authenticator-app.ts'
import { openSite, refusal, type Person, type Site } from '#server/testing/site.ts'

const second = 1000
const minute = 60 * second

let site: Site
let member: Person
let app: AuthenticatorApp
beforeAll(async () => {
  site = await openSite()
  site.freezeClock()
})
afterAll(() => site.close())
beforeEach(async () => {
  member = await site.member()
  app = await enrol(site, member)
})

const logIn = (person: Person = member, password = person.password) =>
  site.call(users.login, { username: person.username, password })
const complete = (challenge: string, code: string) => site.call(factorLogins.complete, { challenge, code })

test('the password alone opens no session; the code of the authenticator completes the log-in', async () => {
  const refused = await refusal(logIn())
  expect(refused).toMatchObject({
    status: 403,
    reason: 'security.factorNeeded',
    message: expect.stringMatching('两步'),
  })
  expect(refused.challenge?.methods).toEqual(['totp', 'recovery'])
  const { token, user } = await complete(refused.challenge?.id ?? '', app.code())
  expect(user.id).toBe(member.id)
  expect((await site.caller({ token })(users.get)).id).toBe(member.id)
})

test('a wrong password tells nothing of the second factor', async () => {
  expect(await refusal(logIn(member, 'not it'))).toMatchObject({ status: 400, reason: 'users.wrongCredentials' })
})

test('a member who begins and does not enter a code is not enrolled', async () => {
  const other = await site.member()
  await other.call(secondFactor.begin)
  expect(await refusal(other.call(secondFactor.confirm, { code: '000000' }))).toMatchObject({
    reason: 'security.codeWrong',
  })
  expect(await other.call(secondFactor.get)).toMatchObject({ enabled: false, totp: false, recovery_count: 0 })
  expect((await logIn(other)).user.id).toBe(other.id)
  const none = await site.member()
  expect(await refusal(none.call(secondFactor.confirm, { code: '000000' }))).toMatchObject({
    reason: 'security.notBegun',
  })
})

describe('a code', () => {
  test('is accepted once, also in another log-in', async () => {
    const code = app.code()
    const [first, again] = [await firstStep(site, member), await firstStep(site, member)]
    await complete(first.id, code)
    expect(await refusal(complete(again.id, code))).toMatchObject({ status: 400, reason: 'security.codeWrong' })
  })

  test('of ten log-ins at once with the same code one succeeds', async () => {
    const challenges = await Promise.all(Array.from({ length: 5 }, () => firstStep(site, member)))
    const code = app.code()
    const settled = await Promise.allSettled(challenges.map(({ id }) => complete(id, code)))
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('that was used to switch it on does not log in', async () => {
    const other = await site.member()
    const { code } = await enrol(site, other)
    const used = code(-30 * second)
    expect(await refusal(complete((await firstStep(site, other)).id, used))).toMatchObject({
      reason: 'security.codeWrong',
    })
  })

  test.each([
    ['30 seconds slow', -30, true],
    ['right', 0, true],
    ['30 seconds fast', 30, true],
    ['90 seconds slow', -90, false],
    ['90 seconds fast', 90, false],
  ])('of a clock that is %s', async (_clock, seconds, accepted) => {
    site.advanceClock(2 * minute)
    const answer = complete((await firstStep(site, member)).id, app.code(seconds * second))
    if (accepted) expect((await answer).user.id).toBe(member.id)
    else expect(await refusal(answer)).toMatchObject({ message: expect.stringContaining('时间是否准确') })
  })

  test('with spaces or in full width is the same code', async () => {
    const wide = app.code().replaceAll(/\d/g, (digit) => '０１２３４５６７８９'.charAt(Number(digit)))
    await complete((await firstStep(site, member)).id, `${wide.slice(0, 3)} ${wide.slice(3)}`)
  })

  test('can be guessed five times, then the right one waits too, whatever the log-in', async () => {
    const { id } = await firstStep(site, member)
    const wrong = app.code(10 * minute)
    for (let guess = 0; guess < 5; guess++)
      expect(await refusal(complete(id, wrong))).toMatchObject({ reason: 'security.codeWrong' })
    await refusal(complete(id, wrong))
    const next = await firstStep(site, member)
    expect(await refusal(complete(next.id, app.code()))).toMatchObject({ status: 429, reason: 'users.slowDown' })
    expect(await refusal(complete(next.id, app.recoveryCodes[0] ?? ''))).toMatchObject({ status: 429 })
    site.advanceClock(15 * minute)
    await complete((await firstStep(site, member)).id, app.code())
  })

  test('of fifty guesses at once at most six are looked at', async () => {
    const { id } = await firstStep(site, member)
    const wrong = app.code(10 * minute)
    const refused = await Promise.all(Array.from({ length: 50 }, () => refusal(complete(id, wrong))))
    expect(refused.filter(({ reason }) => reason === 'security.codeWrong').length).toBeLessThanOrEqual(6)
  })
})

describe('a recovery code', () => {
  test('there are ten, shown once, and the database does not have them', async () => {
    expect(app.recoveryCodes).toHaveLength(10)
    expect(new Set(app.recoveryCodes).size).toBe(10)
    for (const code of app.recoveryCodes) expect(code).toMatch(/^[A-HJ-NP-Z2-9]{5}-[A-HJ-NP-Z2-9]{5}$/)
    const rows = await site.db.selectFrom('recovery_code').selectAll().execute()
    expect(rows.some(({ hash }) => app.recoveryCodes.includes(hash))).toBe(false)
  })

  test('logs in once, written in any way', async () => {
    const [code = ''] = app.recoveryCodes
    await complete((await firstStep(site, member)).id, ` ${code.toLowerCase().replace('-', ' ')} `)
    expect(await refusal(complete((await firstStep(site, member)).id, code))).toMatchObject({
      reason: 'security.codeWrong',
    })
    expect(await member.call(secondFactor.get)).toMatchObject({ recovery_count: 9 })
  })

  test('of another member is refused', async () => {
    const other = await site.member()
    const { recoveryCodes } = await enrol(site, other)
    expect(await refusal(complete((await firstStep(site, member)).id, recoveryCodes[0] ?? ''))).toMatchObject({
      reason: 'security.codeWrong',
    })
  })

  test('new ones replace the old', async () => {
    const { recovery_code } = await member.call(secondFactor.renewRecoveryCodes)
    expect(recovery_code).toHaveLength(10)
    const { id } = await firstStep(site, member)
    expect(await refusal(complete(id, app.recoveryCodes[3] ?? ''))).toMatchObject({ status: 400 })
    await complete(id, recovery_code[3] ?? '')
  })

  test('of a member without two-step verification there is none', async () => {
    expect(await refusal((await site.member()).call(secondFactor.renewRecoveryCodes))).toMatchObject({
      reason: 'security.off',
    })
  })
})

describe('the challenge of a log-in', () => {
  const over = { status: 400, reason: 'security.challengeOver' }

  test('is used once', async () => {
    const { id } = await firstStep(site, member)
    await complete(id, app.code())
    site.advanceClock(minute)
    expect(await refusal(complete(id, app.code()))).toMatchObject(over)
  })

  test('is valid for ten minutes', async () => {
    const { id } = await firstStep(site, member)
    site.advanceClock(9 * minute)
    expect(await refusal(complete(id, '111111'))).toMatchObject({ reason: 'security.codeWrong' })
    site.advanceClock(minute)
    expect(await refusal(complete(id, app.code()))).toMatchObject(over)
  })

  test('of another member does not let in with one’s own code', async () => {
    const other = await site.member()
    await enrol(site, other)
    const { id } = await firstStep(site, other)
    expect(await refusal(complete(id, app.code()))).toMatchObject({ reason: 'security.codeWrong' })
  })

  test('is no token, and a token is no challenge', async () => {
    const { id } = await firstStep(site, member)
    expect(await refusal(site.caller({ token: id })(secondFactor.get))).toMatchObject({ status: 401 })
    expect(await refusal(complete(member.token, app.code()))).toMatchObject(over)
    expect(await refusal(complete('made up', app.code()))).toMatchObject(over)
    const [head, , signature] = id.split('.')
    const forged = Buffer.from(JSON.stringify({ sub: String(site.root.id) })).toString('base64url')
    expect(await refusal(complete([head, forged, signature].join('.'), app.code()))).toMatchObject(over)
  })

  test('ends when the password is changed', async () => {
    const { id } = await firstStep(site, member)
    await site.root.call(users.password, { id: member.id, new_password: 'from above, anew' })
    expect(await refusal(complete(id, app.code()))).toMatchObject(over)
  })

  test('does not let in an account that was disabled since, and one that is gets none', async () => {
    const { id } = await firstStep(site, member)
    await site.root.call(punishments.create, { user_id: [member.id], type: [Punishment.Disabled], enable: true })
    expect(await refusal(complete(id, app.code()))).toMatchObject({ status: 403, reason: 'punishments.active' })
    expect(await refusal(logIn())).toMatchObject({ reason: 'punishments.active', challenge: undefined })
  })
})

describe('two-step verification', () => {
  test('can be switched off, and the password alone is enough again', async () => {
    await member.call(secondFactor.remove)
    expect((await logIn()).user.id).toBe(member.id)
    expect(await member.call(secondFactor.get)).toMatchObject({ enabled: false, recovery_count: 0 })
    expect(await refusal(member.call(secondFactor.remove))).toMatchObject({ reason: 'security.off' })
  })

  test('moves to another phone, and the old one is of no use any more', async () => {
    const codes = app.recoveryCodes
    const newPhone = await enrol(site, member)
    expect(newPhone.recoveryCodes, 'the codes stay').toEqual([])
    expect(await refusal(complete((await firstStep(site, member)).id, app.code()))).toMatchObject({ status: 400 })
    await complete((await firstStep(site, member)).id, newPhone.code())
    await complete((await firstStep(site, member)).id, codes[0] ?? '')
  })

  test('its secret is stored encrypted, and goes with the account', async () => {
    const row = await site.db
      .selectFrom('account_security')
      .selectAll()
      .where('user_id', '=', member.id)
      .executeTakeFirstOrThrow()
    expect(row.totp_secret).toMatch(/^enc:v1:/)
    expect(row.handle).toHaveLength(43)
    await site.root.call(users.delete, { id: [member.id], password: site.root.password })
    for (const table of ['account_security', 'recovery_code', 'known_device'] as const)
      expect(await site.db.selectFrom(table).selectAll().where('user_id', '=', member.id).execute()).toEqual([])
  })

  test('changes of it, and changes of the password or the address, need a fresh proof', async () => {
    await member.call(users.profile, { email: `${member.username}@example.com` })
    site.advanceClock(10 * minute)
    const needed = { status: 403, reason: 'security.proofNeeded' }
    const change = () =>
      member.call(users.password, { old_password: member.password, new_password: 'another good one' })
    for (const call of [
      () => member.call(secondFactor.remove),
      () => member.call(secondFactor.begin),
      () => member.call(secondFactor.renewRecoveryCodes),
      () => member.call(users.profile, { mobile: '13800000001' }),
      change,
    ])
      expect(await refusal(call())).toMatchObject(needed)
    await member.call(users.profile, { signature: 'needs none' })
    expect(await refusal(member.call(proofs.give, { password: member.password }))).toMatchObject({
      reason: 'security.answerNeeded',
    })
    expect(await refusal(member.call(proofs.give, { code: '000000' }))).toMatchObject({ status: 400 })
    expect(await refusal(change())).toMatchObject(needed)
    await member.call(proofs.give, { code: app.code() })
    await change()
  })

  test('a proof counts in its own session only', async () => {
    site.advanceClock(10 * minute)
    const { token } = await complete((await firstStep(site, member)).id, app.code())
    await site.caller({ token })(secondFactor.renewRecoveryCodes)
    expect(await refusal(member.call(secondFactor.renewRecoveryCodes))).toMatchObject({ status: 403 })
  })

  test('others prove by their password, where it is asked of everyone', async () => {
    const other = await site.member()
    site.advanceClock(10 * minute)
    expect(await refusal(other.call(secondFactor.begin))).toMatchObject({ reason: 'security.proofNeeded' })
    expect(await refusal(other.call(proofs.give, { password: 'not it' }))).toMatchObject({
      reason: 'users.ownPasswordWrong',
    })
    await other.call(proofs.give, { password: other.password })
    await other.call(secondFactor.begin)
    await other.call(users.password, { old_password: other.password, new_password: 'another good one' })
  })

  test('an account without a password has to log in again', async () => {
    const other = await site.member()
    await site.db.updateTable('user').set({ password: '' }).where('id', '=', other.id).execute()
    site.advanceClock(10 * minute)
    expect(await refusal(other.call(proofs.give, { password: '' }))).toMatchObject({ reason: 'security.noProof' })
  })
})
