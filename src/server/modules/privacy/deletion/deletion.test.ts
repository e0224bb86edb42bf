import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { comments } from '#shared/contract/comments.ts'
import { documents } from '#shared/contract/documents.ts'
import { favorites } from '#shared/contract/favorites.ts'
import { orders } from '#shared/contract/orders.ts'
import { privacy } from '#shared/contract/privacy.ts'
import { users } from '#shared/contract/users.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { OrderStatus, OrderType, ReviewStatus } from '#shared/enums.ts'
import type { DeletionPreview } from '#shared/contract/privacy.ts'
import type { Ctx } from '#server/context.ts'
import { addCredit } from '#server/modules/credits/credits.ledger.ts'
import { openCommunitySite, type CommunitySite } from '#server/testing/community-site.ts'
import { deliverMails } from '#server/testing/deliver-mails.ts'
import { type Mailbox, openMailbox } from '#server/testing/mailbox.ts'
import { type Person, refusal } from '#server/testing/site.ts'
import { deleteAccount } from './carry-out.ts'

const dayMs = 86_400_000

let site: CommunitySite
let mailbox: Mailbox
let member: Person
beforeAll(async () => {
  mailbox = await openMailbox()
  site = await openCommunitySite()
  await site.configure({
    ...mailbox.settings,
    'system.domain': 'https://wenku.example.com',
    'security.session_days': '365',
  })
  // Many days pass in these tests.
  const { token } = await site.call(users.login, site.root)
  Object.assign(site.root, { token, call: site.caller({ token }) })
})
afterAll(async () => {
  await site.close()
  await mailbox.close()
})
beforeEach(async () => {
  member = await site.member()
})

describe('before it is requested', () => {
  test('the member is told what there is to lose', async () => {
    await site.addDocuments({ owner: member }, { owner: member, status: DocumentStatus.InReview })
    await site.article({ owner: member })
    await addCredit(await site.app.context(), { userId: member.id, amount: 30, reason: 'adjustment' })
    await member.call(orders.create, { order_type: OrderType.TopUp, quantity: 100 })
    expect(await member.call(privacy.deletion)).toMatchObject({
      due_at: null,
      obstacle: '',
      days: 7,
      document_count: 2,
      public_document_count: 1,
      sold_document_count: 0,
      article_count: 1,
      public_article_count: 1,
      credit_count: 30,
      vip_until: null,
      open_order_count: 1,
    } satisfies Partial<DeletionPreview>)
  })

  test('staff and the owner of the site learn that they cannot', async () => {
    const clerk = await site.staff('UserAPI/ListUser')
    for (const [person, reason] of [
      [clerk, 'privacy.staffKept'],
      [site.root, 'privacy.ownerKept'],
    ] as const) {
      const { obstacle } = await person.call(privacy.deletion)
      expect(obstacle).toContain('不能注销账号')
      expect(await refusal(request(person))).toMatchObject({ status: 403, reason })
    }
  })

  test('a wrong password is refused, and guesses are throttled', async () => {
    for (let n = 0; n < 5; n++)
      expect(await refusal(member.call(privacy.requestDeletion, { password: `guess ${n}` }))).toMatchObject({
        reason: 'users.ownPasswordWrong',
      })
    const throttled = await refusal(member.call(privacy.requestDeletion, { password: 'guess' }))
    expect(throttled).toMatchObject({ status: 429, reason: 'users.slowDown' })
    expect(await refusal(request(member))).toMatchObject({ status: 429 })
    expect(await member.call(privacy.deletion)).toMatchObject({ due_at: null })
  })

  test('an account without a password first sets one', async () => {
    await site.db.updateTable('user').set({ password: '' }).where('id', '=', member.id).execute()
    expect(await refusal(member.call(privacy.requestDeletion, { password: '' }))).toMatchObject({
      reason: 'privacy.passwordNeeded',
    })
  })
})

