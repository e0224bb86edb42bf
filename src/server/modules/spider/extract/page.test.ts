import { describe, expect, test } from 'vitest'
import { encodeGbk } from '../../../samples/text.ts'
import { pageRule } from '../../../testing/spider/page-rule.ts'
import { extractPage } from './page.ts'

const site = 'https://www.example.com'
const url = `${site}/docs/list.html`

function read(html: string, rule: Parameters<typeof pageRule>[0] = {}, contentType = 'text/html; charset=utf-8') {
  return extractPage({ url, contentType, body: Buffer.from(html), rule: pageRule(rule) })
}

describe('links', () => {
  test('lead to pages of the source and to documents, each once', () => {
    const page = read(`
      <a href="a.html">一</a> <a href="/docs/a.html#x">一</a> <area href="/map">
      <a href="https://other.example.org/x">外站</a> <a href="/logo.png">图</a>
      <a href="report.PDF">年度报告</a> <a href="https://cdn.example.net/b.docx?v=1">统计公报.docx</a>
      <a href="#top">顶部</a> <a href="list.html">本页</a> <a href="javascript:void(0)">菜单</a> <a>无</a>`)
    expect(page.pages).toEqual([`${site}/docs/a.html`, `${site}/map`])
    expect(page.items).toEqual([
      { url: `${site}/docs/report.PDF`, title: '年度报告' },
      { url: 'https://cdn.example.net/b.docx?v=1', title: '统计公报' },
    ])
    expect(page.skipped).toBe(3)
  })

  test('are resolved against <base>', () => {
    expect(read('<base href="/files/"><a href="a">1</a>').pages).toEqual([`${site}/files/a`])
    expect(read('<base href="javascript:x"><a href="a">1</a>').pages).toEqual([`${site}/docs/a`])
  })

  test('go by the patterns of the rule', () => {
    const html =
      '<a href="/a/1">1</a><a href="/b/1">2</a><a href="/a/x">3</a><a href="/get?id=1">年报</a><a href="/c.pdf">季报</a>'
    expect(read('<a href="/c.PDF">季报</a><a href="/d.doc">年报</a>', { exts: ['pdf'] }).items).toHaveLength(1)
    const page = read(html, { follow: ['/a/*'], exclude: ['/a/x'], items: ['/get?id=*'] })
    expect(page.pages).toEqual([`${site}/a/1`])
    expect(page.items).toEqual([{ url: `${site}/get?id=1`, title: '年报' }])
    expect(page.skipped).toBe(3)
  })

  test('to article pages are no links to follow', () => {
    const html = '<a href="/news/1.html">要闻</a><a href="/list/2">二</a><a href="https://x.org/news/1.html">外站</a>'
    const page = read(html, { target: 'article', items: ['/news/*'] })
    expect(page.items).toEqual([{ url: `${site}/news/1.html`, title: '要闻' }])
    expect(page.pages).toEqual([`${site}/list/2`])
  })

  test('name documents in the query or in the download attribute', () => {
    const page = read(`<a href="/down.jsp?filename=a.pdf">甲类目录</a><a href="/f/1" download="乙类目录.pdf">下载</a>
      <a href="/viewer.html?file=c.pdf">丙</a><iframe src="/d.pdf"></iframe>`)
    expect(page.items.map(({ title }) => title)).toEqual(['甲类目录', '乙类目录', 'd'])
    expect(page.pages).toEqual([`${site}/viewer.html?file=c.pdf`])
  })

  test('to the next page come first', () => {
    const html = `<a href="1">1</a><div class=pager><a href="p2">下一页</a></div><a rel="next" href="p3">后</a><link rel=next href=p4>`
    expect(read(html, { follow: ['/docs/1', '/docs/p4'], selectors: { next: '.pager' } }).pages).toEqual([
      `${site}/docs/p2`,
      `${site}/docs/p4`,
      `${site}/docs/1`,
    ])
    expect(read('<a class=next href="https://x.org/2">2</a>', { selectors: { next: '.next' } }).pages).toEqual([])
  })

  test('that are marked nofollow are not followed', () => {
    const page = read('<a rel="noopener NOFOLLOW" href="1">1</a><a rel=nofollow href="a.pdf">年报</a><a href="2">2</a>')
    expect(page).toMatchObject({ pages: [`${site}/docs/2`], items: [], skipped: 2, nofollow: false })
  })

  test('may be hidden in a refresh, or written in the encoding of the page', () => {
    expect(read('<meta http-equiv=Refresh content="0; URL=\'/index.html\'">').pages).toEqual([`${site}/index.html`])
    const body = Buffer.from(encodeGbk('<meta charset=gbk><a href="/list.asp?type=通知">通知</a>'))
    const page = extractPage({ url, contentType: 'text/html', body, rule: pageRule() })
    expect(page.pages).toEqual([`${site}/list.asp?type=%CD%A8%D6%AA`])
  })

  test('without session ids are the same', () => {
    const page = read('<a href="a?PHPSESSID=1&from=x">1</a><a href="a?PHPSESSID=2">2</a>', { dropParams: ['from'] })
    expect(page.pages).toEqual([`${site}/docs/a`])
  })
})

