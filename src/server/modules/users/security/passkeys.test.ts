import { Punishment } from '#shared/enums.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { punishments } from '#shared/contract/access.ts'
import { factorLogins, passkeys, proofs, secondFactor } from '#shared/contract/account-security.ts'
import { users } from '#shared/contract/users.ts'
import { enrol, firstStep } from '#server/testing/second-factor/authenticator-app.ts'
import {
  type SoftwareAuthenticator,
  softwareAuthenticator,
} from '#server/testing/second-factor/software-authenticator.ts'
import { openSite, refusal, type Person, type Site } from '#server/testing/site.ts'

const minute = 60_000
const origin = 'https://wenku.example.com'

let site: Site
let member: Person
let key: SoftwareAuthenticator
beforeAll(async () => {
  site = await openSite()
  site.freezeClock()
  await site.configure({ 'system.domain': origin })
})
afterAll(() => site.close())
beforeEach(async () => {
  member = await site.member()
  key = await add(member)
})

async function add(person: Person, { name = '我的手机', counts = false } = {}): Promise<SoftwareAuthenticator> {
  const device = softwareAuthenticator({ origin, counts })
  const { options } = await person.call(passkeys.createOptions)
  await person.call(passkeys.create, { name, passkey: device.register(options) })
  return device
}

type Lies = Parameters<SoftwareAuthenticator['sign']>[1]

async function logIn(device: SoftwareAuthenticator, lies?: Lies) {
  const { options } = await site.call(passkeys.loginOptions)
  return site.call(passkeys.login, { passkey: device.sign(options, lies) })
}

const refused = { status: 400, reason: 'security.passkeyRefused' }
const unknown = { status: 400, reason: 'security.passkeyUnknown' }
const over = { status: 400, reason: 'security.challengeOver' }

describe('a passkey alone', () => {
  test('logs in without name and password', async () => {
    const { token, user } = await logIn(key)
    expect(user.id).toBe(member.id)
    expect((await site.caller({ token })(users.get)).id).toBe(member.id)
    const [row] = (await member.call(passkeys.list)).passkey
    expect(row).toMatchObject({ name: '我的手机', cloned: false, used_at: expect.any(Number) })
  })

  test('counts as both factors', async () => {
    await enrol(site, member)
    expect((await logIn(key)).user.id).toBe(member.id)
  })

  test('is refused if it did not verify its user', async () => {
    expect(await refusal(logIn(key, { unverified: true }))).toMatchObject(refused)
  })

  test.each([
    ['another origin', { origin: 'https://wenku.example.com.evil.example' }],
    ['the origin without TLS', { origin: 'http://wenku.example.com' }],
    ['another port', { origin: 'https://wenku.example.com:8443' }],
    ['another relying party', { rpID: 'evil.example' }],
  ])('is refused for %s', async (_where, lies) => {
    expect(await refusal(logIn(key, lies))).toMatchObject(refused)
  })

  test('is refused for a challenge that the site did not issue, and for one of another purpose', async () => {
    expect(await refusal(logIn(key, { challenge: Buffer.alloc(32).toString('base64url') }))).toMatchObject(over)
    const { options } = await member.call(proofs.passkeyOptions)
    expect(await refusal(site.call(passkeys.login, { passkey: key.sign(options) }))).toMatchObject(over)
  })

  test('answers a challenge once, within five minutes', async () => {
    const { options } = await site.call(passkeys.loginOptions)
    const passkey = key.sign(options)
    await site.call(passkeys.login, { passkey })
    expect(await refusal(site.call(passkeys.login, { passkey }))).toMatchObject(over)
    const late = (await site.call(passkeys.loginOptions)).options
    site.advanceClock(5 * minute)
    expect(await refusal(site.call(passkeys.login, { passkey: key.sign(late) }))).toMatchObject(over)
  })

  test('of one account does not open another', async () => {
    const other = await site.member()
    await add(other)
    const { handle } = await site.db
      .selectFrom('account_security')
      .select('handle')
      .where('user_id', '=', other.id)
      .executeTakeFirstOrThrow()
    expect(await refusal(logIn(key, { handle }))).toMatchObject(unknown)
    expect(await refusal(logIn(key, { handle: '' }))).toMatchObject(unknown)
  })

  test('that the site does not know, or that was deleted, is refused', async () => {
    expect(await refusal(logIn(softwareAuthenticator({ origin })))).toMatchObject(unknown)
    const [row] = (await member.call(passkeys.list)).passkey
    await member.call(passkeys.delete, { id: row?.id ?? 0 })
    expect(await refusal(logIn(key))).toMatchObject(unknown)
  })

  test('does not open a disabled account', async () => {
    await site.root.call(punishments.create, { user_id: [member.id], type: [Punishment.Disabled], enable: true })
    expect(await refusal(logIn(key))).toMatchObject({ status: 403, reason: 'punishments.active' })
  })

  test.each(['', '{}', 'not json', '{"id":"x","response":{"clientDataJSON":"!!"}}', '[]', 'null'])(
    'rubbish is refused: %s',
    async (passkey) => {
      expect((await refusal(site.call(passkeys.login, { passkey }))).status).toBe(400)
    },
  )

  test('with another signature is refused', async () => {
    const { options } = await site.call(passkeys.loginOptions)
    const answer = JSON.parse(key.sign(options))
    const forged = JSON.parse(softwareAuthenticator({ origin }).sign(options))
    answer.response.signature = forged.response.signature
    expect(await refusal(site.call(passkeys.login, { passkey: JSON.stringify(answer) }))).toMatchObject(refused)
  })
})

