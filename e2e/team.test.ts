import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '#shared/client.ts'
import { contract } from '#shared/contract/contract.ts'
import { readyMadeGroups } from '#server/modules/access/ready-made-groups.ts'
import {
  chooseMenuItem,
  confirmDialog,
  expectNoPageErrors,
  openBrowser,
  openWindow,
  phone,
  selectOption,
  visit,
  waitForPath,
} from './browser.ts'
import { configure } from './owner.ts'
import { accessibilityFaults } from './page-checks.ts'
import { signInAs } from './person.ts'
import { type RunningSite, startSite } from './running-site.ts'
import { keepPassword } from './site-setup.ts'

/** The owner builds a team: groups and their permissions, and in the end a successor. */

let browser: Browser
let site: RunningSite
const root = { username: 'admin', password: 'root password' }
const supportCount = readyMadeGroups.find(({ title }) => title === '客服')?.permissions.length ?? 0
const deputy = { username: '副站长', password: 'password of 副站长' }

beforeAll(async () => {
  browser = await openBrowser()
  site = await startSite('sqlite', { ADMIN_PASSWORD: root.password })
  await configure(site, { 'security.enable_captcha_login': 'false' })
  const options = { origin: site.url, fetch: (request: Request) => fetch(request) }
  const { token } = await client(options)(contract.users.login, root)
  const call = client({ ...options, token: () => token })
  await call(contract.users.create, { ...deputy, group_id: [1] })
  await keepPassword(site, deputy.username)
})
afterAll(async () => {
  await browser.close()
  await site.stop()
})

test('permissions are chosen in words: by area, with a count, all of an area at once, and by search', async () => {
  const page = await openSignedIn(root)
  await visit(page, '/admin/user/group')
  await rowOf(page, '客服').getByRole('button', { name: '权限' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByText(`已选 ${supportCount} / `).waitFor()
  const areas = await drawer.getByRole('group').evaluateAll((all) => all.map((area) => area.getAttribute('aria-label')))
  expect(areas.slice(0, 3)).toEqual(['文档', '文档回收站', '搜索记录'])
  expect(areas).toContain('采集链接')
  expect(await drawer.innerText()).not.toMatch(/api|GRPC/i)

  await drawer.getByLabel('搜索权限').fill('评论 审核')
  await expect.poll(() => drawer.getByRole('group').count()).toBe(1)
  const comments = drawer.getByRole('group', { name: '评论' })
  await comments.getByRole('checkbox', { name: '审核评论' }).waitFor()
  expect(await comments.getByRole('checkbox', { name: '删除评论' }).count()).toBe(0)
  await drawer.getByLabel('搜索权限').fill('没有这个')
  await drawer.getByText('没有与“没有这个”有关的权限').waitFor()
  await drawer.getByLabel('搜索权限').fill('')
  await comments.getByText('3 / 5').waitFor()
  await comments.getByRole('checkbox', { name: '评论', exact: true }).check()
  await comments.getByText('5 / 5').waitFor()
  await drawer.getByRole('button', { name: '保 存' }).click()
  await page.getByText('权限已保存').waitFor()

  await rowOf(page, '超级管理员').getByRole('button', { name: '权限' }).click()
  await drawer.getByText('超级管理员总是拥有全部权限').waitFor()
  expect(await drawer.getByRole('checkbox', { checked: false }).count()).toBe(0)
  expect(await drawer.getByRole('button', { name: '保 存' }).count()).toBe(0)
  expectNoPageErrors(page)
})

test('a colleague is invited for a time by a link, chooses the password, and is led to the second factor', async () => {
  await configure(site, { 'security.staff_second_factor': 'true' })
  const page = await openSignedIn(root)
  await visit(page, '/admin/user/invitation')
  await page.getByRole('button', { name: '新增邀请' }).click()
  const form = page.getByRole('dialog')
  await selectOption(form.getByRole('combobox', { name: '用户组' }), '财务')
  await form.getByText('新增邀请').click()
  await form.getByLabel('在组里到').click()
  await page.getByText('1 个月', { exact: true }).click()
  await form.getByRole('button', { name: '保 存' }).click()
  const link = await page.getByRole('textbox', { name: '邀请链接' }).inputValue()
  await page.getByRole('button', { name: '完 成' }).click()
  await page.getByRole('row').filter({ hasText: '等待接受' }).waitFor()

  const colleague = await openWindow(browser, site.url, { viewport: phone })
  await colleague.goto(link)
  await colleague.getByText('邀请您加入“财务”').waitFor()
  await colleague.getByText('网站要求管理人员开启两步验证').waitFor()
  expect(await accessibilityFaults(colleague)).toEqual([])
  await colleague.getByLabel('用户名').fill('同事小文')
  await colleague.getByLabel('密码', { exact: true }).fill('password of 小文')
  await colleague.getByLabel('确认密码').fill('password of 小文')
  await colleague.getByRole('button', { name: '接受邀请' }).click()
  await waitForPath(colleague, '/me/security')
  expectNoPageErrors(colleague)

  await visit(page, '/admin/user/list')
  await rowOf(page, '同事小文').getByRole('button', { name: '更多操作' }).click()
  await page.getByRole('menuitem', { name: '用户组和密码' }).click()
  const end = page.getByRole('dialog').getByLabel('在组里到')
  await end.waitFor()
  expect(await end.inputValue()).toMatch(/^\d{4}-\d\d-\d\d /)
  await configure(site, { 'security.staff_second_factor': 'false' })
  expectNoPageErrors(page)
})

test('a group is copied with its permissions, and a ready-made one comes back', async () => {
  const page = await openSignedIn(root)
  await visit(page, '/admin/user/group')
  await choose(rowOf(page, '客服'), '复制')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: '保 存' }).click()
  await dialog.getByText('用户组名称已存在').waitFor()
  await dialog.getByLabel('新用户组的名称').fill('客服（实习）')
  await confirmDialog(page, '保 存')
  await rowOf(page, '客服（实习）').getByRole('button', { name: '权限' }).click()
  await page
    .getByRole('dialog')
    .getByText(`已选 ${supportCount + 2} / `)
    .waitFor()
  await page.getByRole('dialog').getByRole('button', { name: '取 消' }).click()

  await choose(rowOf(page, '运营'), '删除')
  await confirmDialog(page, /删\s*除/)
  await rowOf(page, '运营').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: '添加现成的用户组' }).click()
  await confirmDialog(page, '添加现成的用户组')
  await page.getByText('现成的用户组已经齐全').waitFor()
  await rowOf(page, '运营').waitFor()
  expectNoPageErrors(page)
})

