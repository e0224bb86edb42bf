import { afterAll, beforeAll, expect, test } from 'vitest'
import { comments } from '#shared/contract/comments.ts'
import { documents } from '#shared/contract/documents.ts'
import { notifications } from '#shared/contract/notifications.ts'
import { users } from '#shared/contract/users.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { ReviewStatus } from '#shared/enums.ts'
import { NotificationKind } from '#shared/notification-kinds.ts'
import { publish } from '#server/durable-events.ts'
import { enqueue } from '#server/jobs.ts'
import { type CommunitySite, openCommunitySite } from '#server/testing/community-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'

let site: CommunitySite
beforeAll(async () => {
  site = await openCommunitySite()
})
afterAll(() => site.close())

test('are counted, read and deleted', async () => {
  const { owner } = await notified(3)
  expect(await unread(owner)).toBe(3)
  const [newest, middle, oldest] = await listOf(owner)
  await owner.call(notifications.read, { id: [middle?.id ?? 0] })
  expect(await unread(owner)).toBe(2)
  expect((await owner.call(notifications.list, { unread: true })).total).toBe(2)
  await owner.call(notifications.delete, { id: [newest?.id ?? 0] })
  expect((await listOf(owner)).map(({ id, is_read }) => [id, is_read])).toEqual([
    [middle?.id, true],
    [oldest?.id, false],
  ])
  await owner.call(notifications.read, { all: true })
  expect(await unread(owner)).toBe(0)
  expect((await owner.call(notifications.list, { kind: [NotificationKind.Sale] })).total).toBe(0)
  expect(await refusal(owner.call(notifications.read, {}))).toMatchObject({ reason: 'notifications.nothingChosen' })
})

test('are paged, and counted up to a hundred', async () => {
  const owner = await site.member()
  const ctx = await site.app.context()
  const rows = Array.from({ length: 130 }, (_, index) => ({
    user_id: owner.id,
    kind: NotificationKind.Punishment,
    event_key: `many:${index}`,
    params: '{}',
    latest_at: ctx.now() + index,
    created_at: ctx.now(),
  }))
  await site.db.insertInto('notification').values(rows).execute()
  expect(await unread(owner)).toBe(100)
  const { total, notification } = await owner.call(notifications.list, { page: 7, size: 20 })
  expect([total, notification.length]).toEqual([130, 10])
})

test('are their member’s alone', async () => {
  const { owner } = await notified(1)
  const other = await site.member()
  const [{ id } = { id: 0 }] = await listOf(owner)
  expect(await listOf(other)).toEqual([])
  await other.call(notifications.read, { id: [id] })
  await other.call(notifications.read, { all: true })
  expect(await refusal(other.call(notifications.delete, { id: [id] }))).toMatchObject({ status: 404 })
  expect(await listOf(owner)).toMatchObject([{ id, is_read: false }])
})

test('about one thing are one until it is read; then a new one begins', async () => {
  const { owner, on } = await notified(1)
  const [first, second] = [await site.member(), await site.member()]
  for (const person of [first, second, first]) await site.comment(person, { on })
  await site.runDueJobs()
  const [grouped] = await listOf(owner)
  expect(grouped?.title).toContain(`${first.username} 等 3 人评论了`)
  expect(await unread(owner)).toBe(1)
  await owner.call(notifications.read, { id: [grouped?.id ?? 0] })
  await site.comment(second, { on })
  await site.runDueJobs()
  expect((await listOf(owner)).map(({ title }) => title)).toEqual([
    expect.stringMatching(`^${second.username} 评论了`),
    grouped?.title,
  ])
  await owner.call(notifications.delete, { id: [grouped?.id ?? 0] })
  expect(await listOf(owner)).toHaveLength(1)
})

