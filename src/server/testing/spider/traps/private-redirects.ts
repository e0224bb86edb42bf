import { linkPage, redirect } from '../html-page.ts'
import type { Trap } from '../trap-site.ts'

/**
 * A page and a file that redirect to a private address at the third hop, and direct links to private addresses. None is
 * dialled, and the reason says so. `privateOrigin` is a server of this machine under a name that the owner did not allow.
 */
export function privateRedirects(privateOrigin: string): Trap {
  return {
    start: '/inwards/',
    routes: {
      '/inwards/': linkPage('向内', [
        '/inwards/hop-1',
        '/inwards/hop-1.pdf',
        `${privateOrigin}/direct.pdf`,
        'http://169.254.169.254/latest/meta-data/secret.pdf',
        'http://[fe80::1]/router.pdf',
      ]),
      '/inwards/hop-1': redirect('/inwards/hop-2'),
      '/inwards/hop-2': redirect(`${privateOrigin}/third-hop`),
      '/inwards/hop-1.pdf': redirect('/inwards/hop-2.pdf', 301),
      '/inwards/hop-2.pdf': redirect(`${privateOrigin}/third-hop.pdf`, 308),
      '/inwards/https.pdf': redirect(privateOrigin.replace('http:', 'https:'), 302),
    },
  }
}

/** Redirects to what is not the web: no request follows. */
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
