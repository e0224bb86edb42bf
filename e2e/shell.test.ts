import { ContentType } from '#shared/enums.ts'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { waitForHydration, waitForPath, expectNoPageErrors, openBrowser, openWindow, phone, visit } from './browser.ts'
import { configure } from './owner.ts'
import { logIn, readToken } from './person.ts'
import { type RunningSite, startSite } from './running-site.ts'

/** What is on every page: header, drawer, footer, progress, network, and what happens when something fails. */

let browser: Browser
let site: RunningSite
const root = { username: 'admin', password: 'root password' }
const hostile = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'

beforeAll(async () => {
  browser = await openBrowser()
  site = await startSite('sqlite', { ADMIN_PASSWORD: root.password })
  await configure(site, { 'security.enable_captcha_login': 'false' })
})
afterAll(async () => {
  await browser.close()
  await site.stop()
})

describe('the header', () => {
  let page: Page
  beforeEach(async () => {
    page = await openWindow(browser, site.url)
  })

  test('searches with Enter and the icon, for articles among the articles, and not for nothing', async () => {
    await visit(page, '/category')
    const box = page.getByRole('banner').getByPlaceholder('搜索文档')
    await box.press('Enter')
    await waitForPath(page, '/category')
    await box.fill('高等数学')
    await box.press('Enter')
    await waitForPath(page, `/search?wd=${encodeURIComponent('高等数学')}&type=0`)
    await visit(page, '/article')
    await page.getByRole('banner').getByPlaceholder('搜索文章').fill('新闻')
    await page.getByRole('banner').getByRole('button', { name: '搜索' }).click()
    await waitForPath(page, `/search?wd=${encodeURIComponent('新闻')}&type=1`)
  })

  test('shows the category card after 600 ms of hovering, 520 wide, and only where there are categories', async () => {
    await visit(page, '/')
    const entry = page.getByRole('navigation', { name: '主导航' }).getByRole('link', { name: '文库资料' })
    await entry.hover()
    await page.waitForTimeout(900)
    const cards = page.locator('[class*="520px"]')
    expect(await cards.filter({ visible: true }).count()).toBe(0)

    await addCategory('理学', 0)
    await addCategory('数学', 1)
    await restartCache()
    await visit(page, '/article')
    const waited = await clockUntil(page, '[class*="520px"]', 'pointerover')
    await entry.hover()
    await page.getByRole('link', { name: '数学' }).waitFor()
    expect(await waited()).toBeGreaterThanOrEqual(590)
    const card = cards.filter({ hasText: '数学' })
    expect((await card.boundingBox())?.width).toBe(520)
    const opener = page.getByRole('button', { name: '展开文库资料' })
    await opener.click()
    await page.waitForTimeout(200)
    expect(await card.isVisible(), 'the first click keeps what hovering has opened').toBe(true)
    await opener.click()
    await card.waitFor({ state: 'detached' })
  })

  test('has navigation of the owner: external links are plain anchors, children open, scripts are inert', async () => {
    const token = await apiToken()
    await create(token, {
      title: '外部站点',
      href: 'https://example.com/',
      target: '_blank',
      color: '#b91c1c',
      enable: true,
      sort: 5,
    })
    await create(token, { title: hostile, href: '/category', enable: true, sort: 4 })
    await create(token, { title: '停用的', href: '/category', enable: false, sort: 3 })
    await create(token, { title: '很淡的', href: '/category', color: '#fff59d', enable: true, sort: 2 })
    for (const fixed of await fixedNavigations()) {
      const child = { title: `${fixed.title}的下级`, href: '/upload', enable: true, parent_id: fixed.id }
      await create(token, child)
    }
    await visit(page, '/category')
    const external = page.getByRole('navigation', { name: '主导航' }).getByRole('link', { name: '外部站点' })
    expect(await external.getAttribute('href')).toBe('https://example.com/')
    expect(await external.getAttribute('target')).toBe('_blank')
    expect(await external.getAttribute('rel')).toContain('noopener')
    expect(await page.getByText('停用的').count()).toBe(0)
    expect(await ownColor(external)).toEqual({ color: 'rgb(185, 28, 28)', hasBackdrop: false })
    const pale = page.getByRole('navigation', { name: '主导航' }).getByRole('link', { name: '很淡的' })
    expect(await ownColor(pale)).toEqual({ color: 'rgb(255, 245, 157)', hasBackdrop: true })
    for (const title of ['首页', '文库资料', '文章资讯']) {
      await page.getByRole('button', { name: `展开${title}` }).click()
      await page
        .getByRole('banner')
        .getByRole('link', { name: `${title}的下级` })
        .waitFor()
      await page.keyboard.press('Escape')
    }
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false)

    await visit(page, '/')
    expect(await page.getByRole('banner').getByPlaceholder('搜索文档').count()).toBe(0)
    expect(await page.getByRole('main').getByPlaceholder('搜索文档').count()).toBe(1)
    expectNoPageErrors(page)
  })

  test('has a menu for members with all its commands; logging out clears the browser and reloads', async () => {
    await logIn(page, site, root)
    await page.getByRole('button', { name: 'admin 的菜单' }).click()
    const commands = await page.getByRole('menuitem').allInnerTexts()
    expect(commands.join(' ')).toBe(
      '每日签到 个人主页 个人中心 阅读记录 我的笔记 我的文集 我的关注 上传文档 发布文章 管理后台 退出登录',
    )
    await page.evaluate(() => localStorage.setItem('anything', 'else'))
    const reloaded = page.waitForEvent('load')
    await page.getByRole('menuitem', { name: '退出登录' }).click()
    await reloaded
    await page.getByText('已退出登录').waitFor()
    expect(await readToken(page)).toBe('')
    expect(await page.evaluate(() => localStorage.getItem('anything'))).toBeNull()
  })

  test('works by keyboard alone', async () => {
    await visit(page, '/')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('跳到正文')
    await page.keyboard.press('Enter')
    await waitForPath(page, '/')
    await visit(page, '/login')
    await page.getByLabel('用户名').focus()
    await page.keyboard.type('admin')
    await page.keyboard.press('Enter')
    await page.getByText('请输入密码').waitFor()
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('password')
  })
})

