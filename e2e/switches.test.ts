import { RecommendAction } from '#shared/enums.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makePdf } from '#server/samples/pdf.ts'
import { contract } from '#shared/contract/contract.ts'
import { catalogue } from '#shared/settings.ts'
import { expectNoPageErrors, openBrowser, openWindow, phone, visit } from './browser.ts'
import { addCategory, type Member, signInAsRoot, publishAndWait } from './site-setup.ts'
import { type RunningSite, startSite } from './running-site.ts'

/** The display settings: each one switched both ways, and what visitors are sent then. */

let site: RunningSite
let root: Member
const address = { document: '', priced: '' }

beforeAll(async () => {
  site = await startSite('sqlite', { ADMIN_PASSWORD: 'root password' })
  root = await signInAsRoot(site, 'root password')
  await addContent()
  await addAuthors()
}, 120_000)
afterAll(() => site.stop())

interface Expectation {
  path: string | (() => string)
  value: string
  /** Of the page's markup. */
  has?: string | RegExp
  lacks?: string | RegExp
}

/** Something that is there with one value and not with another. */
function between(
  path: Expectation['path'],
  there: string | RegExp,
  [shown, hidden]: [shown: string, hidden: string],
): Expectation[] {
  return [
    { path, value: shown, has: there },
    { path, value: hidden, lacks: there },
  ]
}

const onOff: [string, string] = ['true', 'false']
const offOn: [string, string] = ['false', 'true']
const document = () => address.document
const priced = () => address.priced
const picture = '/favicon.svg?chosen'

const display: Record<keyof (typeof catalogue)['display']['fields'], Expectation[]> = {
  palette: between('/', 'data-palette="tea"', ['tea', 'bamboo']),
  density: between('/', 'data-density="compact"', ['compact', 'comfortable']),
  home_version: [
    { path: '/', value: 'v1', has: '推荐阅读', lacks: '精选推荐' },
    { path: '/', value: 'v2', has: '精选推荐', lacks: '推荐阅读' },
    { path: '/', value: 'v2', has: '快捷入口' },
  ],
  // A list shows more of each category than a card.
  index_document_style: between('/', /<section aria-label="教育"(?:(?:(?!<\/section>).)*<li){5}/, ['list', 'card']),
  show_index_categories: between('/', '按分类浏览', onOff),
  show_register_user_count: between('/', /1\d\d 位用户/, onOff),
  virtual_register_count: between('/', /5,1\d\d 位用户/, ['5000', '0']),
  show_document_count: between('/', /1\d\d 份文档/, onOff),
  show_document_view_count: between(document, /\d 次浏览/, onOff),
  show_document_download_count: between(document, /\d 次下载/, onOff),
  show_document_favorite_count: between(document, /收藏 1/, onOff),
  show_document_descriptions: [
    ...between('/category', '>讲一条河的水</p>', onOff),
    ...between(document, '>讲一条河的水</p>', onOff),
  ],
  // Switched off, the page is gone (share.test.ts).
  enable_embed: [
    {
      path: () => document().replace('/document/', '/embed/'),
      value: 'true',
      has: />(还有 \d+ 页，)?在[^<]+(打开|阅读)</,
    },
  ],
  hide_keywords_on_lists: [
    ...between('/category', '<section aria-label="关键字"', offOn),
    ...between('/search?wd=水文', '<section aria-label="相关搜索"', offOn),
  ],
  hide_category_without_document: [...between('/', '空着的分类', offOn), ...between('/category', '空着的分类', offOn)],
  pages_per_read: [
    ...between(document, 'aria-label="第 3 页"', ['3', '2']),
    ...between(document, '继续阅读', ['2', '0']),
  ],
  max_search_pages: between('/search?wd=水文', /href="[^"]*page=2/, ['100', '1']),
  copyright_statement: [...between('/', '<b>不得转载</b>', ['<b>不得转载</b>', '']), ...scripted('/')],
  wechat_qrcode: between('/category', 'aria-label="扫码关注公众号"', [picture, '']),
  wechat_tip: [],
  contact_link: between('/category', 'href="https://example.com/help"', ['https://example.com/help', '']),
  contact_tip: [],
}

/** Scripts in the owner's texts are removed. */
function scripted(path: string): Expectation[] {
  return [
    {
      path,
      value: '<b>好</b><script>alert(1)</script><img src=x onerror=alert(1)>',
      has: '<b>好</b>',
      lacks: /alert\(1\)/,
    },
  ]
}

const footer = Object.fromEntries(
  Object.entries(catalogue.footer.fields).map(([key, { label }]) => [
    key,
    between('/category', new RegExp(`<a[^>]*href="/article/own-${key}"[^>]*>${label}</a>`), [
      `/article/own-${key}`,
      '',
    ]),
  ]),
)

