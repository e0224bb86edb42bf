import { htmlAnswer, htmlPage, linkPage } from '../html-page.ts'
import type { Trap } from '../trap-site.ts'

/** What a page may link to that is no page: nothing of it is requested. `idn` and `ipv6` are web addresses of other hosts. */
const strange = [
  'javascript:alert(1)',
  ' JaVaScRiPt:alert(2)',
  'java\nscript:alert(3)',
  'mailto:a@example.com',
  'tel:110',
  'data:text/html,<a href=/data>',
  'ftp://127.0.0.1/file.pdf',
  'file:///etc/passwd',
  'http://name:word@127.0.0.1/secret.pdf',
  'http://[::1]/ipv6.html',
  'http://例子.测试/idn.html',
  'http://xn--fsqu00a.xn--0zwm56d/idn.html',
  'http://127.0.0.1:99999/port.html',
  'http://',
  '//',
  '',
  '#only-a-fragment',
  '?',
]

/**
 * `<base href>` moves relative links; fragments are no part of an address; addresses that cannot be followed are left out
 * without ending the page.
 */
export const links: Trap = {
  start: '/links/',
  routes: {
    '/links/': linkPage('链接', [...strange, '/links/based.html', '/links/fragments.html']),
    '/links/based.html': htmlAnswer(
      htmlPage({
        title: '有 base 的网页',
        head: '<base href="/moved/"><base href="/second-base-is-ignored/">',
        body: '<a href="here.html">相对</a> <a href="/links/absolute.html">绝对</a>',
      }),
    ),
    '/links/fragments.html': linkPage('片段', ['/moved/here.html#a', '/moved/here.html#b', '/moved/here.html#/route']),
    '/links/absolute.html': linkPage('绝对', []),
    '/moved/here.html': linkPage('搬走的', []),
  },
}
