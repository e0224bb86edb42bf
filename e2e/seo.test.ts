import { ContentType } from '#shared/enums.ts'
import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { client } from '#shared/client.ts'
import { contract } from '#shared/contract/contract.ts'
import { catalogue } from '#shared/settings.ts'
import { makePdf } from '#server/samples/pdf.ts'
import {
  expectNoPageErrors,
  offlineCopies,
  openBrowser,
  openWindow,
  visit,
  waitForHydration,
  waitForPath,
} from './browser.ts'
import type { PublishedDocument } from './upload-client.ts'
import { addCategory, type Member, signInAsRoot, publishAndWait } from './site-setup.ts'
import { configure } from './owner.ts'
import { signInAs } from './person.ts'
import { type RunningSite, startSite } from './running-site.ts'

/** What search engines, browsers and analytics get from a site, and what they must not get. */

const password = 'root password'
const domain = 'https://wenku.example.com'
/** Part of every text that only visitors of an open site may see. */
const mark = '山海'

let browser: Browser
let site: RunningSite
let root: Member
let book: PublishedDocument
let categoryId: number
let column: number
const article = { identifier: 'mountains', title: `${mark}随笔`, content: `<p>${mark}之间的文字</p>` }

beforeAll(async () => {
  browser = await openBrowser()
  site = await startSite('sqlite', { ADMIN_PASSWORD: password })
  root = await signInAsRoot(site, password)
  categoryId = await addCategory(root, `${mark}藏书`)
  await root.call(contract.categories.create, { title: `${mark}专栏`, type: ContentType.Article, enable: true })
  const { category } = await root.call(contract.categories.list, { type: [ContentType.Article] })
  column = category.find(({ title }) => title.startsWith(mark))?.id ?? 0
  await root.call(contract.articles.create, { ...article, category_id: [column] })
  await root.call(contract.navigations.create, { title: `${mark}导航`, href: '/category', enable: true })
  await root.call(contract.friendlinks.create, { title: `${mark}友链`, link: 'https://example.com', enable: true })
  const bytes = makePdf({ title: `${mark}经`, text: () => [`${mark}第一页`] })
  book = await publishAndWait(site, root, { name: `${mark}经.pdf`, bytes, category: [categoryId] })
  await configure(site, {
    'system.domain': domain,
    'system.sitename': '某文库',
    'download.enable_guest_download': 'true',
  })
})
afterAll(async () => {
  await browser.close()
  await site.stop()
})

interface Head {
  status: number
  title: string
  canonical: string | undefined
  meta: Record<string, string>
  data: Record<string, unknown>[]
}

/** `fetch` cannot say that the site has another host. */
async function getFrom(host: string, path: string): Promise<Pick<IncomingMessage, 'headers'> & { body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  get(site.url + path, { headers: { host, 'x-forwarded-host': host } }, resolve).on('error', reject)
  const response = await promise
  return { headers: response.headers, body: await text(response) }
}

async function headOf(path: string): Promise<Head> {
  const response = await fetch(site.url + path)
  const html = await response.text()
  const meta = [...html.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)"/g)]
  const data = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)]
  return {
    status: response.status,
    title: /<title>(.*?)<\/title>/s.exec(html)?.[1] ?? '',
    canonical: /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&'),
    meta: Object.fromEntries(meta.map(([, name = '', content = '']) => [name, content])),
    data: data.map(([, json = '']) => JSON.parse(json) as Record<string, unknown>),
  }
}

