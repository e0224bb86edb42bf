import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { groups, permissions } from '#shared/contract/access.ts'
import { articles } from '#shared/contract/articles.ts'
import { categories } from '#shared/contract/catalog.ts'
import { checklist, type ChecklistKey } from '#shared/contract/checklist.ts'
import { ContentType } from '#shared/enums.ts'
import { type PermissionPath, wirePath } from '#shared/permissions.ts'
import { recordBackup } from '#server/backup/last-backup.ts'
import { setSecurity } from '#server/modules/auth/second-factor/account-security.ts'
import { type DocumentSite, openDocumentSite } from '#server/testing/document-site.ts'
import { openMailbox } from '#server/testing/mailbox.ts'
import { type Person, refusal } from '#server/testing/site.ts'

let site: DocumentSite
beforeAll(async () => {
  site = await openDocumentSite()
})
afterAll(() => site.close())

const basics = [
  'name',
  'logo',
  'domain',
  'https',
  'mail',
  'icp',
  'agreement',
  'time_zone',
  'categories',
  'members',
  'staff',
  'second_factor',
  'secret_key',
  'backup',
  'document',
]

async function read(person: Person = site.root) {
  const reply = await person.call(checklist.get)
  const keys = (isTrue: (item: (typeof reply.item)[number]) => boolean): ChecklistKey[] =>
    reply.item.filter(isTrue).map(({ key }) => key)
  return {
    ...reply,
    keys: keys(() => true),
    // The time zone depends on the machine.
    done: keys(({ key, is_done }) => is_done && key !== 'time_zone'),
    settled: keys(({ is_settled }) => is_settled),
  }
}

describe('on a new site', () => {
  test('all is to be done', async () => {
    expect(await read()).toMatchObject({ keys: basics, done: [], settled: [], dismissed: false, last_backup_at: null })
  })

  test('payments that can be tried out are told of, before anybody has tried one', async () => {
    await site.configure({ 'pay.test_mode': 'true' })
    onTestFinished(() => site.configure({ 'pay.test_mode': 'false' }))
    const { keys, trial_orders, is_trial_on } = await read()
    expect({ keys, trial_orders, is_trial_on }).toEqual({
      keys: ['trial', ...basics],
      trial_orders: 0,
      is_trial_on: true,
    })
  })

  test('members may upload and publish with review, which the owner confirms', async () => {
    expect((await read()).members).toMatchObject({
      group_title: '普通用户',
      enable_register: true,
      enable_upload: true,
      enable_document_review: true,
      enable_article: true,
      enable_article_approval: true,
    })
    await site.root.call(checklist.settle, { key: 'members', is_settled: true })
    expect((await read()).settled).toEqual(['members'])
    await site.root.call(checklist.settle, { key: 'members', is_settled: false })
    expect((await read()).settled).toEqual([])
  })

  test('each item is done when the site has it', async () => {
    await site.configure({
      'system.sitename': '青禾文库',
      'system.logo': '/uploads/logo.png',
      'system.domain': 'https://wenku.example.com',
      'system.icp': '京ICP备1号',
    })
    expect((await read()).done).toEqual(['name', 'logo', 'domain', 'https', 'icp'])
    await site.root.call(categories.create, { title: '教材', type: ContentType.Document })
    await site.addDocuments({})
    const ctx = await site.app.context()
    await recordBackup(site.db, ctx.now())
    const list = await read()
    expect(list.done).toEqual(['name', 'logo', 'domain', 'https', 'icp', 'categories', 'backup', 'document'])
    expect(list.last_backup_at).toBeGreaterThan(0)
  })

  test('safety is done when there are terms of its own, helpers, a second factor, and a key outside the folder', async () => {
    const own = await openDocumentSite({ TZ: 'Asia/Shanghai', SECRET_KEY: 'k'.repeat(32) })
    onTestFinished(() => own.close())
    const list = await read(own.root)
    expect(list).toMatchObject({ time_zone: 'Asia/Shanghai', key_file: '', done: ['secret_key'] })
    expect(list.item).toContainEqual({ key: 'time_zone', is_done: true, is_settled: false })
    const agreement = await own.root.call(articles.get, { id: list.agreement_id })
    await own.root.call(articles.update, { ...agreement, content: '<p>本站的约定</p>' })
    await own.staff('DocumentAPI/CheckDocument')
    await setSecurity(own.db, own.root.id, { totp_enabled_at: 1 })
    expect((await read(own.root)).done).toEqual(['agreement', 'staff', 'second_factor', 'secret_key'])
  })

  test('prices that are seldom meant are shown until they are changed or confirmed, while VIP is on', async () => {
    await site.configure({ 'vip.enable': 'true', 'vip.month_price': '1991', 'score.credit_name': '豆子' })
    const list = await read()
    expect(list.keys).toContain('prices')
    expect(list.price_questions).toEqual([expect.stringContaining('月卡 19.91 元不是整数个豆子')])
    await site.configure({ 'vip.enable': 'false' })
    expect((await read()).keys).not.toContain('prices')
    await site.configure({ 'vip.enable': 'true', 'vip.month_price': '1990' })
    expect((await read()).keys).not.toContain('prices')
  })

  test('a backup is needed again after a month', async () => {
    await recordBackup(site.db, (await site.app.context()).now() - 31 * 24 * 60 * 60_000)
    expect((await read()).done).not.toContain('backup')
  })

  test('the mail server counts once it has accepted a mail, and another one has to do so again', async () => {
    const mailbox = await openMailbox()
    try {
      await site.configure(mailbox.settings)
      expect((await read()).done).not.toContain('mail')
      const { mail, settings } = await site.app.context()
      const message = { to: 'owner@example.com', subject: '测试', text: '收到了', html: '' }
      expect(await mail.send(settings, message)).toEqual({ accepted: true })
      await expect.poll(async () => (await read()).done).toContain('mail')
      await site.configure({ ...mailbox.settings, 'email.host': 'localhost' })
      expect((await read()).done).not.toContain('mail')
    } finally {
      await mailbox.close()
    }
  })

  test('it can be dismissed for all, and brought back', async () => {
    await site.root.call(checklist.dismiss, { dismissed: true })
    await site.root.call(checklist.dismiss, { dismissed: true })
    expect((await read()).dismissed).toBe(true)
    await site.root.call(checklist.dismiss, { dismissed: false })
    expect((await read()).dismissed).toBe(false)
  })

  test('it is for staff who may do these things, and shows what they may do', async () => {
    for (const person of [await site.member(), await site.staff('ConfigAPI/ListConfig')])
      expect(await refusal(person.call(checklist.get))).toMatchObject({ status: 403 })
    const settingsOnly = await site.staff('ConfigAPI/UpdateConfig')
    expect((await read(settingsOnly)).keys).toEqual(
      basics.filter((key) => !['agreement', 'categories', 'members', 'staff'].includes(key)),
    )
  })
})