describe('the counter of a passkey', () => {
  test('that always says 0 is fine; one that counts goes up', async () => {
    await logIn(key)
    await logIn(key)
    const counting = await add(member, { counts: true })
    await logIn(counting)
    await logIn(counting)
  })

  test('that goes back tells of a copy: both are refused from then on, and the member sees it', async () => {
    const original = await add(member, { name: '安全密钥', counts: true })
    const copy = original.clone()
    await logIn(original)
    await logIn(original)
    const cloned = { status: 403, reason: 'security.passkeyCloned' }
    expect(await refusal(logIn(copy))).toMatchObject(cloned)
    expect(await refusal(logIn(original)), 'the original').toMatchObject(cloned)
    expect((await member.call(passkeys.list)).passkey).toMatchObject([{ cloned: false }, { cloned: true }])
    expect((await member.call(secondFactor.get)).passkey_count).toBe(1)
  })

  test('that stops counting tells of a copy too', async () => {
    const original = await add(member, { counts: true })
    await logIn(original)
    expect(await refusal(logIn(original, { counter: 0 }))).toMatchObject({ reason: 'security.passkeyCloned' })
  })

  test('of a forged answer blocks no passkey', async () => {
    const original = await add(member, { counts: true })
    await logIn(original)
    const { options } = await site.call(passkeys.loginOptions)
    const forged = JSON.parse(original.clone().sign(options, { counter: 0 }))
    forged.response.signature = JSON.parse(softwareAuthenticator({ origin }).sign(options)).response.signature
    expect(await refusal(site.call(passkeys.login, { passkey: JSON.stringify(forged) }))).toMatchObject(refused)
    await logIn(original)
  })
})

describe('as the second factor', () => {
  const secondStep = async (challenge: string, device: SoftwareAuthenticator, lies?: Lies) => {
    const { options } = await site.call(factorLogins.passkeyOptions, { challenge })
    return site.call(factorLogins.complete, { challenge, passkey: device.sign(options, lies) })
  }

  test('a passkey is asked for after the password, if the member wants it so', async () => {
    expect((await site.call(users.login, member)).user.id).toBe(member.id)
    const { recovery_code } = await member.call(secondFactor.setPasskey, { enable: true })
    expect(recovery_code).toHaveLength(10)
    const challenge = await firstStep(site, member)
    expect(challenge.methods).toEqual(['passkey', 'recovery'])
    expect((await secondStep(challenge.id, key)).user.id).toBe(member.id)
    const another = await firstStep(site, member)
    await site.call(factorLogins.complete, { challenge: another.id, code: recovery_code[0] ?? '' })
  })

  test('it need not verify its user: the password did', async () => {
    await enrol(site, member)
    const { id, methods } = await firstStep(site, member)
    expect(methods).toEqual(['totp', 'passkey', 'recovery'])
    expect((await secondStep(id, key, { unverified: true })).user.id).toBe(member.id)
  })

  test('that of another member is refused, and so is an answer to another member’s challenge', async () => {
    const other = await site.member()
    const foreign = await add(other)
    await other.call(secondFactor.setPasskey, { enable: true })
    await member.call(secondFactor.setPasskey, { enable: true })
    const { id } = await firstStep(site, member)
    expect(await refusal(secondStep(id, foreign))).toMatchObject(unknown)
    const { options } = await site.call(factorLogins.passkeyOptions, {
      challenge: (await firstStep(site, other)).id,
    })
    const answer = site.call(factorLogins.complete, { challenge: id, passkey: key.sign(options) })
    expect(await refusal(answer)).toMatchObject(over)
  })

  test('the first step can be asked for again only while its challenge is valid', async () => {
    await member.call(secondFactor.setPasskey, { enable: true })
    const { id } = await firstStep(site, member)
    site.advanceClock(10 * minute)
    expect(await refusal(site.call(factorLogins.passkeyOptions, { challenge: id }))).toMatchObject(over)
  })

  test('it proves for dangerous acts, for members without two-step verification too', async () => {
    site.advanceClock(10 * minute)
    expect(await refusal(member.call(passkeys.createOptions))).toMatchObject({ reason: 'security.proofNeeded' })
    const { options } = await member.call(proofs.passkeyOptions)
    await member.call(proofs.give, { passkey: key.sign(options) })
    await member.call(passkeys.createOptions)
  })

  test('without a passkey it cannot be demanded; with the last one the demand goes', async () => {
    const other = await site.member()
    expect(await refusal(other.call(secondFactor.setPasskey, { enable: true }))).toMatchObject({
      reason: 'security.passkeyNeeded',
    })
    await member.call(secondFactor.setPasskey, { enable: true })
    const [row] = (await member.call(passkeys.list)).passkey
    await member.call(passkeys.delete, { id: row?.id ?? 0 })
    expect(await member.call(secondFactor.get)).toMatchObject({ enabled: false, passkey: false, recovery_count: 0 })
    expect((await site.call(users.login, member)).user.id).toBe(member.id)
  })
})