test('a page may forbid to follow its links and to index it', () => {
  const html = (content: string) => `<meta name="Robots" content="${content}"><a href=1>1</a><a href="a.pdf">年报</a>`
  expect(read(html('NoFollow'))).toMatchObject({ nofollow: true, noindex: false, pages: [], items: [], skipped: 2 })
  expect(read(html('noindex, follow'))).toMatchObject({ nofollow: false, noindex: true, pages: [`${site}/docs/1`] })
  expect(read(html('none'))).toMatchObject({ nofollow: true, noindex: true })
})

describe('titles of documents', () => {
  test.each([
    ['<a href="/2023年度报告.pdf">点击下载</a>', '2023年度报告'],
    ['<a href="/annual-report.pdf">Download (1.2 MB)</a>', 'annual-report'],
    ['<a href="/P020231103.pdf">下载</a>', '通知公告'],
    ['<a href="/0123456789abcdef0123456789abcdef.pdf">附件1</a>', '通知公告'],
    ['<a href="/a.pdf">附件1：年度预算</a>', '附件1：年度预算'],
    ['<a href="/a.pdf" title="关于印发管理办法的通知">关于印发...</a>', '关于印发管理办法的通知'],
    ['<a href="/a.pdf" title="年度预算">PDF下载</a>', '年度预算'],
    ['<a href="/a.pdf"><img alt="年度预算"></a>', '年度预算'],
    ['<a href="/a.pdf"><b>年度</b><i>预算</i>\n <script>x</script></a>', '年度预算'],
    ['<a href="/a.pdf">下载</a><a href="/a.pdf">年度预算</a>', '年度预算'],
    ['<a href="/a.pdf">年度预算<a href="/b.pdf">年度决算</a>', '年度预算'],
    [`<a href="/a.pdf">${'长'.repeat(300)}</a>`, '长'.repeat(200)],
  ])('%s', (html, title) => {
    expect(read(`<title>通知公告</title>${html}`).items[0]?.title).toBe(title)
  })

  test('from names that are escaped as GBK', () => {
    const escaped = Array.from(encodeGbk('年度报告'), (byte) => `%${byte.toString(16)}`).join('')
    expect(read(`<a href="/${escaped}.pdf">下载</a>`).items[0]?.title).toBe('年度报告')
  })
})

describe('what a page says of itself', () => {
  test('by the selectors of the rule', () => {
    const page = read(
      '<title>T</title><h2 class=t> 标 题\n一</h2><p id=d>描述<p class=k>甲,乙<span class=when>2026-11-03',
      {
        selectors: { title: '.t', description: '#d', keywords: '.k', date: '.when' },
      },
    )
    expect(page).toMatchObject({
      title: '标 题 一',
      description: '描述',
      date: Date.parse('2026-11-03T00:00:00'),
    })
    expect(page.keywords).toContain('甲,乙')
  })

  test('by its own declarations', () => {
    const page =
      read(`<meta property="og:title" content="标题"><title>标题 - 网站</title><meta name=description content="描述">
      <meta name=Keywords content="甲,乙"><meta property="article:published_time" content="2026-11-03T10:00:00Z">`)
    expect(page).toMatchObject({
      title: '标题',
      description: '描述',
      keywords: '甲,乙',
      date: Date.parse('2026-11-03T10:00:00Z'),
    })
  })

  test('by its title without the name of the site, and the date in its text', () => {
    const page = read('<title>关于放假的通知_某某网</title><h1>关于放假的通知</h1><p>2026年11月3日</p>', {
      selectors: { title: '.none' },
    })
    expect(page).toMatchObject({
      title: '关于放假的通知',
      date: Date.parse('2026-11-03T00:00:00'),
      unmatched: ['title'],
    })
    expect(read('<title>首页</title><time datetime="2026-11-03">今天</time>').date).toBe(
      Date.parse('2026-11-03T00:00:00'),
    )
    expect(read('<p>无')).toMatchObject({ title: '', description: '', keywords: '' })
    expect(read('<p>无')).not.toHaveProperty('date')
  })

  test('in GBK as well', () => {
    const body = Buffer.from(encodeGbk('<meta charset=gb2312><title>年度报告</title>'))
    expect(extractPage({ url, contentType: 'text/html', body, rule: pageRule() }).title).toBe('年度报告')
  })
})

