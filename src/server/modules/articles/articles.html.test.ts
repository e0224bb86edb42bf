import { describe, expect, test } from 'vitest'
import { maxArticleLength } from '#shared/contract/articles.ts'
import { cleanArticle, findCover, findUploads, isEmpty, toSummary, htmlToText } from './articles.html.ts'

const hash = 'ab'.repeat(32)
const picture = `/uploads/ab/${hash}.webp`

describe('allowed HTML is unchanged', () => {
  test.each([
    '<h1>一</h1><h2 style="text-align: center">二</h2><h3>三</h3><h4>四</h4>',
    '<p style="text-align: justify">字<strong>粗<em>斜</em></strong><u>线</u><s>删</s><sub>下</sub><sup>上</sup><mark>亮</mark><code>x</code></p>',
    '<ul><li><p>甲</p></li></ul><ol start="3"><li><p>乙</p></li></ol><blockquote><p>引</p></blockquote><hr />',
    '<pre><code class="language-c++">if (a &lt; b &amp;&amp; c) {\n  return\n}</code></pre>',
    '<table><tbody><tr><th colspan="2" colwidth="100,200"><p>头</p></th></tr><tr><td style="text-align: right" rowspan="2"><p>格</p></td></tr></tbody></table>',
    '<p>质能 <span data-type="inline-math" data-latex="E=mc^2"></span></p><div data-type="block-math" data-latex="a &lt; \\frac{1}{2} &amp; &quot;b&quot;"></div>',
    '<ul data-type="taskList"><li data-type="taskItem" data-checked="true"><label><input type="checkbox" checked="checked" disabled="disabled" /></label><div><p>做完</p></div></li></ul>',
    `<img src="${picture}" alt="图" title="名" width="600" height="400" /><video src="${picture.replace('webp', 'mp4')}" controls="controls" preload="metadata"></video>`,
    '<p><a href="/article/help#top">站内</a> <a href="mailto:a@b.cn">信</a> <a href="#a">段</a></p>',
    '<p><a href="https://example.com/?a=1&amp;b=2" rel="noopener noreferrer nofollow" target="_blank">站外</a></p>',
  ])('%s', (html) => {
    // Also the second time: saving again without a change changes nothing.
    expect(cleanArticle(cleanArticle(html))).toBe(html)
  })
})

describe('of HTML that is not allowed', () => {
  test('tags are dropped and their text stays', () => {
    expect(cleanArticle('<center><font color="red">字</font></center><custom-tag>词</custom-tag>')).toBe('字词')
    expect(cleanArticle('<b>粗</b><i>斜</i><del>删</del><h6>小</h6>')).toBe(
      '<strong>粗</strong><em>斜</em><s>删</s><h4>小</h4>',
    )
    expect(cleanArticle('<span style="color:red">字</span><a href="javascript:alert(1)">链</a>')).toBe('字链')
  })

  test.each([
    ['a script', '<script>alert(1)</script>'],
    ['a frame', '<iframe src="https://evil.example"><p>x</p></iframe>'],
    ['a style', '<style>body{display:none}</style>'],
    ['an SVG image', '<svg onload="alert(1)"><a href="javascript:alert(1)">x</a></svg>'],
    ['an object', '<object data="x"><embed src="x"></object>'],
    ['a form', '<form action="https://evil.example"><input name="password"><button></button></form>'],
    ['a template', '<template><img src=x onerror=alert(1)></template>'],
    ['a noscript element', '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>'],
  ])('%s is dropped with its content', (_name, html) => {
    expect(cleanArticle(`<p>前</p>${html}<p>后</p>`).replace(/<\/?p>/g, '')).toBe('前后')
  })

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    '&#106;avascript:alert(1)',
    'vbscript:x',
    'data:text/html,<script>alert(1)</script>',
    '//evil.example/a',
    '/\\evil.example',
    '/\t/evil.example',
    'file:///etc/passwd',
    'blob:https://example.com/x',
  ])('the address %s is dropped from links and media', (address) => {
    expect(cleanArticle(`<a href="${address}">x</a>`)).toBe('x')
    expect(cleanArticle(`<img src="${address}"><video src="${address}" poster="${address}"></video>`)).toBe('')
  })

  test('images come from this site or by HTTPS, without other attributes', () => {
    expect(
      cleanArticle('<img src="https://example.com/a.png?x=1&y=2" onerror="alert(1)" style="position:fixed">'),
    ).toBe('<img src="https://example.com/a.png?x=1&amp;y=2" />')
    for (const src of ['http://example.com/a.png', '/uploads/../data/site.db', '/api/v1/user/logout', 'a.png', ''])
      expect(cleanArticle(`<img src="${src}">`)).toBe('')
    expect(cleanArticle(`<img src="https://site.example${picture}">`, 'https://site.example')).toBe(
      `<img src="${picture}" />`,
    )
    expect(cleanArticle(`<img src="${picture}" width="99999999" height="-1" srcset="x 2x">`)).toBe(
      `<img src="${picture}" />`,
    )
  })

  test('styles are reduced to the alignment, classes to the language of code', () => {
    expect(cleanArticle('<p style="position:fixed;text-align:CENTER;background:url(x)">字</p>')).toBe(
      '<p style="text-align: center">字</p>',
    )
    expect(cleanArticle('<p style="text-align:center}</style>" class="fixed" id="root" onclick="x">字</p>')).toBe(
      '<p>字</p>',
    )
    expect(cleanArticle('<pre><code class="evil language-js hljs">x</code></pre>')).toBe(
      '<pre><code class="language-js">x</code></pre>',
    )
    expect(cleanArticle('<td colspan="65000" rowspan="x" colwidth="1;2">x</td>')).toBe('<td>x</td>')
  })

  test('a formula is reduced to its source, and dropped if that is too long', () => {
    expect(cleanArticle('<span data-type="inline-math" data-latex="x" onclick="y"></span>')).toBe(
      '<span data-type="inline-math" data-latex="x"></span>',
    )
    const tooLong = 'x'.repeat(5001)
    expect(cleanArticle(`<p>前<span data-type="inline-math" data-latex="${tooLong}"></span>后</p>`)).toBe('<p>前后</p>')
  })
})

