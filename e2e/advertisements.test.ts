import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adMessages } from '#shared/ad-frame.ts'
import { contract } from '#shared/contract/contract.ts'
import { VipCard } from '#shared/enums.ts'
import { expectNoPageErrors, openBrowser, openWindow, selectOption, visit } from './browser.ts'
import { configure } from './owner.ts'
import { type Member, signInAsRoot } from './site-setup.ts'
import { signInAs } from './person.ts'
import { type RunningSite, startSite } from './running-site.ts'

/** Advertisements whose scripts the owner allows. */

let browser: Browser
let site: RunningSite
let root: Member

beforeAll(async () => {
  browser = await openBrowser()
  site = await startSite('sqlite', { ADMIN_PASSWORD: 'root password' })
  root = await signInAsRoot(site, 'root password')
})
afterAll(async () => {
  await browser.close()
  await site.stop()
})

/** Draws itself by script, tries to reach the site, and grows when it is clicked. */
const script = `<div id="ad" style="background:#e8f1ff;padding:20px">…</div><script>
const ad = document.getElementById('ad')
const tries = [() => parent.document.title, () => localStorage.length, () => document.cookie]
const isOut = (attempt) => { try { attempt(); return false } catch { return true } }
ad.textContent = '联盟广告 ' + origin + ' ' + tries.map(isOut).join()
ad.style.height = '190px'
ad.onclick = () => (ad.style.height = '5000px')
</script>`

test('an owner allows the scripts of one advertisement; it runs apart from the site and tells its height', async () => {
  const owner = await openWindow(browser, site.url)
  await signInAs(owner, site, root)
  await visit(owner, '/admin/advertisement?new=1')
  const form = owner.getByRole('dialog').filter({ has: owner.getByRole('button', { name: '保 存' }) })
  await selectOption(form.getByLabel('位置'), '首页 · 横幅下方')
  await form.getByLabel('标题').fill('联盟')
  await form.getByLabel('内容').fill(script)
  await form.getByLabel('允许运行脚本').click()
  await form.getByRole('button', { name: '保 存' }).click()
  await form.waitFor({ state: 'detached' })

  const page = await openWindow(browser, site.url)
  await visit(page, '/')
  const frame = page.locator('iframe[title="广告"]')
  await frame.scrollIntoViewIfNeeded()
  await frame.contentFrame().getByText('联盟广告 null true,true,true').waitFor()
  await expect.poll(() => heightOf(page)).toBe(230)
  // Messages of others are not the frame's.
  await page.evaluate((type) => window.postMessage({ type, height: 17 }, '*'), adMessages.height)
  await frame.contentFrame().locator('#ad').click()
  await expect.poll(() => heightOf(page)).toBe(600)
  expectNoPageErrors(page)
})

test('for a VIP member no advertisement is requested', async () => {
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, root)
  const { id } = await root.call(contract.users.get)
  await configure(site, { 'vip.enable': 'true' })
  await root.call(contract.vip.grant, { user_id: id, type: VipCard.Month, reason: '试用' })
  const renewed = page.waitForResponse(/\/api\/v1\/user(\?|$)/)
  await visit(page, '/article')
  await renewed
  await expect.poll(() => page.evaluate(() => localStorage.getItem('wendou'))).toContain('"is_vip":true')
  const requests: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/advertisement/')) requests.push(request.url())
  })
  await visit(page, '/category')
  await page.getByRole('navigation', { name: '主导航' }).getByRole('link', { name: '首页' }).click()
  await page.getByRole('main').getByPlaceholder('搜索文档').waitFor()
  expect(await page.locator('iframe[title="广告"]').count()).toBe(0)
  expect(requests).toEqual([])
})

function heightOf(page: Page): Promise<number> {
  return page.locator('iframe[title="广告"]').evaluate((frame) => frame.getBoundingClientRect().height)
}
