import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makePdf } from '#server/samples/pdf.ts'
import { contract } from '#shared/contract/contract.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { ContentType, ReviewStatus } from '#shared/enums.ts'
import { type PermissionPath, wirePath } from '#shared/permissions.ts'
import { expectNoPageErrors, openBrowser, openWindow, phone, visit, waitUntilIdle } from './browser.ts'
import { configure } from './owner.ts'
import { signInAs } from './person.ts'
import { type RunningSite, startSite } from './running-site.ts'
import { allowContributions, createMember, type Member, publish, signInAsRoot } from './site-setup.ts'

/** Reviewing at the desk of the back office, and on the page of a document. */

const { Converted, InReview, Rejected, Pending } = DocumentStatus

let browser: Browser
let site: RunningSite
let root: Member
let author: Member
let reviewer: Member
let page: Page

beforeAll(async () => {
  browser = await openBrowser()
  site = await startSite('sqlite', { ADMIN_PASSWORD: 'root password' })
  root = await signInAsRoot(site, 'root password')
  await allowContributions(root, { reviewed: true })
  await configure(site, { 'security.enable_captcha_comment': 'false' })
  author = await createMember(site, root, '投稿人')
  reviewer = await createReviewer('审核人', [
    'DocumentAPI/CheckDocument',
    'ArticleAPI/CheckArticles',
    'CommentAPI/CheckComment',
  ])
}, 60_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
})
beforeEach(async () => {
  await site.db.deleteFrom('document').where('status', '=', InReview).execute()
  await site.db.deleteFrom('comment').execute()
  page = await openWindow(browser, site.url)
  await signInAs(page, site, reviewer)
})

test('50 documents are reviewed by keyboard with fewer than 100 actions, each loaded before it is asked for', async () => {
  const documents = await publishMany(50)
  const loaded: number[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname === '/api/v1/document/check') loaded.push(Number(url.searchParams.get('id')))
  })
  let actions = 0
  const press = async (key: string) => {
    actions += 1
    await page.keyboard.press(key)
  }
  await visit(page, '/admin/review')
  actions += 1
  for (const [index, { id, title }] of documents.entries()) {
    await shown(title)
    expect(await page.getByText(/^第 \d+ \/ 共 \d+$/).textContent()).toBe(`第 ${index + 1} / 共 50`)
    const next = documents[index + 1]
    if (next) await expect.poll(() => loaded).toContain(next.id)
    if (index % 10 < 8) await press('a')
    else {
      await press('r')
      await page.getByRole('dialog').waitFor()
      await press('2')
    }
    await expect.poll(() => statusOf(id), { interval: 20 }).toBe(index % 10 < 8 ? Converted : Rejected)
  }
  await page.getByText('文档都看过了').waitFor()
  await page.getByText('审核了 50 份文档').waitFor()
  expect(actions).toBeLessThan(100)
  const rejected = await site.db.selectFrom('document').select('reject_reason').where('status', '=', Rejected).execute()
  expect(rejected.map(({ reject_reason }) => reject_reason)).toEqual(Array.from({ length: 10 }, () => '与已有文档重复'))
  expectNoPageErrors(page)
})

test('a decision is taken back within ten seconds, and no key decides while one types', async () => {
  const [first, second] = await publishMany(2)
  await visit(page, '/admin/review?kind=document')
  await shown(first?.title)
  await page.getByRole('img', { name: /第 1 页/ }).waitFor()
  await page.getByText('投稿人').first().waitFor()
  await page.keyboard.press('a')
  await shown(second?.title)
  await expect.poll(() => statusOf(first?.id)).toBe(Converted)
  await page.keyboard.press('z')
  await shown(first?.title)
  await expect.poll(() => statusOf(first?.id)).toBe(InReview)

  await page.keyboard.press('r')
  await page.getByLabel('其他原因或补充').fill('')
  await page.getByLabel('其他原因或补充').pressSequentially('a r 1')
  expect(await statusOf(first?.id)).toBe(InReview)
  await page.keyboard.press('Control+Enter')
  await shown(second?.title)
  await expect.poll(() => statusOf(first?.id)).toBe(Rejected)
  expect((await author.call(contract.documents.get, { id: first?.id ?? 0 })).reject_reason).toBe('a r 1')
  await page.getByRole('button', { name: /撤 ?销/ }).click()
  await shown(first?.title)
  await expect.poll(() => statusOf(first?.id)).toBe(InReview)

  await page.keyboard.press('ArrowRight')
  await shown(second?.title)
  await page.keyboard.press('ArrowLeft')
  await shown(first?.title)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.getByText('还有 2 份文档没有决定').waitFor()
  await page.getByRole('button', { name: '看没有决定的' }).click()
  await shown(first?.title)
  expectNoPageErrors(page)
})