test('the list of permissions has words and areas, no paths', async () => {
  const page = await openSignedIn(root)
  await visit(page, '/admin/user/permission')
  await page.getByRole('row', { name: /文档 查看文档列表/ }).waitFor()
  expect(await page.locator('main').innerText()).not.toMatch(/api|GRPC|POST/i)
  await selectOption(page.getByLabel('所属'), '举报')
  await page.getByRole('row', { name: /举报 处理举报/ }).waitFor()
  expect(await page.getByRole('row', { name: /文档/ }).count()).toBe(0)
  expectNoPageErrors(page)
})

test('the owner hands the site over with the own password, and cannot do it twice', async () => {
  const page = await openSignedIn(root)
  await visit(page, '/admin/user/list')
  await rowOf(page, 'admin').getByText('站长', { exact: true }).waitFor()
  await choose(rowOf(page, deputy.username), '移交网站')
  const dialog = page.getByRole('dialog', { name: `把网站移交给“${deputy.username}”？` })
  await dialog.getByLabel('您的登录密码').fill('not it')
  await dialog.getByRole('button', { name: '移交网站' }).click()
  await dialog.getByText('您的登录密码不正确').waitFor()
  await dialog.getByLabel('您的登录密码').fill(root.password)
  await dialog.getByRole('button', { name: '移交网站' }).click()
  await page.getByText(`网站已移交，${deputy.username} 现在是站长`).waitFor()
  await rowOf(page, deputy.username).getByText('站长', { exact: true }).waitFor()
  await rowOf(page, 'admin').getByRole('button', { name: '更多操作' }).click()
  await page.getByRole('menuitem', { name: '用户组和密码' }).waitFor()
  expect(await page.getByRole('menuitem', { name: '移交网站' }).count()).toBe(0)
  await visit(page, '/admin/user/audit')
  await page.getByRole('row', { name: /把网站移交给了.*副站长/ }).waitFor()
  expectNoPageErrors(page)
})

async function openSignedIn(person: typeof root): Promise<Page> {
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, person)
  return page
}

/** The row in whose first columns this text stands alone. */
function rowOf(page: Page, name: string): Locator {
  return page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) })
}

/** Chooses an action of a row, from its menu if it has one. */
async function choose(row: Locator, label: string): Promise<void> {
  await chooseMenuItem(row.getByRole('button', { name: '更多操作' }), label)
}
