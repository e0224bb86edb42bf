import { expect, test } from 'vitest'
import { allAllowed, nothingAllowed, parseRobots } from './robots.ts'

const product = 'WendouBot'

function allows(robots: string, path: string, as = product): boolean {
  return parseRobots(robots, as).isAllowed(new URL(path, 'https://example.com'))
}

test('without rules everything is allowed', () => {
  for (const robots of ['', '\n\n', '# nothing', 'User-agent: *', 'User-agent: *\nDisallow:', '<html><p>not found']) {
    expect(allows(robots, '/any/thing?x=1')).toBe(true)
  }
  expect(allAllowed.isAllowed(new URL('https://example.com/a'))).toBe(true)
})

test('the group of the product is used, in any case, with or without a version; others only for those without', () => {
  const robots = 'User-agent: *\nDisallow: /\n\nUser-agent: wendoubot/2.0 (docs)\nDisallow: /private'
  expect(allows(robots, '/open')).toBe(true)
  expect(allows(robots, '/private/a')).toBe(false)
  expect(allows(robots, '/open', 'OtherBot')).toBe(false)
  expect(allows('User-agent: Wendou\nDisallow: /', '/')).toBe(true)
  expect(allows('User-agent: WendouBotImages\nDisallow: /', '/')).toBe(true)
})

test('groups of one product are merged', () => {
  const robots = `User-agent: WendouBot\nDisallow: /a\n\nUser-agent: x\nDisallow: /c\n\nUser-agent: WENDOUBOT\nDisallow: /b`
  expect(['/a', '/b', '/c'].map((path) => allows(robots, path))).toEqual([false, false, true])
})

test('several products share a group, also with other records between them', () => {
  const robots = 'User-agent: WendouBot\nSitemap: https://example.com/s.xml\n\nFoo: bar\nUser-agent: b\nDisallow: /a'
  expect([allows(robots, '/a'), allows(robots, '/a', 'b')]).toEqual([false, false])
})

test('a delay is a rule of its group: the product behind it begins another one', () => {
  const robots = 'User-agent: *\nCrawl-delay: 10\n\nUser-agent: BadBot\nDisallow: /'
  expect([allows(robots, '/a'), allows(robots, '/a', 'BadBot')]).toEqual([true, false])
  expect(parseRobots(robots, product).crawlDelayMs).toBe(10_000)
  expect(parseRobots(robots, 'BadBot').crawlDelayMs).toBe(0)
})

test('rules before the first product are ignored', () => {
  expect(allows('Disallow: /\nUser-agent: WendouBot\nDisallow: /a', '/')).toBe(true)
})

test('the longest match wins, and of two equal ones the one that allows', () => {
  const rules = (...lines: string[]) => ['User-agent: *', ...lines].join('\n')
  expect(allows(rules('Allow: /p', 'Disallow: /'), '/page')).toBe(true)
  expect(allows(rules('Disallow: /folder', 'Allow: /folder'), '/folder/page')).toBe(true)
  expect(allows(rules('Allow: /folder', 'Disallow: /folder'), '/folder/page')).toBe(true)
  expect(allows(rules('Allow: /page', 'Disallow: /*.htm'), '/page.htm')).toBe(false)
  expect(allows(rules('Allow: /$', 'Disallow: /'), '/')).toBe(true)
  expect(allows(rules('Allow: /$', 'Disallow: /'), '/page.htm')).toBe(false)
  expect(allows(rules('Disallow: /x/', 'Allow: /x/page.html'), '/x/page.html')).toBe(true)
})

test.each([
  ['/fish', ['/fish', '/fish.html', '/fish/salmon', '/fishheads', '/fish.php?id=1'], ['/Fish.asp', '/catfish', '/']],
  ['/fish*', ['/fish', '/fishheads/yummy'], ['/Fish', '/desert/fish']],
  ['/fish/', ['/fish/', '/fish/salmon'], ['/fish', '/fish.html']],
  ['/*.php', ['/index.php', '/folder/any.php.file/', '/f?x=a.php'], ['/', '/windows.PHP']],
  ['/*.php$', ['/filename.php', '/folder/filename.php'], ['/filename.php?parameters', '/filename.php5']],
  ['/fish*.php', ['/fish.php', '/fishheads/catfish.php?parameters'], ['/Fish.PHP']],
  ['*/a', ['/a', '/b/a'], ['/b']],
  ['*', ['/', '/a'], []],
  ['/a*b*c$', ['/abc', '/a-b-bc', '/a/b/c/c'], ['/acb', '/abcd', '/ac']],
  ['/a**b', ['/ab', '/a//b'], ['/a']],
  ['/ab*b$', ['/abb', '/ab/b'], ['/ab']],
  ['/a$b', ['/a$b', '/a%24bc'], ['/a', '/ab']],
  ['/*?', ['/a?b', '/?b'], ['/a']],
  ['/$', ['/'], ['/a']],
  ['fish', [], ['/fish', '/']],
])('the pattern %s', (pattern, inside, outside) => {
  const robots = `User-agent: *\nDisallow: ${pattern}`
  expect(inside.filter((path) => allows(robots, path))).toEqual([])
  expect(outside.filter((path) => !allows(robots, path))).toEqual([])
})

