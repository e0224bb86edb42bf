import { ContentType, ReportOutcome, ReportReason, Punishment } from '#shared/enums.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePdf } from '#server/samples/pdf.ts'
import { contract } from '#shared/contract/contract.ts'
import { expectNoPageErrors, openWindow, waitUntilIdle, visit } from './browser.ts'
import { startLibrary } from './library.ts'
import type { PublishedDocument } from './upload-client.ts'
import { addCategory, type Member, createMember, publishAndWait } from './site-setup.ts'
import { configure } from './owner.ts'
import { signInAs } from './person.ts'
import type { RunningSite } from './running-site.ts'
import { vectors } from './script-vectors.ts'

/** Script injection: input of members and files is shown as text on every page, and nothing of it runs. */

let browser: Browser
let site: RunningSite
let root: Member
let author: Member
let document: PublishedDocument
let category: { document: number; article: number }
/** One for each vector, and some with many of them. */
const articles: string[] = []
const crowded: string[] = []
let authorId = 0

const short = vectors.filter((vector) => vector.length <= 60)
const inOne = (from: number, most: number) => {
  let text = ''
  for (const vector of vectors.slice(from)) if (text.length + vector.length < most) text += vector
  return text
}

beforeAll(async () => {
  ;({ browser, site, root, author } = await startLibrary('写字的人'))
  await configure(site, { 'security.enable_captcha_comment': 'false', 'security.comment_interval': '0' })
  category = {
    document: await addCategory(root, short[0] ?? ''),
    article: await addArticleCategory(short[1] ?? ''),
  }
  for (const vector of short.slice(2, 6)) await addCategory(root, vector, category.document)
  await author.call(contract.users.profile, { signature: inOne(0, 250), address: inOne(20, 250) })
  authorId = (await author.call(contract.users.get)).id
  document = await publishAndWait(site, author, {
    name: `${short[7]}.pdf`.replaceAll('/', '／'),
    bytes: makePdf({ title: inOne(40, 200), pages: 2, text: () => [inOne(60, 400)] }),
    category: [category.document],
  })
  const { id } = document
  await author.call(contract.documents.update, {
    id,
    title: inOne(0, 250),
    keywords: inOne(30, 250),
    description: inOne(60, 1000),
    category_id: [category.document],
  })
}, 120_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
})

test('there are two hundred ways to try it', () => {
  expect(new Set(vectors).size).toBeGreaterThanOrEqual(200)
})

test('no article carries anything that could run, one by one or together', async () => {
  for (const [index, vector] of vectors.entries())
    articles.push(await write(`${index} ${vector}`, `<p>一</p>${vector}`))
  for (let from = 0; from < vectors.length; from += 20)
    crowded.push(await write(`许多 ${from}`, vectors.slice(from, from + 20).join('\n<p>隔</p>\n'), author))

  const page = await openWatched()
  await visit(page, '/article')
  const left = await page.evaluate(async (identifiers) => {
    const found: string[] = []
    const box = window.document.createElement('div')
    window.document.body.append(box)
    for (const identifier of identifiers) {
      const response = await fetch(`/api/v1/article?identifier=${identifier}`)
      const { content = '' } = (await response.json()) as { content?: string }
      box.innerHTML = content
      for (const element of box.querySelectorAll('*')) {
        const attributes = [...element.attributes].filter(({ name }) => /^on|^(srcdoc|formaction)$/i.test(name))
        const target = element.getAttribute('href') ?? element.getAttribute('src') ?? ''
        const leads = /^\s*(javascript|vbscript|data):/i.test(new URL(target, location.href).href) && target !== ''
        if (
          attributes.length > 0 ||
          leads ||
          /^(script|iframe|object|embed|style|svg|math|base|meta|link|form)$/i.test(element.tagName)
        )
          found.push(element.outerHTML)
      }
      await new Promise((resolve) => setTimeout(resolve, 15))
    }
    box.remove()
    return found
  }, articles)
  expect(left).toEqual([])
  for (const identifier of crowded) {
    await visitAndCheck(page, `/article/${identifier}`)
    expect(await page.locator('#comments').count()).toBe(1)
  }
  for (const identifier of articles.slice(0, 8)) await visitAndCheck(page, `/article/${identifier}`)
})

test('comments are text, all of them', async () => {
  const { id } = await root.call(contract.articles.get, { identifier: crowded[0] ?? '' })
  for (const content of vectors)
    await root.call(contract.comments.create, {
      document_id: id,
      type: ContentType.Article,
      content: content.replaceAll('\0', ' '),
    })
  const page = await openWatched()
  await visit(page, `/article/${crowded[0]}`)
  const shown = page.getByText(short[0] ?? '', { exact: true })
  const more = page.getByRole('button', { name: '加载更多' })
  await page.locator('#comments').scrollIntoViewIfNeeded()
  for (let threads = 20; threads < vectors.length; threads += 20) {
    await page.getByText(`已显示 ${threads} 组评论`).waitFor()
    await more.click()
  }
  await page.getByText('已显示全部评论').waitFor()
  expect(await shown.count()).toBeGreaterThan(0)
  await expectNothingRan(page)
})

