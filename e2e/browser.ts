import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
  type Request,
} from 'playwright-core'
import { expect, onTestFinished } from 'vitest'

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
]

export function openBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? places.find((path) => existsSync(path))
  if (!executablePath) throw new Error('no Chromium on this machine: apt-get install chromium')
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      `--disable-features=${[...left, ...idle].join(',')}`,
    ],
  })
}

/** What Playwright leaves out for the sake of steady pages; a list of ours takes the place of its own. */
const left = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

/** Processes nobody sees here: below the address bar, and in reserve for the next page. */
const idle = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'SpareRendererForSitePerProcess']

export const desktop = { width: 1440, height: 900 }
export const phone = { width: 390, height: 844 }

/** What moves takes time, and so does what waits for the network to fail: whom it concerns asks for it. */
const plain = {
  viewport: desktop,
  locale: 'zh-CN',
  reducedMotion: 'reduce',
  serviceWorkers: 'block',
} satisfies BrowserContextOptions

/** A window of a person of their own: nothing is shared with other windows. Whatever goes wrong in it fails the test. */
export async function openWindow(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ ...plain, baseURL: url, ...options })
  context.setDefaultTimeout(15_000)
  const page = await context.newPage()
  watchRequests(page)
  page.on('pageerror', (error) => troubles(page).push(error.message))
  page.on('console', (message) => {
    // A refused call is part of many journeys; the browser notes each as a failed resource.
    const isRefusal = /Failed to load resource: the server responded with a status of 4\d\d/.test(message.text())
    if (message.type() === 'error' && !isRefusal) troubles(page).push(message.text())
  })
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await picture(page, task.name)
    // A window left open goes on working, beside the tests that follow.
    await context.close()
  })
  return page
}

async function picture(page: Page, test: string): Promise<void> {
  const name = `${test} ${randomBytes(2).toString('hex')}`.replace(/[^\w\u4e00-\u9fff]+/g, '-')
  await page.screenshot({ path: join(import.meta.dirname, 'results', `${name}.png`) }).catch(() => {})
}

const noted = new WeakMap<Page, string[]>()

/** Script errors, content-policy violations and console errors of a window so far. */
function troubles(page: Page): string[] {
  const list = noted.get(page) ?? []
  noted.set(page, list)
  return list
}

export function expectNoTroubles(page: Page): void {
  expect(troubles(page)).toEqual([])
}

/** Opens a page and waits until it answers to clicks. From one page of the back office to another one walks. */
export async function visit(page: Page, path: string): Promise<void> {
  const [from, to] = [officeOf(page.url()), officeOf(path)]
  if (from && to && from !== to && !(await hasMessage(page))) return walkTo(page, path)
  await load(page, path)
}

/** Types the address, wherever it may lead. */
export async function load(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await answers(page)
}

/** Which page of the back office it is, whatever is chosen in it. */
function officeOf(url: string): string | undefined {
  return /^(?:https?:\/\/[^/]+)?(\/admin\/[^?#]+)/.exec(url)?.[1]
}

/** What one page says would be taken for what the next one says. */
async function hasMessage(page: Page): Promise<boolean> {
  return (await page.locator('.ant-message-notice').count()) > 0
}

/** Goes there as by a link: the back office is heavy, and nothing of it is loaded anew. */
async function walkTo(page: Page, path: string): Promise<void> {
  // Its title is the last thing that a page has from the one before.
  await expect.poll(() => page.title(), { interval: 20 }).toMatch(/管理后台$/)
  const before = await page.title()
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  await expect.poll(() => page.title(), { interval: 20 }).not.toBe(before)
}

/** Waits until the page's scripts have taken over from the server's HTML. */
export async function answers(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    Object.keys(document.body.firstElementChild ?? {}).some((key) => key.startsWith('__react')),
  )
}

interface Requests {
  begun: number
  underway: Set<Request>
}

const requests = new WeakMap<Page, Requests>()

function watchRequests(page: Page): void {
  const seen: Requests = { begun: 0, underway: new Set() }
  requests.set(page, seen)
  page.on('request', (request) => {
    seen.begun += 1
    seen.underway.add(request)
  })
  page.on('requestfinished', (request) => seen.underway.delete(request))
  page.on('requestfailed', (request) => seen.underway.delete(request))
}

/** Waits until the page has all it asks for, and nothing to do that could make it ask for more. */
export async function settled(page: Page): Promise<void> {
  const seen = requests.get(page)
  if (!seen) throw new Error('not a window of openWindow')
  for (let calm = 0; calm < 2;) {
    const { begun } = seen
    await expect.poll(() => seen.underway.size, { timeout: 15_000, interval: 20 }).toBe(0)
    // A busy machine may leave a page no idle moment.
    await page.evaluate(() => new Promise((done) => requestIdleCallback(done, { timeout: 1000 })))
    calm = seen.begun === begun ? calm + 1 : 0
  }
}

export async function pathOf(page: Page): Promise<string> {
  return page.evaluate(() => location.pathname + location.search)
}

/** Waits until the address is this path, whatever leads there. */
export async function arriveAt(page: Page, path: string | RegExp): Promise<void> {
  await expect
    .poll(() => pathOf(page), { timeout: 10_000, interval: 50 })
    .toMatch(path instanceof RegExp ? path : new RegExp(`^${escape(path)}$`))
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

/** Chooses from a menu of the back office: while it unfolds, a click falls beside. */
export async function chooseFrom(opener: Locator, item: string): Promise<void> {
  await opener.click()
  const menu = opener.page().locator('.ant-dropdown').filter({ visible: true })
  await expect.poll(() => menu.getAttribute('class')).not.toMatch(/-(enter|appear|leave)/)
  const named = opener.page().getByText(item, { exact: true })
  await menu.getByRole('menuitem').filter({ has: named }).click()
}

/** Picks from the list of a field of the back office, once it lies still; what stands in the page behind may be called the same. */
export async function pickFrom(field: Locator, item: string): Promise<void> {
  await field.click()
  const list = field.page().locator('.ant-select-dropdown').filter({ visible: true }).last()
  await expect.poll(() => list.getAttribute('class')).not.toMatch(/-(enter|appear|leave)/)
  await list.getByTitle(item, { exact: true }).click()
}

/** Answers a question of the back office: a button that is still on its way is missed by a click. */
export async function answerQuestion(page: Page, button: string | RegExp): Promise<void> {
  const question = page.getByRole('dialog').last()
  await expect.poll(() => question.getAttribute('class')).not.toContain('zoom')
  await question.getByRole('button', { name: button }).click()
  // While it goes, it still lies over the page.
  await question.waitFor({ state: 'hidden' })
}
