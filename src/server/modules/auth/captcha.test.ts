import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { users } from '#shared/contract/users.ts'
import { solveCaptcha, solvedCaptcha } from '#server/testing/captcha.ts'
import { type Mailbox, openMailbox } from '#server/testing/mailbox.ts'
import { deliverMails } from '#server/testing/deliver-mails.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'

const minute = 60_000

let site: Site
let member: Person
let count = 0
beforeAll(async () => {
  site = await openSite()
  member = await site.member()
  await site.configure({
    'captcha.length': '4',
    'security.enable_captcha_login': 'true',
    'security.captcha_after_failures': '0',
    'security.enable_captcha_register': 'true',
    'security.enable_captcha_find_password': 'true',
  })
  site.freezeClock()
})
afterAll(() => site.close())

describe('a visitor gets', () => {
  test.each(['digit', 'string', 'math'])(
    'a picture of the size that the owner chose, for the kind %s',
    async (kind) => {
      await site.configure({ 'captcha.type': kind, 'captcha.width': '200', 'captcha.height': '50' })
      const { enable, type, captcha } = await site.call(users.captcha, { type: 'login' })
      expect({ enable, type }).toEqual({ enable: true, type: kind })
      expect(captcha).toMatch(/^data:image\/png;base64,/)
      const picture = await sharp(toBytes(captcha)).metadata()
      expect(picture).toMatchObject({ format: 'png', width: 200, height: 50 })
    },
  )

  test('a sound, for the type audio', async () => {
    await site.configure({ 'captcha.type': 'audio' })
    const { type, captcha } = await site.call(users.captcha, { type: 'login' })
    expect(type).toBe('audio')
    expect(captcha).toMatch(/^data:audio\/wav;base64,/)
    const sound = toBytes(captcha)
    expect(sound.subarray(0, 4).toString()).toBe('RIFF')
    expect(sound.subarray(8, 12).toString()).toBe('WAVE')
    expect(sound.readUInt32LE(4)).toBe(sound.length - 8)
    const seconds = (sound.length - 44) / sound.readUInt32LE(24)
    expect(seconds).toBeGreaterThan(2)
  })

  test.each(['digit', 'math', 'audio'])('no answer that could be read from the data, for the type %s', async (kind) => {
    await site.configure({ 'captcha.type': kind })
    const { text, json } = await site.send('GET', '/api/v1/user/captcha?type=login')
    const answer = await solveCaptcha(site, String(json.id))
    expect(Object.keys(json).toSorted()).toEqual(['captcha', 'enable', 'id', 'type'])
    expect(text.replace(String(json.captcha), '').replace(String(json.id), '')).not.toContain(answer)
    // Metadata in which an image or a sound may have text.
    expect(toBytes(String(json.captcha)).toString('latin1')).not.toMatch(/tEXt|iTXt|zTXt|eXIf|LIST/)
    expect(
      (await site.call(users.login, { ...credentials(), captcha_id: String(json.id), captcha: answer })).user.id,
    ).toBe(member.id)
  })

  test('only the information that none is required, if it is switched off', async () => {
    const { json } = await site.send('GET', '/api/v1/user/captcha?type=comment')
    expect(json).toEqual({})
  })

  test.each(['', 'upload', 'LOGIN', '__proto__'])('nothing for the purpose %j', async (purpose) => {
    const { status, json } = await site.send('GET', `/api/v1/user/captcha?type=${purpose}`)
    expect(status).toBe(400)
    expect(json.message).toContain('不支持的验证码类型')
  })

  test('no answer in plain text in the database', async () => {
    await site.configure({ 'captcha.type': 'digit' })
    const { id } = await site.call(users.captcha, { type: 'login' })
    const row = await site.db.selectFrom('captcha').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(row.answer).toHaveLength(43)
    expect(Object.values(row)).not.toContain(await solveCaptcha(site, id))
  })
})

