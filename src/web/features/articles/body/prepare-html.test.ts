import { expect, test } from 'vitest'
import { prepareHtml } from '#web/features/articles/body/prepare-html.ts'

test('headings of two levels become the table of contents, each with a unique id', () => {
  const { html, headings } = prepareHtml(
    '<h2>安装 &amp; 配置</h2><p>甲</p><h3 style="text-align:center">第一步：<em>下载</em></h3><h2>安装 &amp; 配置</h2><h4>细节</h4>',
  )
  expect(headings).toEqual([
    { id: 'part-安装-配置', text: '安装 & 配置', level: 2 },
    { id: 'part-第一步-下载', text: '第一步：下载', level: 3 },
    { id: 'part-安装-配置-2', text: '安装 & 配置', level: 2 },
  ])
  expect(html).toBe(
    '<h2 id="part-安装-配置" tabindex="-1">安装 &amp; 配置</h2><p>甲</p><h3 id="part-第一步-下载" tabindex="-1" style="text-align:center">第一步：<em>下载</em></h3><h2 id="part-安装-配置-2" tabindex="-1">安装 &amp; 配置</h2><h4>细节</h4>',
  )
})

test('thousands of equal headings get their ids in linear time, and the first ones are listed', () => {
  const { html, headings } = prepareHtml('<h2>同名</h2>'.repeat(20_000))
  expect(headings).toHaveLength(200)
  expect(html).toContain('id="part-同名-20000"')
})

test('a heading without text is not in the table of contents, one without letters still has an id', () => {
  const { headings } = prepareHtml('<h2> <br></h2><h2>&lt;&gt;</h2>')
  expect(headings).toEqual([{ id: 'part-1', text: '<>', level: 2 }])
})

test('an id that the author wrote is replaced', () => {
  expect(prepareHtml('<h2 id="main">正文</h2>').html).toBe('<h2 id="part-正文" tabindex="-1">正文</h2>')
})

test('headings of a text with first-level headings are shifted below the page’s title', () => {
  const { html, headings } = prepareHtml('<h1>总论</h1><h2>分论</h2><h6>末</h6>')
  expect(headings.map(({ level, text }) => [level, text])).toEqual([
    [2, '总论'],
    [3, '分论'],
  ])
  expect(html).toContain('<h6>末</h6>')
  expect(html).not.toContain('<h1')
})

test('tables and code are wrapped in boxes; the box of code has its language', () => {
  expect(prepareHtml('<table><tbody></tbody></table>').html).toBe(
    '<div class="table-box"><table><tbody></tbody></table></div>',
  )
  expect(prepareHtml('<pre><code class="language-c++">a &lt; b</code></pre>').html).toBe(
    '<div class="code-box" data-language="c++"><pre><code class="language-c++">a &lt; b</code></pre></div>',
  )
  expect(prepareHtml('<pre><code>x</code></pre>').html).toBe('<div class="code-box"><pre><code>x</code></pre></div>')
})

test('a formula shows its LaTeX until it is rendered, escaped as it was', () => {
  const inline = '<span data-type="inline-math" data-latex="a &lt; b &quot;c&quot;"></span>'
  expect(prepareHtml(inline).html).toBe(
    '<span data-type="inline-math" data-latex="a &lt; b &quot;c&quot;"><code>a &lt; b &quot;c&quot;</code></span>',
  )
})

test('checked tasks are labelled, and readers cannot change them', () => {
  const { html } = prepareHtml('<label><input type="checkbox" checked="checked" /></label><input type="text" name="q">')
  expect(html).toBe('<label><input type="checkbox" disabled aria-label="已完成" checked></label>')
})

test('all pictures but the first load lazily, and each has an alt text', () => {
  const { html } = prepareHtml('<img src="/a.webp" alt="山" /><img src="/b.webp" />')
  expect(html).toBe(
    '<img decoding="async" src="/a.webp" alt="山" /><img loading="lazy" decoding="async" alt="" src="/b.webp" />',
  )
})
