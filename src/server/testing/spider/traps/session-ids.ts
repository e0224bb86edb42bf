import { makePdf } from '#server/samples/pdf.ts'
import { linkPage } from '../html-page.ts'
import type { Trap } from '../trap-site.ts'

/**
 * Every answer carries a session of its own in all its links. The two pages and the file behind them are stored once: the
 * names of sessions and of trackers are no part of an address.
 */
export const sessionIds: Trap = {
  start: '/session/',
  routes: {
    '/session/': ({ visit }) => linkPage('首页', linksOf(visit)),
    '/session/list.php': ({ visit, url }) => linkPage('目录', linksOf(visit * 31 + url.search.length)),
    '/session/report.pdf': {
      headers: { 'content-type': 'application/pdf' },
      body: makePdf({ title: '带会话的文件' }),
    },
  },
}

function linksOf(seed: number): string[] {
  const session = (n: number) => `${seed}${n}`.padStart(32, 'a1b2c3d4e5f6')
  return [
    `/session/list.php?PHPSESSID=${session(1)}`,
    `/session/list.php?utm_source=${session(2)}&utm_medium=x`,
    `/session/report.pdf?jsessionid=${session(3)}`,
    `/session/report.pdf?sid=${session(4)}`,
  ]
}
