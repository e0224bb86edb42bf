import { bit } from '#server/db/tables/column.ts'
import { ContentType, ReportReason } from '#shared/enums.ts'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Call, client } from '#shared/client.ts'
import { contract } from '#shared/contract/contract.ts'
import { type PermissionPath, wirePath } from '#shared/permissions.ts'
import { nameCredits } from '#shared/credit-name.ts'
import { catalogue } from '#shared/settings.ts'
import {
  confirmDialog,
  waitForPath,
  chooseMenuItem,
  expectNoPageErrors,
  openBrowser,
  openWindow,
  phone,
  visit,
  selectOption,
} from './browser.ts'
import { configure } from './owner.ts'
import { signInAs, statusFor, readToken } from './person.ts'
import { type RunningSite, startSite } from './running-site.ts'
import { keepPassword } from './site-setup.ts'

/** The admin: its frame, the settings pages and the resource pages. */

let browser: Browser
let site: RunningSite
const root = { username: 'admin', password: 'root password' }

beforeAll(async () => {
  browser = await openBrowser()
  site = await startSite('sqlite', { ADMIN_PASSWORD: root.password })
  await configure(site, { 'security.enable_captcha_login': 'false', 'security.enable_captcha_comment': 'false' })
})
afterAll(async () => {
  await browser.close()
  await site.stop()
})

async function openSignedIn(options: Parameters<typeof openWindow>[2] = {}, person = root): Promise<Page> {
  const page = await openWindow(browser, site.url, options)
  await signInAs(page, site, person)
  return page
}

/** An API client signed in as a person. */
async function clientFor(person: { username: string; password: string }): Promise<Call> {
  const options = { origin: site.url, fetch: (request: Request) => fetch(request) }
  const { token } = await client(options)(contract.users.login, person)
  return client({ ...options, token: () => token })
}

/** A new user whose group holds just these permissions. */
async function createStaff(username: string, ...paths: PermissionPath[]) {
  const call = await clientFor(root)
  const person = { username, password: `password of ${username}` }
  const { id } = await call(contract.groups.create, { title: `${username}的组` })
  const { permission } = await call(contract.permissions.list)
  const wanted = new Set(paths.map(wirePath))
  const permission_id = permission.filter(({ path }) => wanted.has(path)).map((row) => row.id)
  await call(contract.groups.setPermissions, { group_id: id, permission_id })
  await call(contract.users.create, { ...person, group_id: [id] })
  await keepPassword(site, username)
  return person
}

function savedUser(username: string) {
  return site.db.selectFrom('user').selectAll().where('username', '=', username).executeTakeFirstOrThrow()
}

test('the menu is 240 px wide, collapsed under 1000 px, a drawer on phones, and leads only to pages that exist', async () => {
  const page = await openSignedIn()
  await visit(page, '/admin')
  await page.getByRole('menuitem', { name: '仪表盘' }).waitFor()
  expect((await page.locator('aside').boundingBox())?.width).toBe(240)
  const groups = await page.getByRole('menuitem').allInnerTexts()
  expect(groups).toEqual(expect.arrayContaining(['文档', '采集']))

  const tablet = await openSignedIn({ viewport: { width: 820, height: 1180 } })
  await visit(tablet, '/admin')
  await tablet.getByRole('menuitem').first().waitFor()
  expect((await tablet.locator('aside').boundingBox())?.width).toBe(64)

  const small = await openSignedIn({ viewport: phone })
  await visit(small, '/admin/user/list')
  await small.getByText('超级管理员').first().waitFor()
  const overflow = await small.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBeLessThanOrEqual(0)
  expectNoPageErrors(page)
  expectNoPageErrors(tablet)
  expectNoPageErrors(small)
})

test('the first stop of the keyboard leads past the menu', async () => {
  const page = await openSignedIn()
  await visit(page, '/admin/user/list')
  await page.getByRole('row', { name: /admin/ }).waitFor()
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('跳到正文')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true)
  expect(await page.getByRole('link', { name: '文豆 · 管理后台' }).count()).toBe(1)
  expectNoPageErrors(page)
})

test('every group of settings has its screen with every field of the catalogue', async () => {
  const page = await openSignedIn()
  for (const [group, { title, fields }] of Object.entries(catalogue)) {
    await visit(page, `/admin/config/${group}`)
    await page.getByRole('button', { name: '保存设置' }).waitFor()
    // Folded sections count too.
    const text = await page.locator('main').textContent()
    for (const { label } of Object.values(fields))
      expect(text, `${title}: ${label}`).toContain(nameCredits(label, catalogue.score.fields.credit_name.default))
  }
  expectNoPageErrors(page)
})