describe('a captcha', () => {
  beforeAll(() => site.configure({ 'captcha.type': 'digit' }))

  test('is required', async () => {
    expect(await refusal(site.call(users.login, credentials()))).toMatchObject({
      status: 400,
      reason: 'captcha.needed',
    })
    const { captcha } = await solvedCaptcha(site, 'login')
    const withoutId = site.call(users.login, { ...credentials(), captcha })
    expect(await refusal(withoutId)).toMatchObject({ reason: 'captcha.needed' })
  })

  test('is refused when the answer is wrong, and the right one afterwards too', async () => {
    const { captcha, captcha_id } = await solvedCaptcha(site, 'login')
    expect(await loginWith({ captcha: 'wrong', captcha_id })).toBe('captcha.wrong')
    expect(await loginWith({ captcha, captcha_id })).toBe('captcha.wrong')
  })

  test('can be used once', async () => {
    const answered = await solvedCaptcha(site, 'login')
    expect(await loginWith(answered)).toBe('in')
    expect(await loginWith(answered)).toBe('captcha.wrong')
  })

  test('can be used once by twenty concurrent requests', async () => {
    const answered = await solvedCaptcha(site, 'login')
    const results = await Promise.all(Array.from({ length: 20 }, () => loginWith(answered)))
    expect(results.filter((result) => result === 'in')).toHaveLength(1)
  })

  test('is spent even when the password is wrong', async () => {
    const answered = await solvedCaptcha(site, 'login')
    const wrong = site.call(users.login, { ...credentials(), ...answered, password: 'not it' })
    expect(await refusal(wrong)).toMatchObject({ reason: 'users.wrongCredentials' })
    expect(await loginWith(answered)).toBe('captcha.wrong')
  })

  test.each(['register', 'find_password'] as const)('for %s is not valid for a login', async (purpose) => {
    expect(await loginWith(await solvedCaptcha(site, purpose))).toBe('captcha.wrong')
  })

  test('for a login is not valid for registration', async () => {
    expect(await refusal(register(await solvedCaptcha(site, 'login')))).toMatchObject({ reason: 'captcha.wrong' })
  })

  test('is valid for ten minutes', async () => {
    const [soon, late] = [await solvedCaptcha(site, 'login'), await solvedCaptcha(site, 'login')]
    site.advanceClock(10 * minute - 1)
    expect(await loginWith(soon)).toBe('in')
    site.advanceClock(1)
    expect(await loginWith(late)).toBe('captcha.wrong')
  })

  test('with the answer of another captcha is refused', async () => {
    const first = await solvedCaptcha(site, 'login', '1111')
    const second = await solvedCaptcha(site, 'login', '2222')
    expect(await loginWith({ captcha: second.captcha, captcha_id: first.captcha_id })).toBe('captcha.wrong')
    expect(await loginWith({ captcha: second.captcha, captcha_id: 'made-up' })).toBe('captcha.wrong')
  })

  test('of letters ignores case and surrounding spaces', async () => {
    const { captcha_id } = await solvedCaptcha(site, 'login', 'ab3d')
    expect(await loginWith({ captcha: ' AB3d ', captcha_id })).toBe('in')
  })
})

describe('registration with a mailed code', () => {
  let mailbox: Mailbox
  beforeAll(async () => {
    mailbox = await openMailbox()
    await site.configure({ ...mailbox.settings, 'security.enable_verify_register_email': 'true' })
  })
  afterAll(() => mailbox.close())

  test('needs one captcha: it is valid for one mail and then for the form', async () => {
    const email = nextEmail()
    const answered = await solvedCaptcha(site, 'register')
    await site.call(users.emailCode, { email, ...answered })
    await deliverMails(site)
    const code = /\d{6}/.exec(mailbox.latest(email).text)?.[0]
    const { user } = await register({ ...answered, email, code })
    expect(user.email).toBe(email)
    expect(await refusal(register({ ...answered, code }))).toMatchObject({ reason: 'captcha.wrong' })
  })

  test('sends no second mail for a captcha', async () => {
    const answered = await solvedCaptcha(site, 'register')
    await site.call(users.emailCode, { email: nextEmail(), ...answered })
    const second = site.call(users.emailCode, { email: nextEmail(), ...answered })
    expect(await refusal(second)).toMatchObject({ reason: 'captcha.wrong' })
    expect(await refusal(register(answered))).toMatchObject({ reason: 'users.codeWrong' })
  })

  test('allows no second try after a wrong answer, neither for a mail nor for the form', async () => {
    const [first, second] = [await solvedCaptcha(site, 'register'), await solvedCaptcha(site, 'register')]
    const mail = (answered: typeof first) => site.call(users.emailCode, { email: nextEmail(), ...answered })
    expect(await refusal(mail({ ...first, captcha: 'wrong' }))).toMatchObject({ reason: 'captcha.wrong' })
    expect(await refusal(mail(first))).toMatchObject({ reason: 'captcha.wrong' })
    expect(await refusal(mail({ ...second, captcha: 'wrong' }))).toMatchObject({ reason: 'captcha.wrong' })
    expect(await refusal(register(second))).toMatchObject({ reason: 'captcha.wrong' })
  })
})

function credentials() {
  return { username: member.username, password: member.password }
}

async function loginWith(answered: { captcha: string; captcha_id: string }): Promise<string> {
  count += 1
  const visitor = site.caller({ ip: `10.3.${count >> 8}.${count & 255}` })
  return visitor(users.login, { ...credentials(), ...answered }).then(
    () => 'in',
    (error: { reason: string }) => error.reason,
  )
}

function register(input: { captcha: string; captcha_id: string; email?: string; code?: string }) {
  return site.call(users.register, {
    username: `visitor${(count += 1)}x`,
    password: 'a password',
    email: nextEmail(),
    ...input,
  })
}

function nextEmail(): string {
  return `visitor${(count += 1)}@example.com`
}

function toBytes(dataUri: string): Buffer {
  return Buffer.from(dataUri.replace(/^data:[^,]*,/, ''), 'base64')
}
