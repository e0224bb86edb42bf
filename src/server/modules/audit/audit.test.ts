import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { groups, permissions, punishments } from '#shared/contract/access.ts'
import { audits } from '#shared/contract/audit.ts'
import { comments } from '#shared/contract/comments.ts'
import { contract } from '#shared/contract/contract.ts'
import { credits } from '#shared/contract/credits.ts'
import { documents } from '#shared/contract/documents.ts'
import { orders } from '#shared/contract/orders.ts'
import { settings } from '#shared/contract/settings.ts'
import { navigations } from '#shared/contract/site.ts'
import { spiderSources } from '#shared/contract/spider.ts'
import { users } from '#shared/contract/users.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { Punishment, ReviewStatus } from '#shared/enums.ts'
import { formatTime } from '#shared/format.ts'
import { isAuditable } from '#server/http/api/mount.ts'
import { type DocumentSite, openDocumentSite } from '#server/testing/document-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'
import { purgeAudit } from './audit.jobs.ts'
import { areaKinds, findTargets } from './audit.targets.ts'

const dayMs = 86_400_000

let site: DocumentSite
beforeAll(async () => {
  site = await openDocumentSite()
})
afterAll(() => site.close())

const latest = async () => (await site.root.call(audits.list, { size: 1 })).audit[0]

async function memberWith(...paths: string[]): Promise<Person> {
  const person = await site.member()
  const { permission } = await site.root.call(permissions.list, { size: 1000 })
  const permission_id = permission
    .filter(({ path }) => paths.some((wanted) => path.endsWith(wanted)))
    .map(({ id }) => id)
  const { id } = await site.root.call(groups.create, { title: `职员 ${person.id}` })
  await site.root.call(groups.setPermissions, { group_id: id, permission_id })
  await site.root.call(users.set, { id: person.id, group_id: [id] })
  return person
}