const others: Record<string, Expectation[]> = {
  'system.sitename': between('/', '河边文库', ['河边文库', '文豆']),
  'system.title': between('/', '<title>河边的书</title>', ['河边的书', '']),
  'system.description': between('/', 'content="河边的书都在这里"', ['河边的书都在这里', '']),
  'system.keywords': between('/', 'content="河,书"', ['河,书', '']),
  'system.recommend_words': between('/', 'href="/search?wd=%E6%8A%A5%E8%A1%A8&amp;type=0"', ['报表,年鉴', '']),
  'system.logo': between('/category', `<img src="${picture}"`, [picture, '']),
  'system.favicon': between('/category', `rel="icon" href="${picture}"`, [picture, '']),
  'system.login_background': between('/login', picture, [picture, '']),
  'system.register_background': between('/register', picture, [picture, '']),
  'system.theme_color': between('/category', '--accent-on-light:#8a1f5c', ['#8a1f5c', '#1f6f5c']),
  'system.copyright_start_year': between('/category', `1998–${new Date().getFullYear()}`, ['1998', '']),
  'system.icp': between('/category', '京ICP备00000001号', ['京ICP备00000001号', '']),
  'system.sec_icp': between('/category', 'code=11000002000001', ['京公网安备 11000002000001号', '']),
  'system.enable_powered_by': between('/category', /由文豆 v[\d.]+ 驱动/, onOff),
  'score.credit_name': between(priced, '3 贝壳', ['贝壳', '豆子']),
  'miniprogram.qrcode': between('/category', 'aria-label="小程序码"', [picture, '']),
}

describe('the display settings', () => {
  test('all have a case here', () => {
    expect(Object.keys(display).toSorted()).toEqual(Object.keys(catalogue.display.fields).toSorted())
  })

  test.each(Object.entries(display).filter(([, looks]) => looks.length > 0))('%s', async (key, looks) => {
    await checkSetting(`display.${key}`, looks)
  })

  test('wechat_tip, contact_tip and the mini-program’s tip stand with what they explain', async () => {
    const words = {
      'display.wechat_tip': '加我们的公众号',
      'display.contact_tip': '有事找我',
      'miniprogram.tip': '手机上看',
    }
    const shown = {
      'display.wechat_qrcode': picture,
      'display.contact_link': '/article/contact',
      'miniprogram.qrcode': picture,
    }
    await set({ ...words, ...shown })
    expect(await markup('/category')).toContain('aria-label="加我们的公众号、手机上看"')
    expect(await markup('/category')).toMatch(/<span class="sr-only">有事找我<\/span>/)
    await reset(...Object.keys(words), ...Object.keys(shown))
    expect(await markup('/category')).not.toMatch(/加我们的公众号|有事找我|手机上看/)
  })
})

test.each(Object.entries(footer))('the footer’s link “%s”', (key, looks) => checkSetting(`footer.${key}`, looks))

test.each(Object.entries(others))('%s', checkSetting)

describe('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
    for (const [place, title] of ['第一张', '第二张', '第三张'].entries())
      await root.call(contract.banners.create, {
        title,
        path: `/favicon.svg?${place}`,
        url: '/category',
        enable: true,
        sort: 9 - place,
      })
    await set({
      'display.wechat_qrcode': picture,
      'miniprogram.qrcode': `${picture}-mini`,
      'miniprogram.tip': '手机上看',
    })
  })
  afterAll(() => browser.close())

  test('banners pause under the pointer, turn by arrows, dots and keys, and load each picture when it is first shown', async () => {
    const page = await openWindow(browser, site.url, { reducedMotion: 'no-preference' })
    await visit(page, '/')
    const banners = page.getByRole('region', { name: '横幅' })
    const pictures = banners.locator('img')
    expect(await banners.boundingBox()).toMatchObject({ height: 420 })
    expect(await pictures.count(), 'only the first picture at first').toBe(1)
    await expect.poll(() => pictures.count(), { timeout: 12_000 }).toBe(2)
    await banners.hover()
    await banners.getByRole('button', { name: '第 1 张' }).click()
    const first = banners.getByRole('button', { name: '第 1 张' })
    await page.waitForTimeout(3500)
    expect(await first.getAttribute('aria-current'), 'under the pointer').toBe('true')
    await page.mouse.move(0, 0)
    await page.waitForTimeout(3500)
    expect(await first.getAttribute('aria-current'), 'under keyboard control').toBe('true')
    await page.keyboard.press('ArrowLeft')
    await banners.getByRole('img', { name: '第三张' }).waitFor()
    expect(await pictures.count()).toBe(3)
    await banners.getByRole('button', { name: '下一张' }).click()
    await banners.getByRole('img', { name: '第一张' }).waitFor()
    expect(await banners.locator('li:not([inert]) img').count(), 'the others are out of the way').toBe(1)
    expectNoPageErrors(page)
  })

  test('nothing moves by itself for those who want no motion; on a phone banners are 250 high', async () => {
    const page = await openWindow(browser, site.url, { viewport: phone })
    await visit(page, '/')
    const banners = page.getByRole('region', { name: '横幅' })
    expect(await banners.boundingBox()).toMatchObject({ height: 250 })
    expect(await banners.getByRole('button', { name: '停止播放横幅' }).count()).toBe(0)
    await page.waitForTimeout(3500)
    expect(await banners.locator('img').count()).toBe(1)
  })

  test('the codes of the right bar stand side by side', async () => {
    const page = await openWindow(browser, site.url)
    await visit(page, '/category')
    await page.getByRole('button', { name: '扫码关注公众号、手机上看' }).click()
    const codes = page.locator('figure img')
    expect(await codes.evaluateAll((all) => all.map((one) => one.getAttribute('src')))).toEqual([
      picture,
      `${picture}-mini`,
    ])
    await page.getByText('手机上看').waitFor()
  })

  test('the list remembers whether the visitor chose covers or lines', async () => {
    await set({ 'display.home_version': 'v2' })
    const page = await openWindow(browser, site.url)
    await visit(page, '/')
    const featured = page.getByRole('region', { name: '精选推荐' })
    await featured.getByRole('button', { name: '列表' }).click()
    await visit(page, '/')
    await expect.poll(() => featured.getByRole('button', { name: '列表' }).getAttribute('aria-pressed')).toBe('true')
    await reset('display.home_version')
    expectNoPageErrors(page)
  })
})