test.each([
  ['/foo/bar?baz=https://foo.bar', '/foo/bar?baz=https://foo.bar'],
  ['/文库/', '/文库/a.pdf'],
  ['/%e6%96%87', '/文库'],
  ['/文', '/%E6%96%87%E5%BA%93'],
  ['/%62%61%7a', '/baz'],
  ['/baz', '/%62%61%7A'],
  ['/a%2Ab', '/a*b'],
  ['/a b', '/a%20b'],
  ['/%7Euser', '/~user'],
])('the pattern %s and the path %s are the same address', (pattern, path) => {
  expect(allows(`User-agent: *\nDisallow: ${pattern}`, path)).toBe(false)
})

test('an encoded separator is another address', () => {
  expect(allows('User-agent: *\nDisallow: /a%2Fb', '/a/b')).toBe(true)
  expect(allows('User-agent: *\nDisallow: /a%2fb', '/a%2Fb')).toBe(false)
  expect(allows('User-agent: *\nDisallow: /100%', '/100%')).toBe(false)
})

test('a byte order mark, comments, spaces and any line ends are no obstacle', () => {
  expect(allows('\ufeffUser-agent: *\nDisallow: /', '/')).toBe(false)
  const robots = '  USER-AGENT :  *  # all\r\rdisallow\t:\t/a # this\r\nDISALLOW:/b'
  expect(['/a', '/b', '/c'].map((path) => allows(robots, path))).toEqual([false, false, true])
})

test('robots.txt itself is always allowed', () => {
  expect(allows('User-agent: *\nDisallow: /', '/robots.txt')).toBe(true)
  const paths = ['/robots.txt', '/', '/a/robots.txt'].map((path) => new URL(path, 'https://example.com'))
  expect(paths.map((url) => nothingAllowed.isAllowed(url))).toEqual([true, false, false])
})

test.each([
  ['User-agent: *\nCrawl-delay: 5', 5000],
  ['User-agent: *\nCrawl-delay: 0.5\nDisallow: /a', 500],
  ['User-agent: *\nCrawl-delay: 86400', 60_000],
  ['User-agent: *\nCrawl-delay: -5', 0],
  ['User-agent: *\nCrawl-delay: soon', 0],
  ['Crawl-delay: 5', 0],
  ['User-agent: other\nCrawl-delay: 5', 0],
  ['User-agent: *\nCrawl-delay: 9\nDisallow: /a\n\nUser-agent: WendouBot\nCrawl-delay: 2', 2000],
])('the delay of %j is %i ms', (robots, delay) => {
  expect(parseRobots(robots, product).crawlDelayMs).toBe(delay)
})

test('sitemaps are collected from anywhere', () => {
  const robots = 'Sitemap: https://example.com/a.xml\nUser-agent: x\nDisallow: /\nsitemap: /b.xml\nSitemap:'
  expect(parseRobots(robots, product).sitemaps).toEqual(['https://example.com/a.xml', '/b.xml'])
})

test('a hostile pattern costs no more than an ordinary one', () => {
  const path = `/${'a'.repeat(8000)}`
  expect(allows(`User-agent: *\nDisallow: /${'a*'.repeat(100_000)}b`, path)).toBe(true)
  expect(allows(`User-agent: *\nDisallow: /${'*a'.repeat(7000)}$`, path)).toBe(false)
  const many = Array.from({ length: 20_000 }, (_, index) => `Disallow: /*a*a*b${index}$`).join('\n')
  expect(allows(`User-agent: *\n${many}`, path)).toBe(true)
})
