import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { groups } from '#shared/contract/access.ts'
import { announcements } from '#shared/contract/announcements.ts'
import { audits } from '#shared/contract/audit.ts'
import { users } from '#shared/contract/users.ts'
import type { CallInput } from '#shared/endpoint.ts'
import { AnnouncementAudience } from '#shared/enums.ts'
import { formatTime } from '#shared/format.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'

const hour = 3_600_000
const { Everyone, Members, Groups } = AnnouncementAudience

let site: Site
let member: Person
let insider: Person
let groupId: number
beforeAll(async () => {
  site = await openSite()
  site.freezeClock()
  member = await site.member()
  insider = await site.member()
  groupId = (await site.root.call(groups.create, { title: '内测' })).id
  await site.root.call(users.set, { id: insider.id, group_id: [groupId] })
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.db.deleteFrom('announcement').execute()
})

test('each viewer sees the announcements for them, the newest first', async () => {
  await create({ title: '给所有人' })
  site.advanceClock(1000)
  await create({ title: '给用户', audience: Members })
  site.advanceClock(1000)
  await create({ title: '给内测组', audience: Groups, group_id: [groupId] })
  expect(await titles(site.call)).toEqual(['给所有人'])
  expect(await titles(member.call)).toEqual(['给用户', '给所有人'])
  expect(await titles(insider.call)).toEqual(['给内测组', '给用户', '给所有人'])
  // A page that is rendered for visitors learns only whether there is anything to ask for.
  expect((await site.call(announcements.current)).running).toBe(3)
})

test('what is for others can be neither listed nor read', async () => {
  const forGroup = await create({ title: '内测', content: '秘密', audience: Groups, group_id: [groupId] })
  for (const call of [site.call, member.call]) {
    expect(await refusal(call(announcements.read, { id: forGroup.id }))).toMatchObject({
      status: 404,
      reason: 'announcements.notFound',
    })
    expect(JSON.stringify(await call(announcements.published))).not.toContain('内测')
  }
  expect((await insider.call(announcements.read, { id: forGroup.id })).html).toContain('秘密')
})

test('an announcement is shown within its schedule, and stays readable when it is over', async () => {
  const now = (await site.app.context()).now()
  const { id } = await create({ title: '维护', start_time: now + hour, end_time: now + 2 * hour })
  const published = async () => (await site.call(announcements.published)).announcement
  expect([await titles(site.call), await published()]).toEqual([[], []])
  expect(await refusal(site.call(announcements.read, { id }))).toMatchObject({ status: 404 })
  site.advanceClock(hour)
  expect(await titles(site.call)).toEqual(['维护'])
  expect(await published()).toMatchObject([{ title: '维护', is_over: false, published_at: now + hour }])
  site.advanceClock(hour)
  expect(await titles(site.call)).toEqual([])
  expect((await site.call(announcements.current)).running).toBe(0)
  expect(await published()).toMatchObject([{ title: '维护', is_over: true }])
  expect(await site.call(announcements.read, { id })).toMatchObject({ title: '维护', is_over: true })
})

test('a disabled one is for staff alone', async () => {
  const { id } = await create({ title: '草稿', enable: false })
  expect(await titles(site.call)).toEqual([])
  expect(await refusal(member.call(announcements.read, { id }))).toMatchObject({ status: 404 })
  const editor = await site.staff('AnnouncementAPI/ListAnnouncement', 'AnnouncementAPI/UpdateAnnouncement')
  expect(await editor.call(announcements.read, { id })).toMatchObject({ title: '草稿' })
  await editor.call(announcements.patch, { id, enable: true })
  expect(await titles(site.call)).toEqual(['草稿'])
})

