import { MailStatus } from '#shared/enums.ts'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { audits } from '#shared/contract/audit.ts'
import { mails } from '#shared/contract/mail.ts'
import { settings } from '#shared/contract/settings.ts'
import type { MailTemplate, TemplateParams } from '#shared/mail-templates.ts'
import { checkPayloads } from '#server/jobs.ts'
import { claim } from '#server/jobs/claim.ts'
import { startWorkers } from '#server/jobs/worker.ts'
import { type Mailbox, openMailbox } from '#server/testing/mailbox.ts'
import { deliverMails } from '#server/testing/deliver-mails.ts'
import { openSite, refusal, type Site } from '#server/testing/site.ts'
import { mailJobs } from './mail.jobs.ts'
import { enqueueMail } from './mail.service.ts'
import { renderTemplate } from './mail.templates.ts'

const minute = 60_000
const to = 'reader@example.com'

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
let arrived: () => number
beforeEach(async () => {
  await site.db.deleteFrom('job').where('kind', '=', 'mail.send').execute()
  await site.db.deleteFrom('mail').execute()
  await site.configure(mailbox.settings)
  const before = mailbox.mails().length
  arrived = () => mailbox.mails().length - before
})

describe('a mail', () => {
  test('leaves nothing of its contents behind once it is sent', async () => {
    await post()
    expect(await latestMail()).toMatchObject({ state: 'waiting', params: expect.stringContaining('482913') })
    await deliverMails(site)
    expect(arrived()).toBe(1)
    expect(await jobs()).toEqual([])
    expect(await latestMail()).toMatchObject({ state: 'sent', params: '', attempts: 1, error: '' })
  })

  test('waits for a mail server that is away, and arrives once', async () => {
    await site.configure({ ...mailbox.settings, 'email.port': '1' })
    await post()
    await deliverMails(site)
    expect(await jobs()).toMatchObject([{ state: 'waiting', attempts: 1 }])
    expect(await latestMail()).toMatchObject({ state: 'waiting', error: expect.stringContaining('连接不上') })
    await site.configure(mailbox.settings)
    await deliverMails(site)
    expect(arrived()).toBe(0)
    site.advanceClock(minute)
    await deliverMails(site)
    expect(arrived()).toBe(1)
    expect(await jobs()).toEqual([])
    expect(await latestMail()).toMatchObject({ state: 'sent', attempts: 2, error: '' })
  })

  test('is tried later and later while the server is away, then given up', async () => {
    await site.configure({ ...mailbox.settings, 'email.port': '1' })
    await post()
    const waits: number[] = []
    for (let attempt = 1; attempt <= 4; attempt++) {
      const { now } = await site.app.context()
      await deliverMails(site)
      const [job] = await jobs()
      expect(job).toMatchObject({ state: 'waiting', attempts: attempt })
      const wait = (job?.run_at ?? 0) - now()
      waits.push(wait)
      site.advanceClock(wait)
    }
    expect(waits).toEqual(waits.toSorted((a, b) => a - b))
    await deliverMails(site)
    expect(await jobs()).toMatchObject([{ state: 'failed', payload: '{}' }])
    expect(await latestMail()).toMatchObject({
      state: 'failed',
      attempts: 5,
      error: expect.stringContaining('连接不上'),
    })
  })

  test('whose process was killed before it was sent goes out by another worker', async () => {
    await post()
    const ctx = await site.app.context()
    expect(await claim(site.db, 'killed', { kinds: ['mail.send'], now: ctx.now() })).toMatchObject({ attempts: 1 })
    site.advanceClock(minute + 1)
    await deliverMails(site)
    expect(arrived()).toBe(1)
    expect(await jobs()).toEqual([])
  })

  test('whose process was killed again and again is given up', async () => {
    await post()
    await site.db.updateTable('job').set({ state: 'failed' }).where('kind', '=', 'mail.send').execute()
    await purge()
    expect(await latestMail()).toMatchObject({ state: 'failed', error: expect.stringContaining('中断') })
  })

  test('that brings what has run out is not sent any more', async () => {
    await post()
    site.advanceClock(31 * minute)
    await deliverMails(site)
    expect(arrived()).toBe(0)
    expect(await latestMail()).toMatchObject({ state: 'failed', error: expect.stringContaining('过期') })
  })

  test('that another version has left in a shape of its own is given up', async () => {
    for (const params of ['{"a":1}', '{', '']) {
      await post()
      await site.db.updateTable('mail').set({ params }).execute()
      await deliverMails(site)
      expect(await latestMail()).toMatchObject({ state: 'failed', error: expect.stringContaining('不完整') })
      await site.db.deleteFrom('mail').execute()
    }
    await post()
    await site.db.updateTable('job').set({ payload: '{"to":"a"}' }).where('kind', '=', 'mail.send').execute()
    await deliverMails(site)
    expect(arrived()).toBe(0)
  })

  test('is given up when mail was switched off meanwhile', async () => {
    await post()
    await site.configure({ 'email.enable': 'false' })
    await deliverMails(site)
    expect(await latestMail()).toMatchObject({ state: 'failed', error: expect.stringContaining('没有启用') })
  })

  test('keeps its contents no longer than they are good for, and is forgotten after a week', async () => {
    await post()
    await failWaiting()
    await purge()
    expect(await latestMail()).toMatchObject({ params: expect.stringContaining('482913') })
    site.advanceClock(31 * minute)
    await purge()
    expect(await latestMail()).toMatchObject({ state: 'failed', params: '' })
    site.advanceClock(8 * 24 * 60 * minute)
    await purge()
    expect(await latestMail()).toBeUndefined()
    expect(await jobs()).toEqual([])
  })

  test('that still waits is not forgotten', async () => {
    await post()
    await purge()
    expect(await latestMail()).toMatchObject({ state: 'waiting' })
  })
})