async function addContent(): Promise<void> {
  const category = await addCategory(root, '教育')
  await addCategory(root, '空着的分类')
  const made = []
  for (let n = 1; n <= 11; n += 1)
    made.push(
      await publishAndWait(site, root, {
        name: `水文年鉴 ${n}.pdf`,
        bytes: makePdf({ title: `水文年鉴 ${n}`, pages: 3 }),
        price: n === 11 ? 3 : 0,
        category: [category],
      }),
    )
  const [first] = made
  const last = made.at(-1)
  if (!first || !last) throw new Error('nothing was published')
  address.document = `/document/${first.uuid}`
  address.priced = `/document/${last.uuid}`
  for (const { id } of [first, last]) {
    const { title } = await root.call(contract.documents.get, { id })
    const words = { keywords: '河流,水位', description: '讲一条河的水' }
    await root.call(contract.documents.update, {
      id,
      title,
      category_id: [category],
      language: '',
      price: id === last.id ? 3 : 0,
      ...words,
    })
  }
  await root.call(contract.documents.recommend, { id: made.map(({ id }) => id), type: RecommendAction.Recommend })
  await root.call(contract.favorites.create, { document_id: first.id })
}

/** Numbers below a hundred are not shown. */
async function addAuthors(): Promise<void> {
  const authors = Array.from({ length: 120 }, (_, n) => ({
    username: `作者 ${n}`,
    username_key: `作者 ${n}`,
    password: '',
    doc_count: 1,
    created_at: n,
    updated_at: n,
    login_at: null,
  }))
  await site.db.insertInto('user').values(authors).execute()
}

/** Checks the pages with each value, and restores the setting. */
async function checkSetting(key: string, looks: Expectation[]): Promise<void> {
  for (const { path: where, value, has, lacks } of looks) {
    await set({ [key]: value })
    const path = typeof where === 'string' ? where : where()
    const message = `${key}=${value}: ${path}`
    // A page that is being rendered during the change may still show the old value.
    const isThere = (words: string | RegExp) => expect.poll(async () => isIn(await markup(path), words), { message })
    if (has !== undefined) await isThere(has).toBe(true)
    if (lacks !== undefined) await isThere(lacks).toBe(false)
  }
  await reset(key)
}

function isIn(html: string, words: string | RegExp): boolean {
  return typeof words === 'string' ? html.includes(words) : words.test(html)
}

async function set(values: Record<string, string>): Promise<void> {
  const config = Object.entries(values).map(([key, value]) => {
    const [category = '', name = ''] = key.split('.')
    return { category, name, value }
  })
  await root.call(contract.settings.update, { config })
}

async function reset(...keys: string[]): Promise<void> {
  const groups: Record<string, { fields: Record<string, { default: unknown }> }> = catalogue
  const values = keys.map((key) => {
    const [group = '', name = ''] = key.split('.')
    const fallback = groups[group]?.fields[name]?.default
    return [key, Array.isArray(fallback) ? fallback.join(',') : String(fallback)]
  })
  await set(Object.fromEntries(values) as Record<string, string>)
}

/** What a visitor without scripts is sent, without the page's data. */
async function markup(path: string): Promise<string> {
  const response = await fetch(new URL(path, site.url))
  expect(response.status, path).toBe(200)
  return (await response.text()).replaceAll(/<script[\s\S]*?<\/script>/g, '').replaceAll('<!-- -->', '')
}
