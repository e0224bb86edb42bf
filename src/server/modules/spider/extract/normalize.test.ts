import { describe, expect, test } from 'vitest'
import { hashAddress, normalizeAddress } from './normalize.ts'

const base = 'https://www.example.com/docs/list.html'
const normalize = (href: string, dropParams: string[] = []) => normalizeAddress(href, base, dropParams)?.href

describe('links to the same thing have the same address', () => {
  test.each([
    ['a.pdf', 'https://www.example.com/docs/a.pdf'],
    ['../x/./y/../a.pdf', 'https://www.example.com/x/a.pdf'],
    ['/a.pdf#page=3', 'https://www.example.com/a.pdf'],
    ['?page=2', 'https://www.example.com/docs/list.html?page=2'],
    ['//files.example.com/a', 'https://files.example.com/a'],
    ['HTTPS://WWW.Example.COM:443/A', 'https://www.example.com/A'],
    ['http://www.example.com.:80/a?', 'http://www.example.com/a'],
    ['http://www.example.com:8080/a', 'http://www.example.com:8080/a'],
    ['http://例子.中国/文件.pdf', 'http://xn--fsqu00a.xn--fiqs8s/%E6%96%87%E4%BB%B6.pdf'],
    ['http://[2001:DB8::1]/a', 'http://[2001:db8::1]/a'],
    ['/%e6%96%87%7Ex', 'https://www.example.com/%E6%96%87~x'],
    ['  /a\n.pdf ', 'https://www.example.com/a.pdf'],
    ['', 'https://www.example.com/docs/list.html'],
  ])('%j', (href, address) => {
    expect(normalize(href)).toBe(address)
  })
})

describe('what differs from visit to visit is dropped', () => {
  test.each([
    ['/a?utm_source=x&id=1&UTM_medium=y', '/a?id=1'],
    ['/a?spm=1.2.3&fbclid=x&gclid=y', '/a'],
    ['/a?PHPSESSID=abc&b=2&a=1', '/a?b=2&a=1'],
    ['/a?ASPSESSIONIDQQXY=abc&sid=Ab12Cd', '/a'],
    ['/article.asp?sid=12', '/article.asp?sid=12'],
    ['/a.do;jsessionid=1F2E?id=3', '/a.do?id=3'],
    ['/a;JSESSIONID=1F2E/b', '/a/b'],
    ['/app/(S(lit3py55t21z5v55vlm25s55))/a.aspx', '/app/a.aspx'],
    ['/a?&&b=&c', '/a?b=&c'],
  ])('%j', (href, path) => {
    expect(normalize(href)).toBe(`https://www.example.com${path}`)
  })

  test('and what the rule names', () => {
    expect(normalize('/a?From=x&id=1&track_a=1&track_b=2', ['from', 'track_*'])).toBe('https://www.example.com/a?id=1')
  })

  test('the rest stays as it is written', () => {
    expect(normalize('/a?z=1&a=%c4%e3+b&z=2')).toBe('https://www.example.com/a?z=1&a=%C4%E3+b&z=2')
  })
})

test.each([
  'javascript:void(0)',
  ' JaVaScript:alert(1)',
  'mailto:a@example.com',
  'data:text/html,x',
  'ftp://www.example.com/a',
  'file:///etc/passwd',
  'http://user:secret@www.example.com/',
  'http://user@www.example.com/',
  'http://',
  'http://a b/',
  'http://[::1',
])('%j is not crawled', (href) => {
  expect(normalize(href)).toBeUndefined()
})

test('addresses end somewhere', () => {
  expect(normalize('/a/a/a/')).toBe('https://www.example.com/a/a/a/')
  expect(normalize('/a/a/a/a/')).toBeUndefined()
  expect(normalize('/x/a/b/a/b/a/b/y')).toBeDefined()
  expect(normalize('/x/a/b/a/b/a/b/a/b')).toBeUndefined()
  expect(normalize('/a/////b')).toBeUndefined()
  expect(normalize(`/${'a'.repeat(2_000)}`)).toBeUndefined()
  // Escaped, it is longer than it is written.
  expect(normalize(`/${'文'.repeat(700)}`)).toBeUndefined()
})

test.each(['/%%41', '/%4%41', '/%2541', '/%%4141', '/a?x=%2&y=%7e', '/%E6%2E%2E/b', '/;sid=x/;sid=y', '/x/..%2F'])(
  'a normalised address stays as it is: %s',
  (href) => {
    const address = normalize(href) ?? ''
    expect(normalize(address)).toBe(address)
  },
)

test('an address is known by its hash', () => {
  const hash = hashAddress('https://www.example.com/')
  expect(hash).toMatch(/^[\da-f]{64}$/)
  expect(hashAddress(new URL('https://www.example.com'))).toBe(hash)
  expect(hashAddress('https://www.example.com/a')).not.toBe(hash)
})