describe('search engines find', () => {
  test('of the home page what the site is and how it is searched', async () => {
    const { title, canonical, meta, data } = await headOf('/?utm_source=letter')
    expect([title, canonical]).toEqual(['某文库', `${domain}/`])
    expect(meta).toMatchObject({
      'og:type': 'website',
      'og:site_name': '某文库',
      'og:locale': 'zh_CN',
      'og:url': `${domain}/`,
      'twitter:card': 'summary',
    })
    expect(meta['description']).not.toBe('')
    expect(data).toContainEqual(
      expect.objectContaining({
        '@type': 'WebSite',
        potentialAction: expect.objectContaining({ '@type': 'SearchAction' }),
      }),
    )
  })

  test.each([
    [
      'a document',
      () => `/document/${book.uuid}?from=timeline`,
      () => `/document/${book.uuid}`,
      'DigitalDocument',
      '经',
    ],
    [
      'an article',
      () => `/article/${article.identifier}?x=1`,
      () => `/article/${article.identifier}`,
      'Article',
      '随笔',
    ],
    ['a category', () => `/category/${categoryId}?utm_medium=x`, () => `/category/${categoryId}`, '', '藏书'],
    ['a column', () => `/article?category_id=${column}&spm=1`, () => `/article?category_id=${column}`, '', '专栏'],
  ])('%s under one address, with its own words and where it stands', async (_what, asked, own, type, name) => {
    const { status, title, canonical, meta, data } = await headOf(asked())
    expect([status, canonical]).toEqual([200, domain + own()])
    expect(title).toContain(`${mark}${name}`)
    expect(title).toContain('某文库')
    expect(meta['og:url']).toBe(domain + own())
    expect(meta['og:title']).toContain(`${mark}${name}`)
    expect(meta['robots']).toBeUndefined()
    const types = data.map((one) => one['@type'])
    expect(types).toContain('BreadcrumbList')
    if (type) expect(types).toContain(type)
  })

  test('a cover where there is one, and no address of a domain that is not set', async () => {
    expect((await headOf(`/document/${book.uuid}`)).meta['og:image']).toMatch(new RegExp(`^${domain}/view/cover/`))
    await configure(site, { 'system.domain': '' })
    const { canonical } = await headOf(`/document/${book.uuid}`)
    await configure(site, { 'system.domain': domain })
    expect(canonical).toBe(`/document/${book.uuid}`)
  })

  test('nothing of a host that somebody made up', async () => {
    await configure(site, { 'system.domain': '' })
    onTestFinished(() => configure(site, { 'system.domain': domain }))
    const paths = ['/', `/document/${book.uuid}`, `/article/${article.identifier}`, '/category', '/me', '/nothing']
    for (const path of paths) {
      const { headers, body } = await getFrom('evil.example', path)
      expect(body, path).toContain('<html')
      expect(body + JSON.stringify(headers), path).not.toContain('evil.example')
    }
  })

  test.each(['/login', '/register', '/findpassword', '/search', `/search?wd=${mark}`, '/upload', '/me', '/admin'])(
    '%s but keep nothing of it',
    async (path) => {
      const { meta, canonical } = await headOf(path)
      expect([meta['robots'], canonical]).toEqual(['noindex, follow', undefined])
    },
  )

  test('nothing of pages beyond the last', async () => {
    expect((await headOf(`/category/${categoryId}?page=99`)).meta['robots']).toBe('noindex')
    expect((await headOf('/user/1/document?page=99')).meta['robots']).toBe('noindex')
  })

  test('every page of the sitemap', async () => {
    const robots = await (await fetch(`${site.url}/robots.txt`)).text()
    expect(robots).toContain(`Sitemap: ${domain}/sitemap.xml`)
    const parts = await locations('/sitemap.xml')
    const pages = (await Promise.all(parts.map(locations))).flat()
    expect(pages).toContain(`/document/${book.uuid}`)
    expect(pages).toContain(`/category/${categoryId}`)
    for (const path of pages) {
      const { status, canonical, meta } = await headOf(path)
      expect([status, canonical, meta['robots']], path).toEqual([200, domain + path, undefined])
    }
  })
})

async function locations(path: string): Promise<string[]> {
  const xml = await (await fetch(site.url + path)).text()
  return [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, loc = '']) =>
    loc.replaceAll('&amp;', '&').replace(domain, ''),
  )
}