test('on a phone a drawer of 60 % holds search, login and navigation', async () => {
  const page = await openWindow(browser, site.url, { viewport: phone, hasTouch: true, isMobile: true })
  await visit(page, '/category')
  await page.getByRole('button', { name: '打开导航' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByPlaceholder('搜索文档').waitFor()
  await page.waitForTimeout(500)
  expect((await drawer.boundingBox())?.width).toBeCloseTo(phone.width * 0.6, 0)
  await drawer.getByRole('link', { name: '登录' }).click()
  await waitForPath(page, /^\/login/)
  // It closes with an animation, which may end after the page is there.
  await drawer.waitFor({ state: 'detached' })
  await page.goBack()
  await waitForPath(page, '/category')
  await page.waitForTimeout(300)
  expect(await page.getByRole('dialog').count(), 'coming back does not open it again').toBe(0)
  expectNoPageErrors(page)
})

test('on a phone the personal centre shows its four groups, one opened at a time, and nothing below moves', async () => {
  const page = await openWindow(browser, site.url, { viewport: phone, hasTouch: true, isMobile: true })
  await logIn(page, site, root)
  await visit(page, '/me/security')
  const menu = page.getByRole('navigation', { name: '个人中心' })
  const shown = async () => ({
    groups: await menu.getByRole('button').allInnerTexts(),
    open: await menu.getByRole('button', { expanded: true }).innerText(),
    links: await menu.getByRole('link').filter({ visible: true }).allInnerTexts(),
  })
  const groups = ['阅读', '创作', '交易', '账号']
  const account = ['我的通知', '我的举报', '个人资料', '修改密码', '账号安全']
  await expect.poll(shown).toEqual({ groups, open: '账号', links: account })
  const height = (await menu.boundingBox())?.height

  await menu.getByRole('button', { name: '账号' }).focus()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  const works = ['我的文档', '我的文章', '我的文集']
  expect(await shown()).toEqual({ groups, open: '创作', links: works })
  for (const _ of ['交易', '账号', '我的文档']) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await waitForPath(page, '/me/document')
  await expect.poll(shown).toEqual({ groups, open: '创作', links: works })
  expect((await menu.boundingBox())?.height).toBe(height)

  // A group that was only looked into is forgotten on the next page.
  await menu.getByRole('button', { name: '阅读' }).click()
  await page.goBack()
  await expect.poll(async () => (await shown()).open).toBe('账号')
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overflow, 'nothing scrolls sideways').toBeLessThanOrEqual(0)
  expectNoPageErrors(page)
})

test('the footer shows what is set and hides what is not, and not at all among the articles', async () => {
  await configure(site, {
    'footer.about': '',
    'footer.donate': 'https://example.com/donate',
    'system.icp': '京ICP备00000001号',
    'display.copyright_statement': `<b>版权声明</b>${hostile}`,
  })
  const page = await openWindow(browser, site.url)
  await visit(page, '/category')
  const footer = page.getByRole('contentinfo')
  expect(await footer.getByRole('link', { name: '关于我们' }).count()).toBe(0)
  await footer.getByRole('link', { name: '捐助' }).waitFor()
  await footer.getByText('京ICP备00000001号').waitFor()
  await footer.getByText('版权声明').waitFor()
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  expect((await fetch(`${site.url}/sitemap.xml`)).status).toBe(200)
  await visit(page, '/article')
  expect(await page.getByRole('contentinfo').count()).toBe(0)
  expectNoPageErrors(page)
})

test('a slow page shows the progress bar after 200 ms and hides it again', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, '/')
  await page.route('**/api/v1/**', async (route) => {
    await new Promise((done) => setTimeout(done, 1200))
    await route.continue()
  })
  const waited = await clockUntil(page, 'progress')
  const drawn = goTo(page, '/user/1')
  const bar = page.getByRole('progressbar', { name: '页面加载' })
  await bar.waitFor({ timeout: 5000 })
  expect(await waited()).toBeGreaterThanOrEqual(190)
  await drawn
  await bar.waitFor({ state: 'detached', timeout: 10_000 })
})