describe('while it waits', () => {
  test('the account goes on, other devices are logged out, and a mail tells the way back', async () => {
    const email = `${member.username}@example.com`
    await member.call(users.profile, { email })
    const { token } = await site.caller({})(users.login, member)
    const { due_at } = await request(member)
    expect((await member.call(users.get)).deletion_at).toBe(due_at)
    expect(await refusal(site.caller({ token })(users.profile, {}))).toMatchObject({ status: 401 })
    await deliverMails(site)
    expect(mailbox.latest(email)).toMatchObject({ subject: expect.stringContaining('您申请了注销账号') })
    expect(mailbox.latest(email).text).toContain('登录后注销会自动取消')
    const { user } = await site.root.call(users.list, { id: [member.id] })
    expect(user).toMatchObject([{ deletion_at: due_at, deleted_at: null }])
    const visitor = await site.send('GET', `/api/v1/user?id=${member.id}`)
    expect(visitor.text).not.toContain('deletion_at')
  })

  test('a second request is refused, also at once', async () => {
    const requests = await Promise.allSettled([request(member), request(member), request(member)])
    expect(requests.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await refusal(request(member))).toMatchObject({ status: 409, reason: 'privacy.deletionRequested' })
  })

  test('the button cancels it, and then there is nothing to cancel', async () => {
    await request(member)
    await member.call(privacy.cancelDeletion)
    expect(await member.call(privacy.deletion)).toMatchObject({ due_at: null })
    expect(await refusal(member.call(privacy.cancelDeletion))).toMatchObject({ status: 404 })
    await passDays(8)
    expect((await member.call(users.get)).username).toBe(member.username)
  })

  test('logging in cancels it, and a mail says so', async () => {
    const email = `${member.username}@example.com`
    await member.call(users.profile, { email })
    await request(member)
    const { user } = await site.caller({})(users.login, member)
    expect(user.deletion_at).toBeNull()
    await deliverMails(site)
    const subjects = mailbox.mails().flatMap(({ to, subject }) => (to.includes(email) ? [subject] : []))
    expect(subjects).toContainEqual(expect.stringContaining('账号注销已取消'))
    await passDays(8)
    expect((await member.call(users.get)).username).toBe(member.username)
  })

  test('requested again after a cancellation, it waits the whole period again', async () => {
    await request(member)
    await member.call(privacy.cancelDeletion)
    await passDays(4)
    const { due_at } = await request(member)
    await passDays(4)
    expect(await member.call(privacy.deletion)).toMatchObject({ due_at })
    await passDays(4)
    expect(await isDeleted(member)).toBe(true)
  })

  test('the owner of the site sets the period', async () => {
    await site.configure({ 'security.delete_days': '0' })
    onTestFinished(() => site.configure({ 'security.delete_days': '7' }))
    await request(member)
    await site.runDueJobs()
    expect(await isDeleted(member)).toBe(true)
  })

  test('a member who becomes staff meanwhile keeps the account', async () => {
    await request(member)
    const { group_id } = await (await site.staff('UserAPI/ListUser')).call(users.get)
    await site.root.call(users.set, { id: member.id, group_id })
    await passDays(8)
    expect(await isDeleted(member)).toBe(false)
    expect(await member.call(privacy.deletion)).toMatchObject({ due_at: null })
  })

  test('an open order is waited for', async () => {
    const { order_no } = await member.call(orders.create, { order_type: OrderType.TopUp, quantity: 100 })
    const far = Number.MAX_SAFE_INTEGER
    await site.db.updateTable('order').set({ expired_at: far }).where('order_no', '=', order_no).execute()
    await site.db.deleteFrom('job').where('kind', 'like', 'orders.%').execute()
    await request(member)
    await passDays(8)
    expect(await isDeleted(member)).toBe(false)
    expect(await member.call(privacy.deletion)).toMatchObject({ open_order_count: 1 })
    await site.db
      .updateTable('order')
      .set({ status: OrderStatus.Closed, pending_key: '' })
      .where('order_no', '=', order_no)
      .execute()
    await passDays(1)
    expect(await isDeleted(member)).toBe(true)
  })
})