test('visitors, the member and the staff see text wherever they look', async () => {
  const reporter = await createMember(site, root, '举报的人')
  const words = (from: number, most: number) => inOne(from, most).replaceAll('\0', ' ')
  const claim = { reason: ReportReason.Copyright, content: words(20, 900), contact: words(30, 100) }
  await reporter.call(contract.reports.create, { document_id: document.id, ...claim })
  const { report } = await root.call(contract.reports.list)
  const answered = { outcome: ReportOutcome.Dismissed, answer: words(0, 900), remark: words(10, 250) }
  await root.call(contract.reports.handle, { id: report.map((row) => row.id), ...answered })
  const announced = { title: words(5, 100), content: vectors.join('').replaceAll('\0', ' ').slice(0, 19_000) }
  const announcement = await root.call(contract.announcements.create, { ...announced, enable: true })
  const { id } = await reporter.call(contract.users.get)
  await root.call(contract.punishments.create, {
    user_id: [id],
    type: [Punishment.NoComment],
    enable: true,
    reason: inOne(50, 250),
    remark: inOne(80, 250),
  })
  await author.call(contract.favorites.create, { document_id: document.id, type: ContentType.Document })
  for (const wd of vectors) await root.call(contract.searches.documents, { wd: wd.replaceAll('\0', ' ') })
  const visitor = await openWatched()
  const searched = short.slice(10, 16).map((wd) => encodeURIComponent(wd))
  for (const path of [
    '/',
    '/category',
    `/category/${category.document}`,
    `/document/${document.uuid}`,
    '/article',
    `/article?category_id=${category.article}`,
    ...searched.flatMap((wd) => [`/search?wd=${wd}`, `/search?type=1&wd=${wd}`]),
    `/user/${authorId}`,
    `/user/${authorId}/document`,
    `/user/${authorId}/article`,
    '/announcement',
    `/announcement/${announcement.id}`,
  ])
    await visitAndCheck(visitor, path)
  const own = await openWatched()
  await signInAs(own, site, author)
  for (const path of ['', '/document', '/article', '/favorite', '/download', '/credit', '/profile'])
    await visitAndCheck(own, `/me${path}`)
  const answeredReader = await openWatched()
  await signInAs(answeredReader, site, reporter)
  await visitAndCheck(answeredReader, '/me/report')
  const staff = await openWatched()
  await signInAs(staff, site, { username: 'admin', password: 'root password' })
  for (const path of [
    'document/list',
    'document/category',
    'document/searchrecord',
    'document/missedword',
    'article/list',
    'article/category',
    'comment',
    'report?status=true',
    'announcement',
    'user/list',
    'user/punishment',
    'attachment',
  ])
    await visitAndCheck(staff, `/admin/${path}`)
})

test('feeds and the sitemap stay well-formed', async () => {
  const page = await openWatched()
  await visit(page, '/')
  for (const path of [
    '/feed/article',
    '/feed/document',
    '/sitemap.xml',
    '/sitemap/articles-1.xml',
    '/sitemap/documents-1.xml',
  ]) {
    const problem = await page.evaluate(async (address) => {
      const response = await fetch(address)
      const parsed = new DOMParser().parseFromString(await response.text(), 'application/xml')
      return response.ok ? (parsed.querySelector('parsererror')?.textContent ?? '') : String(response.status)
    }, path)
    expect(problem, path).toBe('')
  }
})

async function addArticleCategory(title: string): Promise<number> {
  await root.call(contract.categories.create, {
    title,
    parent_id: 0,
    type: ContentType.Article,
    enable: true,
    description: inOne(90, 900),
    show_description: true,
  })
  const { category } = await root.call(contract.categories.list, { type: [ContentType.Article] })
  return category.find((one) => one.title === title)?.id ?? 0
}

/** A member may not write so many in a day. */
async function write(title: string, content: string, by = root): Promise<string> {
  const { identifier } = await by.call(contract.articles.create, {
    title: title.replaceAll('\0', ' ').slice(0, 250),
    keywords: title.replaceAll('\0', ' ').slice(0, 250),
    description: title.replaceAll('\0', ' ').slice(0, 1000),
    content,
    category_id: [category.article],
  })
  return identifier
}

/** A window that records if an injected script runs. */
async function openWatched(): Promise<Page> {
  const page = await openWindow(browser, site.url)
  await page
    .context()
    .addInitScript(() => Object.assign(window, { ran: () => Object.assign(window, { hasRun: true }) }))
  page.on('dialog', (dialog) => void dialog.dismiss())
  return page
}

async function visitAndCheck(page: Page, path: string): Promise<void> {
  await visit(page, path)
  await waitUntilIdle(page)
  await expectNothingRan(page, path)
}

async function expectNothingRan(page: Page, path = page.url()): Promise<void> {
  expect(await page.evaluate(() => 'hasRun' in window), path).toBe(false)
  expectNoPageErrors(page)
}