test('a page that is there within 200 ms shows no progress bar', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, '/login')
  for (const path of ['/register', '/login']) await goTo(page, path)
  await page.getByRole('progressbar').waitFor({ state: 'detached' })
  const barsUntil = await watchForBars(page)
  // Both pages are loaded already: only the bar's own delay is measured, and a machine too slow for that proves nothing.
  const took = [await goTo(page, '/register'), await goTo(page, '/login')]
  await page.waitForTimeout(600)
  expect(Math.max(...took) >= 190 ? 0 : await barsUntil()).toBe(0)
  await page.route('**/api/v1/**', async (route) => {
    await new Promise((done) => setTimeout(done, 600))
    await route.continue()
  })
  await goTo(page, '/user/1')
  expect(await barsUntil(), 'the watch sees bars').toBeGreaterThan(0)
})

test('when the site data cannot be reloaded the page stays as it is', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, '/category')
  await page.route('**/api/v1/**', (route) => route.fulfill({ status: 500, json: { code: 500, message: '出错' } }))
  await page.evaluate(async () => {
    const { __reactRouterDataRouter: router } = window as unknown as {
      __reactRouterDataRouter: { revalidate(): Promise<void> }
    }
    await router.revalidate()
  })
  await page.getByRole('banner').getByRole('link', { name: '文库资料' }).waitFor()
  expect(await page.getByText('网站暂时无法显示').count()).toBe(0)
})

test('a lost connection is said, and its return too', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, '/')
  await page.context().setOffline(true)
  await page.getByText('网络已断开').waitFor()
  await page.context().setOffline(false)
  await page.getByText('网络已恢复').waitFor()
})

