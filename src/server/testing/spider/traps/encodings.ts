import { encodeBig5, encodeGbk } from '#server/samples/text.ts'
import { linkPage } from '../html-page.ts'
import type { Trap } from '../trap-site.ts'

/** The title that every page has, whatever its bytes. */
export const encodedTitle = '山谷裡的文庫'
const html = (meta: string) =>
  `<html><head>${meta}<title>${encodedTitle}</title></head><body><p>春天來得很晚，直到四月中旬。</p></body></html>`
const gbk = '<meta charset="gb2312">'
const big5 = '<meta http-equiv="Content-Type" content="text/html; charset=big5">'

/**
 * GBK and Big5 by header, by meta, and without a word about it; a GBK page whose header says UTF-8 (the bytes are not); UTF-8
 * with a BOM under a header that says GBK. All have the same title.
 */
export const encodings: Trap = {
  start: '/encodings/',
  routes: {
    '/encodings/': linkPage('编码', [
      'gbk-header',
      'gbk-meta',
      'gbk-silent',
      'gbk-as-utf8',
      'big5-header',
      'big5-meta',
      'bom',
    ]),
    '/encodings/gbk-header': page('text/html; charset=GBK', encodeGbk(html(''))),
    '/encodings/gbk-meta': page('text/html', encodeGbk(html(gbk))),
    '/encodings/gbk-silent': page('text/html', encodeGbk(html(''))),
    '/encodings/gbk-as-utf8': page('text/html; charset=utf-8', encodeGbk(html(gbk))),
    '/encodings/big5-header': page('text/html; charset=Big5', encodeBig5(html(''))),
    '/encodings/big5-meta': page('text/html', encodeBig5(html(big5))),
    '/encodings/bom': page('text/html; charset=gbk', Buffer.from(`\ufeff${html('')}`)),
  },
}

function page(type: string, body: Uint8Array) {
  return { headers: { 'content-type': type }, body }
}