test('what another reviewer has decided is told and skipped, before it is shown and while it is', async () => {
  const [first, second, third] = await publishMany(3)
  await visit(page, '/admin/review?kind=document')
  await shown(first?.title)
  await root.call(contract.documents.review, { id: [first?.id ?? 0], status: Rejected, reason: '先到' })
  await page.keyboard.press('a')
  await page.getByText(`《${first?.title}》已跳过`).waitFor()
  await shown(second?.title)
  expect(await statusOf(first?.id)).toBe(Rejected)

  await root.call(contract.documents.review, { id: [second?.id ?? 0], status: Pending })
  await page.reload()
  await shown(third?.title)
  await page.getByText('第 1 / 共 1').waitFor()
  expectNoPageErrors(page)
})

test('articles and comments are reviewed as readers will see them', async () => {
  await root.call(contract.categories.create, { title: '文章', type: ContentType.Article, enable: true })
  const [category] = (await root.call(contract.categories.list, { type: [ContentType.Article] })).category
  const { id } = await author.call(contract.articles.create, {
    title: '待审核的文章',
    content: '<h2>小标题</h2><p>正文第一段</p>',
    category_id: [category?.id ?? 0],
  })
  await site.db.updateTable('article').set({ status: ReviewStatus.Pending }).where('id', '=', id).execute()
  const published = await root.call(contract.articles.create, {
    title: '公开的文章',
    content: '<p>正文</p>',
    category_id: [category?.id ?? 0],
  })
  const comment = await author.call(contract.comments.create, {
    document_id: published.id,
    type: ContentType.Article,
    content: '这是一条评论',
  })
  await site.db.updateTable('comment').set({ status: ReviewStatus.Pending }).where('id', '=', comment.id).execute()
  await visit(page, '/admin/review?kind=article')
  await shown('待审核的文章')
  await page.locator('.prose-cn').getByRole('heading', { name: '小标题' }).waitFor()
  await page.keyboard.press('r')
  await page.getByRole('button', { name: /抄袭/ }).click()
  await expect.poll(() => articleOf(id)).toEqual([ReviewStatus.Rejected, '抄袭或未注明出处'])
  await page.getByText('文章都看过了').waitFor()

  await page.getByRole('link', { name: /评论/ }).first().click()
  await page.getByRole('listitem').filter({ hasText: '这是一条评论' }).waitFor()
  await page.keyboard.press('a')
  await page.getByText('评论都看过了').waitFor()
  const { status } = await root.call(contract.comments.get, { id: comment.id })
  expect(status).toBe(ReviewStatus.Approved)
  expectNoPageErrors(page)
})

test('each sees what they may review, and nothing of it waits says so', async () => {
  const commenter = await createReviewer('评论审核', ['CommentAPI/CheckComment'])
  await signInAs(page, site, commenter)
  await visit(page, '/admin/review')
  await page.getByText('没有等待审核的评论').waitFor()
  const kinds = page.getByRole('navigation', { name: '审核的内容' }).getByRole('link')
  expect(await kinds.allTextContents()).toEqual(['评论 0'])
  expectNoPageErrors(page)
})

test('a phone reviews by touch', async () => {
  const [first, second] = await publishMany(2)
  const small = await openWindow(browser, site.url, { viewport: phone, hasTouch: true })
  await signInAs(small, site, reviewer)
  await visit(small, '/admin/review?kind=document')
  await small.getByRole('heading', { name: first?.title }).waitFor()
  await small.getByRole('button', { name: '不通过', exact: true }).tap()
  await small.getByRole('button', { name: /重复/ }).tap()
  await small.getByRole('heading', { name: second?.title }).waitFor()
  await small.getByRole('button', { name: /^通 ?过/ }).tap()
  await small.getByRole('button', { name: /撤 ?销/ }).tap()
  await small.getByRole('heading', { name: second?.title }).waitFor()
  await expect.poll(() => statusOf(first?.id)).toBe(Rejected)
  await expect.poll(() => statusOf(second?.id)).toBe(InReview)
  await waitUntilIdle(small)
  const wider = await small.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(wider).toBeLessThanOrEqual(0)
  expectNoPageErrors(small)
})

