import { makePdf } from '#server/samples/pdf.ts'
import { htmlAnswer, htmlPage, linkPage } from '../html-page.ts'
import type { Trap } from '../trap-site.ts'

/**
 * Content that is another at each visit: a page with the time in it, a list that grows while it is read, and a file whose
 * validators stay while its bytes change. A run takes each once.
 */
export const changing: Trap = {
  start: '/changing/',
  routes: {
    '/changing/': ({ visit }) =>
      linkPage(`第 ${visit} 次`, ['/changing/clock.html', '/changing/report.pdf', `/changing/page-${visit}.html`]),
    '/changing/clock.html': ({ visit }) =>
      htmlAnswer(htmlPage({ title: `${visit} 点`, body: '<a href="/changing/">返回</a>' })),
    '/changing/*': linkPage('新的一页', ['/changing/']),
    '/changing/report.pdf': ({ visit }) => ({
      headers: { 'content-type': 'application/pdf', etag: '"the same"' },
      body: makePdf({ title: `第 ${visit} 版` }),
    }),
  },
}
