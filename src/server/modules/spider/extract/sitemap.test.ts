import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { encodeGbk } from '../../../samples/text.ts'
import { pageRule } from '../../../testing/spider/page-rule.ts'
import type { PageRule } from './rule.ts'
import { extractSitemap } from './sitemap.ts'

const site = 'https://www.example.com'
const day = Date.parse('2026-11-03T00:00:00')

function read(body: string | Buffer, rule?: PageRule) {
  const task = { url: `${site}/sitemap.xml`, contentType: 'application/xml', body: Buffer.from(body) }
  return extractSitemap(rule ? { ...task, rule } : task)
}

const urlset = (content: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${content}</urlset>`
const entry = (address: string, rest = '') => `<url><loc>${address}</loc>${rest}</url>`

describe('addresses are read from', () => {
  test('a sitemap', () => {
    const { pages } = read(
      urlset(
        entry(` ${site}/a?x=1&amp;y=2 `, '<lastmod>2026-11-03</lastmod><priority>1</priority>') +
          entry(`<![CDATA[${site}/b]]>`, `<image:image><image:loc>${site}/b.jpg</image:loc></image:image>`) +
          entry('/c') +
          entry(`${site}/a?x=1&amp;y=2`) +
          entry('javascript:x'),
      ),
    )
    expect(pages).toEqual([{ url: `${site}/a?x=1&y=2`, lastModified: day }, { url: `${site}/b` }, { url: `${site}/c` }])
  })

  test('an index of sitemaps', () => {
    const index = `<sitemapindex><sitemap><loc>${site}/1.xml.gz</loc><lastmod>2026-11-03</lastmod></sitemap></sitemapindex>`
    expect(read(index)).toEqual({ pages: [], items: [], sitemaps: [`${site}/1.xml.gz`] })
  })

  test('elements with a prefix', () => {
    expect(read(`<s:urlset xmlns:s="x"><s:url><s:loc>${site}/a</s:loc></s:url></s:urlset>`).pages).toEqual([
      { url: `${site}/a` },
    ])
  })

  test('RSS', () => {
    const rss = `<rss version="2.0"><channel><link>${site}/</link><item><title>要闻</title><link>${site}/1</link>
      <pubDate>${new Date(day).toUTCString()}</pubDate><enclosure url="${site}/1.pdf" type="application/pdf"/></item></channel></rss>`
    expect(read(rss).pages).toEqual([
      { url: `${site}/1`, lastModified: day },
      { url: `${site}/1.pdf`, lastModified: day },
    ])
  })

  test('Atom', () => {
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><link href="${site}/"/><entry><title>要闻</title><link href="/1"/>
      <link rel="self" href="/1.atom"/><updated>${new Date(day).toISOString()}</updated></entry></feed>`
    expect(read(atom).pages).toEqual([{ url: `${site}/1`, lastModified: day }])
  })

  test('a list of lines', () => {
    expect(read(`${site}/a\r\n\n# 注释\n${site}/b \n`).pages).toEqual([{ url: `${site}/a` }, { url: `${site}/b` }])
  })

  test('a file that is compressed by itself', () => {
    expect(read(gzipSync(urlset(entry(`${site}/a`)))).pages).toEqual([{ url: `${site}/a` }])
  })

  test('XML in GBK', () => {
    const rss =
      '<?xml version="1.0" encoding="gb2312"?><rss><channel><item><title>年报</title><link>/a.pdf</link></item></channel></rss>'
    expect(read(Buffer.from(encodeGbk(rss)), pageRule()).items).toEqual([{ url: `${site}/a.pdf`, title: '年报' }])
  })
})

test('a rule sorts addresses into pages and documents', () => {
  const body = urlset(
    entry(`${site}/a`) + entry(`${site}/%E5%B9%B4%E6%8A%A5.pdf`) + entry('https://other.example.org/b'),
  )
  expect(read(body, pageRule())).toEqual({
    pages: [{ url: `${site}/a` }],
    items: [{ url: `${site}/%E5%B9%B4%E6%8A%A5.pdf`, title: '年报' }],
    sitemaps: [],
  })
})

test.each(['<!DOCTYPE html><html><body>404', 'Not found', '<?xml version="1.0"?>', '<svg></svg>'])(
  '%j is no sitemap',
  (body) => {
    expect(() => read(body)).toThrow(expect.objectContaining({ reason: 'not_a_sitemap' }))
  },
)

test('a sitemap that ends early is read as far as it goes', () => {
  expect(read(`<urlset>${entry(`${site}/a`)}<url><loc>${site}/b`).pages).toEqual([{ url: `${site}/a` }])
  expect(read('').pages).toEqual([])
})

describe('what is read is bounded', () => {
  test('50,000 addresses', () => {
    const entries = Array.from({ length: 60_000 }, (_, index) => entry(`${site}/${index}`)).join('')
    expect(read(urlset(entries)).pages).toHaveLength(50_000)
  })

  test('what is compressed', () => {
    expect(() => read(gzipSync(Buffer.alloc(60 * 1024 * 1024, ' ')))).toThrow(
      expect.objectContaining({ reason: 'too_large' }),
    )
    expect(() => read(gzipSync('abc').subarray(0, 15))).toThrow(expect.objectContaining({ reason: 'not_a_sitemap' }))
  })

  test('no entity is expanded', () => {
    const bomb = `<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>
      <urlset>${entry(`${site}/&b;&f;`)}</urlset>`
    expect(read(bomb).pages).toEqual([{ url: `${site}/&b;&f;` }])
  })

  test('one endless address', () => {
    expect(read(urlset(entry(`${site}/${'a'.repeat(1e6)}`))).pages).toEqual([])
  })
})
