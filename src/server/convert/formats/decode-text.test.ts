import { expect, test } from 'vitest'
import { encodeBig5, encodeGbk, makeText } from '#server/samples/text.ts'
import { decodeText, looksLikeText } from './decode-text.ts'

const taiwan = '這個時候他們來到了國家圖書館，發現許多學生還在門口說話，沒有人進去。'

test.each([
  ['UTF-8', Buffer.from(makeText()), makeText()],
  ['UTF-8 with a BOM', Buffer.from(`\ufeff${makeText()}`), makeText()],
  ['GBK', encodeGbk(makeText()), makeText()],
  ['a few words in GBK', encodeGbk('姓名,电话\r\n张伟,13800000000'), '姓名,电话\r\n张伟,13800000000'],
  ['a name in GBK', encodeGbk('欧阳修'), '欧阳修'],
  ['Big5', encodeBig5(taiwan), taiwan],
  ['UTF-16 with a BOM', Buffer.from(`\ufeff${makeText()}`, 'utf16le'), makeText()],
  ['UTF-16 without a BOM', Buffer.from(makeText(), 'utf16le'), makeText()],
  ['big-endian UTF-16 without a BOM', Buffer.from(makeText(), 'utf16le').swap16(), makeText()],
  ['Shift_JIS', Buffer.from('8253834e838982a082ed82b982c482f08365835883678142', 'hex'), '４クラあわせてをテスト。'],
  ['EUC-KR', Buffer.from('bec8b3e7c7cfbcbcbfe420bcbcb0e820b9aebcad', 'hex'), '안녕하세요 세계 문서'],
  ['western', Buffer.from('Caf\xe9 cr\xe8me, na\xefve fa\xe7ade', 'latin1'), 'Café crème, naïve façade'],
  ['plain ASCII', Buffer.from('hello'), 'hello'],
])('%s is decoded', (_, bytes, text) => {
  expect(decodeText(bytes).text).toBe(text)
})

test('a damaged byte does not turn a long text into another encoding', () => {
  const bytes = Buffer.from(makeText())
  bytes[bytes.length - 1] = 0xe4
  expect(decodeText(bytes).encoding).toBe('utf-8')
})

test('a GB18030 character of four bytes is decoded', () => {
  const bytes = Buffer.concat([encodeGbk('人名里有生僻的字，比如'), Buffer.from('8139ee39', 'hex')])
  expect(decodeText(bytes).text).toBe('人名里有生僻的字，比如㐀')
})

test('executables and images do not look like text', () => {
  expect(looksLikeText(Buffer.from('7f454c4602010100000000000000000003003e00', 'hex'))).toBe(false)
  expect(looksLikeText(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'))).toBe(false)
  expect(looksLikeText(encodeGbk(makeText()))).toBe(true)
})