describe('the list of mails', () => {
  test('tells to whom, of which kind and why not, never what is in them', async () => {
    await post()
    await failWaiting()
    const reply = await site.root.call(mails.list, { status: [MailStatus.Failed], wd: 'READER' })
    expect(reply).toMatchObject({
      total: 1,
      mail: [{ email: to, title: '注册验证码', status: MailStatus.Failed, attempts: 1, is_expired: false }],
    })
    expect(reply.mail[0]?.error).toContain('没有启用')
    expect(JSON.stringify(reply)).not.toContain('482913')
    expect(await site.root.call(mails.list, { status: [MailStatus.Waiting, MailStatus.Sent] })).toMatchObject({
      total: 0,
    })
    expect(await site.root.call(mails.list, { wd: 'nobody' })).toMatchObject({ total: 0 })
  })

  test('sends one that was given up once more, however often it is asked', async () => {
    await post()
    await failWaiting()
    const { mail } = await site.root.call(mails.list)
    const again = { id: mail.map(({ id }) => id) }
    expect(await refusal(site.root.call(mails.retry, again))).toMatchObject({ reason: 'mail.off' })
    await site.configure(mailbox.settings)
    const asked = await Promise.allSettled([site.root.call(mails.retry, again), site.root.call(mails.retry, again)])
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await site.root.call(mails.list)).toMatchObject({ mail: [{ status: MailStatus.Waiting }] })
    await deliverMails(site)
    expect(arrived()).toBe(1)
    expect(await jobs()).toEqual([])
    expect(await site.root.call(mails.list)).toMatchObject({ mail: [{ status: MailStatus.Sent, attempts: 2 }] })
    expect(await refusal(site.root.call(mails.retry, again))).toMatchObject({ reason: 'mail.notAgain' })
  })

  test('sends nothing that is worth nothing any more', async () => {
    await post()
    await failWaiting()
    await site.configure(mailbox.settings)
    site.advanceClock(31 * minute)
    const { mail } = await site.root.call(mails.list)
    expect(mail).toMatchObject([{ status: MailStatus.Failed, is_expired: true }])
    const again = site.root.call(mails.retry, { id: mail.map(({ id }) => id) })
    expect(await refusal(again)).toMatchObject({ status: 400, reason: 'mail.notAgain' })
  })

  test('loses what is taken from it, but not what is under way', async () => {
    await post()
    const { mail } = await site.root.call(mails.list)
    const id = mail.map((one) => one.id)
    expect(await refusal(site.root.call(mails.delete, { id }))).toMatchObject({ reason: 'mail.underWay' })
    await failWaiting()
    await site.root.call(mails.delete, { id })
    expect(await site.root.call(mails.list)).toMatchObject({ total: 0 })
    expect(await jobs()).toEqual([])
  })

  test('needs the permission, and each action needs its own', async () => {
    await post()
    await failWaiting()
    await site.configure(mailbox.settings)
    const [reader, sender] = [await site.staff('MailAPI/ListMail'), await site.staff('MailAPI/RetryMail')]
    const { mail } = await reader.call(mails.list)
    const id = mail.map((one) => one.id)
    expect(await refusal((await site.member()).call(mails.list))).toMatchObject({ status: 403 })
    expect(await refusal(reader.call(mails.retry, { id }))).toMatchObject({ status: 403 })
    expect(await refusal(reader.call(mails.delete, { id }))).toMatchObject({ status: 403 })
    expect(await refusal(sender.call(mails.delete, { id }))).toMatchObject({ status: 403 })
    await sender.call(mails.retry, { id })
  })
})