describe('the audit log', () => {
  test('says who changed which setting, from what to what', async () => {
    await site.root.call(settings.update, {
      config: [
        { category: 'system', name: 'sitename', value: '新的名字' },
        { category: 'system', name: 'title', value: (await site.app.context()).settings.system.title },
      ],
    })
    expect(await latest()).toMatchObject({
      username: 'admin',
      area: 'settings',
      action: 'update',
      area_title: '设置',
      title: '修改了设置',
      sentence: '修改了设置',
      change: expect.stringMatching(/^系统设置 · 网站名称: .* → 新的名字$/),
    })
  })

  test('has the words of the screen for switches and choices', async () => {
    await site.root.call(settings.update, {
      config: [
        { category: 'vip', name: 'enable', value: 'true' },
        { category: 'pay', name: 'alipay_mode', value: 'certificate' },
      ],
    })
    expect((await latest())?.change).toMatch(/启用 VIP: 关 → 开; /)
    expect((await latest())?.change).toMatch(/加签方式: 公钥 → 公钥证书/)
  })

  test('names whose password was changed, and has nothing of the password', async () => {
    const person = await site.staff('DocumentAPI/ListDocument')
    await person.call(users.password, { old_password: person.password, new_password: 'quite another one' })
    expect(await latest()).toMatchObject({ sentence: `修改了密码：“${person.username}”`, change: '' })
  })

  test('masks secrets', async () => {
    await site.root.call(settings.update, {
      config: [{ category: 'email', name: 'password', value: 'hunter2-secret' }],
    })
    const entry = await latest()
    expect(entry?.change).toMatch(/^邮件设置 · .*密码/)
    expect(JSON.stringify(entry)).not.toContain('hunter2')
    const person = await site.member()
    await site.root.call(users.set, { id: person.id, group_id: [2], password: 'brand-new-secret' })
    expect(await latest()).toMatchObject({ area: 'users', action: 'set', target_id: [String(person.id)] })
    expect(JSON.stringify(await latest())).not.toContain('brand-new-secret')
  })

  test('says which group and which document were changed, and names what was created', async () => {
    const group = await site.root.call(groups.create, { title: '审计组' })
    expect(await latest()).toMatchObject({ area: 'groups', action: 'create', target_id: [String(group.id)] })
    await site.root.call(groups.update, { ...group, title: '改名的组' })
    expect(await latest()).toMatchObject({
      target_id: [String(group.id)],
      change: expect.stringContaining('审计组 → 改名的组'),
    })
    const navigation = await site.root.call(navigations.create, { title: '导航', href: '/', enable: true })
    await site.root.call(navigations.patch, { id: navigation.id, enable: false })
    expect((await latest())?.change).toMatch(/: 是 → 否$/)
    const [id = 0] = await site.addDocuments({ title: '旧题' })
    await site.root.call(documents.update, { id, title: '新题', category_id: [] })
    expect(await latest()).toMatchObject({
      area: 'documents',
      target_id: [String(id)],
      change: expect.stringContaining('旧题 → 新题'),
    })
  })

  test('is a sentence of what was done, with names as they were and their pages', async () => {
    const [id = 0, other = 0] = await site.addDocuments(
      { title: '年报', status: DocumentStatus.InReview },
      { title: '草稿', status: DocumentStatus.InReview },
    )
    const { uuid } = await site.db.selectFrom('document').select('uuid').where('id', '=', id).executeTakeFirstOrThrow()
    await site.root.call(documents.review, { id: [id], status: DocumentStatus.Pending })
    expect(await latest()).toMatchObject({
      sentence: '通过了文档《年报》',
      change: '',
      target: [{ id: String(id), name: '年报', href: `/document/${uuid}` }],
    })
    await site.root.call(documents.review, { id: [other], status: DocumentStatus.Rejected, reason: '内容不全' })
    expect(await latest()).toMatchObject({ sentence: '不通过文档《草稿》', change: '原因: 内容不全' })
    await site.root.call(documents.update, { id, title: '年报二', category_id: [] })
    await site.root.call(documents.delete, { id: [id] })
    expect(await latest()).toMatchObject({ sentence: '把文档移到了回收站：《年报二》' })
    const navigation = await site.root.call(navigations.create, { title: '帮助', href: '/' })
    expect(await latest()).toMatchObject({ sentence: '新增了导航“帮助”' })
    await site.root.call(navigations.patch, { id: navigation.id, enable: false })
    expect(await latest()).toMatchObject({ sentence: '停用了导航“帮助”' })
    await site.root.call(navigations.delete, { id: [navigation.id] })
    expect(await latest()).toMatchObject({ sentence: '删除了导航和它的下级“帮助”' })
    expect((await site.root.call(audits.list, { wd: '年报二' })).audit).toHaveLength(2)
  })

  test('has words in place of codes and names in place of ids', async () => {
    const person = await site.member()
    const group = await site.root.call(groups.create, { title: '编辑部' })
    await site.root.call(users.set, { id: person.id, group_id: [group.id] })
    expect(await latest()).toMatchObject({
      sentence: `设置了用户组：“${person.username}”`,
      change: '用户组: 编辑部',
      target: [{ name: person.username, href: `/user/${person.id}` }],
    })
    const set = { id: person.id, group_id: [group.id], sets_end: true }
    await site.root.call(users.set, { ...set, member_until: Date.UTC(2030, 0, 2) })
    expect(await latest()).toMatchObject({
      change: `用户组: 编辑部; 在组里的期限: ${formatTime(Date.UTC(2030, 0, 2))}`,
    })
    await site.root.call(users.set, set)
    expect(await latest()).toMatchObject({ change: '用户组: 编辑部。在组里没有期限' })
    const end_time = Date.UTC(2030, 0, 2)
    await site.root.call(punishments.create, {
      user_id: [person.id],
      type: [Punishment.NoUpload],
      enable: true,
      reason: '广告',
      end_time,
    })
    expect(await latest()).toMatchObject({
      sentence: `新增了处罚“${person.username}”`,
      change: `类型: 禁止上传; 启用: 是; 原因: 广告; 结束时间: ${formatTime(end_time)}`,
    })
  })

  test('has titles with links beside the ids of orders, comments and what stands in lists alone', async () => {
    const person = await site.member()
    await site.root.call(orders.systemTopUp, { user_id: person.id, amount: 9, remark: '线下', key: 'to-be-noted' })
    const order = await site.db.selectFrom('order').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()
    await site.root.call(orders.remark, { id: order.id, remark: '电话里说好的' })
    expect(await latest()).toMatchObject({
      sentence: `备注了订单“${order.product_name}”`,
      target: [{ id: String(order.id), name: order.product_name, href: `/admin/order?wd=${order.order_no}` }],
    })

    const [document = 0] = await site.addDocuments({ title: '被评的' })
    await site.root.call(comments.create, { document_id: document, content: '讲得清楚' })
    const comment = await site.db.selectFrom('comment').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()
    await site.root.call(comments.review, { id: [comment.id], status: ReviewStatus.Rejected, reason: '广告' })
    expect(await latest()).toMatchObject({
      sentence: '不通过评论“讲得清楚”',
      target: [{ name: '讲得清楚', href: `/document/${document}#comment-${comment.id}` }],
    })

    const navigation = await site.root.call(navigations.create, { title: '帮助 & 更多', href: '/' })
    expect((await latest())?.target).toEqual([
      {
        id: String(navigation.id),
        name: '帮助 & 更多',
        href: '/admin/navigation?wd=%E5%B8%AE%E5%8A%A9+%26+%E6%9B%B4%E5%A4%9A',
      },
    ])
  })

  test('names the difference that was handled, not the order of the same id', async () => {
    const { id } = await site.db
      .insertInto('bill_difference')
      .values({
        provider: 'alipay',
        day: '2026-01-02',
        kind: 'other-amount',
        entry: 'payment',
        attempt_no: '2026A',
        transaction_id: 't',
        our_money: 1,
        their_money: 2,
        created_at: 1,
        updated_at: 1,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await site.root.call(orders.handleDifference, { id, remark: '已补' })
    expect((await latest())?.target).toEqual([
      { id: String(id), name: '2026A', href: '/admin/order/difference?wd=2026A' },
    ])
  })

  test('names a new source, not the user of the same id to whom its documents will belong', async () => {
    const { id } = await site.root.call(spiderSources.create, {
      name: '统计局',
      start: ['https://stats.example/'],
      user_id: site.root.id,
    })
    expect(id).toBe(site.root.id)
    expect(await latest()).toMatchObject({ sentence: '新增了采集源“统计局”', target: [{ name: '统计局' }] })
  })

  test('knows what the ids of every audited endpoint stand for', async () => {
    const ctx = await site.app.context()
    for (const [area, actions] of Object.entries(contract))
      for (const [action, endpoint] of Object.entries<Endpoint>(actions)) {
        if (!isAuditable(endpoint) || !('id' in endpoint.input.shape)) continue
        expect(areaKinds[`${area}.${action}`] ?? areaKinds[area], `${area}.${action}`).toBeDefined()
        expect(await findTargets(ctx, { area, action }, [999_999])).toEqual([{ id: '999999', name: '', href: '' }])
      }
  })

  test('has one entry for a request that is repeated with its key', async () => {
    const person = await site.member()
    const grant = { user_id: person.id, amount: 7, reason: '奖励', key: 'only-once' }
    await site.root.call(credits.adjust, grant)
    const entry = await latest()
    expect(entry).toMatchObject({ sentence: `增加了豆子：“${person.username}”` })
    await site.root.call(credits.adjust, grant)
    expect((await latest())?.id).toBe(entry?.id)
    const topUp = { user_id: person.id, amount: 9, remark: '线下', key: 'top-up-once' }
    await site.root.call(orders.systemTopUp, topUp)
    const second = await latest()
    await site.root.call(orders.systemTopUp, topUp)
    expect((await latest())?.id).toBe(second?.id)
  })

  test('has the entry in the transaction of the change: without it nothing changes', async () => {
    const { id } = await site.root.call(navigations.create, { title: '原名', href: '/' })
    await site.db.schema.alterTable('audit_log').renameTo('audit_away').execute()
    const attempts = [
      () => site.root.call(navigations.update, { id, title: '改名', href: '/' }),
      () => site.root.call(settings.update, { config: [{ category: 'system', name: 'sitename', value: '无痕' }] }),
    ]
    for (const attempt of attempts) expect(await refusal(attempt())).toMatchObject({ status: 500 })
    await site.db.schema.alterTable('audit_away').renameTo('audit_log').execute()
    expect(await site.call(navigations.get, { id })).toMatchObject({ title: '原名' })
    expect((await site.call(settings.get)).system.sitename).not.toBe('无痕')
  })

  test('has nothing of what failed, of what was only read, or of what members do with their own', async () => {
    const author = await site.author()
    const before = await latest()
    await refusal(site.root.call(groups.delete, { id: [1, 2] }))
    await site.root.call(groups.list)
    const [id = 0] = await site.addDocuments({ owner: author, title: '自己的' })
    await author.call(documents.update, { id, title: '自己改', category_id: [] })
    expect((await latest())?.id).toBe(before?.id)
  })

  test('is for those who hold its permission alone', async () => {
    const auditor = await memberWith('AuditAPI/ListAudit')
    expect((await auditor.call(audits.list)).total).toBeGreaterThan(0)
    const editor = await memberWith('DocumentAPI/ListDocument')
    const member = await site.member()
    for (const person of [editor, member])
      for (const endpoint of [audits.list, audits.export])
        expect(await refusal(person.call(endpoint))).toMatchObject({ status: 403 })
    expect(await refusal(site.call(audits.list))).toMatchObject({ status: 401 })
  })

  test('is filtered by person, area and date', async () => {
    const officer = await memberWith('DocumentAPI/CheckDocument', 'DocumentAPI/ListDocument')
    const [id = 0] = await site.addDocuments({ title: '待查' })
    await officer.call(documents.review, { id: [id], status: DocumentStatus.Disabled })
    const found = async (filter: object) => (await site.root.call(audits.list, { ...filter, size: 100 })).audit
    expect(await found({ user_id: [officer.id] })).toMatchObject([{ username: officer.username, action: 'review' }])
    expect(new Set((await found({ area: ['groups'] })).map(({ area }) => area))).toEqual(new Set(['groups']))
    expect(await found({ created_at: ['2000-01-01', '2000-12-31'] })).toEqual([])
    expect(await found({ wd: '没有这样的人' })).toEqual([])
  })

  test('is exported as CSV that spreadsheet programs open, with formulas inert', async () => {
    await site.root.call(navigations.create, { title: '=HYPERLINK("http://evil")', href: '/' })
    const { name, type, body } = await site.root.call(audits.export, { area: ['navigations'] })
    const bytes = new Uint8Array(await new Response(body).arrayBuffer())
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
    expect([name, type]).toEqual([expect.stringMatching(/^操作日志-\d{8}\.csv$/), 'text/csv; charset=utf-8'])
    expect(text.startsWith('\ufeff时间,用户,IP,范围,操作,对象编号,变更\r\n')).toBe(true)
    expect(text).toContain('导航')
    expect(text).not.toMatch(/(^|,)=/m)
  })

  test('is kept as long as the setting says', async () => {
    await site.configure({ 'security.audit_retention_days': '30' })
    site.advanceClock(31 * dayMs)
    await purgeAudit(await site.app.context())
    expect(await site.db.selectFrom('audit_log').selectAll().execute()).toEqual([])
  })
})