test('its HTML is sanitized; plain text gets paragraphs and links', async () => {
  const evil = await create({
    title: '<img src=x onerror=alert(1)>',
    content:
      '<p onclick="x()">好</p><script>alert(1)</script><a href="javascript:x()">点</a><iframe src="//x"></iframe>',
  })
  const page = await site.call(announcements.read, { id: evil.id })
  expect(page.html).toContain('<p>好</p>')
  expect(page.html).not.toMatch(/script|onclick|iframe/)
  expect(page.title).toBe('<img src=x onerror=alert(1)>')
  const plain = await create({ content: '今晚维护。\n\n详情见 https://example.com/a?b=1&c=2，请留意。\n1 < 2' })
  const { html } = await site.call(announcements.read, { id: plain.id })
  expect(html).toMatch(/^<p>今晚维护。<\/p><p>详情见 <a href="https:\/\/example\.com\/a\?b=1&amp;c=2"/)
  expect(html).toContain('</a>，请留意。<br />1 &lt; 2</p>')
  // As it was entered, for editing.
  expect((await site.root.call(announcements.get, { id: plain.id })).content).toContain('今晚维护。\n\n详情见')
})

test('groups are needed where it is for groups, and exist', async () => {
  const attempt = (group_id: number[]) => refusal(create({ audience: Groups, group_id }))
  expect(await attempt([])).toMatchObject({ reason: 'announcements.groupsNeeded' })
  expect(await attempt([groupId, 999_999])).toMatchObject({ reason: 'announcements.groupUnknown' })
  const now = (await site.app.context()).now()
  const backward = create({ start_time: now, end_time: now - 1 })
  expect(await refusal(backward)).toMatchObject({ reason: 'schedule.backward' })
})

test('one for a group that was deleted since is shown to nobody', async () => {
  const { id } = await site.root.call(groups.create, { title: '临时' })
  await create({ title: '给临时组', audience: Groups, group_id: [id] })
  await site.root.call(groups.delete, { id: [id] })
  for (const call of [site.call, member.call, insider.call]) expect(await titles(call)).toEqual([])
})

test('staff list, change and delete them, and the audit log says so', async () => {
  const { id } = await create({ title: '旧标题', audience: Groups, group_id: [groupId] })
  const { announcement } = await site.root.call(announcements.list, { wd: '旧' })
  expect(announcement).toMatchObject([{ id, title: '旧标题', group_id: [groupId], enable: true }])
  await site.root.call(announcements.update, { id, title: '新标题', enable: true })
  expect(await site.root.call(announcements.get, { id })).toMatchObject({
    title: '新标题',
    audience: Everyone,
    group_id: [],
  })
  expect(await titles(site.call)).toEqual(['新标题'])
  const { audit } = await site.root.call(audits.list, { area: ['announcements'] })
  expect(audit[0]?.change).toContain('旧标题 → 新标题')
  await site.root.call(announcements.delete, { id: [id] })
  expect(await titles(site.call)).toEqual([])
  expect(await site.db.selectFrom('announcement_group').selectAll().execute()).not.toContainEqual(
    expect.objectContaining({ announcement_id: id }),
  )
})

test('the audit log has the words of the form: its audience, groups and times', async () => {
  const { id } = await create({ title: '维护', audience: Groups, group_id: [groupId] })
  const start_time = Date.UTC(2030, 0, 2)
  await site.root.call(announcements.update, { id, title: '维护', enable: true, start_time })
  const { audit } = await site.root.call(audits.list, { area: ['announcements'] })
  expect(audit[0]?.change.split('; ').toSorted()).toEqual(
    [
      '谁能看到: 指定的用户组 → 所有人，包括访客',
      '用户组: 内测 → （空）',
      `开始时间: （空） → ${formatTime(start_time)}`,
    ].toSorted(),
  )
})

test('members neither list drafts nor write', async () => {
  expect(await refusal(member.call(announcements.list))).toMatchObject({ status: 403 })
  expect(await refusal(member.call(announcements.create, { title: '我的' }))).toMatchObject({ status: 403 })
  const reader = await site.staff('AnnouncementAPI/ListAnnouncement')
  expect(await refusal(reader.call(announcements.create, { title: '我的' }))).toMatchObject({ status: 403 })
})

function create(form: Partial<CallInput<typeof announcements.create>> = {}) {
  return site.root.call(announcements.create, { title: '公告', enable: true, ...form })
}

async function titles(call: Person['call']): Promise<string[]> {
  return (await call(announcements.current)).announcement.map(({ title }) => title)
}
