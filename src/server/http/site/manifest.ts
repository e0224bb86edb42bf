import { createHash } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { accentOf } from '#shared/palettes.ts'
import type { Settings } from '#shared/settings.ts'
import { iconVersion, openIcons } from './icons.ts'
import { timeLimit } from '../api/limits.ts'

interface Deps {
  settings: () => Promise<Settings>
  /** The bytes of an image on this site. */
  read: (path: string) => Promise<Uint8Array | undefined>
}

/** The web app manifest, which makes the site installable, and its icons. */
export function manifestRoutes({ settings, read }: Deps): Hono {
  const routes = new Hono()
  const icons = openIcons()
  routes.get('/manifest.webmanifest', async (context) => {
    const body = JSON.stringify(createManifest(await settings()))
    return respond(context, body, { type: 'application/manifest+json; charset=utf-8', cache: 'no-cache' })
  })
  const icon = async (context: Context, name: string) => {
    const source = getIconSource(await settings())
    const rendered = await icons.get(name, { ...source, read })
    if (!rendered) return context.notFound()
    const isVersioned = context.req.query('v') === iconVersion(source)
    const versioned = isVersioned ? 'public, max-age=31536000, immutable' : 'public, max-age=3600'
    const cache = rendered.isFallback ? 'no-cache' : versioned
    return respond(context, new Uint8Array(rendered.bytes), { type: 'image/png', cache })
  }
  routes.get('/icons/:name', timeLimit, (context) => icon(context, context.req.param('name')))
  routes.get('/favicon.ico', timeLimit, (context) => icon(context, '48.png'))
  return routes
}

function createManifest(settings: Settings) {
  const { sitename, description } = settings.system
  const name = sitename || '文豆'
  const version = iconVersion(getIconSource(settings))
  const icon = (file: string, side: number, purpose: 'any' | 'maskable') => ({
    src: `/icons/${file}?v=${version}`,
    sizes: `${side}x${side}`,
    type: 'image/png',
    purpose,
  })
  return {
    id: '/',
    name,
    short_name: name.slice(0, 12),
    ...(description && { description }),
    lang: 'zh-CN',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    theme_color: themeColor(settings),
    background_color: '#ffffff',
    icons: [icon('192.png', 192, 'any'), icon('512.png', 512, 'any'), icon('maskable.png', 512, 'maskable')],
  }
}

function themeColor({ display, system }: Settings): string {
  return accentOf(display.palette, system.theme_color)
}

/** The favicon first, as it is square, while a logo is often wide. */
function getIconSource(settings: Settings) {
  const { system } = settings
  return { picture: system.favicon || system.logo, color: themeColor(settings) }
}

function respond(
  context: Context,
  body: string | Uint8Array<ArrayBuffer>,
  { type, cache }: { type: string; cache: string },
): Response {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  const headers = { 'content-type': type, 'cache-control': cache, etag }
  const isCached = context.req.header('if-none-match') === etag
  return isCached ? context.body(null, 304, headers) : context.body(body, 200, headers)
}