describe('a server that refuses', () => {
  let refusing: SMTPServer
  let asked = 0
  afterEach(() => new Promise<void>((done) => refusing.close(() => done())))

  test.each([
    ['for ever (550)', 550, 'failed'],
    ['for now (450)', 450, 'waiting'],
  ])('%s', async (_how, responseCode, state) => {
    await bounceWith(responseCode)
    await post()
    await deliverMails(site)
    expect(await jobs()).toMatchObject([{ state }])
    const { error, ...written } = (await latestMail()) ?? {}
    expect(written).toMatchObject({ state })
    expect(error).toContain(`${responseCode}`)
    expect(error).toContain('地址被邮件服务器拒绝')
    expect(error).not.toContain(to)
    site.advanceClock(10 * minute)
    await deliverMails(site)
    expect(asked).toBe(state === 'failed' ? 1 : 2)
  })

  async function bounceWith(responseCode: number): Promise<void> {
    asked = 0
    refusing = new SMTPServer({
      logger: false,
      hideSTARTTLS: true,
      authOptional: true,
      disableReverseLookup: true,
      onRcptTo: ({ address }, _session, done) => {
        asked += 1
        done(Object.assign(new Error(`<${address}> not here`), { responseCode }))
      },
    })
    refusing.on('error', () => {})
    refusing.listen(0, '127.0.0.1')
    await once(refusing.server, 'listening')
    const { port } = refusing.server.address() as AddressInfo
    await site.configure({ ...mailbox.settings, 'email.port': String(port), 'email.password': '' })
  }
})

