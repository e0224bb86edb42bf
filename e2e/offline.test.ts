import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePdf } from '#server/samples/pdf.ts'
import { client } from '#shared/client.ts'
import { contract } from '#shared/contract/contract.ts'
import { currentUser } from '#shared/contract/current-user.ts'
import { offlineCopies, openWindow, visit, waitForHydration, waitForPath } from './browser.ts'
import { startLibrary } from './library.ts'
import { configure } from './owner.ts'
import { readToken, signInAs } from './person.ts'
import { recordRequests } from './recording-proxy.ts'
import type { RunningSite } from './running-site.ts'
import { createMember, type Member, publishAndWait } from './site-setup.ts'
import type { PublishedDocument } from './upload-client.ts'

/** What a reader has on the screen when the network goes, and what comes back with it. */

let browser: Browser
let site: RunningSite
let book: PublishedDocument
let root: Member
let author: Member

beforeAll(async () => {
  ;({ browser, site, root, author } = await startLibrary('写书的人'))
  await configure(site, { 'converter.max_preview': '2' })
  const bytes = makePdf({ title: '断网也能读的书', pages: 12, text: (page) => [`第${page}页正文`] })
  book = await publishAndWait(site, author, { name: '断网也能读的书.pdf', bytes })
}, 120_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
})

test('without a network the page stays, says in place what is missing, and completes itself afterwards', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, `/document/${book.uuid}`)
  await picture(page, 1).waitFor()
  await page.context().setOffline(true)
  await page.getByText('网络已断开').waitFor()

  // The script of the comments was never loaded: they are loaded when they come into view.
  await page.getByRole('heading', { name: '评论' }).scrollIntoViewIfNeeded()
  const failure = page.getByRole('region', { name: '评论' }).getByRole('alert')
  await failure.getByText('没有加载成功').waitFor()
  await failure.getByRole('button', { name: '重试' }).click()
  await failure.getByText('没有加载成功').waitFor()
  await page.getByRole('heading', { name: '断网也能读的书' }).first().waitFor()
  await page.evaluate(() => scrollTo(0, 0))
  await picture(page, 1).waitFor()

  await page.getByRole('banner').getByRole('link', { name: '文库资料' }).click()
  await waitForPath(page, '/category')
  await page.getByRole('main').getByRole('button', { name: '重试' }).waitFor()
  await page.goBack()
  await waitForPath(page, /^\/document\//)
  await page.getByRole('heading', { name: '断网也能读的书' }).first().waitFor()
  await page.goForward()
  await page.getByRole('main').getByRole('button', { name: '重试' }).waitFor()

  await page.context().setOffline(false)
  await page.getByText('网络已恢复').waitFor()
  await page.getByRole('heading', { name: '全部分类' }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: '评论' }).scrollIntoViewIfNeeded()
  await page.getByRole('link', { name: '登录后评论' }).waitFor()
  expect(await page.getByText('没有加载成功').count()).toBe(0)
})

test('a page script that fails while the build is the same never reloads the page, and is loaded by 重试', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, '/')
  let loads = 0
  page.on('load', () => (loads += 1))
  await page.route('**/assets/login-*.js', (route) => route.abort())
  await page.getByRole('banner').getByRole('link', { name: '登录' }).click()
  const retry = page.getByRole('main').getByRole('button', { name: '重试' })
  await retry.waitFor()
  await retry.click()
  await retry.waitFor()
  await page.unroute('**/assets/login-*.js')
  await retry.click()
  await page.getByRole('textbox', { name: '密码' }).waitFor()
  expect(loads).toBe(0)
})

