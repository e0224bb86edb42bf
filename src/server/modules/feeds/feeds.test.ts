import { ReviewStatus, ContentType } from '#shared/enums.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import { openDocumentSite, type DocumentSite } from '#server/testing/document-site.ts'
import { addArticles } from '#server/testing/add-articles.ts'

let site: DocumentSite
beforeAll(async () => {
  site = await openDocumentSite()
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.db.deleteFrom('article').execute()
  await site.db.deleteFrom('document').execute()
})

async function read(path: string, headers: Record<string, string> = {}) {
  const { status, text, headers: responseHeaders } = await site.send('GET', path, { headers })
  const titles = [...text.matchAll(/<entry>\s*<id>[^<]*<\/id>\s*<title>([^<]*)<\/title>/g)].map(([, title]) => title)
  return { status, text, titles, headers: responseHeaders }
}

describe('a feed', () => {
  test('has the thirty newest entries with link, author, category and time', async () => {
    const category = await site.category('摄影', { type: ContentType.Article })
    const author = await site.author()
    const at = Date.UTC(2026, 0, 2, 3, 4, 5)
    await addArticles(site, ...Array.from({ length: 31 }, (_, n) => ({ title: `旧文 ${n}`, created_at: at })))
    await addArticles(site, {
      title: '雪山日出',
      identifier: 'snow',
      description: '三点起床。',
      created_at: at,
      author,
      category: [category],
    })
    const { status, text, titles, headers } = await read('/feed/article')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
    expect(titles).toHaveLength(30)
    expect(titles.slice(0, 2)).toEqual(['雪山日出', '旧文 30'])
    for (const part of [
      '<link href="/article/snow"/>',
      '<summary>三点起床。</summary>',
      `<author><name>${author.username}</name><uri>/user/${author.id}</uri></author>`,
      '<category term="摄影"/>',
      '<published>2026-01-02T03:04:05.000Z</published>',
      '<link rel="self" type="application/atom+xml" href="/feed/article"/>',
    ])
      expect(text).toContain(part)
  })

  test('of documents links to them under the site’s domain', async () => {
    const [id = 0] = await site.addDocuments({ title: '植物图鉴', description: '附彩图' })
    const { uuid } = await site.db.selectFrom('document').select('uuid').where('id', '=', id).executeTakeFirstOrThrow()
    await site.configure({ 'system.domain': 'https://wenku.example.com' })
    const { text, titles } = await read('/feed/document')
    await site.configure({ 'system.domain': '' })
    expect(titles).toEqual(['植物图鉴'])
    expect(text).toContain(`<link href="https://wenku.example.com/document/${uuid}"/>`)
    expect(text).not.toContain('localhost')
  })

  test('can be limited to a category or an author', async () => {
    const [hills, seas] = [
      await site.category('山', { type: ContentType.Article }),
      await site.category('海', { type: ContentType.Article }),
    ]
    const shelf = await site.category('图册')
    const author = await site.author()
    await addArticles(
      site,
      { title: '登山', category: [hills], author },
      { title: '爬山', category: [hills] },
      { title: '看海', category: [seas], author },
    )
    await site.addDocuments({ title: '山图', category: [shelf] }, { title: '海图', owner: author })
    expect((await read(`/feed/article?category_id=${hills}`)).titles).toEqual(['爬山', '登山'])
    expect((await read(`/feed/article?user_id=${author.id}`)).titles).toEqual(['看海', '登山'])
    expect((await read(`/feed/article?user_id=${author.id}&category_id=${hills}`)).titles).toEqual(['登山'])
    expect((await read(`/feed/document?category_id=${shelf}`)).titles).toEqual(['山图'])
    expect((await read(`/feed/document?user_id=${author.id}`)).titles).toEqual(['海图'])
    expect((await read(`/feed/article?category_id=${hills}`)).text).toContain(`<title>山 · 最新文章 · 文豆</title>`)
    for (const query of [
      `category_id=${shelf}`,
      'category_id=999999',
      'user_id=999999',
      'user_id=1%20or%201',
      'category_id=-1',
    ])
      expect((await read(`/feed/article?${query}`)).status, query).toBe(404)
  })

  test('without entries is a feed all the same', async () => {
    expect(await read('/feed/article')).toMatchObject({ status: 200, titles: [] })
    expect((await read('/feed/nonsense')).status).toBe(404)
  })

  test('is well-formed XML whatever authors write', async () => {
    const nasty = `<script>alert(1)</script> ]]> & "双引号" \u0001\u0008\uFFFE 😀 &amp; <!--`
    await addArticles(site, {
      title: nasty,
      description: nasty,
      category: [await site.category(nasty, { type: ContentType.Article })],
    })
    await site.addDocuments({ title: nasty, description: nasty })
    for (const path of ['/feed/article', '/feed/document']) {
      const { text, titles } = await read(path)
      expect(titles).toEqual([
        '&lt;script&gt;alert(1)&lt;/script&gt; ]]&gt; &amp; &quot;双引号&quot;  😀 &amp;amp; &lt;!--',
      ])
      expect(text).not.toMatch(/[^\n\P{Cc}]|[\ufffe\uffff]/u)
      expectWellFormed(text)
    }
  })
})

