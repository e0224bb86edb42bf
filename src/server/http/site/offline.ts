import { createHash } from 'node:crypto'
import { Hono } from 'hono'
import type { Settings } from '#shared/settings.ts'
import { serviceWorkerPolicy } from '../server/security-headers.ts'
import { plainPageHeaders, renderPlainPage } from './plain-page.ts'
import { renderServiceWorker } from './service-worker.ts'

/** The offline page, and the service worker that shows it for pages that the visitor has not read before. */
export function offlineRoutes({ settings }: { settings: () => Promise<Settings> }): Hono {
  const routes = new Hono()
  const page = async () =>
    renderPlainPage({
      sitename: (await settings()).system.sitename || '文豆',
      title: '暂时连不上网络',
      text: '这个页面没能打开。请检查网络连接后重试；网络恢复时，它会自己打开。',
    })
  routes.get('/offline', async (context) => context.html(await page(), 200, plainPageHeaders))
  // A changed page changes the worker, so browsers update their cache.
  routes.get('/service-worker.js', async (context) => {
    const version = createHash('sha256')
      .update(await page())
      .digest('base64url')
      .slice(0, 12)
    return context.body(renderServiceWorker(version), 200, {
      'content-type': 'text/javascript; charset=utf-8',
      'content-security-policy': serviceWorkerPolicy,
      'cache-control': 'no-cache',
    })
  })
  return routes
}