test('a reviewer decides on the page of a document, whose HTML is the same for everyone', async () => {
  const [published] = await publishMany(1)
  const { id, uuid } = published ?? { id: 0, uuid: '' }
  await visit(page, `/document/${uuid}`)
  await page.getByRole('button', { name: '不通过' }).click()
  await page.getByRole('button', { name: '与已有文档重复' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '不通过' }).click()
  await expect.poll(() => statusOf(id)).toBe(Rejected)
  await page.getByRole('button', { name: '撤销' }).click()
  await expect.poll(() => statusOf(id)).toBe(InReview)
  await page.getByRole('button', { name: '不通过' }).waitFor()
  await page.getByRole('button', { name: '通过', exact: true }).click()
  await expect.poll(() => statusOf(id)).toBe(Converted)
  const [anonymous, staff] = await Promise.all(
    ['', reviewer.token].map(async (token) => {
      const headers = { authorization: `Bearer ${token}` }
      return (await fetch(`${site.url}/document/${uuid}`, { headers })).text()
    }),
  )
  expect(anonymous).toContain('<title>')
  expect(staff).toBe(anonymous)
  expect(anonymous).not.toContain('不通过')
  expectNoPageErrors(page)
})

test('a file that its owner replaced meanwhile is loaded anew before it is decided about', async () => {
  const [published] = await publishMany(1)
  const { id, uuid, title } = published ?? { id: 0, uuid: '', title: '' }
  await visit(page, '/admin/review?kind=document')
  await shown(title)
  // Another reviewer rejects it, and its owner sends a better file.
  await root.call(contract.documents.review, { id: [id], status: Rejected })
  const file = await author.upload(`${title} 修订.pdf`, makePdf({ title: '修订', pages: 2 }))
  await author.call(contract.replacements.create, { document_id: id, attachment_id: file.id })
  await expect.poll(async () => (await root.call(contract.documents.get, { id })).pages).toBe(2)
  const loaded = page.waitForResponse((response) => /document\/check\?/.test(response.url()))
  await page.keyboard.press('a')
  await page.getByText('看过新文件再决定').waitFor()
  await loaded
  expect(await statusOf(id)).toBe(InReview)
  await page.getByText('2 页').first().waitFor()

  const owner = await openWindow(browser, site.url)
  await signInAs(owner, site, author)
  await visit(owner, `/document/${uuid}`)
  await owner.getByRole('button', { name: '替换文件' }).click()
  await owner.getByText('请等审核结束后再替换文件').waitFor()
  expect(await owner.getByRole('dialog').count()).toBe(0)
  await page.keyboard.press('a')
  await expect.poll(() => statusOf(id)).not.toBe(InReview)
})

async function createReviewer(username: string, paths: PermissionPath[]): Promise<Member> {
  const member = await createMember(site, root, username)
  const group = await root.call(contract.groups.create, { title: username })
  const { permission } = await root.call(contract.permissions.list)
  const granted = new Set(paths.map(wirePath))
  const permission_id = permission.filter(({ path }) => granted.has(path)).map(({ id }) => id)
  await root.call(contract.groups.setPermissions, { group_id: group.id, permission_id })
  const { user } = await root.call(contract.users.list, { wd: username })
  await root.call(contract.users.set, { id: user[0]?.id ?? 0, group_id: [group.id] })
  return member
}

let lastNumber = 0

/** Pending documents with pages: of a few contents, as each is converted once. */
async function publishMany(count: number): Promise<{ id: number; uuid: string; title: string }[]> {
  const documents: { id: number; uuid: string; title: string }[] = []
  for (let index = 0; index < count; index++) {
    const title = `稿件 ${(lastNumber += 1)}`
    const bytes = makePdf({ title: `内容 ${index % 3}` })
    documents.push({ ...(await publish(author, { name: `${title}.pdf`, bytes })), title })
  }
  await expect
    .poll(async () => {
      const unready = await site.db
        .selectFrom('document')
        .select('id')
        .where('status', '=', InReview)
        .where('pages', '=', 0)
        .execute()
      return unready.length
    })
    .toBe(0)
  return documents
}

async function shown(title = ''): Promise<void> {
  await page.getByRole('heading', { name: title, exact: true }).waitFor()
}

async function statusOf(id = 0): Promise<DocumentStatus | undefined> {
  const row = await site.db.selectFrom('document').select('status').where('id', '=', id).executeTakeFirst()
  return row?.status
}

async function articleOf(id: number): Promise<unknown[]> {
  const { status, reject_reason } = await root.call(contract.articles.get, { id })
  return [status, reject_reason]
}