describe('hidden content', () => {
  test('is in no feed from the moment it is hidden', async () => {
    await addArticles(
      site,
      { title: '公开' },
      { title: '待审', status: ReviewStatus.Pending },
      { title: '退回', status: ReviewStatus.Rejected },
      { title: '回收', deleted_at: 1 },
    )
    const [id = 0] = await site.addDocuments(
      { title: '公开' },
      { title: '待审', status: DocumentStatus.InReview },
      { title: '禁用', status: DocumentStatus.Disabled },
    )
    const { id: userId } = site.root
    for (const query of ['', `?user_id=${userId}`])
      for (const kind of ['article', 'document'])
        expect((await read(`/feed/${kind}${query}`)).titles, kind + query).toEqual(['公开'])
    await site.root.call(documents.review, { id: [id], status: DocumentStatus.Disabled })
    expect((await read('/feed/document')).titles).toEqual([])
    await site.db.updateTable('article').set({ status: ReviewStatus.Pending }).execute()
    expect((await read('/feed/article', { authorization: `Bearer ${site.root.token}` })).titles).toEqual([])
  })

  test('includes all of a closed site and of a site for members: they have no feeds', async () => {
    for (const setting of ['security.is_close', 'security.login_required']) {
      await site.configure({ [setting]: 'true' })
      const statuses = [(await read('/feed/article')).status, (await read('/feed/document')).status]
      await site.configure({ [setting]: 'false' })
      expect(statuses, setting).toEqual([404, 404])
    }
    expect((await read('/feed/article')).status).toBe(200)
  })
})

describe('a conditional request', () => {
  test('gets 304 while nothing has changed', async () => {
    await addArticles(site, { title: '一', created_at: Date.UTC(2026, 0, 2) })
    const { headers } = await read('/feed/article')
    const etag = headers.get('etag') ?? ''
    expect(headers.get('last-modified')).toBe('Fri, 02 Jan 2026 00:00:00 GMT')
    expect(headers.get('cache-control')).toBe('public, max-age=300')
    for (const candidate of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await read('/feed/article', { 'if-none-match': candidate })
      expect(again).toMatchObject({ status: 304, text: '' })
      expect(again.headers.get('etag')).toBe(etag)
    }
    const since = { 'if-modified-since': 'Fri, 02 Jan 2026 00:00:00 GMT' }
    expect((await read('/feed/article', since)).status).toBe(304)
    await addArticles(site, { title: '二', created_at: Date.UTC(2026, 0, 1) })
    expect((await read('/feed/article', { ...since, 'if-none-match': etag })).titles).toEqual(['二', '一'])
    await addArticles(site, { title: '三', created_at: Date.UTC(2026, 0, 3) })
    expect((await read('/feed/article', since)).status).toBe(200)
  })
})

/** All tags are balanced, and the text between them has no other entities than the predefined ones. */
function expectWellFormed(xml: string): void {
  const open: string[] = []
  for (const [, close, name = '', single] of xml.matchAll(/<(\/)?([a-z]+)(?:\s+[a-z:]+="[^"<]*")*(\/)?>/g)) {
    if (close) expect(open.pop()).toBe(name)
    else if (!single) open.push(name)
  }
  expect(open).toEqual([])
  const between = xml.replace(/^<\?xml[^>]*\?>/, '').replaceAll(/<\/?[a-z]+(?:\s+[a-z:]+="[^"<]*")*\/?>/g, '')
  expect(between.replaceAll(/&(?:amp|lt|gt|quot);/g, '')).not.toMatch(/[<>&]/)
}
