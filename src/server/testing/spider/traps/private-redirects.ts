import { linkPage, redirect } from '../html-page.ts'
import type { Trap } from '../trap-site.ts'

/**
 * A page and a file that redirect to a private address at the third hop, and direct links to private addresses. None is
 * dialled, and the reason says so. The name leads to the same server, which would see a request for it in its log; the
 * owner has allowed only the number.
 */
export const privateRedirects: Trap = {
  start: '/inwards/',
  routes: {
    '/inwards/': ({ origin }) =>
      linkPage('向内', [
        '/inwards/hop-1',
        '/inwards/hop-1.pdf',
        `${unlisted(origin)}/direct.pdf`,
        `${origin.replace('127.0.0.1', '[::ffff:127.0.0.1]')}/mapped.pdf`,
        'http://169.254.169.254/latest/meta-data/secret.pdf',
        'http://[fe80::1]/router.pdf',
      ]),
    '/inwards/hop-1': redirect('/inwards/hop-2'),
    '/inwards/hop-2': ({ origin }) => redirect(`${unlisted(origin)}/third-hop`),
    '/inwards/hop-1.pdf': redirect('/inwards/hop-2.pdf', 301),
    '/inwards/hop-2.pdf': ({ origin }) => redirect(`${unlisted(origin)}/third-hop.pdf`, 308),
  },
}

/** Redirects to what is not the web, and to an address with a password: no request follows. */
export const schemeRedirects: Trap = {
  start: '/schemes/',
  routes: {
    '/schemes/': linkPage('别的协议', ['/schemes/file.pdf', '/schemes/script.pdf', '/schemes/credentials.pdf']),
    '/schemes/file.pdf': redirect('file:///etc/passwd'),
    '/schemes/script.pdf': redirect('javascript:alert(1)'),
    '/schemes/credentials.pdf': ({ origin }) => redirect(`${origin.replace('//', '//name:word@')}/schemes/secret.pdf`),
    '/schemes/secret.pdf': { status: 500 },
  },
}

function unlisted(origin: string): string {
  return origin.replace('127.0.0.1', 'localhost')
}
