import { Punishment } from '#shared/enums.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { punishments } from '#shared/contract/access.ts'
import { users } from '#shared/contract/users.ts'
import { openLog } from '#server/log.ts'
import { solvedCaptcha } from '#server/testing/captcha.ts'
import { type Mailbox, mailPassword, openMailbox } from '#server/testing/mailbox.ts'
import { deliverMails } from '#server/testing/deliver-mails.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'

const identity = '11010519491231002X'
const secrets = {
  identity,
  mobile: '13700137000',
  realname: '王小二',
}

let site: Site
let mailbox: Mailbox
let member: Person
let lines: string[] = []
beforeAll(async () => {
  const log = openLog('debug', { write: (line: string) => lines.push(line) })
  mailbox = await openMailbox()
  site = await openSite({}, { log })
  member = await site.member()
})
afterAll(async () => {
  await site.close()
  await mailbox.close()
})

test('a request is logged in one line with its path and its result', async () => {
  lines = []
  const { headers } = await site.send('GET', '/api/v1/user?id=999999', { token: member.token })
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    msg: 'request',
    id: headers.get('x-request-id'),
    method: 'GET',
    path: '/api/v1/user',
    status: 404,
    ms: expect.any(Number),
  })
})

test('pictures and scripts of pages are logged for debugging alone, unless they are missing', async () => {
  lines = []
  for (const path of ['/icons/192.png', '/manifest.webmanifest', '/assets/gone.js', '/robots.txt'])
    await site.send('GET', path)
  expect(lines.map((line) => JSON.parse(line)).map(({ level, path, status }) => [path, level, status])).toEqual([
    ['/icons/192.png', 'debug', 200],
    ['/manifest.webmanifest', 'debug', 200],
    ['/assets/gone.js', 'info', 404],
    ['/robots.txt', 'info', 200],
  ])
})

test('no log line and no error contains a password, token, code, captcha answer or identity number', async () => {
  lines = []
  await site.configure({
    ...mailbox.settings,
    'system.domain': 'https://wenku.example.com',
    'security.enable_captcha_login': 'true',
    'security.enable_verify_register_email': 'true',
  })
  const replies: string[] = []
  const recordRefusal = async (call: Promise<unknown>) => replies.push(JSON.stringify(await refusal(call)))

  await site.call(users.emailCode, { email: 'new@example.com' })
  await deliverMails(site)
  const code = /\d{6}/.exec(mailbox.latest('new@example.com').text)?.[0] ?? ''
  const form = { username: 'new-reader', password: 'password-of-new', email: 'new@example.com' }
  await recordRefusal(site.call(users.register, { ...form, code: 'not it' }))
  const { token } = await site.call(users.register, { ...form, code })

  await site.caller({ token })(users.profile, secrets)
  await recordRefusal(site.caller({ token })(users.profile, { ...secrets, identity: `${identity}9` }))
  await site.call(users.requestPasswordReset, { email: 'new@example.com' })
  await deliverMails(site)
  const link = /token=([\w-]+)/.exec(mailbox.latest('new@example.com').text)?.[1] ?? ''
  await recordRefusal(
    site.call(users.resetPassword, { email: 'other@example.com', token: link, password: 'password-of-new' }),
  )

  const answered = await solvedCaptcha(site, 'login', 'typed-answer')
  await recordRefusal(site.call(users.login, { username: 'new-reader', password: 'wrong-password', ...answered }))
  const secondCaptcha = await solvedCaptcha(site, 'login', 'typed-answer')
  await site.call(users.login, { username: 'new-reader', password: 'password-of-new', ...secondCaptcha })
  await recordRefusal(site.root.call(users.delete, { id: [member.id], password: 'wrong-password' }))
  await recordRefusal(site.caller({ token: `${token}x` })(users.get))
  await site.send('GET', `/findpassword?token=${link}&email=new@example.com`)
  await site.send('POST', '/api/v1/user/login', { body: '{"password": "broken-json-password"' })

  expect(lines.length).toBeGreaterThan(15)
  const all = [...lines, ...replies].join('\n')
  const typed = [
    'password-of-new',
    'wrong-password',
    'broken-json-password',
    'typed-answer',
    site.root.password,
    mailPassword,
  ]
  const handedOut = [token, site.root.token, code, link, answered.captcha_id, secondCaptcha.captcha_id]
  const never = [...typed, ...handedOut, ...Object.values(secrets), 'argon2']
  for (const secret of never) expect(all).not.toContain(secret)
})

test('an internal error is logged with its stack, but without the values of the query', async () => {
  await sql`create unique index punishment_reason on punishment (reason)`.execute(site.db)
  const punish = () =>
    site.root.call(punishments.create, {
      user_id: [member.id],
      type: [Punishment.NoComment],
      reason: `身份证 ${identity}`,
      enable: true,
    })
  await punish()
  lines = []
  const error = await refusal(punish())
  expect(error).toMatchObject({ status: 500, reason: 'request.internal' })
  expect(error.message).not.toContain(identity)
  const fault = lines.find((line) => line.includes('request failed')) ?? ''
  expect(JSON.parse(fault)).toMatchObject({ error: { message: expect.any(String), stack: expect.any(String) } })
  expect(lines.join('\n')).not.toContain(identity)
})