describe('the passkeys of a member', () => {
  test('are several, named, renamed and deleted', async () => {
    await add(member, { name: '工作电脑' })
    const [first, second] = (await member.call(passkeys.list)).passkey
    await member.call(passkeys.rename, { id: second?.id ?? 0, name: '家里的电脑' })
    await member.call(passkeys.delete, { id: first?.id ?? 0 })
    expect((await member.call(passkeys.list)).passkey).toMatchObject([{ name: '家里的电脑', synced: false }])
  })

  test('of others are out of reach', async () => {
    const other = await site.member()
    const [row] = (await member.call(passkeys.list)).passkey
    const id = row?.id ?? 0
    const missing = { status: 404, reason: 'security.passkeyNotFound' }
    expect(await refusal(other.call(passkeys.rename, { id, name: 'mine' }))).toMatchObject(missing)
    expect(await refusal(other.call(passkeys.delete, { id }))).toMatchObject(missing)
    expect((await other.call(passkeys.list)).passkey).toEqual([])
  })

  test('the last way in is not deleted', async () => {
    await site.db.updateTable('user').set({ password: '' }).where('id', '=', member.id).execute()
    const [row] = (await member.call(passkeys.list)).passkey
    expect(await refusal(member.call(passkeys.delete, { id: row?.id ?? 0 }))).toMatchObject({
      status: 403,
      reason: 'security.lastWayIn',
    })
    expect((await logIn(key)).user.id).toBe(member.id)
  })

  test('are added for this site, by an answer to a challenge of this member, once', async () => {
    const other = await site.member()
    const device = softwareAuthenticator({ origin })
    const register = async (lies?: Lies, person = member) => {
      const { options } = await member.call(passkeys.createOptions)
      return person.call(passkeys.create, { name: 'x', passkey: device.register(options, lies) })
    }
    expect(await refusal(register({ origin: 'https://evil.example' }))).toMatchObject(refused)
    expect(await refusal(register({ rpID: 'evil.example' }))).toMatchObject(refused)
    expect(await refusal(register({}, other))).toMatchObject(over)
    await register()
    expect(await refusal(register())).toMatchObject({ status: 409, reason: 'security.passkeyTwice' })
  })

  test('the options ask for a random handle and leave out the devices that are known', async () => {
    const options = JSON.parse((await member.call(passkeys.createOptions)).options)
    expect(options).toMatchObject({ rp: { id: 'wenku.example.com' }, attestation: 'none' })
    expect(Buffer.from(options.user.id, 'base64url')).toHaveLength(32)
    expect(Buffer.from(options.challenge, 'base64url')).toHaveLength(32)
    expect(options.excludeCredentials).toHaveLength(1)
  })

  test('there are none on a site without a domain', async () => {
    await site.configure({ 'system.domain': '' })
    const off = { status: 400, reason: 'security.passkeysOff' }
    expect(await refusal(site.call(passkeys.loginOptions))).toMatchObject(off)
    expect(await refusal(member.call(passkeys.createOptions))).toMatchObject(off)
    await site.configure({ 'system.domain': origin })
  })

  test('are bound to the domain: after a move they are refused', async () => {
    await site.configure({ 'system.domain': 'https://elsewhere.example' })
    expect(await refusal(logIn(key))).toMatchObject(refused)
    await site.configure({ 'system.domain': origin })
  })
})
