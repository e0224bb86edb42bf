import { expect, test } from 'vitest'
import { safeRedirect } from '#web/lib/redirect.ts'

test.each([
  ['/me/profile', '/me/profile'],
  ['/search?wd=%E6%96%87&type=1#top', '/search?wd=%E6%96%87&type=1#top'],
  ['/category/3?x=https://elsewhere.example/', '/category/3?x=https://elsewhere.example/'],
])('own path %s is followed', (path, target) => {
  expect(safeRedirect(path)).toBe(target)
})

test.each([
  [null],
  [''],
  ['me'],
  ['https://elsewhere.example/'],
  ['//elsewhere.example/'],
  ['/\\elsewhere.example/'],
  ['\\\\elsewhere.example'],
  ['/.//elsewhere.example'],
  ['/a/..//elsewhere.example'],
  ['/\t/elsewhere.example'],
  ['/me\n//elsewhere.example'],
  ['javascript:alert(1)'],
  [' /me'],
  [`/${'a'.repeat(10_000)}`],
  ['/login'],
  ['/login/?redirect=/me'],
  ['/register?redirect=%2Flogin'],
])('%j leads to the fallback', (path) => {
  expect(safeRedirect(path)).toBe('/me')
})

test('the fallback can be chosen', () => {
  expect(safeRedirect('//x', '/')).toBe('/')
})
