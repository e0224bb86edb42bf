import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { punishments } from '#shared/contract/access.ts'
import { documents } from '#shared/contract/documents.ts'
import { notifications } from '#shared/contract/notifications.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { Punishment } from '#shared/enums.ts'
import { NotificationKind, NotificationMail } from '#shared/notification-kinds.ts'
import { publish } from '#server/durable-events.ts'
import { type CommunitySite, openCommunitySite } from '#server/testing/community-site.ts'
import { type Mailbox, openMailbox } from '#server/testing/mailbox.ts'
import { type Person, refusal } from '#server/testing/site.ts'
import { notificationListeners } from './listeners.ts'
import { mailDueNotifications } from './mail-notifications.ts'
import { nextDigest } from './notifications.add.ts'

const { Off, AtOnce, Daily } = NotificationMail
const minute = 60_000

let site: CommunitySite
let mailbox: Mailbox
let owner: Person
beforeAll(async () => {
  mailbox = await openMailbox()
  site = await openCommunitySite()
  site.freezeClock()
  await site.configure({ ...mailbox.settings, 'system.domain': 'https://wenku.example.com', 'email.digest_hour': '8' })
})
afterAll(async () => {
  await site.close()
  await mailbox.close()
})
beforeEach(async () => {
  owner = await site.member()
  await site.db
    .updateTable('user')
    .set({ email: address(owner) })
    .where('id', '=', owner.id)
    .execute()
})

test('a digest is due at the next time that it is its hour', () => {
  const at = (hour: number, minute = 0, day = 15) => new Date(2026, 10, day, hour, minute).getTime()
  expect(nextDigest(at(7, 59), 8)).toBe(at(8))
  expect(nextDigest(at(8), 8)).toBe(at(8, 0, 16))
  expect(nextDigest(at(23), 0)).toBe(at(0, 0, 16))
})

describe('a kind', () => {
  test('that is mailed at once comes in one mail with others of the same minute', async () => {
    await choose(owner, NotificationKind.Comment, AtOnce)
    await commentOn('会议纪要')
    await commentOn('年报')
    await site.runDueJobs()
    expect(mailsTo(owner)).toEqual([])
    await pass(minute)
    const [mail, ...others] = mailsTo(owner)
    expect(others).toEqual([])
    expect(mail?.subject).toMatch(/^文豆：.* 评论了您的文档《会议纪要》$/)
    expect(mail?.text).toContain('《年报》——说得好')
    expect(mail?.text).toContain('https://wenku.example.com/me/notification')
    expect(mail?.html).toContain('<li')
    await pass(60 * minute)
    expect(mailsTo(owner)).toHaveLength(1)
  })

  test('in the daily digest comes once, at its hour', async () => {
    await commentOn('会议纪要')
    await commentOn('会议纪要')
    await pass(5 * minute)
    expect(mailsTo(owner)).toEqual([])
    await passToDigest()
    expect(mailsTo(owner)).toMatchObject([{ subject: '文豆：您有 2 条未读通知' }])
    await passToDigest()
    expect(mailsTo(owner)).toHaveLength(1)
  })

  test('that is off is not mailed, whether it was turned off before or after the event', async () => {
    await choose(owner, NotificationKind.Comment, Off)
    await commentOn('会议纪要')
    await choose(owner, NotificationKind.Comment, Daily)
    await commentOn('年报')
    await choose(owner, NotificationKind.Comment, Off)
    await passToDigest()
    expect(mailsTo(owner)).toEqual([])
    expect((await owner.call(notifications.list)).total).toBe(2)
  })

  test('is mailed as by default unless the member chose', async () => {
    const { choice, email, can_mail } = await owner.call(notifications.choices)
    // Staff alone are told of outlays and of answers.
    expect(choice).toHaveLength(Object.keys(NotificationKind).length - 2)
    expect(choice).toContainEqual({ kind: NotificationKind.DocumentReview, mail: AtOnce })
    expect({ email, can_mail }).toEqual({ email: address(owner), can_mail: true })
    await choose(owner, NotificationKind.DocumentReview, Off)
    const chosen = (await owner.call(notifications.choices)).choice
    expect(chosen).toEqual(
      choice.map((item) => (item.kind === NotificationKind.DocumentReview ? { ...item, mail: Off } : item)),
    )
  })
})

describe('nothing is mailed', () => {
  test('of what was read or deleted before, or hidden', async () => {
    await commentOn('读过')
    await owner.call(notifications.read, { all: true })
    await commentOn('丢弃')
    const [deleted] = (await owner.call(notifications.list)).notification
    await owner.call(notifications.delete, { id: [deleted?.id ?? 0] })
    const on = await commentOn('机密')
    await site.root.call(documents.delete, { id: [on.document_id] })
    await passToDigest()
    expect(mailsTo(owner)).toEqual([])
  })

  test('to members without an address, to disabled ones, nor where the owner of the site wants none', async () => {
    await commentOn('会议纪要')
    await site.root.call(punishments.create, { user_id: [owner.id], type: [Punishment.Disabled], enable: true })
    await passToDigest()
    expect(mailsTo(owner)).toEqual([])

    owner = await site.member()
    await commentOn('会议纪要')
    await passToDigest()
    expect(mailsTo(owner)).toEqual([])

    await site.db
      .updateTable('user')
      .set({ email: address(owner) })
      .where('id', '=', owner.id)
      .execute()
    await commentOn('会议纪要')
    await site.configure({ 'email.enable_notification': 'false' })
    await passToDigest()
    await site.configure({ 'email.enable_notification': 'true' })
    await passToDigest()
    expect(mailsTo(owner)).toEqual([])
  })

  test('of a decision that was taken back within the minute', async () => {
    const [id = 0] = await site.addDocuments({ owner, status: DocumentStatus.InReview })
    await site.root.call(documents.review, { id: [id], status: DocumentStatus.Rejected })
    await site.runDueJobs()
    await site.root.call(documents.review, { id: [id], status: DocumentStatus.InReview })
    await site.runDueJobs()
    await pass(2 * minute)
    expect(mailsTo(owner)).toEqual([])
  })
})