test('a changed setting is on the public site at once; a secret is kept and never shown; a wrong value is said beside its field', async () => {
  const page = await openSignedIn()
  await visit(page, '/admin/config/system')
  await page.getByLabel('网站名称').fill('城南文库')
  await page.getByLabel('版权起始年份').fill('去年')
  await page.getByRole('button', { name: '保存设置' }).click()
  await page.getByText('请输入四位年份').waitFor()
  await page.getByLabel('版权起始年份').fill('2019')
  await page.getByRole('button', { name: '保存设置' }).click()
  await expect.poll(async () => (await fetch(site.url)).text()).toContain('城南文库')

  await visit(page, '/admin/config/email')
  await page.getByLabel('密码', { exact: true }).fill('smtp-secret')
  await page.getByRole('button', { name: '保存设置' }).click()
  await expect.poll(() => readSetting('email', 'password')).toMatch(/^enc:/)
  const stored = await readSetting('email', 'password')
  await visit(page, '/admin/config/email')
  await page.getByLabel('发件人名称').fill('豆')
  expect(await page.content()).not.toContain('smtp-secret')
  await page.getByRole('button', { name: '保存设置' }).click()
  await expect.poll(() => readSetting('email', 'from_name')).toBe('豆')
  expect(await readSetting('email', 'password')).toBe(stored)
  expectNoPageErrors(page)
})

test('the user menu edits the profile, changes the password and copies the token, in dialogs of 30 %', async () => {
  const page = await openSignedIn({ permissions: ['clipboard-read', 'clipboard-write'] })
  await visit(page, '/admin')
  const menu = page.locator('header').getByRole('button', { name: /admin/ })
  await chooseMenuItem(menu, '复制令牌')
  await page.getByText('您的 JSON Web Token 已复制到剪贴板').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^eyJ/)

  // Changed elsewhere meanwhile: the form shows it and does not take it back.
  await (
    await clientFor(root)
  )(contract.users.profile, { address: '城南路 1 号' })
  await chooseMenuItem(menu, '个人资料')
  const profile = page.getByRole('dialog')
  await profile.getByLabel(/签名/).fill('文豆的第一位管理员')
  await page.waitForTimeout(400)
  expect((await profile.boundingBox())?.width).toBeCloseTo(1440 * 0.3, 1)
  await profile.getByRole('button', { name: /保 存|确 定/ }).click()
  await page.getByText('修改成功').waitFor()
  await profile.waitFor({ state: 'detached' })
  expect(await savedUser('admin')).toMatchObject({ address: '城南路 1 号', signature: '文豆的第一位管理员' })

  await chooseMenuItem(menu, '修改密码')
  const password = page.getByRole('dialog')
  await expect.poll(() => password.getAttribute('class')).not.toContain('zoom')
  await password.getByRole('button', { name: /保 存|确 定|修改密码/ }).click()
  for (const sentence of ['请输入原密码', '请输入新密码', '请再次输入新密码'])
    await password.getByText(sentence).waitFor()
  expectNoPageErrors(page)
})

