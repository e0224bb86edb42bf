import { readFileSync } from 'node:fs'
import { unzipSync } from 'fflate'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '#shared/contract/contract.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { expectNoPageErrors, openBrowser, openWindow, phone, visit, waitForPath } from './browser.ts'
import { accessibilityFaults } from './page-checks.ts'
import { fillLogin, signInAs } from './person.ts'
import { journeyEngine, type RunningSite, startSite } from './running-site.ts'
import {
  addCategory,
  allowContributions,
  createMember,
  type Member,
  publishAndWait,
  signInAsRoot,
} from './site-setup.ts'

/** What a member does about their own data: the real name, the export, the end of the account. */

let browser: Browser
let site: RunningSite
let root: Member
let author: Member
let authorId: number
const owner = { username: 'admin', password: 'root password' }
const file = makePdf({ title: '茶经', pages: 2 })
beforeAll(async () => {
  browser = await openBrowser()
  site = await startSite(journeyEngine, { ADMIN_PASSWORD: owner.password })
  root = await signInAsRoot(site, owner.password)
  await allowContributions(root, { reviewed: false })
  await addCategory(root, '教材')
  author = await createMember(site, root, '上传的人')
  authorId = (await author.call(contract.users.get)).id
  await publishAndWait(site, author, { name: '茶经.pdf', bytes: file })
}, 120_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
})

test('a real name and an identity number are checked, shown masked, and whole when they are asked for', async () => {
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, author)
  await visit(page, '/me/profile')
  const [name, number] = [page.getByLabel('真实姓名', { exact: true }), page.getByLabel('身份证号', { exact: true })]
  await name.fill('王小二')
  await number.fill('110105194912310021')
  await page.getByRole('button', { name: '保存' }).click()
  await page.getByText('请输入正确的 18 位身份证号').waitFor()
  await number.fill('11010519491231002x')
  await page.getByRole('button', { name: '保存' }).click()
  await page.getByText('修改成功').waitFor()
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toMatch(/王小二|1101051949/)
  await visit(page, '/me/profile')
  await expect.poll(() => name.inputValue()).toBe('王**')
  expect(await number.inputValue()).toBe('1101**********002X')
  expect(await number.getAttribute('readonly')).not.toBeNull()
  // Saved with the masks, both stay.
  await page.getByLabel('个性签名').fill('茶是好东西')
  await page.getByRole('button', { name: '保存' }).click()
  await page.getByText('修改成功').waitFor()
  await page.getByRole('button', { name: '显示身份证号' }).click()
  await expect.poll(() => number.inputValue()).toBe('11010519491231002X')
  expect(await accessibilityFaults(page)).toEqual([])
  expectNoPageErrors(page)
})

