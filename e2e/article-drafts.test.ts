import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '#shared/contract/contract.ts'
import { ContentType } from '#shared/enums.ts'
import { confirmDialog, desktop, expectNoPageErrors, openBrowser, openWindow, visit, waitForPath } from './browser.ts'
import { accessibilityFaults } from './page-checks.ts'
import { signInAs } from './person.ts'
import { journeyEngine, type RunningSite, startSite } from './running-site.ts'
import { allowContributions, createMember, type Member, signInAsRoot } from './site-setup.ts'

/** A member writes an article over several days, in several windows. */

let browser: Browser
let site: RunningSite
let author: Member
let reader: Member
let category = 0
beforeAll(async () => {
  browser = await openBrowser()
  site = await startSite(journeyEngine, { ADMIN_PASSWORD: 'root password' })
  const root = await signInAsRoot(site, 'root password')
  await allowContributions(root, { reviewed: false })
  author = await createMember(site, root, '慢慢写的人')
  reader = await createMember(site, root, '点赞的人')
  await root.call(contract.categories.create, { title: '随笔', parent_id: 0, type: ContentType.Article, enable: true })
  const { category: categories } = await root.call(contract.categories.list, { type: [ContentType.Article] })
  category = categories.find(({ title }) => title === '随笔')?.id ?? 0
}, 120_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
})

async function openAs(member: Member, path: string): Promise<Page> {
  const page = await openWindow(browser, site.url, { viewport: desktop })
  await signInAs(page, site, member)
  await visit(page, path)
  return page
}

const textOf = (page: Page) => page.getByRole('textbox', { name: '正文' })

async function write(page: Page, words: string): Promise<void> {
  await textOf(page).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(words)
  await page.keyboard.press('Control+s')
  await page.getByRole('status').getByText('草稿已保存').waitFor()
}

