import { ContentType, ReviewStatus } from '#shared/enums.ts'
import { searches } from '#shared/contract/search.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { articleRecycle, articles } from '#shared/contract/articles.ts'
import { openDocumentSite, type DocumentSite } from '#server/testing/document-site.ts'
import { type ArticleFixture, addArticles } from '#server/testing/add-articles.ts'
import { splitPages } from './index-articles.ts'

let site: DocumentSite
beforeAll(async () => {
  site = await openDocumentSite()
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.db.deleteFrom('article').execute()
})

async function published(...given: ArticleFixture[]): Promise<number[]> {
  const ids = await addArticles(site, ...given)
  await indexed()
  return ids
}

/** The index has followed. */
async function indexed(): Promise<void> {
  await site.root.call(searches.reindex, {})
  await site.runDueJobs()
}

async function indexingJobs(): Promise<string[]> {
  const jobs = site.db.selectFrom('job').select('kind').where('kind', 'like', 'articles.%index')
  const rows = await jobs.where('run_at', '<=', Date.now()).execute()
  return rows.map(({ kind }) => kind)
}

async function titles(wd: string, asked: object = {}): Promise<string[]> {
  const { article } = await site.call(searches.articles, { wd, ...asked })
  return article.map(({ title }) => title)
}

describe('a search of articles', () => {
  test('finds what stands in titles, keywords, summaries and texts, the better places first, and shows where', async () => {
    await published(
      { title: '甲', content: '<h2>由来</h2><p>这里讲的是<strong>量子</strong>纠缠现象</p>' },
      { title: '乙', description: '关于量子纠缠的简介' },
      { title: '丙', keywords: '物理,量子纠缠' },
      { title: '量子纠缠入门' },
    )
    const { total, more, spend, article } = await site.call(searches.articles, { wd: '量子纠缠' })
    expect(article.map(({ title }) => title)).toEqual(['量子纠缠入门', '丙', '乙', '甲'])
    expect({ total, more }).toEqual({ total: 4, more: false })
    expect(spend).toMatch(/^\d+\.\d{3}$/)
    expect(article[0]?.title_ranges).toEqual([[0, 4]])
    const { text, ranges } = article[3]?.excerpt ?? { text: '', ranges: [] }
    expect(text).toBe('由来这里讲的是量子纠缠现象')
    expect(ranges.map(([from, to]) => text.slice(from, to))).toEqual(['量子纠缠'])
    expect(article[3]).toMatchObject({ content: '', user: { username: 'admin' } })
  })

  test('finds words that no tag stands for, in any case and width, and never the tags', async () => {
    await published({
      title: '语言',
      content: '<pre><code class="language-rust">C++ 与 ＲＵＳＴ，.NET &amp; a&lt;b</code></pre>',
    })
    for (const wd of ['c++', 'rust', '.net', 'RUST', 'a<b']) expect(await titles(wd), wd).toEqual(['语言'])
    for (const wd of ['language', '<code', 'pre']) expect(await titles(wd), wd).toEqual([])
  })

  test('finds what stands at the end of a very long one', async () => {
    const filling = '<p>平平无奇的一段话。</p>'.repeat(20_000)
    await published({ title: '长文', content: `${filling}<p>最后的彩蛋</p>` })
    const { article } = await site.call(searches.articles, { wd: '最后的彩蛋' })
    expect(article[0]?.excerpt.text).toContain('最后的彩蛋')
  })

  test('is narrowed by category, author and time, and ordered as asked', async () => {
    const category = await site.category('乐器', { type: ContentType.Article })
    const author = await site.author()
    await published(
      { title: '琴谱一', category: [category], view_count: 9, created_at: Date.UTC(2020, 5, 1) },
      { title: '琴谱二', author, view_count: 3 },
    )
    expect(await titles('琴谱', { category_id: [category] })).toEqual(['琴谱一'])
    expect(await titles('琴谱', { user_id: [author.id] })).toEqual(['琴谱二'])
    expect(await titles('琴谱', { created_at: ['2020-01-01', '2020-12-31'] })).toEqual(['琴谱一'])
    expect(await titles('琴谱', { sort: 'latest' })).toEqual(['琴谱二', '琴谱一'])
    expect(await titles('琴谱', { sort: 'view_count' })).toEqual(['琴谱一', '琴谱二'])
    expect(await titles('琴谱', { sort: 'nonsense; --' })).toHaveLength(2)
  })

  test('comes ten at a time, no further than the site allows, and of nothing finds nothing', async () => {
    await published(...Array.from({ length: 25 }, (_, n) => ({ title: `风筝图样 ${n}` })))
    const page = async (n: number) => (await titles('风筝', { page: n })).length
    expect([await page(1), await page(3), await page(4)]).toEqual([10, 5, 0])
    await site.configure({ 'display.max_search_pages': '2' })
    expect(await site.call(searches.articles, { wd: '风筝' })).toMatchObject({ total: 20, more: true })
    await site.configure({ 'display.max_search_pages': '100' })
    expect(await site.call(searches.articles, { wd: ' ' })).toMatchObject({ total: 0, article: [] })
  })

  test('is recorded as one of articles, and keeps apart from documents', async () => {
    await site.addDocuments({ title: '雨伞' })
    await published({ title: '雨伞修理' })
    expect(await titles('雨伞')).toEqual(['雨伞修理'])
    const records = () =>
      site.db.selectFrom('search_record').select(['type', 'total']).where('keywords', '=', '雨伞').execute()
    await expect.poll(records).toEqual([{ type: ContentType.Article, total: 1 }])
  })
})