test('pages with the same text and links have the same hash', () => {
  const { contentHash } = read('<title>标题</title><p>正文</p><a href="/a.pdf">年报</a>')
  const same =
    '<!-- 12:30 --><title> 标题</title>\n<script>x=1</script><style>p{}</style><p class=x>正 文\n</p>\n<a href="/a.pdf?sid=a9f3">年报</a>'
  expect(contentHash).toMatch(/^[\da-f]{64}$/)
  expect(read(same).contentHash).toBe(contentHash)
  expect(read('<title>标题</title><p>正文!</p><a href="/a.pdf">年报</a>').contentHash).not.toBe(contentHash)
  expect(read('<title>标题</title><p>正文</p><a href="/b.pdf">年报</a>').contentHash).not.toBe(contentHash)
})

describe('broken HTML', () => {
  test.each([
    ['<a href="/x">1<a href=/y>2</a>', 2],
    ['<div><p><a href="/x"><b>1</div></a></i></p><a href="/y"', 1],
    ['</div></body></html><a href="/x">1</a>', 1],
    ['<html><html><a href="/x" href="/y">1', 1],
    ['<!-- unfinished <a href="/x">1</a>', 0],
    ['<table><a href=/x>1<tr><td><a href=/y>2', 2],
    ['', 0],
  ])('%s', (html, links) => {
    expect(read(html).pages).toHaveLength(links)
  })
})

test('only HTML is read, whatever the server calls it', () => {
  const refuses = (body: Buffer, contentType: string) =>
    expect(() => extractPage({ url, contentType, body, rule: pageRule() })).toThrow(
      expect.objectContaining({ reason: 'not_a_page' }),
    )
  refuses(Buffer.from('%PDF-1.7 <a href=x>'), 'text/html')
  refuses(Buffer.from('PK\u0003\u0004abc'), 'text/html')
  refuses(Buffer.concat([Buffer.from('abc'), Buffer.alloc(100)]), 'text/html')
  refuses(Buffer.from('{"a": 1}'), 'application/json')
  refuses(Buffer.from('<?xml version="1.0"?><rss><channel><title>x</title></channel></rss>'), 'text/xml')
  expect(read('<!DOCTYPE html><a href=1>1</a>', {}, 'text/plain').pages).toHaveLength(1)
  expect(read('<a href=1>1</a>', {}, '').pages).toHaveLength(1)
})

describe('what is read is bounded', () => {
  const many = (count: number, make: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => make(index)).join('')

  test('a million links', () => {
    const page = read(many(1_000_000, (index) => `<a href="/${index}">${index}</a>`))
    expect(page.pages).toHaveLength(5_000)
    expect(page.pages[0]).toBe(`${site}/0`)
    expect(page.skipped).toBeGreaterThan(90_000)
    expect(page.truncated).toBe(true)
  })

  test('the next page is found behind all of them', () => {
    const list = many(25_000, (index) => `<a href="/${index}">${index}</a>`)
    const page = read(`${list}<a class=next href="/p2">下一页</a>`, { selectors: { next: '.next' } })
    expect(page.pages).toHaveLength(5_000)
    expect(page.pages[0]).toBe(`${site}/p2`)
  })

  test('ten thousand documents', () => {
    const page = read(many(10_000, (index) => `<a href="/${index}.pdf">年报 ${index}</a>`))
    expect(page).toMatchObject({ skipped: 5_000, truncated: false })
    expect(page.items).toHaveLength(5_000)
  })

  test('a hundred thousand nested tags', () => {
    const page = read(`${'<div>'.repeat(100_000)}<a href=1>1</a>`, { selectors: { title: 'div div > p:last-child' } })
    expect(page).toMatchObject({ pages: [], truncated: true })
    const deep = read(`${'<b><i>'.repeat(2_000)}<a href=1>一</a>${'</i></b>'.repeat(2_000)}<a href=2>二</a>`)
    expect(deep.pages).toEqual([`${site}/docs/1`, `${site}/docs/2`])
  })

  test('50 MB of broken HTML', () => {
    const broken = [
      '<a href="/x',
      '<div <p class=',
      '</b></i>',
      '<!-',
      '<a href=/y>y',
      "<td title='",
      '&#x',
      '<![CDATA[',
    ]
    const body = Buffer.alloc(
      50 * 1024 * 1024,
      many(1_000, (index) => `${broken[(index * 7) % broken.length]} ${index} `),
    )
    const page = extractPage({ url, contentType: 'text/html', body, rule: pageRule() })
    expect(page.truncated).toBe(true)
    expect(page.pages.length).toBeLessThanOrEqual(5_000)
  })

  test('long titles, attributes in masses', () => {
    const page = read(`<title>${'题'.repeat(1e6)}</title><a ${many(100_000, (index) => `a${index}=1 `)} href=1>1</a>`)
    expect(page.title).toHaveLength(200)
    expect(page.pages).toEqual([])
  })
})