describe('what is not there', () => {
  test('is gone where it was once, and not found where it never was', async () => {
    const bytes = makePdf({ title: '短命', text: () => ['短命'] })
    const lost = await publishAndWait(site, root, { name: '短命.pdf', bytes, category: [categoryId] })
    const written = await root.call(contract.articles.create, {
      title: '短文',
      content: '<p>短</p>',
      category_id: [column],
    })
    const paths = [`/document/${lost.uuid}`, `/article/${written.identifier}`]
    for (const path of paths) expect((await fetch(site.url + path)).status).toBe(200)
    await root.call(contract.documents.delete, { id: [lost.id] })
    await root.call(contract.articles.delete, { id: [written.id] })
    for (const path of paths) {
      await expect.poll(async () => (await fetch(site.url + path)).status).toBe(410)
      expect(await (await fetch(site.url + path)).text()).toContain('已被删除')
    }
    const page = await openWindow(browser, site.url)
    await visit(page, paths[0] ?? '')
    await page.getByRole('heading', { name: '文档已被删除' }).waitFor()
    await page.getByRole('link', { name: '浏览全部分类' }).click()
    await waitForPath(page, '/category')
    await root.call(contract.documentRecycle.delete, { id: [lost.id] })
    await expect.poll(async () => (await fetch(`${site.url}/document/${lost.uuid}`)).status).toBe(404)
  })

  test('answers 404 with a page that helps', async () => {
    const hidden = await addCategory(root, '停用的')
    await root.call(contract.categories.update, {
      id: hidden,
      title: '停用的',
      type: ContentType.Document,
      parent_id: 0,
      enable: false,
    })
    const paths = ['/404', '/nowhere', `/category/${hidden}`, '/category/999999', '/article?category_id=999999']
    for (const path of [...paths, '/document/0123456789abcdef', '/document/999999', '/article/never', '/user/999999']) {
      const response = await fetch(site.url + path)
      expect(response.status, path).toBe(404)
      expect(await response.text(), path).toContain('浏览全部分类')
    }
  })

  test.each([
    '/.git/config',
    '/.git/HEAD',
    '/.env',
    '/package.json',
    '/backup.zip',
    '/wendou.db',
    '/assets/',
    '/uploads/',
    '/assets/root.js.map',
    '/..%2f..%2fetc/passwd',
    '/%252e%252e%252fetc%252fpasswd',
    '/assets/..%2f..%2fserver%2findex.js',
    '/icons/..%2f..%2fpackage.json',
  ])('is not at %s either', async (path) => {
    expect((await fetch(site.url + path)).status).toBe(404)
  })
})

describe('a site that is not open to all', () => {
  test.each(['security.login_required', 'security.is_close'])('with %s shows visitors nothing', async (setting) => {
    const entrances = await allEntrances()
    const open = await Promise.all(entrances.map(revealsSecret))
    expect(open.filter(Boolean).length, 'an open site shows itself').toBeGreaterThan(entrances.length / 2)
    await configure(site, { [setting]: 'true' })
    try {
      const found = await Promise.all(entrances.map(revealsSecret))
      expect(entrances.filter((_, at) => found[at])).toEqual([])
      for (const path of ['/sitemap.xml', '/sitemap/pages.xml', '/feed/document', '/feed/article'])
        expect((await fetch(site.url + path)).status, path).toBe(404)
      expect(await (await fetch(`${site.url}/robots.txt`)).text()).toContain('Disallow: /\n')
      expect((await headOf('/login')).meta['robots']).toBe('noindex')
    } finally {
      await configure(site, { [setting]: 'false' })
    }
  })
})