test.each([
  ['who wants nothing to move', 'reduce'],
  ['whom nothing disturbs', 'no-preference'],
] as const)('%s has menus and dialogs that come and go', async (_, reducedMotion) => {
  const page = await openSignedIn({ reducedMotion })
  await visit(page, '/admin/user/list')
  await page.locator('header').getByRole('button', { name: /admin/ }).click()
  await page.getByRole('menuitem').filter({ hasText: '个人资料' }).click()
  await page.getByRole('dialog').getByLabel(/签名/).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: '取 消' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

test('a changed password ends the other sessions, and this one goes on without a question', async () => {
  const clerk = await createStaff('张小吏', 'UserAPI/ListUser')
  const page = await openSignedIn({}, clerk)
  await visit(page, '/admin/user/list')
  const token = await readToken(page)
  const { token: elsewhere } = await client({ origin: site.url, fetch })(contract.users.login, clerk)
  const questions: string[] = []
  page.on('dialog', (dialog) => {
    questions.push(dialog.type())
    void dialog.accept()
  })
  await chooseMenuItem(page.locator('header').getByRole('button', { name: /张小吏/ }), '修改密码')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('原密码').fill(clerk.password)
  await dialog.getByLabel('新密码', { exact: true }).fill('a better password')
  await dialog.getByLabel('确认密码').fill('a better password')
  await confirmDialog(page, '保 存')
  await page.getByText('修改密码成功').waitFor()
  await waitForPath(page, '/admin/user/list')
  expect(questions).toEqual([])
  expect([await statusFor(site, token), await statusFor(site, elsewhere)]).toEqual([200, 401])
  await expect(clientFor(clerk)).rejects.toMatchObject({ reason: 'users.wrongCredentials' })
  expect(await clientFor({ ...clerk, password: 'a better password' })).toBeTypeOf('function')
  expectNoPageErrors(page)
})

test('staff without the right to read single users edit one without erasing what the list shows', async () => {
  const call = await clientFor(root)
  const identity = { realname: '王小明', identity: '110101199003078515' }
  const contact = { email: 'xiaoming@example.com', mobile: '13800000001', address: '城北路 2 号' }
  const { group } = await call(contract.groups.list)
  const group_id = group.filter(({ is_default }) => is_default).map(({ id }) => id)
  await call(contract.users.create, { username: '读者小明', password: 'password of 读者小明', group_id })
  const { id } = await savedUser('读者小明')
  await call(contract.users.profile, { id, ...contact, ...identity })

  const page = await openSignedIn({}, await createStaff('李编辑', 'UserAPI/ListUser', 'UserAPI/UpdateUserProfile'))
  await visit(page, '/admin/user/list')
  await page
    .getByRole('row', { name: /读者小明/ })
    .getByRole('button', { name: /编\s*辑/ })
    .click()
  expect(await page.getByLabel('姓名').inputValue()).toBe('王**')
  await page.getByLabel('备注').fill('老读者')
  await page.getByRole('button', { name: '保 存' }).click()
  await expect.poll(async () => (await savedUser('读者小明')).remark).toBe('老读者')
  expect(await savedUser('读者小明')).toMatchObject(contact)
  expect(await call(contract.privacy.identity, { id })).toEqual(identity)
  expectNoPageErrors(page)
})

test('a punishment is made and seen; filters live in the address and survive a reload', async () => {
  const page = await openSignedIn()
  await visit(page, '/admin/user/list')
  await page.getByRole('button', { name: '新增用户' }).click()
  await page.getByLabel('用户名', { exact: true }).fill('捣蛋鬼')
  await page.getByLabel('密码', { exact: true }).fill('password of 捣蛋鬼')
  await selectOption(page.getByRole('dialog').getByLabel('用户组'), '普通用户')
  await page.getByRole('button', { name: '保 存' }).click()
  const row = page.getByRole('row', { name: /捣蛋鬼/ })
  await row
    .getByRole('link', { name: '处罚' })
    .or(row.getByRole('button', { name: '处罚' }))
    .click()
  await waitForPath(page, /^\/admin\/user\/punishment/)
  await selectOption(page.getByRole('dialog').getByLabel(/类型/), '禁止评论')
  await page.getByLabel('原因').fill('刷广告')
  await page.getByRole('button', { name: '保 存' }).click()
  await page.getByRole('row', { name: /刷广告/ }).waitFor()
  await page.getByText('生效中').waitFor()
  await page.getByRole('button', { name: '取消处罚' }).click()
  await confirmDialog(page, '取消处罚')
  await page.getByText('已取消').waitFor()
  await page.getByTitle('操作记录').click()
  await page.getByRole('tooltip').getByText('新增').waitFor()
  expect(await page.getByRole('tooltip').getByRole('listitem').count()).toBe(2)

  await visit(page, '/admin/user/list?wd=捣蛋')
  await page.getByRole('row', { name: /捣蛋鬼/ }).waitFor()
  expect(await page.getByRole('row', { name: /admin/ }).count()).toBe(0)
  await page.reload()
  await page.getByRole('row', { name: /捣蛋鬼/ }).waitFor()
  expect(await page.getByPlaceholder('搜索关键字').inputValue()).toBe('捣蛋')
  expectNoPageErrors(page)
})

test('articles are refused with a reason, approved together, deleted and brought back', async () => {
  const call = await clientFor(root)
  await call(contract.categories.create, { type: ContentType.Article, title: '札记', enable: true })
  const { category } = await call(contract.categories.list, { type: [ContentType.Article] })
  const category_id = category.filter(({ title }) => title === '札记').map(({ id }) => id)
  for (const title of ['湖畔', '旧书店']) {
    await call(contract.articles.create, { title, content: `<p>${title}的清晨。</p>`, category_id })
  }
  const page = await openSignedIn()
  await visit(page, `/admin/article/list?category_id=${category_id[0]}`)
  const row = (title: string) => page.getByRole('row', { name: title })
  await row('湖畔').getByText('已通过').waitFor()
  await choose(row('湖畔'), '审核不通过')
  await page.getByLabel('原因').fill('图片没有注明出处')
  await confirmDialog(page, '审核不通过')
  await row('湖畔').getByText('图片没有注明出处').waitFor()
  expect(await articleStates()).toEqual({ 湖畔: 2, 旧书店: 1 })

  await page.getByRole('checkbox', { name: 'Select all' }).first().check()
  await page.getByRole('button', { name: '批量审核通过' }).click()
  await page
    .getByRole('dialog')
    .getByText(/另有 1 个将跳过/)
    .waitFor()
  await confirmDialog(page, '审核通过')
  await expect.poll(articleStates).toEqual({ 湖畔: 1, 旧书店: 1 })

  await choose(row('旧书店'), '删除')
  await confirmDialog(page, /删\s*除/)
  await row('旧书店').waitFor({ state: 'detached' })
  await visit(page, '/admin/article/recycle')
  await row('旧书店')
    .getByRole('button', { name: /恢\s*复/ })
    .click()
  await confirmDialog(page, /恢\s*复/)
  await row('旧书店').waitFor({ state: 'detached' })
  expect(await articleStates()).toEqual({ 湖畔: 1, 旧书店: 1 })
  expectNoPageErrors(page)
})

test('a report is handled with a remark; a comment is approved and edited', async () => {
  const call = await clientFor(root)
  const { category } = await call(contract.categories.list, { type: [ContentType.Article] })
  const category_id = category.slice(0, 1).map(({ id }) => id)
  const article = await call(contract.articles.create, { title: '有人评论', content: '<p>正文</p>', category_id })
  const reader = await clientFor(await createStaff('读者小王', 'CommentAPI/ListComment'))
  await allowComments('读者小王的组')
  await reader(contract.comments.create, { document_id: article.id, type: ContentType.Article, content: '写得真好' })
  const { id: user_id } = await savedUser('读者小王')
  const stamps = { created_at: Date.now(), updated_at: Date.now() }
  const about = {
    document_id: 77,
    document_title: '盗版教材',
    user_id,
    username: '读者',
    reason: ReportReason.Sensitive,
    status: bit(false),
  }
  await site.db
    .insertInto('report')
    .values({ ...about, ...stamps })
    .execute()

  const page = await openSignedIn()
  await visit(page, '/admin/report?status=0')
  const report = page.getByRole('article', { name: '盗版教材' })
  await report.getByText('敏感信息').first().waitFor()
  await report.getByRole('button', { name: '其他处理' }).click()
  await page.getByLabel('备注').fill('文档已禁用')
  await page.getByRole('button', { name: /^处\s*理$/ }).click()
  await report.waitFor({ state: 'detached' })
  await visit(page, '/admin/report?status=1')
  expect(await report.innerText()).toMatch(/已处理[\s\S]*文档已禁用/)

  await visit(page, '/admin/comment?status=0')
  const comment = page.getByRole('row', { name: /写得真好/ })
  expect(await comment.getByRole('link', { name: '有人评论' }).getAttribute('href')).toBe(
    `/article/${article.identifier}`,
  )
  await comment.getByRole('button', { name: '审核通过' }).click()
  await confirmDialog(page, '审核通过')
  await comment.waitFor({ state: 'detached' })
  await visit(page, '/admin/comment')
  await comment.getByRole('button', { name: /编\s*辑/ }).click()
  await page.getByLabel('内容').fill('写得真好，谢谢')
  await page.getByRole('button', { name: '保 存' }).click()
  await page.getByRole('row', { name: /写得真好，谢谢/ }).waitFor()
  expectNoPageErrors(page)
})

test('staff who may only read articles and comments are offered no other action', async () => {
  const page = await openSignedIn({}, await createStaff('看稿人', 'ArticleAPI/ListArticle', 'CommentAPI/ListComment'))
  for (const path of ['/admin/article/list', '/admin/comment']) {
    await visit(page, path)
    await page.getByRole('row').nth(1).waitFor()
    const actions = page.getByText(/^(新增|编辑|处理|删除|审核|推荐|操作)/)
    expect(await page.locator('main').filter({ has: actions }).count(), path).toBe(0)
    expect(await page.getByRole('checkbox').count(), path).toBe(0)
  }
  expectNoPageErrors(page)
})

async function articleStates(): Promise<Record<string, number>> {
  const rows = await site.db
    .selectFrom('article')
    .select(['title', 'status'])
    .where('title', 'in', ['湖畔', '旧书店'])
    .where('deleted_at', 'is', null)
    .execute()
  return Object.fromEntries(rows.map(({ title, status }) => [title, status]))
}

/** Members of the group may comment; their comments are reviewed. */
async function allowComments(title: string): Promise<void> {
  const call = await clientFor(root)
  const { group } = await call(contract.groups.list)
  for (const one of group.filter((other) => other.title === title)) {
    await call(contract.groups.update, { ...one, enable_comment: true, enable_comment_approval: true })
  }
}

/** Chooses an action of a row, from its menu unless it is one of the first. */
async function choose(row: Locator, label: string): Promise<void> {
  const shown = row.getByRole('button', { name: label, exact: true })
  await row.getByRole('button', { name: '更多操作' }).waitFor()
  await ((await shown.count()) > 0
    ? shown.click()
    : chooseMenuItem(row.getByRole('button', { name: '更多操作' }), label))
}

async function readSetting(category: string, name: string): Promise<string | undefined> {
  const row = await site.db
    .selectFrom('setting')
    .select('value')
    .where('category', '=', category)
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.value
}
