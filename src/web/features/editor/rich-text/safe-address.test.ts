import { expect, test } from 'vitest'
import { isMediaAddress, linkAddress } from '#web/features/editor/rich-text/safe-address.ts'

test.each(['/uploads/202611/a.png', 'https://example.com/a.png'])('%s is allowed', (address) => {
  expect(isMediaAddress(address)).toBe(true)
})

test.each([
  'data:image/png;base64,AAAA',
  'blob:https://example.com/1',
  'file:///C:/a.png',
  'javascript:alert(1)',
  '//example.com/a.png',
  'http://example.com/a.png',
  '/admin',
  'a.png',
  '',
])('%s is not allowed', (address) => {
  expect(isMediaAddress(address)).toBe(false)
})

test.each([
  ['example.com/a?b=1', 'https://example.com/a?b=1'],
  ['localhost:3000/a', 'https://localhost:3000/a'],
  ['https://例子.中国/路', 'https://例子.中国/路'],
  ['a@example.com', 'mailto:a@example.com'],
  ['mailto:a@example.com', 'mailto:a@example.com'],
  ['/article/about', '/article/about'],
  ['#小节', '#小节'],
  [' http://example.com ', 'http://example.com'],
])('%s leads to %s', (typed, address) => {
  expect(linkAddress(typed)).toBe(address)
})

test.each([
  '',
  'javascript:alert(1)',
  'JaVaScript:alert(1)',
  'data:text/html,a',
  'vbscript:a',
  '你好',
  '//evil.example',
])('%j leads nowhere', (typed) => {
  expect(linkAddress(typed)).toBe('')
})
