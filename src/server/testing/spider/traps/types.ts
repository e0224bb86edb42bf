import { makePdf } from '#server/samples/pdf.ts'
import { makeDocx } from '#server/samples/word.ts'
import { htmlPage, linkPage } from '../html-page.ts'
import type { Trap } from '../trap-site.ts'

const pdf = makePdf({ title: '类型说谎的文件' })

/**
 * The content decides, not the header or the name. A PDF under any header, and at an address without an extension, is a
 * PDF. A login page named .pdf with status 200, a program named .docx, and a picture sent as HTML are refused with a reason.
 */
export const types: Trap = {
  start: '/types/',
  routes: {
    '/types/': linkPage('类型', [
      '/types/as-html.pdf',
      '/types/as-octets.pdf',
      '/types/untyped.pdf',
      '/types/download?id=7',
      '/types/really-word.pdf',
      '/types/login.pdf',
      '/types/program.docx',
      '/types/picture.html',
    ]),
    '/types/as-html.pdf': { headers: { 'content-type': 'text/html; charset=utf-8' }, body: pdf },
    '/types/as-octets.pdf': {
      headers: { 'content-type': 'application/octet-stream' },
      body: makePdf({ title: '八位字节' }),
    },
    '/types/untyped.pdf': { body: makePdf({ title: '没有类型' }) },
    '/types/download': { headers: { 'content-type': 'application/pdf' }, body: makePdf({ title: '没有扩展名' }) },
    '/types/really-word.pdf': {
      headers: { 'content-type': 'application/pdf' },
      body: makeDocx({ title: '其实是 Word' }),
    },
    '/types/login.pdf': {
      headers: { 'content-type': 'application/pdf' },
      body: htmlPage({ title: '请先登录', body: '<form><input name="user"><input type="password"></form>' }),
    },
    '/types/program.docx': { headers: { 'content-type': 'application/msword' }, body: Buffer.from('MZ\x90\0program') },
    '/types/picture.html': {
      headers: { 'content-type': 'text/html' },
      body: Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(5000)]),
    },
  },
}
