import { makePdf } from '#server/samples/pdf.ts'
import { linkPage } from '../html-page.ts'
import type { Trap, TrapHandler } from '../trap-site.ts'

/** 429 at the first visit, with seconds: the host is left alone for that long, then the file comes. */
export const tooManyRequests: Trap = {
  start: '/busy/',
  routes: {
    '/busy/': linkPage('繁忙', ['/busy/report.pdf', '/busy/other.pdf']),
    '/busy/report.pdf': onceRefused(429, () => '90'),
    '/busy/other.pdf': { body: makePdf({ title: '另一份' }) },
  },
}

/** The same, with a date of the site's clock. */
export function tooManyRequestsUntil(date: () => Date): Trap {
  return { start: '/busy-until.pdf', routes: { '/busy-until.pdf': onceRefused(429, () => date().toUTCString()) } }
}

/** Never well again: given up after some tries with growing pauses, with a reason. */
export const unavailable: Trap = {
  start: '/unavailable.pdf',
  routes: { '/unavailable.pdf': { status: 503, headers: { 'retry-after': '30' } } },
}

/** Statuses that do not pass: not tried again, each with its reason. */
export const statuses: Trap = {
  start: '/statuses/',
  routes: {
    '/statuses/': linkPage(
      '状态',
      ['404', '410', '401', '403', '204', '206'].map((status) => `/statuses/${status}.pdf`),
    ),
    '/statuses/*': ({ url }) => ({ status: Number(/\d+/.exec(url.pathname)?.[0]) }),
  },
}

function onceRefused(status: number, retryAfter: () => string): TrapHandler {
  return ({ visit }) =>
    visit === 1
      ? { status, headers: { 'retry-after': retryAfter() } }
      : { headers: { 'content-type': 'application/pdf' }, body: makePdf({ title: '晚来的文件' }) }
}
