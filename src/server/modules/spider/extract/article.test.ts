import { describe, expect, test } from 'vitest'
import { pageRule } from '../../../testing/spider/page-rule.ts'
import { extractArticle } from './article.ts'

const url = 'https://www.example.com/news/1.html'
const paragraph = '会议指出，要坚持问题导向，完善工作机制，推动各项任务落到实处，切实提高服务水平。'

function read(html: string, content = '') {
  const rule = pageRule({ target: 'article', selectors: { content } })
  return extractArticle({ url, contentType: 'text/html; charset=utf-8', body: Buffer.from(html), rule })
}

const page = (body: string) => `<html><head><title>会议召开 - 某某网</title></head><body>
  <div class=top><ul>${'<li><a href="/x">栏目，导航，链接的名称很长</a></li>'.repeat(20)}</ul></div>
  ${body}
  <div class=bottom><p>版权所有，某某网，联系电话，备案号</p></div></body></html>`

describe('the text of an article is found', () => {
  test('by the selector of the rule', () => {
    expect(read(page(`<div id=c><p>短文</p></div><div>${paragraph.repeat(9)}</div>`), '#c').content).toBe('<p>短文</p>')
  })

  test('by its mark-up', () => {
    expect(read(page(`<article><p>${paragraph.repeat(3)}</p></article><article>短</article>`)).content).toBe(
      `<p>${paragraph.repeat(3)}</p>`,
    )
    expect(read(page(`<main><p>${paragraph.repeat(3)}</p></main>`)).content).toBe(`<p>${paragraph.repeat(3)}</p>`)
  })

  test('by its density', () => {
    const paragraphs = `<p>${paragraph}</p>`.repeat(4)
    expect(read(page(`<div><div class=text>${paragraphs}</div></div>`)).content).toBe(paragraphs)
    const lines = `　　${paragraph}<br>`.repeat(4)
    expect(read(page(`<table><tr><td>${lines}</td></tr></table>`)).content).toBe(lines.trim())
    const blocks = `<div>${paragraph}</div>`.repeat(4)
    expect(read(page(`<form action=x><section>${blocks}</section></form>`)).content).toBe(blocks)
  })

  test('in pages without any', () => {
    expect(read('').content).toBe('')
    expect(read('<p>短').content).toBe('<p>短</p>')
  })
})

test('what is not text is dropped', () => {
  const { content, title } = read(
    page(`<article><h1>会议召开</h1><!-- x --><nav>导航</nav><p onclick=x>${paragraph.repeat(3)}<script>x</script><style>x</style></p>
    <aside>推荐</aside><form><p>留在表单里的文字</p><input name=q><button>搜索</button></form><iframe src=x></iframe>
    <p style="display: none">隐藏</p><div class="share-box">分享到</div><div id="comments"><p>评论</p></div></article>`),
  )
  expect(title).toBe('会议召开')
  expect(content).toContain(paragraph)
  expect(content).toContain('留在表单里的文字')
  expect(content).not.toMatch(/会议召开|导航|推荐|搜索|隐藏|分享|评论|<script|<style|<iframe|<form|<input|<!--/)
})

test('an article may ask not to be indexed', () => {
  expect(read('<meta name=robots content=noindex><p>x').noindex).toBe(true)
  expect(read('<p>x').noindex).toBe(false)
})

test('characters that a database refuses are left out', () => {
  // Binary files have them at their beginning.
  const article = read(
    `<!--${'x'.repeat(5000)}--><title>会\0议</title><meta name=description content="摘\0要&#0;">
    <div id=c><p title="a\0b">正\0文&#0;</p></div>`,
    '#c',
  )
  expect(article).toMatchObject({ title: '会议' })
  expect(article.content).toContain('正文')
  expect(JSON.stringify(article)).not.toContain(String.raw`\u0000`)
})

test('addresses are absolute', () => {
  const { content } = read(
    '<div id=c><a href="../a.html#x">甲</a><a href="javascript:x">乙</a><video src=v.mp4></video><a href="mailto:a@b.cn">丙</a></div>',
    '#c',
  )
  expect(content).toBe(
    '<a href="https://www.example.com/a.html#x">甲</a><a>乙</a><video src="https://www.example.com/news/v.mp4"></video><a href="mailto:a@b.cn">丙</a>',
  )
})

describe('pictures', () => {
  const pictures = (html: string) => read(`<div id=c>${html}</div>`, '#c')

  test('that load late are found, others dropped', () => {
    const { content, pictures: found } = pictures(`<img src="data:image/gif;base64,x" data-src="/1.jpg" alt="图 1">
      <img src="/loading.gif" data-original="2.jpg"><img src="3.jpg#x" srcset="4.jpg 2x" onerror=x>
      <img srcset="5.jpg 1x, 6.jpg 2x"><img src="data:image/png;base64,x"><img src="/pixel.gif" width=1 height=1><img src="/1.jpg">`)
    expect(found).toEqual([1, 'news/2', 'news/3', 'news/6'].map((name) => `https://www.example.com/${name}.jpg`))
    expect(content).toContain('<img src="https://www.example.com/1.jpg" alt="图 1">')
    expect(content.match(/<img/g)).toHaveLength(5)
    expect(content).not.toMatch(/data:|onerror|srcset/)
  })

  test('are at most 50', () => {
    const { content, pictures: found } = pictures(
      Array.from({ length: 60 }, (_, index) => `<img src="${index}.png">`).join(''),
    )
    expect(found).toHaveLength(50)
    expect(content.match(/<img/g)).toHaveLength(50)
  })
})

test('what others wrote stays text', () => {
  expect(read('<div id=c>1 &lt; 2 &amp; <b title="&quot;x">3</b> 中文</div>', '#c').content).toBe(
    '1 &lt; 2 &amp; <b title="&quot;x">3</b> 中文',
  )
})
