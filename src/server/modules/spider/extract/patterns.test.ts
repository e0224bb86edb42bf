import { describe, expect, test } from 'vitest'
import { compilePatterns, validatePattern } from './patterns.ts'

const matches = (pattern: string, address: string) => compilePatterns([pattern])(new URL(address))

describe('a glob', () => {
  test.each([
    // Path and query.
    ['/docs/*', 'https://a.com/docs/1', true],
    ['/docs/*', 'https://a.com/docs/1?page=2', true],
    ['/docs/*', 'https://a.com/docs/', true],
    ['/docs/*', 'https://a.com/docs/1/2', false],
    ['/docs/*', 'https://a.com/x/docs/1', false],
    ['/docs/**', 'https://a.com/docs/1/2', true],
    ['/docs/**/*.pdf', 'https://a.com/docs/a.pdf', true],
    ['/docs/**/*.pdf', 'https://a.com/docs/1/2/a.pdf', true],
    ['/docs/**/b', 'https://a.com/docs/xb', false],
    ['/docs/**/b', 'https://a.com/docs/x/b', true],
    ['/do**/b', 'https://a.com/do/b', true],
    ['/do**/b', 'https://a.com/dob', false],
    ['/list?page=*', 'https://a.com/list?page=12', true],
    ['/list_??.html', 'https://a.com/list_12.html', true],
    ['/list_??.html', 'https://a.com/list_1.html', false],
    ['/a.b', 'https://a.com/aXb', false],
    ['/a+b(c)[d]', 'https://a.com/a+b(c)[d]', true],
    // Case, Chinese, Punycode.
    ['/Docs/*.PDF', 'https://a.com/docs/a.pdf', true],
    ['/文件/*', 'https://a.com/%E6%96%87%E4%BB%B6/1', true],
    ['例子.中国/**', 'https://xn--fsqu00a.xn--fiqs8s/a/b', true],
    // The whole address.
    ['https://a.com/*', 'https://a.com/1', true],
    ['https://a.com/*', 'http://a.com/1', false],
    ['*://a.com/*', 'http://a.com/1', true],
    ['http*://*.a.com/**', 'https://x.a.com/1/2', true],
    // Without its scheme.
    ['*.a.com/docs/*', 'https://x.a.com/docs/1', true],
    ['**/docs/**', 'https://x.a.com/y/docs/1', true],
    ['**.pdf', 'https://a.com/x/y.pdf', true],
    ['a.com:8080/**', 'https://a.com:8080/x', true],
    // The host, or the last segment.
    ['*.pdf', 'https://a.com/x/y.pdf', true],
    ['*.pdf', 'https://a.com/x.pdf/y', false],
    ['*.a.com', 'https://x.a.com/y', true],
  ])('%s, %s: %s', (pattern, address, expected) => {
    expect(matches(pattern, address)).toBe(expected)
  })

  test('takes time by its length and the address, not by its stars', () => {
    const address = `https://a.com/${'a'.repeat(1_900)}`
    expect(matches(`/${'*a'.repeat(200)}b`, address)).toBe(false)
    expect(matches(`/${'**a'.repeat(150)}b`, address)).toBe(false)
    expect(matches(`/${'*a'.repeat(200)}`, address)).toBe(true)
  })
})

describe('a regular expression', () => {
  test.each([
    [String.raw`/\/doc-\d+\.html/`, 'https://a.com/x/doc-12.html', true],
    [String.raw`/\/doc-\d+\.html$/`, 'https://a.com/x/doc-12.html?a', false],
    ['/DOC/', 'https://a.com/doc', false],
    ['/DOC/i', 'https://a.com/doc', true],
    ['/^https:[/][/]a/', 'https://a.com/doc', true],
    ['/文件/', 'https://a.com/%E6%96%87%E4%BB%B6', true],
    ['/%E6%96/', 'https://a.com/%E6%96%87%E4%BB%B6', true],
    // Slashes inside: a path.
    ['/doc/list', 'https://a.com/doc/list', true],
    ['/doc/list/', 'https://a.com/doc/list/', true],
    ['/doc/list/', 'https://a.com/x/doc/list/', false],
  ])('%s, %s: %s', (pattern, address, expected) => {
    expect(matches(pattern, address)).toBe(expected)
  })

  test('that cannot be compiled is refused', () => {
    expect(() => matches('/(/', 'https://a.com/')).toThrow(expect.objectContaining({ reason: 'bad_rule' }))
  })
})

test('half a character in a pattern matches nothing', () => {
  expect(matches('/\ud800*', 'https://a.com/x')).toBe(false)
})

test('of several patterns one has to match', () => {
  const any = compilePatterns(['/a/*', '/b/i'])
  expect(any(new URL('https://x.com/a/1'))).toBe(true)
  expect(any(new URL('https://x.com/B'))).toBe(true)
  expect(any(new URL('https://x.com/c'))).toBe(false)
  expect(compilePatterns([])(new URL('https://x.com/'))).toBe(false)
})

describe('the form is told what is wrong', () => {
  test.each([
    ['', '请填写地址规则'],
    ['  ', '请填写地址规则'],
    ['/a b/c', '地址规则不能含有空格，每行只写一条'],
    ['ftp://a.com/**', '地址只能以 http:// 或 https:// 开头'],
    ['docs/*', '地址规则要以 / 开头，或写出网站的域名，例如 /docs/** 或 www.example.com/docs/**'],
    ['/(/', '正则表达式有语法错误，请检查括号和反斜杠'],
    ['/docs/', '/docs/ 会被当作正则表达式；要写目录请用 /docs/**，要写正则请加上 i，如 /docs/i'],
    ['/a+/g', '正则表达式的标志只能是 i（不区分大小写）'],
    [`/${'a'.repeat(500)}`, '地址规则不能超过 500 个字符'],
  ])('%j', (pattern, problem) => {
    expect(validatePattern(pattern)).toBe(problem)
  })

  test.each([
    '/docs/**',
    '*.pdf',
    '**',
    'www.example.com/**',
    'localhost:8080/*',
    '*://a.com/*',
    '/(a|b)+/i',
    '/文件/*',
  ])('%s is right', (pattern) => {
    expect(validatePattern(pattern)).toBeUndefined()
  })
})