/** Whether an anonymous visitor gets the mark, or any bytes of an image or a file, from an address. */
async function revealsSecret(path: string): Promise<boolean> {
  const response = await fetch(site.url + path)
  if (/^\/(view|download)\//.test(path)) return response.ok
  return decoded(await response.text()).includes(mark)
}

function decoded(text: string): string {
  return text.replaceAll(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

async function allEntrances(): Promise<string[]> {
  const visitor = client({ fetch, origin: site.url })
  const { attachment, cover } = await visitor(contract.documents.get, { id: book.id })
  const { url } = await visitor(contract.downloads.download, { id: book.id })
  const key = `?uuid=${book.uuid}`
  const pages = ['', 'category', `category/${categoryId}`, `document/${book.uuid}`, `document/${book.id}`, 'article']
  const more = [`article/${article.identifier}`, `article?category_id=${column}`, `search?wd=${mark}`, 'user/1']
  const lists = ['user/1/document', 'user/1/article', 'feed/document', 'feed/article', 'sitemap/pages.xml']
  const calls = [
    `document${key}`,
    'document/list',
    'document/home',
    `document/search?wd=${mark}`,
    `document/related?id=${book.id}`,
    `article?identifier=${article.identifier}`,
    'article/list',
    `article/search?wd=${mark}`,
    'category/list',
    'navigation/list',
    'friendlink/list',
    'settings',
    `search/suggest?wd=${mark}`,
  ]
  // Its address has the site's domain.
  const download = url.replace(domain, '')
  const pictures = [cover, `/view/page/${attachment.hash}/1.svg`, `/view/text/${attachment.hash}/1.json`, download]
  const rest = ['/robots.txt', '/manifest.webmanifest', '/offline', '/login', '/404']
  return [
    ...[...pages, ...more, ...lists].map((path) => `/${path}`),
    ...calls.map((path) => `/api/v1/${path}`),
    ...pictures,
    ...rest,
  ]
}

describe('statistics of the owner', () => {
  let counter: Server
  let origin: string
  const hits: string[] = []
  beforeAll(async () => {
    counter = createServer((request, response) => {
      const url = request.url ?? ''
      const allowed = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
      const script = scripts[url.split('?')[0] ?? '']
      response.writeHead(200, { ...allowed, 'content-type': script ? 'text/javascript' : 'text/plain' })
      if (!script && request.method !== 'OPTIONS') hits.push(url.split('?')[0] ?? '')
      response.end(script ?? '')
    })
    await new Promise<void>((ready) => counter.listen(0, '127.0.0.1', ready))
    const address = counter.address()
    origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  })
  afterAll(async () => {
    counter.close()
    await configure(site, { 'system.analytics': '' })
  })

  /** Each provider reports the page view in its own way. */
  const scripts: Record<string, string> = {
    '/hm.js': 'new Image().src = new URL("/hm.gif", document.querySelector("script[src*=hm\\\\.js]").src)',
    '/gtag/js': 'navigator.sendBeacon(window.collector + "/g/collect")',
    '/script.js':
      'fetch(new URL("/api/send", document.currentScript.src), { method: "POST", headers: { "content-type": "application/json" }, body: document.currentScript.dataset.websiteId })',
    '/matomo.js': 'fetch(window.tracker + "matomo.php", { method: "POST", mode: "no-cors" })',
  }

  const snippets = (at: string): [kind: string, snippet: string, hit: string][] => [
    [
      'Baidu',
      `<script>var _hmt = _hmt || [];(function() { var hm = document.createElement("script"); hm.src = "${at}/hm.js?0123"; var s = document.getElementsByTagName("script")[0]; s.parentNode.insertBefore(hm, s); })();</script>`,
      '/hm.gif',
    ],
    [
      'Google',
      `<script>window.collector = "${at}"</script><!-- tag --><script async src="${at}/gtag/js?id=G-1"></script>`,
      '/g/collect',
    ],
    ['Umami', `<script defer src="${at}/script.js" data-website-id="0-1"></script>`, '/api/send'],
    [
      'Matomo',
      `<script>(function() { var u="${at.replace('http:', '')}/"; window.tracker = u; var g=document.createElement('script'); g.async=true; g.src=u+'matomo.js'; document.head.appendChild(g); })();</script><noscript><img src="${at}/noscript.gif"></noscript>`,
      '/matomo.php',
    ],
    ['bare text', `new Image().src = "${at}/bare.gif"`, '/bare.gif'],
  ]

  test.each([0, 1, 2, 3, 4])('of provider %i record a page view', async (kind) => {
    const [name, snippet, hit] = snippets(origin)[kind] ?? ['', '', '']
    await configure(site, { 'system.analytics': snippet })
    hits.length = 0
    const page = await openWindow(browser, site.url)
    await visit(page, '/category')
    await expect.poll(() => hits, { message: name }).toContain(hit)
    expectNoPageErrors(page)
  })

  test('are only where visitors are, and nothing else is let in', async () => {
    await configure(site, { 'system.analytics': snippets(origin)[2]?.[1] ?? '' })
    const policy = async (path: string) => {
      const response = await fetch(site.url + path)
      return `${response.headers.get('content-security-policy')} ${await response.text()}`
    }
    expect(await policy('/')).toContain(origin)
    for (const path of ['/admin', '/admin/dashboard', '/me', '/me/profile'])
      expect(await policy(path), path).not.toContain(origin)
    expect(await policy('/')).not.toMatch(/script-src[^;]*(unsafe|https?:(?!\/\/127)|\*)/)
    await configure(site, { 'system.analytics': '' })
    const closed = (await fetch(site.url)).headers.get('content-security-policy')
    expect(closed).toMatch(/script-src 'self'( 'sha256-[^']+')+;/)
    expect(closed).toContain("connect-src 'self';")
  })

  test('that a browser refuses to load do not make the page load again', async () => {
    await configure(site, { 'system.analytics': snippets(origin)[2]?.[1] ?? '' })
    const page = await openWindow(browser, site.url)
    await page.route(`${origin}/**`, (route) => route.abort())
    let loads = 0
    page.on('load', () => (loads += 1))
    await visit(page, '/')
    await page.waitForTimeout(1000)
    expect(loads).toBe(1)
  })

  test('are the only text of the settings that runs', async () => {
    const evil = '</title></script><script>window.hacked=1</script><img src=x onerror="window.hacked=1">'
    const texts = ['sitename', 'title', 'keywords', 'description', 'icp', 'sec_icp', 'watermark']
    const hostile = Object.fromEntries(texts.map((name) => [`system.${name}`, evil]))
    onTestFinished(async () => {
      const empty = Object.fromEntries(texts.map((name) => [`system.${name}`, '']))
      const copyright = catalogue.display.fields.copyright_statement.default
      const own = { 'system.sitename': '某文库', 'display.copyright_statement': copyright, 'system.analytics': '' }
      await configure(site, { ...empty, ...own })
    })
    await configure(site, { ...hostile, 'display.copyright_statement': evil, 'system.analytics': 'window.counted = 1' })
    const page = await openWindow(browser, site.url)
    for (const path of ['/', '/login', `/document/${book.uuid}`, '/offline', '/404']) {
      await page.goto(path)
      expect(await page.evaluate(() => 'hacked' in window), path).toBe(false)
      if (path === '/') expect(await page.evaluate(() => 'counted' in window)).toBe(true)
    }
  })
})

describe('as an installed app (PWA)', () => {
  test('the site has a name, icons and a colour', async () => {
    const html = await (await fetch(site.url)).text()
    expect(html).toContain('<link rel="manifest" href="/manifest.webmanifest"/>')
    expect(html).toMatch(/<link rel="apple-touch-icon" href="\/icons\/apple.png"/)
    expect(html).toMatch(/<meta name="theme-color" content="#[0-9a-f]{6}"/)
    const manifest = (await (await fetch(`${site.url}/manifest.webmanifest`)).json()) as { icons: { src: string }[] }
    for (const { src } of manifest.icons) expect((await fetch(site.url + src)).status).toBe(200)
    expect((await fetch(`${site.url}/favicon.ico`)).headers.get('content-type')).toBe('image/png')
  })

  test('it says so when there is no network, keeps nothing of accounts, and comes back by itself', async () => {
    const page = await openWindow(browser, site.url, { serviceWorkers: 'allow' })
    await visit(page, '/')
    await page.evaluate(async () => navigator.serviceWorker.ready)
    await page.context().setOffline(true)
    await page.goto('/category')
    const words = page.getByRole('heading', { name: '暂时连不上网络' })
    await words.waitFor()
    await page.getByRole('link', { name: '重试' }).click()
    await words.waitFor()
    const copies = await offlineCopies(page)
    expect(copies).toContain('/offline')
    expect(copies.filter((path) => /^\/(admin|api|me|uploads)/.test(path))).toEqual([])
    await page.context().setOffline(false)
    await page.getByRole('heading', { name: '全部分类' }).waitFor()
    await waitForHydration(page)
    await waitForPath(page, '/category')
  })

  test('not where the site is managed', async () => {
    const page = await openWindow(browser, site.url, { serviceWorkers: 'allow' })
    await page.clock.install()
    await signInAs(page, site, { username: 'admin', password })
    await page.goto('/admin/dashboard')
    await page.getByRole('navigation').first().waitFor()
    await page.clock.fastForward(60_000)
    expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0)
  })
})
