import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { factorLogins, secondFactor } from '#shared/contract/account-security.ts'
import { sessions, users } from '#shared/contract/users.ts'
import { deliverMails } from '#server/testing/deliver-mails.ts'
import { type Mailbox, openMailbox } from '#server/testing/mailbox.ts'
import { enrol, firstStep } from '#server/testing/second-factor/authenticator-app.ts'
import { openSite, refusal, type Person, type Site } from '#server/testing/site.ts'
import { describePlace } from './place.ts'

const day = 86_400_000
const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'
const newerChrome = chrome.replace('141', '142')
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

let site: Site
let mailbox: Mailbox
beforeAll(async () => {
  mailbox = await openMailbox()
  site = await openSite()
  site.freezeClock()
})
afterAll(async () => {
  await site.close()
  await mailbox.close()
})

const logIn = (person: Person, { ip = '203.0.113.5', userAgent = chrome } = {}) =>
  site.caller({ ip, userAgent })(users.login, { username: person.username, password: person.password })

describe('the list of sessions', () => {
  test('tells the device, the place in words, and how the member logged in', async () => {
    const member = await site.member()
    const app = await enrol(site, member)
    const { id } = await firstStep(site, member)
    const { token } = await site.caller({ ip: '203.0.113.5', userAgent: chrome })(factorLogins.complete, {
      challenge: id,
      code: app.code(),
    })
    const { session } = await site.caller({ token, ip: '203.0.113.5' })(sessions.list)
    expect(session.find(({ current }) => current)).toMatchObject({
      user_agent: chrome,
      place: '203.0.113.5',
      way: 'password',
      factor: 'totp',
    })
    expect(session.find(({ current }) => !current)).toMatchObject({
      place: expect.stringMatching(/^内网 · 172\.16\./),
      way: 'password',
      factor: '',
    })
  })

  test.each([
    ['127.0.0.1', undefined, '本机 · 127.0.0.1'],
    ['192.168.1.7', undefined, '内网 · 192.168.1.7'],
    ['fd00::1', undefined, '内网 · fd00::1'],
    ['203.0.113.5', '203.0.113.5', '与当前设备同一网络 · 203.0.113.5'],
    ['2001:db8::7', '2001:db8:0:0::/64', '与当前设备同一网络 · 2001:db8::7'],
    ['2001:db8:1::7', '2001:db8:0:0::/64', '2001:db8:1::7'],
    ['', '', ''],
  ])('%s seen from %s', (ip, network, words) => {
    expect(describePlace(ip, network)).toBe(words)
  })

  test('all others can be ended at once, and those of other members stay', async () => {
    const [member, bystander] = [await site.member(), await site.member()]
    const { token } = await logIn(member)
    await site.caller({ token })(sessions.endOthers)
    expect(await refusal(member.call(sessions.list))).toMatchObject({ status: 401 })
    expect((await site.caller({ token })(sessions.list)).session).toHaveLength(1)
    expect((await bystander.call(sessions.list)).session).toHaveLength(1)
  })
})

describe('a session ends', () => {
  test('after the days that the setting says now, also one from before it was changed', async () => {
    const member = await site.member()
    site.advanceClock(3 * day)
    expect((await member.call(users.get)).id).toBe(member.id)
    await site.configure({ 'security.session_days': '3' })
    expect(await refusal(member.call(sessions.list))).toMatchObject({ status: 401 })
    site.root = await logInAgain(site.root)
    await site.configure({ 'security.session_days': '30' })
    site.root = await logInAgain(site.root)
  })

  test('after days without use, if there is such a limit', async () => {
    const [idle, busy] = [await site.member(), await site.member()]
    await site.configure({ 'security.session_idle_days': '2' })
    for (let days = 0; days < 3; days++) {
      site.advanceClock(day)
      await busy.call(sessions.list)
      await site.root.call(sessions.list)
    }
    expect(await refusal(idle.call(sessions.list))).toMatchObject({ status: 401 })
    expect((await busy.call(sessions.list)).session).toHaveLength(1)
    await site.runDueJobs()
    const rows = await site.db.selectFrom('session').select('id').where('user_id', '=', idle.id).execute()
    expect(rows).toEqual([])
    await site.configure({ 'security.session_idle_days': '0' })
  })
})

describe('a mail tells of a log-in from a new device', () => {
  async function memberWithMail(): Promise<Person & { email: string }> {
    await site.configure({ ...mailbox.settings, 'system.domain': 'https://wenku.example.com' })
    const member = await site.member()
    const email = `${member.username}@example.com`
    await site.root.call(users.profile, { id: member.id, email })
    await logIn(member)
    return { ...member, email }
  }
  /** Without the first: the log-in above came from a new device. */
  const mailsTo = async (email: string) => {
    await deliverMails(site)
    return mailbox
      .mails()
      .filter(({ to }) => to.includes(email))
      .slice(1)
  }

  test('or from a new network, once; an update of the browser is no new device', async () => {
    const { email, ...member } = await memberWithMail()
    await logIn(member, { userAgent: newerChrome })
    expect(await mailsTo(email)).toEqual([])
    await logIn(member, { ip: '198.51.100.9', userAgent: firefox })
    await logIn(member, { ip: '198.51.100.9', userAgent: firefox })
    const mails = await mailsTo(email)
    expect(mails).toHaveLength(1)
    expect(mails[0]?.text).toMatch(/Firefox · Linux，198\.51\.100\.9/)
    expect(mails[0]?.text).toContain('https://wenku.example.com/me/security')
  })

  test('not of the first log-in, nor of a failed one', async () => {
    const { email, ...member } = await memberWithMail()
    await refusal(logIn({ ...member, password: 'not it' }, { userAgent: firefox }))
    expect(await mailsTo(email)).toEqual([])
  })

  test('with two-step verification, after the second step alone', async () => {
    const { email, ...member } = await memberWithMail()
    const app = await enrol(site, member)
    const browser = site.caller({ ip: '198.51.100.10', userAgent: firefox })
    const { challenge } = await refusal(browser(users.login, member))
    expect(await mailsTo(email)).toEqual([])
    await browser(factorLogins.complete, { challenge: challenge?.id ?? '', code: app.code() })
    expect(await mailsTo(email)).toHaveLength(1)
  })

  test('unless the member does not want it', async () => {
    const { email, ...member } = await memberWithMail()
    await member.call(secondFactor.setMails, { enable: false })
    expect((await member.call(secondFactor.get)).mails_new_devices).toBe(false)
    await logIn(member, { userAgent: firefox })
    expect(await mailsTo(email)).toEqual([])
  })

  test('and a site without mail lets in all the same', async () => {
    const { email: _email, ...member } = await memberWithMail()
    await site.configure({ 'email.enable': 'false' })
    expect((await logIn(member, { userAgent: firefox })).user.id).toBe(member.id)
  })
})

async function logInAgain(person: Person): Promise<Person> {
  const { token } = await site.call(users.login, { username: person.username, password: person.password })
  return { ...person, token, call: site.caller({ token }) }
}
