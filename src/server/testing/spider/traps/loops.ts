import { linkPage, redirect } from '../html-page.ts'
import type { Trap } from '../trap-site.ts'

/**
 * Redirects that never arrive end after a few hops with a reason. Pages that link to themselves and to each other, in
 * several spellings of the same address, are fetched once.
 */
export const loops: Trap = {
  start: '/loops/',
  routes: {
    '/loops/': linkPage('环', ['/loops/ping', '/loops/self', '/loops/longer/0', '/loops/a.html']),
    '/loops/ping': redirect('/loops/pong'),
    '/loops/pong': redirect('/loops/ping'),
    '/loops/self': redirect('/loops/self', 301),
    '/loops/longer/*': ({ url }) => redirect(`/loops/longer/${Number(url.pathname.split('/').at(-1)) + 1}`, 307),
    '/loops/a.html': ({ url }) =>
      linkPage('甲', [
        'a.html',
        '#here',
        './a.html#there',
        '/loops/../loops/a.html',
        url.href.replace('http://127', 'HTTP://127'),
        'b.html',
      ]),
    '/loops/b.html': linkPage('乙', ['a.html', 'b.html', '/loops/']),
  },
}