describe('HTML of other editors is converted', () => {
  const video = picture.replace('webp', 'mp4')
  const cleaned = `<video src="${video}" controls="controls" preload="metadata"`

  test('a video by its first usable source, with the attributes of the video element', () => {
    expect(
      cleanArticle(
        `<p>前</p><video width="300" height="150" controls="controls" poster="${picture}">\n<source src="${video}" type="video/mp4" /><source src="${video}?2">您的浏览器不支持视频</video><p>后</p>`,
      ),
    ).toBe(`<p>前</p>${cleaned} poster="${picture}" width="300" height="150"></video><p>后</p>`)
    expect(cleanArticle(`<video><source src="javascript:alert(1)"><source src="${video}"></video>`)).toBe(
      `${cleaned}></video>`,
    )
    expect(cleanArticle(`<video><source src="http://site.example${video}"></video>`, 'http://site.example')).toBe(
      `${cleaned}></video>`,
    )
    expect(cleanArticle(`<video src="${video}"><source src="https://example.com/b.mp4"></video>`)).toBe(
      `${cleaned}></video>`,
    )
  })

  test('a source outside a video is dropped', () => {
    for (const html of ['<video></video><audio>#</audio>', '<picture>#</picture>', '#', '<video src="x">#</video>'])
      expect(cleanArticle(html.replace('#', `<source src="${video}">`))).toBe('')
  })

  test('the language of a code block moves from pre to code', () => {
    expect(cleanArticle('<pre class="language-js"><code>x</code></pre><p><code>y</code></p>')).toBe(
      '<pre><code class="language-js">x</code></pre><p><code>y</code></p>',
    )
    expect(cleanArticle('<pre class="line-numbers language-js"><code class="language-ts hljs">x</code></pre>')).toBe(
      '<pre><code class="language-ts">x</code></pre>',
    )
    expect(cleanArticle('<pre class="evil"><code class="hljs">x</code></pre>')).toBe('<pre><code>x</code></pre>')
  })

  test('an image of a formula becomes the formula', () => {
    expect(
      cleanArticle(
        '<p>质能<img class="kfformula" src="data:image/png;base64,AA==" data-latex="E=mc^2 &lt; 1">方程</p>',
      ),
    ).toBe('<p>质能<span data-type="inline-math" data-latex="E=mc^2 &lt; 1"></span>方程</p>')
    expect(cleanArticle(`<img src="${picture}" data-latex="">`)).toBe(`<img src="${picture}" />`)
  })
})