test('staff see the mask in the list, and the whole after a click, which the audit log has', async () => {
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, owner)
  await visit(page, `/admin/user/list?id=${authorId}`)
  const row = page.getByRole('row').filter({ hasText: '上传的人' })
  await row.getByText('王**').waitFor()
  await row.getByRole('button', { name: '更多操作' }).click()
  await page.getByRole('menuitem', { name: '查看实名' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('1101**********002X').waitFor()
  await dialog.getByRole('button', { name: '显示完整内容' }).click()
  await dialog.getByText('11010519491231002X').waitFor()
  const { audit } = await root.call(contract.audits.list, {})
  expect(audit[0]).toMatchObject({ area: 'privacy', action: 'identity', target_id: [String(authorId)] })
  expectNoPageErrors(page)
})

test('the own data is exported, watched and downloaded', async () => {
  const page = await openWindow(browser, site.url, { viewport: phone })
  await signInAs(page, site, author)
  await visit(page, '/me/security')
  await page.getByRole('button', { name: '开始导出' }).click()
  const link = page.getByRole('link', { name: '下载', exact: true })
  await link.waitFor({ timeout: 30_000 })
  await page.getByText('之后可以再次导出').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  expect(download.suggestedFilename()).toMatch(/上传的人-\d{4}-\d\d-\d\d\.zip$/)
  const files = unzipSync(readFileSync(await download.path()))
  const document = Object.keys(files).find((name) => name.endsWith('茶经.pdf')) ?? ''
  expect(Buffer.from(files[document] ?? []).equals(Buffer.from(file))).toBe(true)

  // The page inside, opened from the disk.
  const reader = await openWindow(browser, site.url)
  await reader.setContent(Buffer.from(files['index.html'] ?? []).toString())
  await reader.getByRole('heading', { name: '上传的人' }).waitFor()
  expect(await reader.getByRole('link', { name: '茶经' }).getAttribute('href')).toBe(
    document.split('/').map(encodeURIComponent).join('/'),
  )
  expectNoPageErrors(page)
})

test('a deletion tells what happens, waits, and is cancelled by the banner or by logging in', async () => {
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, author)
  await requestDeletion(page, author, { wrongFirst: true })
  const banner = page.getByRole('note').filter({ hasText: '您申请了注销账号' })
  await banner.waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await visit(page, '/me/document')
  await banner.getByRole('button', { name: '取消注销' }).click()
  await page.getByText('已取消注销').waitFor()
  await banner.waitFor({ state: 'hidden' })

  await requestDeletion(page, author)
  await banner.waitFor()
  const elsewhere = await openWindow(browser, site.url)
  await visit(elsewhere, '/login')
  await fillLogin(elsewhere, site, author)
  await waitForPath(elsewhere, '/me')
  await visit(page, '/me')
  await page.getByRole('heading', { name: author.username }).first().waitFor()
  expect(await banner.count()).toBe(0)
  expectNoPageErrors(page)
})

test('an account that is deleted leaves its public documents under another name', async () => {
  const page = await openWindow(browser, site.url, { viewport: phone })
  await signInAs(page, site, author)
  await requestDeletion(page, author)
  await page.getByRole('note').filter({ hasText: '您申请了注销账号' }).waitFor()
  const staff = await openWindow(browser, site.url)
  await signInAs(staff, site, owner)
  await visit(staff, '/admin/user/list')
  await staff.getByText('注销中').waitFor()

  await site.db.updateTable('account_deletion').set({ due_at: 0 }).execute()
  await site.db.updateTable('job').set({ run_at: 0 }).where('kind', '=', 'privacy.delete-account').execute()
  const finished = () =>
    site.db.selectFrom('account_deletion').select('finished_at').where('finished_at', 'is not', null).execute()
  await expect.poll(finished, { timeout: 20_000 }).toHaveLength(1)
  await visit(staff, '/admin/user/list')
  await staff.getByText('已注销', { exact: true }).waitFor()
  // The browser learns of it on the login page, and stays there.
  await visit(page, '/login')
  await page.getByText('登录已失效，请重新登录').waitFor()
  await waitForPath(page, /^\/login/)
  const { document } = await root.call(contract.documents.list, {})
  await visit(page, `/document/${document[0]?.uuid}`)
  await page.getByText('已注销用户').first().waitFor()
  await visit(page, '/login')
  await fillLogin(page, site, author)
  await page.getByText('账号或密码不正确').waitFor()
})

/** Through the dialog on the security page. */
async function requestDeletion(page: Page, { password }: Member, { wrongFirst = false } = {}): Promise<void> {
  await visit(page, '/me/security')
  await page.getByRole('button', { name: '注销账号' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('等待 7 天才会删除').waitFor()
  await dialog.getByRole('radio', { name: '保留公开的' }).check()
  await dialog.getByRole('button', { name: '申请注销' }).click()
  await dialog.getByText('请输入登录密码').waitFor()
  if (wrongFirst) {
    await dialog.getByLabel('登录密码').fill('not the password')
    await dialog.getByRole('button', { name: '申请注销' }).click()
    await dialog.getByText('您的登录密码不正确').waitFor()
  }
  await dialog.getByLabel('登录密码').fill(password)
  await dialog.getByRole('button', { name: '申请注销' }).click()
  await dialog.waitFor({ state: 'hidden' })
}
