import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { audits } from '#shared/contract/audit.ts'
import { mailTests } from '#shared/contract/mail.ts'
import { type Mailbox, mailPassword, openMailbox } from '#server/testing/mailbox.ts'
import { openSite, refusal, type Site } from '#server/testing/site.ts'

const to = 'owner@example.com'

let site: Site
let mailbox: Mailbox
beforeAll(async () => {
  site = await openSite()
  mailbox = await openMailbox()
  await site.configure({ 'system.sitename': '文豆' })
})
afterAll(async () => {
  await site.close()
  await mailbox.close()
})

describe('a test of the mail settings', () => {
  test('sends a mail with the values of the form, the password too, and saves none of them', async () => {
    const before = await storedRows()
    await send({ ...mailbox.settings, 'email.enable': 'false', 'email.from_name': '城南文库' })
    const { subject, text, from } = mailbox.latest(to)
    expect(subject).toBe('文豆 的测试邮件')
    expect(text).toContain('可以正常使用')
    expect(from).toContain('wendou@example.com')
    expect(await storedRows()).toEqual(before)
    expect((await site.app.context()).settings.email).toMatchObject({ host: '', password: '', enable: false })
  })

  test('uses the stored password if the form has its mask', async () => {
    await site.configure(mailbox.settings)
    const count = mailbox.mails().length
    await send({ ...mailbox.settings, 'email.password': '******', 'email.from_name': '另一个' })
    expect(mailbox.mails()).toHaveLength(count + 1)
  })

  test('never sends the stored password to a server that it was not entered for', async () => {
    await site.configure(mailbox.settings)
    const moves = { 'email.host': 'elsewhere.example', 'email.port': '2525', 'email.is_tls': 'true' }
    for (const [path, value] of Object.entries(moves)) {
      const error = await refusal(send({ ...mailbox.settings, 'email.password': '******', [path]: value }))
      expect(error).toMatchObject({ status: 400, reason: 'settings.passwordAgain' })
      expect(error.details).toMatchObject([{ field: 'email.password' }])
    }
  })

  test('shows a mail of the site with its unsaved texts and sample values', async () => {
    const texts = {
      'mail_text.reset_link_subject': '找回{网站名称}的密码',
      'mail_text.reset_link_body': '点 {重置链接}',
    }
    await send({ ...mailbox.settings, ...texts }, 'reset-link')
    expect(mailbox.latest(to)).toMatchObject({
      subject: '找回文豆的密码',
      text: expect.stringContaining('点 https://wenku.example.com/findpassword'),
    })
    expect((await site.app.context()).settings.mail_text.reset_link_body).toBe('')
    const wrong = send({ ...mailbox.settings, 'mail_text.reset_link_body': '点 {这里}' }, 'reset-link')
    expect(await refusal(wrong)).toMatchObject({ reason: 'settings.wrongValue' })
  })

  test('needs the permission to change settings, and leaves the recipient and no secret in the audit log', async () => {
    const reader = await site.staff('ConfigAPI/ListConfig')
    expect(await refusal(reader.call(mailTests.send, { to }))).toMatchObject({ status: 403 })
    await send(mailbox.settings)
    const { audit } = await site.root.call(audits.list, { size: 10 })
    expect(audit[0]).toMatchObject({ title: '发送了测试邮件', change: `测试邮件: ${to}` })
  })
})

