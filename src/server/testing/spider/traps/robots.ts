import { linkPage, redirect } from '../html-page.ts'
import type { Trap } from '../trap-site.ts'
import type { Answer } from '../web-server.ts'

const plain = { 'content-type': 'text/plain; charset=utf-8' }

/** A site of an open and a closed page under one robots.txt; each kind needs an origin of its own. */
function robotsTrap(answer: Answer, more: Trap['routes'] = {}): Trap {
  return {
    start: '/list.html',
    routes: {
      '/list.html': linkPage('目录', ['/open.html', '/closed/page.html', '/closed/but-allowed.html']),
      '/open.html': linkPage('公开', []),
      '/closed/*': linkPage('不公开', []),
      '/robots.txt': answer,
      ...more,
    },
  }
}

const text = (lines: string): Answer => ({ headers: plain, body: lines })
const closed = 'User-agent: *\nDisallow: /closed/\nAllow: /closed/but-allowed\n'
/** By RFC 9309: what may be fetched. `all`, `none`, or what the rules say. */
type Permitted = 'all' | 'none' | 'by-rules'

export const robotsKinds: Record<string, { trap: Trap; permitted: Permitted }> = {
  missing: { trap: robotsTrap({ status: 404 }), permitted: 'all' },
  gone: { trap: robotsTrap({ status: 410 }), permitted: 'all' },
  failing: { trap: robotsTrap({ status: 500 }), permitted: 'none' },
  'too many requests': { trap: robotsTrap({ status: 429 }), permitted: 'none' },
  redirected: {
    trap: robotsTrap(redirect('/rules/robots.txt', 301), { '/rules/robots.txt': text(closed) }),
    permitted: 'by-rules',
  },
  // Five redirects may be followed, then it counts as missing.
  'redirected for ever': { trap: robotsTrap(redirect('/robots.txt')), permitted: 'all' },
  // The rule stands at the start; at least 500 KiB are read, and the rest may be left out.
  'two megabytes': { trap: robotsTrap(text(closed + '# filler\n'.repeat(230_000))), permitted: 'by-rules' },
  'byte order mark': { trap: robotsTrap(text(`\ufeff${closed}`)), permitted: 'by-rules' },
  'carriage returns': { trap: robotsTrap(text(closed.replaceAll('\n', '\r'))), permitted: 'by-rules' },
  // The groups of our token are merged; `*` holds only for crawlers without a group.
  groups: {
    trap: robotsTrap(
      text(`User-agent: *
Disallow: /

User-agent: wendoubot
Sitemap: /sitemap.xml
User-agent: another
Disallow: /closed/

User-agent: WendouBot
Allow: /closed/but-allowed$
Allow: /closed/but-allowed.html
`),
    ),
    permitted: 'by-rules',
  },
  'page instead of rules': {
    trap: robotsTrap({ headers: { 'content-type': 'text/html' }, body: '<!doctype html><h1>欢迎' }),
    permitted: 'all',
  },
  everything: { trap: robotsTrap(text('User-agent: *\nDisallow: /\n')), permitted: 'none' },
}

/** At least a second from one request to the next. */
export const crawlDelay = robotsTrap(text(`${closed}Crawl-delay: 1\n`))
