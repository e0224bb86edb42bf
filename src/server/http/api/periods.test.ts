import { afterAll, beforeAll, expect, test } from 'vitest'
import { punishments } from '#shared/contract/access.ts'
import { articles } from '#shared/contract/articles.ts'
import { attachments } from '#shared/contract/attachments.ts'
import { audits } from '#shared/contract/audit.ts'
import { comments } from '#shared/contract/comments.ts'
import { documents } from '#shared/contract/documents.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { ContentType, Punishment, ReportReason } from '#shared/enums.ts'
import { formatTime } from '#shared/format.ts'
import { mails } from '#shared/contract/mail.ts'
import { reports } from '#shared/contract/reports.ts'
import { searchRecords } from '#shared/contract/search.ts'
import { users } from '#shared/contract/users.ts'
import { type CommunitySite, openCommunitySite } from '#server/testing/community-site.ts'
import type { Person } from '#server/testing/site.ts'

/** Every list of the back office that grows with time, with one row of today and one of long ago. */

let site: CommunitySite
let member: Person
beforeAll(async () => {
  site = await openCommunitySite()
  member = await site.member()
  const document = await site.document({ owner: member })
  await site.article({ owner: member })
  await site.comment(member, { on: document })
  const reported = await site.document()
  await member.call(reports.create, { document_id: reported.document_id, reason: ReportReason.Spam })
  await site.upload(member)
  await site.root.call(punishments.create, { user_id: [member.id], type: [Punishment.NoUpload], enable: true })
  const now = Date.now()
  const stamps = { created_at: now, updated_at: now }
  const mail = { recipient: 'a@example.com', template: 'test', params: '', message_id: '', expires_at: 0 }
  await site.db
    .insertInto('mail')
    .values({ ...mail, state: 'sent', ...stamps })
    .execute()
  await site.db
    .insertInto('search_record')
    .values({
      user_id: member.id,
      ip: '',
      network: '',
      type: ContentType.Document,
      total: 0,
      page: 1,
      spend_ms: 1,
      user_agent: '',
      keywords: '词',
      ...stamps,
    })
    .execute()
  await site.db.updateTable('article').set(stamps).execute()
})
afterAll(() => site.close())

const lists: [name: string, list: Endpoint][] = [
  ['documents', documents.list],
  ['articles', articles.list],
  ['comments', comments.list],
  ['users', users.list],
  ['attachments', attachments.list],
  ['punishments', punishments.list],
  ['reports', reports.list],
  ['mails', mails.list],
  ['search records', searchRecords.list],
  ['the audit log', audits.list],
]

const dayMs = 86_400_000
const today = () => formatTime(Date.now()).slice(0, 10)
const totalOf = async (list: Endpoint, filters: Record<string, unknown>) =>
  ((await site.root.call(list, filters)) as { total: number }).total

test.each(lists)('%s are listed of the days that are asked for', async (_name, list) => {
  const all = await totalOf(list, {})
  expect(all).toBeGreaterThan(0)
  const yesterday = formatTime(Date.now() - dayMs).slice(0, 10)
  expect(await totalOf(list, { created_at: [yesterday, today()] })).toBe(all)
  expect(await totalOf(list, { created_at: ['2000-01-01', '2000-12-31'] })).toBe(0)
})

test.each(lists.filter(([name]) => !['users', 'mails'].includes(name)))(
  '%s are listed of one member',
  async (name, list) => {
    const user_id = name === 'comments' ? member.id : [member.id]
    const nobody = name === 'comments' ? 999_999 : [999_999]
    expect(await totalOf(list, { user_id: nobody })).toBe(0)
    if (name !== 'the audit log') expect(await totalOf(list, { user_id })).toBeGreaterThan(0)
  },
)

test('staff who manage no users find a member by name, and see public fields only', async () => {
  const reviewer = await site.staff('DocumentAPI/ListDocument')
  const { user } = await reviewer.call(users.list, { wd: member.username, size: 20 })
  expect(user.map(({ username }) => username)).toEqual([member.username])
  expect(user[0]).toMatchObject({ email: '', realname: '' })
})