describe('a site that stops', () => {
  let server: SMTPServer
  let taken = 0
  let reached: Promise<void>
  afterEach(() => new Promise<void>((done) => server.close(() => done())))

  test('before the server has the mail does not send it, and sends it once when it is back', async () => {
    const { goOn } = await slowAt('recipient')
    await post()
    const worker = startWorkers([{ handlers: checkPayloads(mailJobs), concurrency: 2 }], {
      context: site.app.context,
      idleMs: 20,
    })
    await reached
    // The mail server does not answer before goOn: stopping does not wait for it.
    await worker.stop()
    goOn()
    expect(await jobs()).toMatchObject([{ state: 'waiting', attempts: 0 }])
    expect(await latestMail()).toMatchObject({ state: 'waiting', attempts: 0, error: '' })
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(taken).toBe(0)
    await deliverMails(site)
    expect(taken).toBe(1)
  })

  test('when the server has the mail waits for its answer', async () => {
    const { goOn } = await slowAt('mail')
    await post()
    const worker = startWorkers([{ handlers: checkPayloads(mailJobs), concurrency: 2 }], {
      context: site.app.context,
      idleMs: 20,
    })
    await reached
    setTimeout(goOn, 500)
    await worker.stop()
    expect(taken).toBe(1)
    expect(await jobs()).toEqual([])
  })

  /** The first time it comes there, the server does not go on before it is params. */
  async function slowAt(place: 'recipient' | 'mail'): Promise<{ goOn(): void }> {
    taken = 0
    const [arrival, leave] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    reached = arrival.promise
    const pass = async (here: string, goOn: () => void) => {
      if (here === place) {
        arrival.resolve()
        await leave.promise
      }
      goOn()
    }
    server = new SMTPServer({
      logger: false,
      hideSTARTTLS: true,
      authOptional: true,
      disableReverseLookup: true,
      onRcptTo: (_address, _session, done) => void pass('recipient', done),
      onData(stream, _session, done) {
        stream.resume()
        stream.once('end', () => {
          taken += 1
          void pass('mail', done)
        })
      },
    })
    server.on('error', () => {})
    server.listen(0, '127.0.0.1')
    await once(server.server, 'listening')
    const { port } = server.server.address() as AddressInfo
    await site.configure({ ...mailbox.settings, 'email.port': String(port), 'email.password': '' })
    return { goOn: leave.resolve }
  }
})

describe('what a mail says', () => {
  const params = { username: '<img src=x>', link: 'https://a.example/?a=1&b="2"', minutes: 30 }

  test('is the same as text and as HTML, and nothing in it is markup but ours', async () => {
    await site.configure({ 'system.sitename': '文<豆>' })
    const { text, html } = await render('reset-link', params)
    await site.configure({ 'system.sitename': '文豆' })
    for (const part of ['30 分钟', '请忽略本邮件']) {
      expect(text).toContain(part)
      expect(html).toContain(part)
    }
    expect(text).toContain(params.link)
    expect(html).not.toMatch(/<img|<豆>|b="2"/)
    expect(html).toContain('href="https://a.example/?a=1&#38;b=&#34;2&#34;"')
  })

  test('comes from the name that the owner has set for mails, or else from that of the site', async () => {
    const senderOf = async (from_name: string) => {
      await site.configure({ 'system.sitename': '文豆', 'email.from_name': from_name })
      await post()
      await deliverMails(site)
      return mailbox.latest(to).from
    }
    expect(await senderOf('文豆客服')).toMatch(/^"?文豆客服"? <wendou@example\.com>$/)
    expect(await senderOf('')).toMatch(/^"?文豆"? <wendou@example\.com>$/)
  })

  test('cannot add a header, whatever the site is called', async () => {
    const name = '文豆\r\nBcc: other@example.com'
    const ctx = await site.app.context()
    const settings = { ...ctx.settings, system: { ...ctx.settings.system, sitename: name } }
    await ctx.mail.send(settings, { to, ...renderTemplate(settings, 'test', {}) })
    const mail = mailbox.latest(to)
    expect(mail.to).toEqual([to])
    expect(mail.subject).toBe('文豆 Bcc: other@example.com 的测试邮件')
  })
})

