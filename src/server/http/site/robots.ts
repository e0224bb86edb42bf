import { Hono } from 'hono'
import type { Settings } from '#shared/settings.ts'

/** What robots may look at: what everybody may, but for the areas that are somebody's own. A closed site is for none. */
export function robotsRoutes({ settings }: { settings: () => Promise<Settings> }): Hono {
  const robots = new Hono()
  robots.get('/robots.txt', async (context) => {
    const { security, system } = await settings()
    const isOpen = !security.is_close && !security.login_required
    const lines = isOpen ? open(system.domain || new URL(context.req.url).origin) : ['Disallow: /']
    return context.text(['User-agent: *', ...lines, ''].join('\n'), 200, { 'cache-control': 'no-cache' })
  })
  return robots
}

/** Pages come whole from the server; of the interface they ask comments for themselves. */
function open(origin: string): string[] {
  return [
    ...['/admin', '/me'].flatMap((area) => [`Disallow: ${area}$`, `Disallow: ${area}/`]),
    'Disallow: /download/',
    'Disallow: /api/',
    'Allow: /api/v1/comment/list',
    '',
    `Sitemap: ${new URL('/sitemap.xml', origin).href}`,
  ]
}
