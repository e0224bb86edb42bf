import { describe, expect, test } from 'vitest'
import { encodeBig5, encodeGbk } from '../../../samples/text.ts'
import { decodeBody } from './charset.ts'

const text = '<p>深圳市人民政府关于印发年度报告的通知</p>'
const traditional = '<p>臺灣圖書館的電子書</p>'
const utf8 = Buffer.from(text)
const gbk = encodeGbk(text)
const big5 = encodeBig5(traditional)
const withMeta = (charset: string, body: Uint8Array) => Buffer.concat([Buffer.from(`<meta charset=${charset}>`), body])
const decode = (body: Uint8Array, contentType = 'text/html') => decodeBody(body, contentType).text

describe('the page is decoded by', () => {
  test('its byte order mark, against all declarations', () => {
    expect(decode(Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), utf8]), 'text/html; charset=gbk')).toBe(text)
    expect(decode(Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(text, 'utf16le')]))).toBe(text)
    expect(decode(Buffer.concat([Buffer.of(0xfe, 0xff), Buffer.from(text, 'utf16le').swap16()]))).toBe(text)
  })

  test('what the server says', () => {
    expect(decode(gbk, 'text/html; charset="GB2312"')).toBe(text)
    expect(decode(gbk, 'text/html;charset=gbk')).toBe(text)
    expect(decode(big5, 'text/html; charset=Big5')).toBe(traditional)
  })

  test('what the page says', () => {
    expect(decode(withMeta('"big5"', big5))).toContain(traditional)
    const older = `<META http-equiv="Content-Type" content="text/html; charset=big5">`
    expect(decode(Buffer.concat([Buffer.from(older), big5]))).toContain(traditional)
    expect(decode(Buffer.concat([Buffer.from('<?xml version="1.0" encoding="big5"?>'), big5]))).toContain(traditional)
  })

  test('its bytes where nothing is said, or nonsense', () => {
    expect(decode(utf8)).toBe(text)
    expect(decode(gbk)).toBe(text)
    expect(decode(gbk, 'text/html; charset=chinese-klingon')).toBe(text)
    expect(decode(Buffer.concat([Buffer.alloc(1_024, 0x20), withMeta('big5', gbk)])).trim()).toContain(text)
  })
})

describe('a wrong declaration is noticed', () => {
  test('UTF-8 that is GBK', () => {
    expect(decode(gbk, 'text/html; charset=utf-8')).toBe(text)
    expect(decode(withMeta('utf-8', gbk))).toContain(text)
  })

  test('GBK or Big5 that is UTF-8', () => {
    expect(decode(utf8, 'text/html; charset=gbk')).toBe(text)
    expect(decode(withMeta('big5', utf8))).toContain(text)
  })

  test('the default of the web server', () => {
    expect(decode(withMeta('gbk', gbk), 'text/html; charset=ISO-8859-1')).toContain(text)
    expect(decode(gbk, 'text/html; charset=ISO-8859-1')).toBe(text)
    expect(decode(utf8, 'text/html; charset=ISO-8859-1')).toBe(text)
  })

  test('UTF-16, which the letters of the declaration rule out', () => {
    expect(decode(withMeta('utf-16', utf8))).toContain(text)
  })
})

test('a character that was cut in half does not make a page GBK', () => {
  const cut = Buffer.concat([Buffer.from(text.repeat(20)), utf8.subarray(0, 7), Buffer.from('...')])
  expect(decode(cut, 'text/html; charset=utf-8')).toContain(text)
})

test('short GBK is not taken for UTF-8', () => {
  expect(decode(encodeGbk('联通'), 'text/html; charset=gbk')).toBe('联通')
})