describe('a deleted account', () => {
  test('has nothing personal any more, and no way in', async () => {
    const email = `${member.username}@example.com`
    const mobile = '13912340001'
    await member.call(users.profile, {
      email,
      mobile,
      realname: '王小二',
      identity: '11010519491231002X',
      address: '北京市东城区',
      signature: '读书破万卷',
      avatar: '/uploads/a.png',
    })
    await addCredit(await site.app.context(), { userId: member.id, amount: 30, reason: 'adjustment' })
    await request(member)
    await passDays(8)
    const row = await site.db.selectFrom('user').selectAll().where('id', '=', member.id).executeTakeFirstOrThrow()
    const { id, username, username_key, former_username_key, ...others } = row
    expect({ id, username, username_key }).toEqual({
      id: member.id,
      username: '已注销用户',
      username_key: `deleted:${member.id}`,
    })
    expect(former_username_key).not.toBe('')
    for (const [column, value] of Object.entries(others))
      if (!column.endsWith('_at')) expect({ column, value: value || '' }).toEqual({ column, value: '' })
    expect(await refusal(site.caller({})(users.login, member))).toMatchObject({ reason: 'users.wrongCredentials' })
    expect(await refusal(site.caller({})(users.login, { username: username_key, password: '' }))).toMatchObject({
      reason: 'users.wrongCredentials',
    })
    expect(await refusal(member.call(privacy.deletion))).toMatchObject({ status: 401 })
    const entries = await site.db.selectFrom('credit_entry').selectAll().where('user_id', '=', member.id).execute()
    expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(0)
    expect(entries.at(-1)).toMatchObject({ reason: 'accountDeleted', amount: -30, balance: 0 })
    await deliverMails(site)
    expect(mailbox.latest(email).subject).toContain('账号已注销')

    // Both are free for another.
    const next = await site.member()
    await next.call(users.profile, { email, mobile })
    expect(await next.call(users.get)).toMatchObject({ email, mobile })
  })

  test('keeps its name from others for a while, and then it is free', async () => {
    await request(member)
    await passDays(8)
    const form = { username: member.username, password: 'another password', email: 'again@example.com' }
    expect(await refusal(site.call(users.register, form))).toMatchObject({ reason: 'users.nameTaken' })
    await passDays(181)
    const row = await site.db.selectFrom('user').select('former_username_key').where('id', '=', member.id).execute()
    expect(row).toEqual([{ former_username_key: '' }])
    expect((await site.call(users.register, form)).user.username).toBe(member.username)
  })

  test('no one else can take the name of all deleted accounts', async () => {
    for (const username of ['已注销用户', '已注销用户1'])
      expect(
        await refusal(site.call(users.register, { username, password: 'some password', email: 'x@example.com' })),
      ).toMatchObject({ status: 400 })
  })

  test('leaves public content under the common name if its owner chose so, and takes the rest along', async () => {
    const [open = 0, waiting = 0, binned = 0] = await site.addDocuments(
      { owner: member, title: '公开的' },
      { owner: member, status: DocumentStatus.InReview },
      { owner: member, deleted_at: 1 },
    )
    const shown = await site.article({ owner: member, title: '公开的文章' })
    const hidden = await site.article({ owner: member, status: ReviewStatus.Pending })
    const other = await site.document()
    const comment = await site.comment(member, { on: other, content: '写得真好' })
    await member.call(favorites.create, other)
    await request(member, true)
    await passDays(8)
    const left = await site.db.selectFrom('document').select('id').where('user_id', '=', member.id).execute()
    expect(left).toEqual([{ id: open }])
    for (const id of [waiting, binned])
      expect(await site.db.selectFrom('document').selectAll().where('id', '=', id).execute()).toEqual([])
    const articles = await site.db.selectFrom('article').select('id').where('user_id', '=', member.id).execute()
    expect(articles.map(({ id }) => id)).toEqual([shown.document_id])
    expect(articles.map(({ id }) => id)).not.toContain(hidden.document_id)
    expect((await site.call(documents.get, { id: open, with_author: true })).user).toMatchObject({
      username: '已注销用户',
      avatar: '',
    })
    const listed = await site.call(comments.list, { document_id: other.document_id })
    expect(listed.comment).toMatchObject([{ id: comment.id, content: '写得真好', user: { username: '已注销用户' } }])
    const favorite = await site.db.selectFrom('favorite').selectAll().where('user_id', '=', member.id).execute()
    expect(favorite).toEqual([])
    const ips = await site.db.selectFrom('comment').select('ip').where('user_id', '=', member.id).execute()
    expect(ips).toEqual([{ ip: '' }])
  })

  test('takes all content along if its owner chose so', async () => {
    const category = await site.category('分类')
    await site.addDocuments({ owner: member, category: [category] }, { owner: member })
    await site.article({ owner: member })
    await request(member, false)
    await passDays(8)
    for (const table of ['document', 'article'] as const)
      expect(await site.db.selectFrom(table).select('id').where('user_id', '=', member.id).execute()).toEqual([])
    const row = await site.db.selectFrom('category').select('doc_count').where('id', '=', category).execute()
    expect(row).toEqual([{ doc_count: 0 }])
  })

  test('keeps its orders, which staff still see', async () => {
    const { order_no } = await member.call(orders.create, { order_type: OrderType.TopUp, quantity: 100 })
    await member.call(orders.close, { order_no })
    await request(member)
    await passDays(8)
    expect(await isDeleted(member)).toBe(true)
    const { order } = await site.root.call(orders.list, { wd: order_no })
    expect(order).toMatchObject([{ order_no, user_id: member.id }])
    const row = await site.db.selectFrom('order').select('ip').where('order_no', '=', order_no).execute()
    expect(row).toEqual([{ ip: '' }])
  })

  test('is shown to staff as such, to no visitor, and cannot be revived', async () => {
    await request(member)
    await passDays(8)
    const { user } = await site.root.call(users.list, { id: [member.id] })
    expect(user).toMatchObject([{ username: '已注销用户', deletion_at: null, deleted_at: expect.any(Number) }])
    expect((await site.call(users.list, { id: [member.id] })).user).toEqual([])
    const revivals = [
      () => site.root.call(users.set, { id: member.id, group_id: [2], password: 'another password' }),
      () => site.root.call(users.profile, { id: member.id, email: 'back@example.com' }),
      () => site.root.call(users.password, { id: member.id, new_password: 'another password' }),
    ]
    for (const revive of revivals) expect(await refusal(revive())).toMatchObject({ reason: 'users.deleted' })
  })
})