test('pages and pictures that were read can be opened without a network; others say that there is none', async () => {
  const page = await openWindow(browser, site.url, { serviceWorkers: 'allow' })
  await visit(page, '/category')
  await page.evaluate(async () => navigator.serviceWorker.ready)
  // Without a full load: the worker copies the page by itself.
  await page.getByRole('main').getByRole('link', { name: '断网也能读的书' }).first().click()
  await picture(page, 1).waitFor()
  await expect.poll(() => offlineCopies(page), { timeout: 20_000 }).toContain(`/document/${book.uuid}`)
  await expect.poll(() => offlineCopies(page)).toContainEqual(expect.stringMatching(/^\/view\/page\/.*\/1\.svg$/))

  await page.context().setOffline(true)
  await page.reload()
  await waitForHydration(page)
  await page.getByRole('heading', { name: '断网也能读的书' }).first().waitFor()
  await expect.poll(() => picture(page, 1).evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await page.goto('/category')
  await page.getByRole('heading', { name: '全部分类' }).waitFor()
  await page.goto('/article')
  await page.getByRole('heading', { name: '暂时连不上网络' }).waitFor()
  await page.context().setOffline(false)
  await page.getByRole('banner').waitFor()
  await waitForPath(page, '/article')
})

test('with a service worker the server gets each request once', async () => {
  const { url, paths } = await recordRequests(site.url)
  const page = await openWindow(browser, url, { serviceWorkers: 'allow' })
  await visit(page, '/category')
  await page.evaluate(async () => navigator.serviceWorker.ready)
  await expect.poll(() => offlineCopies(page), { timeout: 20_000 }).toContain('/category')
  paths.length = 0
  await visit(page, `/document/${book.uuid}`)
  await picture(page, 1).waitFor()
  await expect.poll(() => offlineCopies(page), { timeout: 20_000 }).toContain(`/document/${book.uuid}`)
  // A navigation that the worker leaves alone.
  await page.goto('/download/nothing')
  expect(paths).toContain('/download/nothing')
  expect(paths.filter((path, at) => paths.indexOf(path) !== at)).toEqual([])

  // The owner's page is asked for again with the session.
  await signInAs(page, site, author)
  paths.length = 0
  await visit(page, `/document/${book.uuid}`)
  await expect.poll(() => personalCopies(page), { timeout: 20_000 }).toContainEqual(expect.stringMatching(/1\.svg$/))
  const replies = paths.filter((path) => /^\/api\/v1\/document(\/plan)?\?/.test(path))
  expect(replies).toHaveLength(2)
})

test('a buyer reads on without a network after a reload, beyond the preview, until the session ends', async () => {
  const [name, bytes] = ['读完才懂的书.pdf', makePdf({ title: '读完才懂的书', pages: 6 })]
  const { id, uuid } = await publishAndWait(site, author, { name, bytes, price: 5 })
  const buyer = await createMember(site, root, '买书的人')
  await site.db.updateTable('user').set({ credit_count: 9 }).where('username', '=', buyer.username).execute()
  await buyer.call(contract.downloads.download, { id })
  const page = await openWindow(browser, site.url, { serviceWorkers: 'allow' })
  await page.addInitScript(() => {
    window.print = () =>
      (document.body.dataset['sheets'] = String(document.querySelectorAll('[data-printed] img').length))
  })
  await signInAs(page, site, buyer)
  await visit(page, '/category')
  await page.evaluate(async () => navigator.serviceWorker.ready)
  await expect.poll(() => offlineCopies(page), { timeout: 20_000 }).toContain('/category')
  const readLast = async () => {
    await picture(page, 1).waitFor()
    await page.getByLabel(/^页码，共 6 页/).fill('6')
    await page.keyboard.press('Enter')
    await expect.poll(() => widthOf(page, 6)).toBeGreaterThan(0)
  }
  await visit(page, `/document/${uuid}`)
  await page.getByText('全文共 6 页').waitFor({ state: 'attached' })
  await readLast()
  await page.keyboard.press('Control+p')
  const print = page.getByRole('dialog', { name: '打印' })
  await print.getByText('可以打印能预览的 6 页').waitFor()
  await print.getByRole('button', { name: '打印', exact: true }).click()
  await page.waitForFunction(() => document.body.dataset['sheets'] === '6')
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  await print.waitFor({ state: 'detached' })
  await expect.poll(() => offlineCopies(page), { timeout: 20_000 }).toContain(`/document/${uuid}`)
  // The rest of a key changes by the hour.
  expect(await personalCopies(page)).toContainEqual(expect.stringMatching(/^\/view\/page\/[\w-]{16}\/6\.svg$/))
  await visit(page, '/category')
  await page.context().setOffline(true)
  await visit(page, `/document/${uuid}`)
  await page.getByText('全文共 6 页').waitFor({ state: 'attached' })
  await readLast()

  await page.context().setOffline(false)
  await page.getByRole('button', { name: '买书的人 的菜单' }).click()
  await page.getByRole('menuitem', { name: '退出登录' }).click()
  await page.getByRole('banner').getByRole('link', { name: '登录' }).waitFor()
  expect(await personalCopies(page)).toEqual([])
})

test('what one member has opened is deleted when the session is lost, and when another member reads', async () => {
  const reader = await createMember(site, root, '另一个人')
  const page = await openWindow(browser, site.url, { serviceWorkers: 'allow' })
  await signInAs(page, site, author)
  await visit(page, '/category')
  await page.evaluate(async () => navigator.serviceWorker.ready)
  const openOwn = async () => {
    await visit(page, `/document/${book.uuid}`)
    await expect.poll(() => personalCopies(page), { timeout: 20_000 }).toContainEqual(expect.stringMatching(/1\.svg$/))
    expect(await personalCopies(page)).toContainEqual(expect.stringMatching(/^\/api\/v1\/document\/plan/))
  }
  await openOwn()
  await visit(page, '/category')
  expect(await personalCopies(page), 'a member goes on').not.toEqual([])
  await signInAs(page, site, reader)
  await visit(page, '/category')
  await page.getByRole('main').getByRole('link', { name: '断网也能读的书' }).first().click()
  await picture(page, 1).waitFor()
  await expect.poll(() => personalCopies(page), { timeout: 20_000 }).not.toContainEqual(expect.stringMatching(/svg$/))

  await signInAs(page, site, author)
  await openOwn()
  await page.evaluate(() => localStorage.clear())
  await visit(page, '/category')
  await expect.poll(() => personalCopies(page), { timeout: 20_000 }).toEqual([])
  await signInAs(page, site, author)
  const token = await readToken(page)
  await openOwn()
  await client({ fetch, origin: site.url, token: () => token })(currentUser.logout)
  await page.reload()
  await expect.poll(() => personalCopies(page), { timeout: 20_000 }).toEqual([])
})

test.each([1440, 820, 390, 320])('at %i px the notice of a lost network covers no control', async (width) => {
  const page = await openWindow(browser, site.url, { viewport: { width, height: 844 } })
  await visit(page, `/document/${book.uuid}`)
  await picture(page, 1).waitFor()
  await page.context().setOffline(true)
  await page.getByRole('status').filter({ hasText: '网络已断开' }).waitFor()
  for (const at of [0, 700, 100_000]) {
    await page.evaluate((top) => scrollTo(0, top), at)
    expect(await coveredControls(page), `scrolled to ${at}`).toEqual([])
  }
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
})

function picture(page: Page, number: number) {
  return page.getByRole('figure', { name: `第 ${number} 页`, exact: true }).getByRole('img')
}

async function widthOf(page: Page, number: number): Promise<number> {
  return picture(page, number).evaluate((image: HTMLImageElement) => image.naturalWidth)
}

/** The addresses of what only a session opens. */
async function personalCopies(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const names = (await caches.keys()).filter((name) => ['personal', 'replies'].includes(name))
    const copies = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return copies.flat().map(({ url }) => new URL(url).pathname)
  })
}

/** The names of the controls that share a place with the notice. */
function coveredControls(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const notice = [...document.querySelectorAll('output')].find((one) => one.textContent?.includes('网络已断开'))
    const box = notice?.getBoundingClientRect()
    if (!box) return ['there is no notice']
    const isUnder = (control: Element) => {
      const { left, right, top, bottom, width } = control.getBoundingClientRect()
      const isApart = right <= box.left || left >= box.right || bottom <= box.top || top >= box.bottom
      // What has scrolled below the header is covered by it, with or without the notice.
      return (
        width > 0 && !isApart && (control.closest('header') !== null || getComputedStyle(control).position === 'fixed')
      )
    }
    const controls = [...document.querySelectorAll('a, button, input')]
    return controls.filter(isUnder).map((control) => control.getAttribute('aria-label') ?? control.textContent ?? '')
  })
}
