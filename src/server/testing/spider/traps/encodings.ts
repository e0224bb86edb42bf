import { encodeBig5, encodeGbk } from '#server/samples/text.ts'
import { linkPage } from '../html-page.ts'
import type { Trap } from '../trap-site.ts'

/** The title that every page has, whatever its bytes. */
export const encodedTitle = '山谷裡的文庫'
const gbk = '<meta charset="gb2312">'
const big5 = '<meta http-equiv="Content-Type" content="text/html; charset=big5">'

const pages: Record<string, { type: string; body: Uint8Array }> = {
  'gbk-header': { type: 'text/html; charset=GBK', body: encodeGbk(html('甲')) },
  'gbk-meta': { type: 'text/html', body: encodeGbk(html('乙', gbk)) },
  'gbk-silent': { type: 'text/html', body: encodeGbk(html('丙')) },
  'gbk-as-utf8': { type: 'text/html; charset=utf-8', body: encodeGbk(html('丁', gbk)) },
  'big5-header': { type: 'text/html; charset=Big5', body: encodeBig5(html('戊')) },
  'big5-meta': { type: 'text/html', body: encodeBig5(html('己', big5)) },
  'utf8-bom-as-gbk': { type: 'text/html; charset=gbk', body: Buffer.from(`\ufeff${html('庚')}`) },
}

/**
 * GBK and Big5 by header and by meta, GBK without a word about it, GBK under a header that says UTF-8 (the bytes are not),
 * and UTF-8 with a BOM under a header that says GBK. All have the same title.
 */
export const encodings: Trap = {
  start: '/encodings/',
  routes: {
    '/encodings/': linkPage('编码', Object.keys(pages)),
    ...Object.fromEntries(
      Object.entries(pages).map(([name, { type, body }]) => [
        `/encodings/${name}`,
        { headers: { 'content-type': type }, body },
      ]),
    ),
  },
}

/** The mark keeps the pages apart: the same content under another address is not read again. */
function html(mark: string, meta = ''): string {
  return `<html><head>${meta}<title>${encodedTitle}</title></head><body><p>${mark}：春天來得很晚，直到四月中旬。</p></body></html>`
}
