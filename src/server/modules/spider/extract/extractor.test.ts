import { afterEach, describe, expect, test } from 'vitest'
import { pageRule } from '../../../testing/spider/page-rule.ts'
import { type Extractor, type ExtractorLimits, openExtractor } from './extractor.ts'

const url = 'https://www.example.com/list.html'
let extractor: Extractor | undefined

function open(limits?: ExtractorLimits): Extractor {
  extractor = openExtractor(limits)
  return extractor
}

afterEach(async () => {
  await extractor?.close()
  extractor = undefined
})

const task = (html: string, rule: Parameters<typeof pageRule>[0] = {}) => ({
  url,
  contentType: 'text/html',
  body: Buffer.from(html),
  rule: pageRule(rule),
})
const fails = (reason: string) => expect.objectContaining({ reason })

test('pages, articles and sitemaps are read in the thread', async () => {
  const { page, article, sitemap } = open()
  const [list, news, map] = await Promise.all([
    page(task('<title>列表</title><a href="/a.pdf">年报</a>')),
    article(task('<title>要闻</title><div id=c><p>正文</p></div>', { selectors: { content: '#c' } })),
    sitemap({ url, contentType: 'text/xml', body: Buffer.from('<urlset><url><loc>/a</loc></url></urlset>') }),
  ])
  expect(list).toMatchObject({ title: '列表', items: [{ url: 'https://www.example.com/a.pdf', title: '年报' }] })
  expect(news).toMatchObject({ title: '要闻', content: '<p>正文</p>' })
  expect(map.pages).toEqual([{ url: 'https://www.example.com/a' }])
})

test('what cannot be read has a reason', async () => {
  const { page, sitemap } = open()
  await expect(page(task('%PDF-1.7'))).rejects.toThrow(fails('not_a_page'))
  await expect(page(task('<a href=1>', { follow: ['/(/'] }))).rejects.toThrow(fails('bad_rule'))
  await expect(page(task('<a href=1>', { selectors: { title: 'a[' } }))).rejects.toThrow(fails('bad_rule'))
  await expect(sitemap({ url, contentType: '', body: Buffer.from('<html>') })).rejects.toThrow(fails('not_a_sitemap'))
})

test('addresses are compared with patterns in the thread', async () => {
  const { match } = open()
  expect(await match({ urls: [url], patterns: ['/a/*', String.raw`/list\.html$/`, '**'] })).toEqual([1])
  expect(await match({ urls: [url, url], patterns: ['/a/*'] })).toEqual([-1, -1])
})

describe('what exceeds a limit ends the thread, and the next page gets a new one', () => {
  const small = () => task('<title>正常</title>')

  test('a regular expression that backtracks for ever', async () => {
    const { page } = open({ timeMs: 1_500, memoryMb: 256 })
    const slow = page(task(`<a href="/${'a'.repeat(60)}!">1</a>`, { follow: ['/(a+)+$/'] }))
    const next = page(small())
    await expect(slow).rejects.toThrow(fails('too_slow'))
    expect(await next).toMatchObject({ title: '正常' })
  })

  test('a selector that compares everything with everything', async () => {
    const { page } = open({ timeMs: 1_500, memoryMb: 256 })
    const slow = page(
      task('<div>'.repeat(500) + '<b></b>'.repeat(100_000), { selectors: { title: 'div:has(b:has(~ i))' } }),
    )
    await expect(slow).rejects.toThrow(fails('too_slow'))
    expect(await page(small())).toMatchObject({ title: '正常' })
  })

  test('a page that needs more memory than there is', async () => {
    const { page } = open({ timeMs: 30_000, memoryMb: 16 })
    await expect(page(task('<a title=x class=y id=z href=1></a>'.repeat(190_000)))).rejects.toThrow(
      fails('too_complex'),
    )
    expect(await page(small())).toMatchObject({ title: '正常' })
  })
})

test('closing ends what is running', async () => {
  const { page, close } = open({ timeMs: 600_000, memoryMb: 256 })
  await page(task('<title>正常</title>'))
  const running = page(task(`<a href="/${'a'.repeat(60)}!">1</a>`, { follow: ['/(a+)+$/'] }))
  running.catch(() => {})
  const waiting = page(task('<title>正常</title>'))
  waiting.catch(() => {})
  await close()
  await expect(running).rejects.toThrow()
  await expect(waiting).rejects.toThrow('closed')
})