describe('a deletion that is interrupted', () => {
  test('goes on where it stopped, and changes nothing twice', async () => {
    await site.addDocuments(...Array.from({ length: 5 }, () => ({ owner: member })))
    await addCredit(await site.app.context(), { userId: member.id, amount: 30, reason: 'adjustment' })
    await request(member, false)
    site.advanceClock(8 * dayMs)
    onTestFinished(() => site.advanceClock(-8 * dayMs))
    const ctx = await site.app.context()
    const stopped = AbortSignal.abort(new Error('stopped'))
    await expect(deleteAccount(ctx, { user: member.id }, { signal: stopped })).rejects.toThrow('stopped')
    expect(await isDeleted(member)).toBe(true)
    expect(await documentsOf(member)).toBe(5)
    await site.runDueJobs()
    expect(await documentsOf(member)).toBe(0)
    const before = await ledger()
    await deleteAccount(ctx, { user: member.id }, { signal: new AbortController().signal })
    expect(await ledger()).toEqual(before)
  })

  test('wherever the process is killed, the account is either untouched or gone, and the rest follows', async () => {
    await site.addDocuments(...Array.from({ length: 3 }, () => ({ owner: member })))
    await request(member, false)
    site.advanceClock(8 * dayMs)
    onTestFinished(() => site.advanceClock(-8 * dayMs))
    const { signal } = new AbortController()
    let kills = 0
    for (let left = 0; left < 100; left++) {
      try {
        await deleteAccount(dying(await site.app.context(), left), { user: member.id }, { signal })
        break
      } catch (error) {
        if (!(error instanceof Killed)) throw error
        kills += 1
        const row = await site.db.selectFrom('user').selectAll().where('id', '=', member.id).executeTakeFirstOrThrow()
        const sessions = await site.db.selectFrom('session').select('id').where('user_id', '=', member.id).execute()
        expect([row.password === '', sessions.length === 0]).toEqual(Array(2).fill(row.deleted_at !== null))
      }
    }
    expect(kills).toBeGreaterThan(3)
    expect(await isDeleted(member)).toBe(true)
    expect(await documentsOf(member)).toBe(0)
    const events = site.db.selectFrom('job').select('id').where('payload', 'like', `%users.deleted%[${member.id}]%`)
    expect(await events.execute()).toHaveLength(1)
  })

  const ledger = () => site.db.selectFrom('credit_entry').selectAll().where('user_id', '=', member.id).execute()
  const documentsOf = async ({ id }: Person) =>
    (await site.db.selectFrom('document').select('id').where('user_id', '=', id).execute()).length
})

class Killed extends Error {}

/** Every step looks at the clock: one whose clock fails does nothing more, and its transaction is undone. */
function dying(ctx: Ctx, looks: number): Ctx {
  let left = looks
  return {
    ...ctx,
    now() {
      left -= 1
      if (left < 0) throw new Killed()
      return ctx.now()
    },
  }
}

function request(person: Person, keep_content = true): Promise<DeletionPreview> {
  return person.call(privacy.requestDeletion, { password: person.password, keep_content })
}

async function isDeleted({ id }: Person): Promise<boolean> {
  const row = await site.db.selectFrom('user').select('deleted_at').where('id', '=', id).executeTakeFirstOrThrow()
  return row.deleted_at !== null
}

/** And lets the jobs run. The clock is not turned back: later tests live in later days. */
async function passDays(days: number): Promise<void> {
  site.advanceClock(days * dayMs)
  await site.runDueJobs()
}