test('drafts are on the server: the member goes on in another browser, and publishes one of two', async () => {
  const first = await openAs(author, '/post')
  await first.getByLabel('标题', { exact: true }).fill('江南')
  await write(first, '春水碧于天')
  await first.context().close()

  const page = await openAs(author, '/post')
  await page.getByRole('region', { name: '未发布的草稿' }).getByText('江南').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.setViewportSize(desktop)
  await page.getByLabel('标题', { exact: true }).fill('塞北')
  await write(page, '大漠孤烟直')
  await visit(page, '/me/article')
  await page.getByRole('heading', { name: '草稿（2）' }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.setViewportSize(desktop)
  await page.getByRole('link', { name: /继续写.*江南/ }).click()
  await expect.poll(() => textOf(page).innerText()).toContain('春水碧于天')
  expect(await page.getByLabel('标题', { exact: true }).inputValue()).toBe('江南')
  await write(page, '，画船听雨眠')
  await page.getByLabel('分类（必选）').selectOption({ label: '随笔' })
  await page.getByRole('button', { name: '发布', exact: true }).click()
  await waitForPath(page, /^\/article\/[0-9a-f]{16}$/)
  await page.locator('article').getByText('春水碧于天，画船听雨眠').waitFor()
  await visit(page, '/me/article')
  await page.getByRole('heading', { name: '草稿（1）' }).waitFor()
  await page.getByRole('button', { name: /删除.*塞北/ }).click()
  await confirmDialog(page, '删除')
  await page.getByRole('heading', { name: '草稿（1）' }).waitFor({ state: 'detached' })
  expectNoPageErrors(page)
})

test('two windows write the same draft: both texts stay, and the later window says so', async () => {
  const { id } = await author.call(contract.articleDrafts.save, { title: '两扇窗', content: '<p>起</p>' })
  const [left, right] = [await openAs(author, `/post?draft=${id}`), await openAs(author, `/post?draft=${id}`)]
  for (const page of [left, right]) await expect.poll(() => textOf(page).innerText()).toContain('起')
  await write(left, '左')
  await write(right, '右')
  await right.getByText('这份草稿在另一个窗口里也改过').waitFor()
  const { draft } = await author.call(contract.articleDrafts.list)
  const summaries = draft.map(({ summary }) => summary)
  expect(summaries.filter((summary) => summary.startsWith('起')).toSorted()).toEqual(['起右', '起左'])
})

test('an earlier version is compared and restored; another member likes the article', async () => {
  const article = await author.call(contract.articles.create, {
    title: '三稿',
    content: '<p>不变</p><p>第一稿</p>',
    category_id: [category],
  })
  for (const draft of ['第二稿', '第三稿'])
    await author.call(contract.articles.update, { ...article, content: `<p>不变</p><p>${draft}</p>` })
  const page = await openAs(author, `/post?identifier=${article.identifier}`)
  await page.getByRole('button', { name: '历史版本' }).click()
  const dialog = page.getByRole('dialog', { name: '历史版本' })
  await dialog.getByText('第二稿').waitFor()
  await dialog.getByRole('list', { name: '版本' }).getByRole('button').last().click()
  await dialog.getByText('第一稿').waitFor()
  await dialog.getByRole('button', { name: '与现在比较' }).click()
  expect(await dialog.locator('del').allInnerTexts()).toEqual(['第一稿'])
  expect(await dialog.locator('ins').allInnerTexts()).toEqual(['第三稿'])
  expect(await accessibilityFaults(page)).toEqual([])
  await page.setViewportSize(desktop)
  await dialog.getByRole('button', { name: '恢复这个版本' }).click()
  await confirmDialog(page, '恢复')
  await waitForPath(page, `/article/${article.identifier}`)
  await page.locator('article').getByText('第一稿').waitFor()
  expectNoPageErrors(page)

  const visitor = await openWindow(browser, site.url, { viewport: desktop })
  await visit(visitor, `/article/${article.identifier}`)
  expect(await visitor.getByRole('link', { name: '赞' }).getAttribute('href')).toContain('/login?redirect=')
  const liking = await openAs(reader, `/article/${article.identifier}`)
  await liking.getByRole('button', { name: /^赞/ }).click()
  await liking.getByRole('button', { name: '已赞 1', pressed: true }).waitFor()
  await expect.poll(async () => (await author.call(contract.articles.get, { id: article.id })).like_count).toBe(1)
  expect(await accessibilityFaults(liking)).toEqual([])
  expectNoPageErrors(liking)
})

test('a text looks the same in the editor and on its page', async () => {
  const content = [
    '<h2>标题</h2><p>一段文字，有<strong>重点</strong>、<code>代码</code>和<a href="/article">链接</a>。</p>',
    '<h3>小标题</h3><ul><li><p>甲</p></li><li><p>乙</p></li></ul><ol><li><p>一</p></li></ol>',
    '<ul data-type="taskList"><li data-type="taskItem" data-checked="true"><label><input type="checkbox" checked></label><div><p>做完了</p></div></li></ul>',
    '<blockquote><p>引用</p></blockquote><pre><code>const a = 1</code></pre><hr>',
    `<p>${'一行写不完的长句子，'.repeat(20)}</p><table><tbody><tr><th><p>名</p></th></tr><tr><td><p>值</p></td></tr></tbody></table>`,
  ].join('')
  const article = await author.call(contract.articles.create, { title: '样子', content, category_id: [category] })
  const page = await openAs(author, `/article/${article.identifier}`)
  await page.locator('#article-text table').waitFor()
  const published = await page.locator('#article-text > div').evaluate(measure)
  await visit(page, `/post?identifier=${article.identifier}`)
  await textOf(page).locator('table').waitFor()
  const edited = await textOf(page).evaluate(measure)
  expect(Object.keys(published)).toHaveLength(17)
  expect(edited).toEqual(published)
})

/** How the parts of a text look, and where they are below its beginning. */
function measure(text: Element): Record<string, Record<string, string | number>> {
  const parts =
    'h2, p, p strong, p > code, p a, h3, ul li, ol li, ul[data-type] p, ul[data-type] input, blockquote, blockquote p, pre, hr, hr + p, th, td'
  const properties =
    'font-family font-size font-weight line-height color background-color text-align text-decoration-line padding-top padding-left border-left-width border-top-width border-radius list-style-type'
  const top = text.querySelector('h2')?.getBoundingClientRect().top ?? 0
  return Object.fromEntries(
    parts.split(', ').flatMap((part) => {
      const element = text.querySelector(part)
      if (!element) return []
      const style = getComputedStyle(element)
      const box = element.getBoundingClientRect()
      const isInTable = element.matches('th, td')
      const values = properties.split(' ').map((name) => [name, style.getPropertyValue(name)])
      // The editor lets a table scroll without a box around it, so that it is not as wide there.
      const sizes = isInTable ? {} : { below: Math.round(box.top - top), width: Math.round(box.width) }
      return [[part, { ...Object.fromEntries(values), ...sizes }]]
    }),
  )
}
