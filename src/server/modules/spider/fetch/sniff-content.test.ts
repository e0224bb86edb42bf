import { expect, test } from 'vitest'
import { isPage, isWebPage } from './sniff-content.ts'

const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('<html><body>文库', 'utf16le')])

test.each<[string, Buffer | string]>([
  ['HTML', '<!DOCTYPE HTML><html>'],
  ['HTML after a mark, spaces and comments', '\ufeff \r\n<!-- a --><!-- b -->\n<html lang="zh">'],
  ['HTML without its head', '<div class="list">'],
  ['HTML in UTF-16', utf16],
  ['HTML with a stray zero', '<html><title>\0</title>'],
  ['HTML in GBK', Buffer.from('<title>\xce\xc4\xbf\xe2</title>', 'latin1')],
])('%s is a page, and no file', (_, content) => {
  expect(isPage(Buffer.from(content), 'application/octet-stream')).toBe(true)
  expect(isWebPage(Buffer.from(content))).toBe(true)
})

test.each([
  ['a sitemap', '<?xml version="1.0"?><urlset>'],
  ['a feed', '<rss version="2.0">'],
  ['a list of addresses', 'https://example.com/a\nhttps://example.com/b'],
  ['text with markup', '公告 <p>正文</p>'],
  ['nothing', ''],
])('%s can be read as a page', (_, content) => {
  expect(isPage(Buffer.from(content), '')).toBe(true)
  expect(isWebPage(Buffer.from(content))).toBe(false)
})

test.each<[string, Buffer | string]>([
  ['a PDF', '%PDF-1.4\n1 0 obj << /Type /Catalog >>'],
  ['an RTF', '{\\rtf1\\ansi <html> }'],
  ['a ZIP', Buffer.from('PK\x03\x04\x14\x00\x06\x00<html>', 'latin1')],
  ['an old Word file', Buffer.from('d0cf11e0a1b11ae10000', 'hex')],
  ['a picture', Buffer.from('89504e470d0a1a0a0000000d', 'hex')],
  ['a plain text', '一、总则 a < b'],
])('%s is a file', (_, content) => {
  expect(isPage(Buffer.from(content), 'text/plain')).toBe(false)
  expect(isWebPage(Buffer.from(content))).toBe(false)
})

test('text without markup is a page if its server says so', () => {
  expect(isPage(Buffer.from('正在维护'), 'text/html; charset=utf-8')).toBe(true)
  expect(isPage(Buffer.from('89504e470d0a1a0a0000000d', 'hex'), 'text/html')).toBe(false)
})

test('many comments are no trap', () => {
  expect(isWebPage(Buffer.from('<!---->'.repeat(580)))).toBe(false)
})
