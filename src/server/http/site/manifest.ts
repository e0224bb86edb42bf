import { createHash } from 'node:crypto'
import { type Context, Hono } from 'hono'
import type { Settings } from '#shared/settings.ts'
import { iconVersion, makeIcon } from './icons.ts'
import { timeLimit } from '../api/limits.ts'

interface Given {
  settings: () => Promise<Settings>
  /** The bytes of a picture on this site. */
  read: (path: string) => Promise<Uint8Array | undefined>
}

/** What lets people put the site among their programs: its name, its colours and its icons. */
export function manifestRoutes({ settings, read }: Given): Hono {
  const routes = new Hono()
  routes.get('/manifest.webmanifest', async (context) => {
    const body = JSON.stringify(manifestOf(await settings()))
    return answer(context, body, { type: 'application/manifest+json; charset=utf-8', cache: 'no-cache' })
  })
  const icon = async (context: Context, name: string) => {
    const source = sourceOf(await settings())
    const made = await makeIcon(name, { ...source, read })
    if (!made) return context.notFound()
    const isNamed = context.req.query('v') === iconVersion(source)
    const lasting = isNamed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600'
    const cache = made.makeshift ? 'no-cache' : lasting
    return answer(context, new Uint8Array(made.bytes), { type: 'image/png', cache })
  }
  routes.get('/icons/:name', timeLimit, (context) => icon(context, context.req.param('name')))
  routes.get('/favicon.ico', timeLimit, (context) => icon(context, '48.png'))
  return routes
}

function manifestOf(settings: Settings) {
  const { sitename, description, theme_color } = settings.system
  const name = sitename || '文豆'
  const version = iconVersion(sourceOf(settings))
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
    theme_color,
    background_color: '#ffffff',
    icons: [icon('192.png', 192, 'any'), icon('512.png', 512, 'any'), icon('maskable.png', 512, 'maskable')],
  }
}

/** A logo is often wide: what was chosen to be small and square comes first. */
function sourceOf({ system }: Settings) {
  return { picture: system.favicon || system.logo, color: system.theme_color }
}

function answer(
  context: Context,
  body: string | Uint8Array<ArrayBuffer>,
  { type, cache }: { type: string; cache: string },
): Response {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  const headers = { 'content-type': type, 'cache-control': cache, etag }
  const isKept = context.req.header('if-none-match') === etag
  return isKept ? context.body(null, 304, headers) : context.body(body, 200, headers)
}
