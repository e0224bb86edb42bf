import { Hono } from 'hono'
import { isOpenSite, type Settings } from '#shared/settings.ts'

/** Crawlers may read public pages; a site that is closed or requires login disallows everything. */
export function robotsRoutes({ settings }: { settings: () => Promise<Settings> }): Hono {
  const robots = new Hono()
  robots.get('/robots.txt', async (context) => {
    const current = await settings()
    const lines = isOpenSite(current) ? open(current.system.domain) : ['Disallow: /']
    return context.text(['User-agent: *', ...lines, ''].join('\n'), 200, { 'cache-control': 'no-cache' })
  })
  return robots
}

/**
 * Pages are rendered by the server, except for comments, which they load from the API. The sitemap needs a full address,
 * and only the owner knows the site's: the host of a request is whatever its sender says.
 */
function open(domain: string): string[] {
  return [
    ...['/admin', '/me'].flatMap((area) => [`Disallow: ${area}$`, `Disallow: ${area}/`]),
    'Disallow: /download/',
    'Disallow: /api/',
    'Allow: /api/v1/comment/list',
    ...(domain ? ['', `Sitemap: ${new URL('/sitemap.xml', domain).href}`] : []),
  ]
}