describe('broken or huge HTML', () => {
  test('has its open tags closed and stray closing tags dropped', () => {
    expect(cleanArticle('</div></article><p>一<b>二<i>三</p></b></i><ul><li>四')).toBe(
      '<p>一<strong>二<em>三</em></strong></p><ul><li>四</li></ul>',
    )
    expect(cleanArticle('<p>a < b <<p>c</p> <!-- <p> --> <![CDATA[x]]> <?php x ?>')).toMatch(/^<p>a &lt; b /)
    expect(cleanArticle('&lt;script&gt;alert(1)&lt;/script&gt;')).toBe('&lt;script&gt;alert(1)&lt;/script&gt;')
  })

  test('loses characters that databases refuse', () => {
    const clean = cleanArticle('<p>a\0b&#0;c\ud800d&#xD800;</p>')
    expect(clean).not.toContain('\0')
    expect(clean.isWellFormed()).toBe(true)
    expect(htmlToText(clean)).toMatch(/^ab.c.d.$/)
  })

  test('is flattened when nested deeply, and refused when nested absurdly', () => {
    const nested = (times: number) => '<blockquote>'.repeat(times) + 'x' + '</blockquote>'.repeat(times)
    expect(cleanArticle(nested(20))).toBe(nested(20))
    expect(cleanArticle(nested(150)).match(/<blockquote>/g)).toHaveLength(60)
    expect(() => cleanArticle(nested(10_000))).toThrow('层级太多')
    expect(() => cleanArticle('<ul><li>'.repeat(10_000))).toThrow('层级太多')
  })

  test.each([
    ['open tags', '<b>'.repeat(300_000)],
    ['tags that close nothing', '<b>'.repeat(190) + '</i>'.repeat(49_000)],
    ['brackets', '<'.repeat(1_000_000)],
    ['half tags', '<a '.repeat(300_000)],
    ['attributes', `<a ${'x="1" '.repeat(160_000)}>`],
    ['comments', '<!--'.repeat(250_000)],
    ['spaces', ' '.repeat(1_000_000)],
    ['line breaks', '<br>'.repeat(45_000)],
    ['ampersands', '&'.repeat(150_000)],
  ])('with very many %s is sanitized or refused', (_name, html) => {
    try {
      const clean = cleanArticle(html)
      htmlToText(clean)
      toSummary(clean)
      findUploads(clean)
      expect(clean.length).toBeLessThanOrEqual(maxArticleLength)
    } catch (error) {
      expect(error).toMatchObject({ status: 400 })
    }
  })

  test('is refused when escaping makes it too long', () => {
    expect(() => cleanArticle('&'.repeat(300_000))).toThrow('正文最多')
  })
})

describe('the text of an article', () => {
  test('is in lines, without markup', () => {
    const html = cleanArticle(
      '<h2>标题</h2><p>第一<strong>段</strong> &amp; &lt;x&gt;</p><ul><li><p>项</p></li></ul><table><tbody><tr><td>甲</td><td>乙</td></tr></tbody></table><pre><code>a\n  b</code></pre>',
    )
    expect(htmlToText(html)).toBe('标题\n第一段 & <x>\n项\n甲 乙\na\nb')
  })

  test('contains the source of formulas', () => {
    expect(htmlToText('<p>质能<span data-type="inline-math" data-latex="E=mc^2 &lt; 1"></span>方程</p>')).toBe(
      '质能 E=mc^2 < 1 方程',
    )
  })

  test('is summarized by its first 200 characters', () => {
    expect(toSummary('<p>短</p><p>文</p>')).toBe('短 文')
    const formula = (latex: string) => `<span data-type="inline-math" data-latex="${latex}"></span>`
    expect(toSummary(`<p>命中率是${formula('h')}，质能方程是${formula('E=mc^2')}</p>`)).toBe(
      '命中率是h，质能方程是E=mc^2',
    )
    expect(toSummary(`<p>和为${formula('\\\\sum_{k=1}^n k')}。</p>`)).toBe('和为…。')
    expect(Array.from(toSummary(`<p>${'字'.repeat(300)}</p>`))).toHaveLength(200)
    expect(toSummary(`<p>${'😀'.repeat(300)}</p>`)).toBe('😀'.repeat(200))
  })

  test('is empty if there is only whitespace; an image or a formula is content', () => {
    for (const html of ['', '<p></p>', '<p> \n </p><br /><hr />', '<ul><li></li></ul>'])
      expect(isEmpty(html)).toBe(true)
    expect(isEmpty('<p>字</p>')).toBe(false)
    expect(isEmpty(`<img src="${picture}" />`)).toBe(false)
    expect(isEmpty('<div data-type="block-math" data-latex="x"></div>')).toBe(false)
  })
})

test('the first image is the cover, and uploaded files are found once each', () => {
  const file = (ext: string, digit: string) => `/uploads/${digit.repeat(2)}/${digit.repeat(64)}.${ext}`
  const html = cleanArticle(
    `<p>src="${file('webp', '0')}"</p><a href="${file('webp', '1')}">x</a><img src="https://example.com/a.png?x=1&y=2"><img src="${picture}"><img src="${picture}"><img src="/uploads/aa/b.png"><video src="${file('mp4', '2')}" poster="${file('webp', '3')}"></video>`,
  )
  expect(findCover(html)).toBe('https://example.com/a.png?x=1&y=2')
  expect(findUploads(html)).toEqual([file('webp', '1'), picture, file('mp4', '2'), file('webp', '3')])
  expect(findCover('<p>无图</p>')).toBe('')
})