describe('on a site of the version before', () => {
  let former: DocumentSite
  beforeAll(async () => {
    former = await openDocumentSite()
    // As the migration and the groups of that version leave it.
    await former.db
      .insertInto('setting')
      .values({ category: 'checklist', name: 'upgraded', value: '1', updated_at: 0 })
      .execute()
    await former.configure({ 'converter.max_preview_free': '12', 'display.pages_per_read': '5' })
    await former.db
      .updateTable('group')
      .set({ enable_upload: 0, enable_article_approval: 0 })
      .where('is_default', '=', 1)
      .execute()
    const staff = former.db.selectFrom('group').select('id').where('id', '>', 2)
    await former.db.deleteFrom('group_permission').where('group_id', 'in', staff).execute()
    await former.db.deleteFrom('group').where('id', '>', 2).execute()
  })
  afterAll(() => former.close())

  test('the new defaults are offered, and nothing is changed without the owner', async () => {
    const { keys, members } = await read(former.root)
    expect(keys.filter((key) => key.startsWith('offer_'))).toEqual([
      'offer_upload',
      'offer_review',
      'offer_whole',
      'offer_scroll',
      'offer_groups',
    ])
    expect(keys).not.toContain('members')
    expect(members).toMatchObject({ enable_upload: false, enable_article_approval: false })
  })

  test('all ready-made groups that are missing are offered, also beside one that the site has', async () => {
    await former.root.call(groups.create, { title: '审核员' })
    const list = await read(former.root)
    expect(list.done).not.toContain('offer_groups')
    expect(list.missing_groups).toEqual(['编辑', '运营', '客服', '财务'])
  })

  test('groups that may give more away than the ready-made ones of their titles are named', async () => {
    await former.root.call(groups.addReadyMade)
    const { group } = await former.root.call(groups.list)
    const { permission } = await former.root.call(permissions.list, { size: 1000 })
    const idOf = (title: string) => group.find((each) => each.title === title)?.id ?? 0
    const give = async (title: string, ...added: PermissionPath[]) => {
      const { permission_id } = await former.root.call(groups.permissions, { id: idOf(title) })
      const more = permission.filter(({ path }) => added.map(wirePath).includes(path)).map(({ id }) => id)
      const group_id = idOf(title)
      await former.root.call(groups.setPermissions, { group_id, permission_id: [...permission_id, ...more] })
    }
    expect((await read(former.root)).keys).not.toContain('givers')
    await give('运营', 'OrderAPI/RefundOrder', 'OrderAPI/ListOrder', 'DownloadCodeAPI/CreateDownloadCode')
    await give('客服', 'UserAPI/AdjustUserCredit')
    const { keys, generous_groups } = await read(former.root)
    expect(keys).toContain('givers')
    expect(generous_groups).toEqual([
      { title: '运营', powers: ['退款', '生成下载码'] },
      { title: '客服', powers: ['增减用户余额'] },
    ])
  })

  test('an offer is done when it was accepted, and settled when it was declined', async () => {
    const { members } = await read(former.root)
    const group = await former.root.call(groups.get, { id: members.group_id })
    await former.root.call(groups.update, { ...group, enable_upload: true, enable_document_review: true })
    await former.configure({ 'converter.max_preview_free': '0' })
    await former.root.call(groups.addReadyMade)
    await former.root.call(checklist.settle, { key: 'offer_scroll', is_settled: true })
    const list = await read(former.root)
    expect(list.done.filter((key) => key.startsWith('offer_'))).toEqual(['offer_upload', 'offer_whole', 'offer_groups'])
    expect(list.settled).toEqual(['offer_scroll'])
  })
})