describe('the texts of mails', () => {
  const texts = (values: Record<string, string>) =>
    site.configure(Object.fromEntries(Object.entries(values).map(([name, value]) => [`mail_text.${name}`, value])))
  const own = {
    register_code_subject: '{验证码} 是{网站名称}的验证码',
    register_code_body: '<b>同学</b>，你好！\n口令 ｛ 验证码 ｝，{有效分钟} 分钟有效。\n\n{验证码}',
    closing: '{网站名称} 敬上',
  }
  const none = Object.fromEntries(Object.keys(own).map((name) => [name, '']))
  afterEach(() => texts(none))

  test('are those of the owner, escaped, from the next mail on', async () => {
    await site.configure({ 'system.sitename': '文豆' })
    await post()
    await texts(own)
    await deliverMails(site)
    const { subject, text, html } = mailbox.latest(to)
    expect(subject).toBe('482913 是文豆的验证码')
    expect(text.replaceAll('\r\n', '\n')).toContain(
      '<b>同学</b>，你好！\n口令 482913，30 分钟有效。\n\n482913\n\n--\n文豆 敬上',
    )
    expect(html).toContain('&#60;b&#62;同学&#60;/b&#62;，你好！<br>口令 <strong>482913</strong>')
    expect(html).not.toContain('<b>')
  })

  test('that are empty are the default ones', async () => {
    const before = await render('register-code', { code: '1', minutes: 2 })
    await texts(own)
    expect(await render('register-code', { code: '1', minutes: 2 })).not.toEqual(before)
    await texts(none)
    expect(await render('register-code', { code: '1', minutes: 2 })).toEqual(before)
  })

  test('leave out a paragraph that there is nothing to fill with', async () => {
    const params = { username: '张三', title: '一份文档', outcome: '已停用', answer: '谢谢' }
    const withLink = await render('report-answer', { ...params, link: 'https://a.example/' })
    expect(withLink.html).toContain('按钮打不开')
    const { text, html } = await render('report-answer', { ...params, link: '' })
    expect(html).not.toMatch(/按钮打不开|href/)
    expect(text).not.toContain('\n\n\n')
  })

  test('are not searched for placeholders once they are filled in', async () => {
    await texts({ reset_link_body: '{用户名}：{重置链接}' })
    const { text } = await render('reset-link', { username: '{重置链接}', link: 'https://a.example/', minutes: 3 })
    expect(text).toMatch(/^{重置链接}：https:\/\/a\.example\//)
    await texts({ reset_link_body: '' })
  })

  test.each([
    ['register_code_body', '{验证码} {姓名}', '没有 {姓名} 这个占位符，可以使用 {网站名称}、{验证码}、{有效分钟}'],
    ['register_code_subject', '{重置链接}', '没有 {重置链接} 这个占位符'],
    ['closing', '{验证码}', '没有 {验证码} 这个占位符，可以使用 {网站名称}'],
    ['test_body', '{constructor}', '没有 {constructor} 这个占位符'],
    ['register_code_body', '您好！', '正文里要有 {验证码}'],
    ['reset_link_body', '{用户名}，您好！', '正文里要有 {重置链接}'],
    ['test_subject', '长'.repeat(201), '最多 200 个字'],
  ])('are refused: %s = %s', async (name, text, why) => {
    const error = await refusal(texts({ [name]: text }))
    expect(error).toMatchObject({ status: 400, reason: 'settings.wrongValue' })
    expect(error.details).toEqual([{ field: `mail_text.${name}`, message: expect.stringContaining(why) }])
  })

  test('can be changed by those who may change settings, and the change is audited', async () => {
    const reader = await site.staff('ConfigAPI/ListConfig')
    const config = [{ category: 'mail_text', name: 'closing', value: '再见' }]
    expect(await refusal(reader.call(settings.update, { config }))).toMatchObject({ status: 403 })
    const writer = await site.staff('ConfigAPI/UpdateConfig')
    await writer.call(settings.update, { config })
    const { audit } = await site.root.call(audits.list, { user_id: [writer.id] })
    expect(audit[0]).toMatchObject({ change: '邮件文案 · 每封邮件的结尾: （空） → 再见' })
  })
})

async function render<T extends MailTemplate>(template: T, params: TemplateParams[T]) {
  return renderTemplate((await site.app.context()).settings, template, params)
}

async function post(): Promise<void> {
  const ctx = await site.app.context()
  const params = { code: '482913', minutes: 30 }
  await enqueueMail(ctx, { to, template: 'register-code', params, expiresAt: ctx.now() + 30 * minute })
}

function jobs() {
  return site.db.selectFrom('job').selectAll().where('kind', '=', 'mail.send').execute()
}

/** The mail written last. */
function latestMail() {
  return site.db.selectFrom('mail').selectAll().orderBy('id', 'desc').executeTakeFirst()
}

/** Makes waiting mails fail. */
async function failWaiting(): Promise<void> {
  await site.configure({ 'email.enable': 'false' })
  await deliverMails(site)
}

async function purge(): Promise<void> {
  await mailJobs['mail.purge'](await site.app.context())
}