describe('a test that fails says beside which field, why and what to do:', () => {
  test.each([
    ['no server', { 'email.host': '' }, 'host', '请填写 SMTP 服务器'],
    ['a server that does not exist', { 'email.host': 'smtp.invalid' }, 'host', '检查服务器地址的拼写'],
    ['a closed port', { 'email.port': '1' }, 'port', '1 端口拒绝连接'],
    ['a wrong password', { 'email.password': 'not it' }, 'password', '授权码'],
    ['a self-signed certificate', { 'email.is_tls': 'true' }, 'is_tls', 'TLS 证书不受信任'],
  ])('%s', async (_what, change, field, why) => {
    await expectFailure({ ...mailbox.settings, ...change }, field, why)
  })

  test('a port without TLS', async () => {
    const port = await openServer({ hideSTARTTLS: true, disabledCommands: ['STARTTLS'] })
    await expectFailure({ ...port, 'email.is_tls': 'true' }, 'is_tls', '这个端口不能使用 TLS')
  })

  test('a sender that the server does not accept', async () => {
    const port = await openServer({ onMailFrom: (_address, _session, done) => done(rejection(553, 'not yours')) })
    await expectFailure(port, 'username', '完整邮箱地址')
  })

  test('a sender that the server does not accept, said about the whole message', async () => {
    const port = await openServer({
      onData(stream, _session, done) {
        stream.resume()
        stream.once('end', () => done(rejection(550, 'Mail from must equal authorized user')))
      },
    })
    await expectFailure(port, 'username', '完整邮箱地址')
  })

  test('a server that wants a password', async () => {
    const port = await openServer({ onMailFrom: (_address, _session, done) => done(rejection(530, 'log in first')) })
    await expectFailure(port, 'password', '用户名或密码不正确')
  })

  test('a recipient that the server does not accept', async () => {
    const port = await openServer({ onRcptTo: (_address, _session, done) => done(rejection(550, 'no such user')) })
    await expectFailure(port, 'test_email', '检查收件地址')
  })

  test('a server that is not one for mail', async () => {
    const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    await expectFailure({ ...mailbox.settings, 'email.port': String(port) }, 'port', '不像是邮件服务器')
  })

  test('a value of the wrong kind', async () => {
    const error = await refusal(send({ ...mailbox.settings, 'email.port': '99999' }))
    expect(error).toMatchObject({ reason: 'settings.wrongValue' })
    expect(error.details).toMatchObject([{ field: 'email.port', message: expect.stringContaining('不能大于 65535') }])
  })

  async function expectFailure(values: Record<string, string>, field: string, why: string): Promise<void> {
    const before = mailbox.mails().length
    const error = await refusal(send(values))
    expect(error.status).toBe(400)
    expect(error.details).toEqual([{ field: `email.${field}`, message: expect.stringContaining(why) }])
    expect(error.message).not.toContain(mailPassword)
    expect(mailbox.mails()).toHaveLength(before)
  }
})

describe('a client that saves the test address with the mail settings', () => {
  test('gets a mail', async () => {
    await site.configure({ ...mailbox.settings, 'email.test_email': to })
    expect(mailbox.latest(to).subject).toBe('文豆 的测试邮件')
  })

  test('gets none when other settings are saved, nor without the address', async () => {
    const before = mailbox.mails().length
    await site.configure({ 'system.sitename': '文豆' })
    await site.configure({ 'email.from_name': '管理员' })
    await site.configure({ 'email.test_email': '' })
    expect(mailbox.mails()).toHaveLength(before)
  })

  test('reads what is wrong, with the settings saved', async () => {
    const values = { ...mailbox.settings, 'email.test_email': to, 'email.password': 'not it' }
    expect(await refusal(site.configure(values))).toMatchObject({
      status: 400,
      reason: 'mail.failed',
      message: expect.stringContaining('用户名或密码不正确'),
    })
    expect((await site.app.context()).settings.email.password).toBe('not it')
  })

  test('reads that mail is off without a server', async () => {
    const values = { ...mailbox.settings, 'email.host': '', 'email.test_email': to }
    expect(await refusal(site.configure(values))).toMatchObject({ status: 400, reason: 'mail.off' })
    await site.configure({ 'email.test_email': '' })
  })

  test('cannot move the stored password to another server', async () => {
    await site.configure(mailbox.settings)
    const moves = { 'email.host': 'elsewhere.example', 'email.port': '2525', 'email.is_tls': 'true' }
    for (const [path, value] of Object.entries(moves)) {
      const unchanged = { [path]: value, 'email.password': '******' }
      expect(await refusal(site.configure(unchanged))).toMatchObject({ status: 400, reason: 'settings.passwordAgain' })
    }
    await site.configure({ 'email.from_name': '文豆', 'email.password': '******' })
  })
})

function send(values: Record<string, string>, template?: 'reset-link') {
  const config = Object.entries(values).map(([path, value]) => {
    const [category = '', name = ''] = path.split('.')
    return { category, name, value }
  })
  return site.root.call(mailTests.send, { config, to, ...(template && { template }) })
}

function storedRows() {
  const rows = site.db.selectFrom('setting').selectAll().where('category', 'in', ['email', 'mail_text'])
  return rows.orderBy('category').orderBy('name').execute()
}

/** The settings for a mail server that behaves in a certain way. */
async function openServer(options: SMTPServerOptions): Promise<Record<string, string>> {
  const server = new SMTPServer({ logger: false, authOptional: true, disableReverseLookup: true, ...options })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  onTestFinished(() => new Promise<void>((done) => server.close(() => done())))
  const { port } = server.server.address() as AddressInfo
  return { ...mailbox.settings, 'email.port': String(port), 'email.password': '' }
}

function rejection(responseCode: number, words: string): Error {
  return Object.assign(new Error(words), { responseCode })
}