describe('what is not public', () => {
  test('is neither found nor counted', async () => {
    await published(
      { title: '隐士一', status: ReviewStatus.Pending },
      { title: '隐士二', status: ReviewStatus.Rejected },
      { title: '隐士三', deleted_at: 1 },
      { title: '隐士四' },
    )
    for (const call of [site.call, site.root.call])
      expect(await call(searches.articles, { wd: '隐士' })).toMatchObject({ total: 1, article: [{ title: '隐士四' }] })
  })

  test('is out of results at once, and back when it may be seen again', async () => {
    const [id = 0] = await published({ title: '山居笔记', content: '<p>松下问童子</p>' })
    expect(await titles('童子')).toEqual(['山居笔记'])
    await site.root.call(articles.review, { article_id: [id], status: ReviewStatus.Rejected, reject_reason: '改' })
    expect(await site.call(searches.articles, { wd: '童子' })).toMatchObject({ total: 0 })
    await site.root.call(articles.review, { article_id: [id], status: ReviewStatus.Approved })
    expect(await titles('童子')).toEqual(['山居笔记'])
    await site.root.call(articles.delete, { id: [id] })
    expect(await titles('童子')).toEqual([])
    const worker = site.app.work()
    onTestFinished(() => worker.stop())
    const { search } = await site.app.context()
    const known = async () => (await search.list('article', { after: id - 1, limit: 1 })).map((one) => one.id)
    await expect.poll(known).toEqual([])
    await site.root.call(articleRecycle.restore, { id: [id] })
    await expect.poll(() => titles('童子')).toEqual(['山居笔记'])
    await site.root.call(articles.delete, { id: [id] })
    await site.root.call(articleRecycle.delete, { id: [id] })
    expect(await titles('童子')).toEqual([])
    await expect.poll(known).toEqual([])
  })

  test('is asked of members only where the site is for members', async () => {
    await site.configure({ 'security.login_required': 'true' })
    expect((await site.request('/api/v1/article/search?wd=风筝')).status).toBe(401)
    await site.configure({ 'security.login_required': 'false' })
  })
})

describe('the index', () => {
  test('follows an article: written, then changed', async () => {
    const [title, morning, evening] = ['晨跑', '五点的街道', '十点的操场']
    await published({ title: '早先的' })
    const worker = site.app.work()
    onTestFinished(() => worker.stop())
    // The check at a worker's start is over: from here on only what people do is followed.
    await expect.poll(indexingJobs).toEqual([])
    const category_id = [await site.category('随笔', { type: ContentType.Article })]
    const first = { title, content: `<p>${morning}</p>`, category_id }
    const { id } = await site.root.call(articles.create, first)
    await expect.poll(() => titles(morning)).toEqual([title])
    await site.root.call(articles.update, { id, title: '改了', content: `<p>${evening}</p>`, category_id })
    await expect.poll(() => titles(evening)).toEqual(['改了'])
    // The metadata, with the beginning of the text, is indexed before the pages.
    await expect.poll(() => titles(morning)).toEqual([])
    expect(await titles(title)).toEqual([])
  })

  test('that was lost is made again by itself', async () => {
    await published({ title: '失而复得' })
    const { search } = await site.app.context()
    await search.empty()
    expect(await titles('复得')).toEqual([])
    const worker = site.app.work()
    onTestFinished(() => worker.stop())
    await expect.poll(() => titles('复得'), { timeout: 10_000 }).toEqual(['失而复得'])
  })
})

describe('a long text', () => {
  test('is cut where lines end', () => {
    const lines = Array.from({ length: 300 }, (_, n) => `第 ${n} 行${'字'.repeat(90)}`)
    const pages = splitPages(lines.join('\n'))
    expect(pages.length).toBeGreaterThan(5)
    expect(pages.join('\n')).toBe(lines.join('\n'))
  })

  test('without lines is cut so that whatever is asked for is whole somewhere', () => {
    const text = Array.from({ length: 4000 }, (_, n) => String(n).padStart(4, '0')).join('')
    const pages = splitPages(text)
    const questions = Array.from({ length: text.length - 63 }, (_, at) => text.slice(at, at + 64))
    expect(questions.filter((question) => !pages.some((page) => page.includes(question)))).toEqual([])
  })

  test('that is short, or empty, is one page', () => {
    expect(splitPages('短')).toEqual(['短'])
    expect(splitPages('')).toEqual([''])
  })
})