describe('a recipient', () => {
  test('ends mails with one click of the mail program, without a session', async () => {
    await commentOn('会议纪要')
    await passToDigest()
    const { headers, text, html } = mailbox.latest(address(owner))
    expect(headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
    const link = /^<(https:\/\/wenku\.example\.com\/unsubscribe\?token=[\w.-]+)>$/.exec(
      headers['list-unsubscribe'] ?? '',
    )?.[1]
    expect(text).toContain(link)
    expect(html).toContain(link)
    const path = new URL(link ?? '').pathname + new URL(link ?? '').search
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const clicked = await site.send('POST', path, { headers: form, body: 'List-Unsubscribe=One-Click' })
    expect(clicked.status).toBe(200)
    const { choice } = await owner.call(notifications.choices)
    expect(choice.filter(({ mail }) => mail === Daily)).toEqual([])
    expect(choice).toContainEqual({ kind: NotificationKind.DocumentReview, mail: AtOnce })
    await commentOn('年报')
    await passToDigest()
    expect(mailsTo(owner)).toHaveLength(1)
  })

  test('sees first what would end, and may end all; also where the site requires a login', async () => {
    await site.configure({ 'security.login_required': 'true' })
    await choose(owner, NotificationKind.Comment, AtOnce)
    await commentOn('会议纪要')
    await pass(minute)
    const token = /token=([\w.-]+)/.exec(mailbox.latest(address(owner)).text)?.[1] ?? ''
    expect(await site.call(notifications.subscription, { token })).toEqual({
      username: owner.username,
      kind: [NotificationKind.Comment],
    })
    expect((await owner.call(notifications.choices)).choice).toContainEqual({
      kind: NotificationKind.Comment,
      mail: AtOnce,
    })
    await site.call(notifications.unsubscribe, { token, all: true })
    const { choice } = await owner.call(notifications.choices)
    expect(choice.every(({ mail }) => mail === Off)).toBe(true)
    await site.configure({ 'security.login_required': 'false' })
  })

  test('cannot end mails with a link that was changed, or made for something else', async () => {
    const forged = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(`{"user":${owner.id}}`).toString('base64url')}.`
    for (const token of ['', 'x', forged, owner.token])
      expect(await refusal(site.call(notifications.unsubscribe, { token }))).toMatchObject({
        reason: 'notifications.badToken',
      })
    expect((await site.send('POST', '/unsubscribe?token=x')).status).toBe(400)
    expect((await site.send('POST', '/unsubscribe')).status).toBe(400)
  })
})

describe('a worker that is killed', () => {
  test('while an event is delivered, also between two of its notifications, notifies once of each', async () => {
    const ids: number[] = []
    for (let made = 0; made < 3; made += 1) {
      const { id } = await site.comment(await site.member(), { on: await site.document({ owner }) })
      ids.push(id)
    }
    const [deliver] = notificationListeners['comments.published']
    const kills = await persist(async (ctx) => deliver?.(ctx, { ids }))
    expect(kills).toBeGreaterThan(2)
    await publish(await site.app.context(), 'comments.published', { ids })
    await site.runDueJobs()
    const rows = site.db.selectFrom('notification').select('id').where('user_id', '=', owner.id)
    expect(await rows.execute()).toHaveLength(ids.length)
    expect((await owner.call(notifications.list)).total).toBe(ids.length)
  })

  test('while mails are made mails once all the same', async () => {
    await commentOn('会议纪要')
    site.advanceClock(24 * 60 * minute)
    const kills = await persist(mailDueNotifications)
    expect(kills).toBeGreaterThan(3)
    await site.runDueJobs()
    expect(mailsTo(owner)).toHaveLength(1)
  })

  /** A process that is killed leaves its open transaction undone; so does one whose clock fails. Says how often it was. */
  async function persist(step: (ctx: Awaited<ReturnType<typeof site.app.context>>) => Promise<void>): Promise<number> {
    for (let kills = 0; ; kills += 1) {
      const ctx = await site.app.context()
      let left = kills
      const now = () => {
        if ((left -= 1) < 0) throw new Error('killed')
        return ctx.now()
      }
      try {
        await step({ ...ctx, now })
        return kills
      } catch (error) {
        if (!(error instanceof Error && error.message === 'killed')) throw error
      }
    }
  }
})

async function commentOn(title: string) {
  const on = await site.document({ owner, title })
  await site.comment(await site.member(), { on })
  await site.runDueJobs()
  return on
}

async function choose({ call }: Person, kind: NotificationKind, mail: NotificationMail): Promise<void> {
  await call(notifications.choose, { choice: [{ kind, mail }] })
}

async function pass(ms: number): Promise<void> {
  site.advanceClock(ms)
  await site.runDueJobs()
}

async function passToDigest(): Promise<void> {
  await pass(24 * 60 * minute)
}

function address({ username }: Person): string {
  return `${username}@example.com`
}

function mailsTo(person: Person) {
  return mailbox.mails().filter(({ to }) => to.includes(address(person)))
}
