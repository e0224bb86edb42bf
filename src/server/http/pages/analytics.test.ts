import { describe, expect, test } from 'vitest'
import { analyticsFor, analyticsText, readAnalytics, withAnalytics } from './analytics.ts'

const baidu = `<script>
var _hmt = _hmt || [];
(function() {
  var hm = document.createElement("script");
  hm.src = "https://hm.baidu.com/hm.js?0123456789abcdef";
  var s = document.getElementsByTagName("script")[0];
  s.parentNode.insertBefore(hm, s);
})();
</script>`
const google = `<!-- Google tag (gtag.js) -->
<script async src="https://www.googletagmanager.com/gtag/js?id=G-ABC"></script>
<script>window.dataLayer = window.dataLayer || []; function gtag(){dataLayer.push(arguments)} gtag('config', 'G-ABC');</script>`
const umami = `<script defer src="https://count.example.com/script.js" data-website-id="0-1"></script>`
const matomo = `<script>
  var _paq = window._paq = window._paq || []; // see matomo.org
  (function() {
    var u="//stat.example.com:8443/";
    var g=document.createElement('script'); g.async=true; g.src=u+'matomo.js';
    document.head.appendChild(g);
  })();
</script><noscript><p><img src="//stat.example.com/matomo.php?idsite=1" alt="" /></p></noscript>`

describe('the snippet of a provider', () => {
  test.each([
    ['may be an inline script', baidu, [''], ['https://hm.baidu.com/hm.js'], ['https://hm.baidu.com']],
    [
      'may have a source and an inline script',
      google,
      ['https://www.googletagmanager.com/gtag/js?id=G-ABC', ''],
      ['https://www.googletagmanager.com'],
      [
        'https://www.googletagmanager.com',
        'https://*.google-analytics.com',
        'https://*.analytics.google.com',
        'https://*.googletagmanager.com',
      ],
    ],
    [
      'may have data attributes',
      umami,
      ['https://count.example.com/script.js'],
      ['https://count.example.com/script.js'],
      ['https://count.example.com'],
    ],
    ['may have a noscript element', matomo, [''], ['stat.example.com:8443'], ['stat.example.com:8443']],
    [
      'may be code without tags',
      'fetch("https://stat.example.com/hit")',
      [''],
      ['https://stat.example.com'],
      ['https://stat.example.com'],
    ],
    ['may have a source on this site', '<script src="/count.js"></script>', ['/count.js'], [], []],
    ['may be empty', '  ', [], [], []],
  ])('%s', (_what, text, addresses, origins, reportOrigins) => {
    const read = readAnalytics(text)
    expect(read.scripts.map(({ attributes }) => attributes['src'] ?? '')).toEqual(addresses)
    expect(read.origins).toEqual(origins)
    expect(read.reportOrigins).toEqual(reportOrigins)
  })

  test('keeps its attributes and its code', () => {
    expect(readAnalytics(umami).scripts[0]?.attributes).toEqual({
      defer: '',
      src: 'https://count.example.com/script.js',
      'data-website-id': '0-1',
    })
    expect(readAnalytics('<script>if (1 < 2 && "&amp;") go()</script>').scripts[0]?.code).toBe(
      'if (1 < 2 && "&amp;") go()',
    )
  })
})

test.each([
  ['handlers', '<script src="https://a.example/x.js" onload="alert(1)" onerror="alert(2)"></script>', /on(load|error)/],
  [
    'other elements',
    '<img src=x onerror=alert(1)><iframe src="https://a.example"></iframe><script>ok()</script>',
    /img|iframe/,
  ],
  [
    'sources that are code',
    '<script src="javascript:alert(1)"></script><script src="data:text/javascript,1"></script>',
    /src/,
  ],
  [
    'data blocks',
    '<script type="text/template"><b></script><script type="importmap">{}</script>',
    /template|importmap/,
  ],
  ['sources that would inject into the policy', `<script src="https://a.example;script-src *"></script>`, /a\.example/],
])('%s are dropped', (_what, text, dropped) => {
  const { scripts, origins } = readAnalytics(text)
  expect(JSON.stringify(scripts)).not.toMatch(dropped)
  expect(origins.join(' ')).toMatch(/^[\w:/. -]*$/)
})

describe('the policy allows', () => {
  const parse = (code: string) => readAnalytics(`<script>${code}</script>`)

  test('no address in a comment, no XML namespace, no image, nothing outside a string', () => {
    const code = `// see "https://a.example/x.js"
      /* or 'https://b.example/y.js' */
      svg = document.createElementNS("http://www.w3.org/2000/svg", 'svg')
      new Image().src = 'https://c.example/dot.gif'
      go(/https:\\/\\/d.example/)`
    expect(parse(code)).toMatchObject({ origins: [], reportOrigins: [] })
  })

  test('a named file, not its whole host', () => {
    const { origins, reportOrigins } = parse(`load('https://cdn.example/npm/count@1.2/count.min.js?v=1')`)
    expect(origins).toEqual(['https://cdn.example/npm/count@1.2/count.min.js'])
    expect(reportOrigins).toEqual(['https://cdn.example'])
  })

  test('the origin of a well-known provider, whose script loads more files', () => {
    const { origins } = parse(`j.src='https://www.googletagmanager.com/gtm.js?id='+i`)
    expect(origins).toEqual(['https://www.googletagmanager.com'])
  })

  test('the source of a tag in document.write', () => {
    const code = `document.write("<script src='https://s4.example/stat.php?id=1'></scr" + "ipt>")`
    expect(parse(code).origins).toEqual(['https://s4.example'])
  })

  test('at most 20 addresses', () => {
    const code = Array.from({ length: 200 }, (_, n) => `go("https://h${n}.example/")`).join('\n')
    expect(parse(code).origins).toHaveLength(20)
  })
})

test('a script that the browser would not end where we do is dropped', () => {
  expect(readAnalytics('x = "</script><img>"').scripts).toEqual([])
  expect(readAnalytics('x = "<!--"; y = "<script>"').scripts).toEqual([])
})

test('scripts are added at the end of public pages with the nonce, and not to admin or account pages', () => {
  const page = '<html><body><p>文</p></body></html>'
  const on = (path: string) => withAnalytics(page, analyticsFor(path, umami), 'n')
  expect(on('/document/1')).toBe(
    '<html><body><p>文</p><script nonce="n" defer src="https://count.example.com/script.js" data-website-id="0-1"></script></body></html>',
  )
  for (const path of ['/admin', '/admin/dashboard', '/me', '/me/profile']) expect(on(path)).toBe(page)
  expect(on('/member')).not.toBe(page)
})

test('clients that run the code themselves get it without tags', () => {
  expect(analyticsText(`${umami}<script>one()</script><noscript><p>no</p></noscript><script>two()</script>`)).toBe(
    'one()\ntwo()',
  )
})
