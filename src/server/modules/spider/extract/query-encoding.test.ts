import { expect, test } from 'vitest'
import { encodeQuery } from './query-encoding.ts'

test.each([
  ['/list.asp?type=通知#顶', 'gb18030', '/list.asp?type=%CD%A8%D6%AA#顶'],
  ['/文件?a=1', 'gb18030', '/文件?a=1'],
  ['/a?b=臺', 'big5', '/a?b=%BBO'],
  ['/a?b=%CD%A8&c=🙂', 'gb18030', '/a?b=%CD%A8&c=%F0%9F%99%82'],
  ['/a?b=通知', 'utf-8', '/a?b=通知'],
])('%s in %s', (href, encoding, encoded) => {
  expect(decodeEscapedLetters(encodeQuery(href, encoding))).toBe(encoded)
})

/** The second byte may be a letter: escaped or not, it is the same. */
function decodeEscapedLetters(text: string): string {
  return text.replace(/%([4-7][\dA-F])/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