test('tell nothing of a comment that was hidden or deleted since', async () => {
  const { owner, on } = await notified(1, '第一句')
  const second = await site.comment(await site.member(), { on, content: '第二句' })
  await site.runDueJobs()
  expect(await listOf(owner)).toMatchObject([{ excerpt: '第二句' }])
  await site.root.call(comments.review, { id: [second.id], status: ReviewStatus.Rejected })
  const [remaining] = await listOf(owner)
  expect(remaining).toMatchObject({ excerpt: '第一句' })
  expect(remaining?.title).not.toContain('等')
  const { comment } = await site.call(comments.list, { type: [on.type], document_id: on.document_id })
  for (const { id } of comment) await site.root.call(comments.delete, { id: [id] })
  expect(await listOf(owner)).toMatchObject([
    { title: '有人评论了您的文档（内容已删除或不可见）', excerpt: '', href: '' },
  ])
})

test('tell nothing of a document that the member cannot see any more', async () => {
  const [owner, reader] = [await site.member(), await site.member()]
  const on = await site.document({ owner, title: '机密' })
  const { id } = await site.comment(reader, { on })
  await site.comment(await site.member(), { on, to: id, content: '机密的内容' })
  await site.runDueJobs()
  expect((await listOf(reader))[0]?.title).toContain('机密')
  await site.root.call(documents.review, { id: [on.document_id], status: DocumentStatus.Disabled })
  await site.runDueJobs()
  const hidden = { title: '有人回复了您的评论（内容已删除或不可见）', excerpt: '', href: '' }
  expect(await listOf(reader)).toMatchObject([hidden])
  expect((await listOf(owner))[0]?.title).toContain('机密')
  await site.root.call(documents.delete, { id: [on.document_id] })
  expect(await listOf(reader)).toMatchObject([hidden])
  for (const { title } of await listOf(owner)) expect(title).not.toContain('机密')
})

test('come once, though the event is delivered again, and also after the member deleted it', async () => {
  const [owner, reader] = [await site.member(), await site.member()]
  const { id } = await site.comment(reader, { on: await site.document({ owner }) })
  const again = async () => {
    await publish(await site.app.context(), 'comments.published', { ids: [id] })
    await site.runDueJobs()
  }
  await site.runDueJobs()
  await again()
  const [{ id: notification } = { id: 0 }, ...others] = await listOf(owner)
  expect(others).toEqual([])
  await owner.call(notifications.delete, { id: [notification] })
  await again()
  expect(await listOf(owner)).toEqual([])
})

test('are purged after the days of the setting, and with their account', async () => {
  const { owner } = await notified(1)
  const leaving = await site.member()
  const on = await site.document()
  const { id } = await site.comment(leaving, { on })
  await site.comment(owner, { on, to: id })
  await site.runDueJobs()
  expect(await listOf(leaving)).toHaveLength(1)
  await site.root.call(users.delete, { id: [leaving.id], password: site.root.password })
  await site.runDueJobs()
  expect(await rowsOf(leaving)).toEqual([])
  await site.configure({ 'security.notification_retention_days': '30' })
  site.advanceClock(29 * 86_400_000)
  await purge()
  expect(await rowsOf(owner)).toHaveLength(1)
  site.advanceClock(2 * 86_400_000)
  await purge()
  expect(await rowsOf(owner)).toEqual([])
})

/** A member with so many notifications, each about a comment on another document. */
async function notified(count: number, content = '说得好') {
  const [owner, reader] = [await site.member(), await site.member()]
  let on = await site.document({ owner })
  for (let made = 0; made < count; made += 1) {
    if (made > 0) on = await site.document({ owner })
    await site.comment(reader, { on, content })
    await site.runDueJobs()
  }
  return { owner, reader, on }
}

async function listOf({ call }: Person) {
  return (await call(notifications.list)).notification
}

async function unread({ call }: Person): Promise<number> {
  return (await call(notifications.unread)).count
}

function rowsOf({ id }: Person) {
  return site.db.selectFrom('notification').select('id').where('user_id', '=', id).execute()
}

async function purge(): Promise<void> {
  await enqueue(await site.app.context(), 'notifications.purge', {})
  await site.runDueJobs()
}