test('a page script of an older build leads to one reload in sixty seconds, then to an error page', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, '/')
  await page.route(/\/assets\/login-/, (route) => route.fulfill({ status: 404 }))
  // The page asks whether its build is still there.
  await page.route(/\/assets\/manifest-/, (route) =>
    route.request().method() === 'HEAD' ? route.fulfill({ status: 404 }) : route.continue(),
  )
  let loads = 0
  page.on('load', () => (loads += 1))
  const link = page.getByRole('banner').getByRole('link', { name: '登录' })
  await link.click()
  await expect.poll(() => loads, { timeout: 8000 }).toBe(1)
  await waitForHydration(page)
  await link.click()
  await page.getByRole('link', { name: '返回首页' }).waitFor()
  await page.waitForTimeout(2000)
  expect(loads).toBe(1)
})

test('an advertisement is shown in a frame that can reach nothing of ours', async () => {
  const token = await apiToken()
  const body = {
    position: 'global_bottom',
    title: '广告',
    content: `<p>买文具</p>${hostile.replaceAll('window', 'parent')}`,
    enable: true,
  }
  expect((await send('POST', '/advertisement', token, body)).status).toBe(200)
  const page = await openWindow(browser, site.url)
  await visit(page, '/category')
  const frame = page.locator('iframe[title="广告"]')
  await frame.scrollIntoViewIfNeeded()
  expect(await frame.getAttribute('sandbox')).not.toMatch(/allow-scripts|allow-same-origin/)
  await frame.contentFrame().getByText('买文具').waitFor()
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
})

/** As a click on a link would. Gives the ms until the page was drawn, by its title. */
function goTo(page: Page, path: string): Promise<number> {
  return page.evaluate(async (to) => {
    const { __reactRouterDataRouter: router } = window as unknown as {
      __reactRouterDataRouter: { navigate(to: string): Promise<void> }
    }
    const [began, title] = [performance.now(), document.title]
    await router.navigate(to)
    while (document.title === title) await new Promise(requestAnimationFrame)
    return performance.now() - began
  }, path)
}

/** Measures in the page, unaffected by the test's own speed: from now, or from an event, until the selector matches. */
async function clockUntil(page: Page, selector: string, from = ''): Promise<() => Promise<number>> {
  const clock = await page.evaluateHandle(
    ({ selector, from }) => {
      const time = { began: performance.now(), took: 0 }
      if (from) document.addEventListener(from, () => (time.began = performance.now()), { once: true, capture: true })
      const look = () => {
        if (time.took === 0 && document.querySelector(selector)) time.took = performance.now() - time.began
      }
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true, attributes: true })
      return time
    },
    { selector, from },
  )
  return () => clock.evaluate(({ took }) => took)
}

/** Counts every progress bar that appears from now on, however briefly. */
async function watchForBars(page: Page): Promise<() => Promise<number>> {
  const bars = await page.evaluateHandle(() => {
    const seen = { count: 0 }
    const look = () => {
      seen.count += document.querySelectorAll('progress').length
    }
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
    return seen
  })
  return () => bars.evaluate(({ count }) => count)
}

async function apiToken(): Promise<string> {
  const response = await send('POST', '/user/login', '', root)
  return ((await response.json()) as { token: string }).token
}

async function create(token: string, navigation: object): Promise<void> {
  expect((await send('POST', '/navigation', token, navigation)).status).toBe(200)
}

function send(method: string, path: string, token: string, body: object): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return fetch(`${site.url}/api/v1${path}`, { method, headers, body: JSON.stringify(body) })
}

function fixedNavigations(): Promise<{ id: number; title: string }[]> {
  return site.db.selectFrom('navigation').select(['id', 'title']).where('fixed', '=', 1).execute()
}

/** The colour of an entry, and whether it stands on a colour of its own. */
function ownColor(entry: Locator): Promise<{ color: string; hasBackdrop: boolean }> {
  return entry.locator('span').evaluate((element) => {
    const style = getComputedStyle(element)
    return { color: style.color, hasBackdrop: !style.backgroundColor.endsWith('/ 0)') }
  })
}

async function addCategory(title: string, parent_id: number): Promise<void> {
  await site.db
    .insertInto('category')
    .values({ title, parent_id, type: ContentType.Document, enable: 1, created_at: 0, updated_at: 0 })
    .execute()
}

/** Rows that the test writes to the database show after the page cache is invalidated. */
function restartCache(): Promise<void> {
  return configure(site, { 'system.keywords': `文豆,${Math.random()}` })
}
