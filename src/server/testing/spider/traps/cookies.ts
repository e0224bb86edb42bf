import { makePdf } from '#server/samples/pdf.ts'
import { linkPage, redirect } from '../html-page.ts'
import type { Trap } from '../trap-site.ts'

const cookie = { 'set-cookie': ['session=secret; Path=/', 'track=1; Max-Age=99999999'] }

/** Cookies with every answer; none comes back, not in the next request and not behind a redirect. */
export const cookies: Trap = {
  start: '/cookies/',
  routes: {
    '/cookies/': withCookies(linkPage('曲奇', ['/cookies/next.html', '/cookies/redirect', '/cookies/file.pdf'])),
    '/cookies/next.html': withCookies(linkPage('下一页', [])),
    '/cookies/redirect': withCookies(redirect('/cookies/after.html')),
    '/cookies/after.html': withCookies(linkPage('之后', [])),
    '/cookies/file.pdf': withCookies({ headers: {}, body: makePdf({ title: '曲奇' }) }),
  },
}

function withCookies<T extends { headers?: object }>(answer: T): T {
  return { ...answer, headers: { ...answer.headers, ...cookie } }
}
