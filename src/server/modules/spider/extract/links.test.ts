import { expect, test } from 'vitest'
import { pageRule } from '../../../testing/spider/page-rule.ts'
import { compileRule, extensionOf, fileNameOf } from './links.ts'

const kindOf = (path: string, rule: Parameters<typeof pageRule>[0] = {}) =>
  compileRule(pageRule(rule)).kindOf(new URL(path, 'https://www.example.com/'))

test.each([
  ['/a', 'page'],
  ['/a.html', 'page'],
  ['/a.php?id=1', 'page'],
  ['/v1.2/', 'page'],
  ['/a.pdf', 'item'],
  ['/a.DOCX?v=1', 'item'],
  ['/get.php?name=a.pdf', 'item'],
  ['/viewer.html?file=a.pdf', 'page'],
  ['/a.pdf/x', 'page'],
  ['/a.zip', undefined],
  ['/a.xlsx', undefined],
  ['/logo.svg', undefined],
  ['https://cdn.example.net/a.pdf', 'item'],
  ['https://cdn.example.net/a', undefined],
  ['https://www.example.com:8443/a', undefined],
])('without patterns, %s: %s', (path, kind) => {
  expect(kindOf(path)).toBe(kind)
})

test('what is excluded is neither followed nor taken', () => {
  const rule = { exclude: ['/x/**'], follow: ['/**'], items: ['**.pdf'] }
  expect(kindOf('/x/a', rule)).toBeUndefined()
  expect(kindOf('/x/a.pdf', rule)).toBeUndefined()
  expect(kindOf('/y/a.pdf', rule)).toBe('item')
  expect(kindOf('/y/a', rule)).toBe('page')
})

test('articles are pages of the source that match its patterns', () => {
  const rule = { target: 'article', items: ['/news/*.html'] } as const
  expect(kindOf('/news/1.html', { ...rule, items: [...rule.items] })).toBe('item')
  expect(kindOf('https://other.example.org/news/1.html', { ...rule, items: [...rule.items] })).toBeUndefined()
  expect(kindOf('/news/1.html', { target: 'article' })).toBe('page')
})

test('the next page is followed by the hosts and exclusions alone', () => {
  const { mayFollow } = compileRule(pageRule({ follow: ['/a'], exclude: ['/b'] }))
  expect(mayFollow(new URL('https://www.example.com/c?page=2'))).toBe(true)
  expect(mayFollow(new URL('https://www.example.com/b'))).toBe(false)
  expect(mayFollow(new URL('https://other.example.org/c'))).toBe(false)
})

test('names of files', () => {
  expect(fileNameOf(new URL('https://a.com/x/%E5%B9%B4%E6%8A%A5.pdf?a=b.doc'))).toBe('年报.pdf')
  expect(fileNameOf(new URL('https://a.com/x/%C4%EA%B1%A8.pdf'))).toBe('年报.pdf')
  expect(fileNameOf(new URL('https://a.com/'))).toBe('')
  expect(extensionOf('a.PDF')).toBe('.pdf')
  expect(extensionOf('a')).toBe('')
  expect(extensionOf('a.tar.gz')).toBe('.gz')
})
