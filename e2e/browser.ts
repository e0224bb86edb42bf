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

const chromiumPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
]

export function openBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? chromiumPaths.find((path) => existsSync(path))
  if (!executablePath) throw new Error('no Chromium on this machine: apt-get install chromium')
  return chromium.launch({
    executablePath,
    // Without a UTF-8 locale it can neither save nor send files with Chinese names.
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      `--disable-features=${[...disabledByPlaywright, ...idleFeatures].join(',')}`,
    ],
  })
}

/** The features that Playwright disables by default: our flag replaces its list. */
const disabledByPlaywright = [
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

/** Features with renderer processes that tests never show: omnibox popups, the spare renderer. */
const idleFeatures = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'SpareRendererForSitePerProcess']

export const desktop = { width: 1440, height: 900 }
export const tablet = { width: 820, height: 1180 }
export const phone = { width: 390, height: 844 }

/** Without animations and service workers, which cost time; tests about them ask for them. */
const contextDefaults = {
  viewport: desktop,
  locale: 'zh-CN',
  reducedMotion: 'reduce',
  serviceWorkers: 'block',
} satisfies BrowserContextOptions

/** A window with a browser context of its own. Its errors are collected for `expectNoPageErrors`. */
export async function openWindow(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ ...contextDefaults, baseURL: url, ...options })
  context.setDefaultTimeout(15_000)
  const page = await context.newPage()
  watchRequests(page)
  page.on('pageerror', (error) => pageErrors(page).push(error.message))
  page.on('console', (message) => {
    // Many tests expect refused calls; the browser logs each as a failed resource.
    const isRefusal = /Failed to load resource: the server responded with a status of 4\d\d/.test(message.text())
    if (message.type() === 'error' && !isRefusal) pageErrors(page).push(message.text())
  })
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await saveScreenshot(page, task.name)
    // A window left open would go on working beside the next tests.
    await context.close()
  })
  return page
}

async function saveScreenshot(page: Page, test: string): Promise<void> {
  const name = `${test} ${randomBytes(2).toString('hex')}`.replace(/[^\w\u4e00-\u9fff]+/g, '-')
  await page.screenshot({ path: join(import.meta.dirname, 'results', `${name}.png`) }).catch(() => {})
}

const errorsByPage = new WeakMap<Page, string[]>()

/** Script errors, content-policy violations and console errors of a window so far. */
function pageErrors(page: Page): string[] {
  const list = errorsByPage.get(page) ?? []
  errorsByPage.set(page, list)
  return list
}

export function expectNoPageErrors(page: Page): void {
  expect(pageErrors(page)).toEqual([])
}

/** Opens a page and waits for hydration; between admin pages it navigates on the client. */
export async function visit(page: Page, path: string): Promise<void> {
  const [from, to] = [adminPath(page.url()), adminPath(path)]
  if (from && to && from !== to && !(await hasMessage(page))) return navigateWithin(page, path)
  await load(page, path)
}

/** Loads the address, wherever it redirects to. */
export async function load(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await waitForHydration(page)
}

/** The path of an admin page without its query. */
function adminPath(url: string): string | undefined {
  return /^(?:https?:\/\/[^/]+)?(\/admin\/[^?#]+)/.exec(url)?.[1]
}

/** A message of this page could be taken for one of the next. */
async function hasMessage(page: Page): Promise<boolean> {
  return (await page.locator('.ant-message-notice').count()) > 0
}

/** Client-side navigation: the admin is heavy, and a full load is slow. */
async function navigateWithin(page: Page, path: string): Promise<void> {
  // The title is the last thing that a navigation changes.
  await expect.poll(() => page.title(), { interval: 20 }).toMatch(/管理后台$/)
  const before = await page.title()
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  await expect.poll(() => page.title(), { interval: 20 }).not.toBe(before)
}

/**
 * Waits until React has hydrated the server's HTML, with the parts whose scripts are loaded by themselves: what is pressed
 * there before is lost. The buttons of code blocks are not React's.
 */
export async function waitForHydration(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const parts = document.querySelectorAll('body > :first-child, button:not(.code-box > button)')
    const isHydrated = (part: Element) => Object.keys(part).some((key) => key.startsWith('__react'))
    return parts.length > 0 && [...parts].every(isHydrated)
  })
}

interface Requests {
  started: number
  pending: Set<Request>
}

const requests = new WeakMap<Page, Requests>()

function watchRequests(page: Page): void {
  const seen: Requests = { started: 0, pending: new Set() }
  requests.set(page, seen)
  page.on('request', (request) => {
    seen.started += 1
    seen.pending.add(request)
  })
  page.on('requestfinished', (request) => seen.pending.delete(request))
  page.on('requestfailed', (request) => seen.pending.delete(request))
}

/** Waits until no request is pending and the page is idle. */
export async function waitUntilIdle(page: Page): Promise<void> {
  const seen = requests.get(page)
  if (!seen) throw new Error('not a window of openWindow')
  for (let quiet = 0; quiet < 2;) {
    const { started } = seen
    await expect.poll(() => seen.pending.size, { timeout: 15_000, interval: 20 }).toBe(0)
    // On a busy machine the idle callback may never run.
    await page.evaluate(() => new Promise((done) => requestIdleCallback(done, { timeout: 1000 })))
    quiet = seen.started === started ? quiet + 1 : 0
  }
}

export async function currentPath(page: Page): Promise<string> {
  return page.evaluate(() => location.pathname + location.search)
}

/** Waits until the address is this path. */
export async function waitForPath(page: Page, path: string | RegExp): Promise<void> {
  await expect
    .poll(() => currentPath(page), { timeout: 10_000, interval: 50 })
    .toMatch(path instanceof RegExp ? path : new RegExp(`^${escape(path)}$`))
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

/** Chooses from an admin dropdown once its animation has ended. */
export async function chooseMenuItem(opener: Locator, item: string): Promise<void> {
  await opener.click()
  const menu = opener.page().locator('.ant-dropdown').filter({ visible: true })
  await expect.poll(() => menu.getAttribute('class')).not.toMatch(/-(enter|appear|leave)/)
  const named = opener.page().getByText(item, { exact: true })
  await menu.getByRole('menuitem').filter({ has: named }).click()
}

/** Selects an option of an admin field once its animation has ended; the page behind may have the same text. */
export async function selectOption(field: Locator, item: string): Promise<void> {
  await field.click()
  const list = field.page().locator('.ant-select-dropdown').filter({ visible: true }).last()
  await expect.poll(() => list.getAttribute('class')).not.toMatch(/-(enter|appear|leave)/)
  await list.getByTitle(item, { exact: true }).click()
}

/** Clicks a button of an admin dialog once its animation has ended. */
export async function confirmDialog(page: Page, button: string | RegExp): Promise<void> {
  const question = page.getByRole('dialog').last()
  await expect.poll(() => question.getAttribute('class')).not.toContain('zoom')
  await question.getByRole('button', { name: button }).click()
  // While it fades out it still covers the page.
  await question.waitFor({ state: 'hidden' })
}

/** The addresses of what the service worker has copied. */
export function offlineCopies(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const copies = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
    return copies.flat().map(({ url }) => new URL(url).pathname)
  })
}
