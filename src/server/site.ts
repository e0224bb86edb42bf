import type { IncomingMessage } from 'node:http'
import { resolve } from 'node:path'
import { type Context, Hono } from 'hono'
import { compress } from 'hono/compress'
import { cors } from 'hono/cors'
import { contract } from '#shared/contract/contract.ts'
import { errors } from '#shared/errors.ts'
import type { Settings } from '#shared/settings.ts'
import type { Config } from './config.ts'
import type { Ctx, Origin } from './context.ts'
import { docsRoutes } from './http/api/api-docs.ts'
import { toAppError, toErrorResponse } from './http/api/errors.ts'
import { rateLimit, timeLimit } from './http/api/limits.ts'
import { apiPath, isOwnCall, sharedCalls } from './http/api/shared-replies.ts'
import type { FileServer } from './http/files/static-files.ts'
import { isPageRequest, toFailurePage } from './http/pages/failure-page.ts'
import type { PageCache } from './http/pages/page-cache.ts'
import { requestId, requestLog } from './http/server/request-log.ts'
import { securityHeaders } from './http/server/security-headers.ts'
import { manifestRoutes } from './http/site/manifest.ts'
import type { Metrics } from './http/site/metrics/metrics.ts'
import { offlineRoutes } from './http/site/offline.ts'
import { robotsRoutes } from './http/site/robots.ts'
import type { Logger } from './log.ts'
import type { Resumable } from './modules/attachments/uploads/resumable.ts'
import { fileRoutes, tusHeaders } from './modules/attachments/uploads/uploads.routes.ts'
import type { BackupDeps } from './modules/backups/backups.ts'
import { serveBackup } from './modules/backups/file.ts'
import type { TableCache } from './modules/documents/reader/table/table-cache.ts'
import { tableRoutes } from './modules/documents/reader/table/table.routes.ts'
import { viewRoutes } from './modules/documents/reader/view.routes.ts'
import { serveDownload } from './modules/downloads/file.ts'
import { feedRoutes } from './modules/feeds/feeds.routes.ts'
import { sitemapRoutes } from './modules/feeds/sitemap.ts'
import { oauthRedirectRoute } from './modules/oauth/redirect-route.ts'
import { unsubscribeRoutes } from './modules/notifications/unsubscribe.ts'
import { noticeRoutes } from './modules/orders/paying/notices.ts'
import { serveExport } from './modules/privacy/export/file.ts'
import type { PageImages } from './modules/renditions/page-images.ts'
import { adFrameRoutes } from './modules/site/ad-frame.ts'
import { version } from './version.ts'

/** What the HTTP server knows about a request beside the request itself. */
export interface Env {
  incoming?: Pick<IncomingMessage, 'socket'>
}

export interface SiteParts {
  config: Config
  log: Logger
  /** The declared endpoints. */
  api: Hono
  health: Hono
  metrics: Metrics
  pages: PageCache | undefined
  /** To calls that visitors share. */
  replies: PageCache | undefined
  files: FileServer | undefined
  resumable: Resumable
  pageImages: PageImages
  tables: TableCache
  backups: BackupDeps
  settings: () => Promise<Settings>
  /** Of a visitor. */
  context: () => Promise<Ctx>
  /** Of the caller. */
  contextOf: (request: Context) => Promise<Ctx>
  originOf: (request: Pick<Context<{ Bindings: Env }>, 'req' | 'env'>) => Origin
}

const exposedHeaders = ['x-request-id', ...tusHeaders]

/** What `cors` sets on a reply. */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposedHeaders.join(','),
}

const isSharedCall = sharedCalls(contract)

/** Every route of the site in the order in which they are asked: limits first, pages last. */
export function createSite(parts: SiteParts) {
  const { config, log, api, metrics, pages, replies, files, resumable, settings, context, contextOf, originOf } = parts
  const site = new Hono<{ Bindings: Env; Variables: { requestId: string } }>()
  site.onError((thrown, context) => {
    const error = toAppError(thrown, requestId(context), log)
    return isPageRequest(context) ? toFailurePage(error, context) : toErrorResponse(error, context)
  })
  site.use(requestLog(log, metrics.observe))
  site.use(securityHeaders)
  site.route('/', parts.health)
  site.route('/', metrics.routes)
  // Providers are not limited, and need neither a session nor an open site.
  site.route('/', noticeRoutes({ contextOf: context }))
  site.use('/api/*', cors({ origin: '*', exposeHeaders: exposedHeaders }))
  const networkKey = (context: Context) => originOf(context).network
  site.use('/api/*', rateLimit(networkKey, { perSecond: 50, burst: 400 }))
  // Each answer tells a little of the pages beyond the preview: guessing must be slow. Marks on a page that is read do not.
  const limitFinding = rateLimit(networkKey, { perSecond: 3, burst: 60 })
  site.use('/api/v1/document/find', (context, next) =>
    /^[1-9]\d*$/.test(context.req.queries('page')?.join() ?? '') ? next() : limitFinding(context, next),
  )
  site.use('/api/v1/document/table/find', rateLimit(networkKey, { perSecond: 3, burst: 60 }))
  site.use('/api/v1/document/search', rateLimit(networkKey, { perSecond: 5, burst: 250 }))
  site.get(`${apiPath}/*`, async (context, next) => {
    const { raw } = context.req
    if (!replies || isOwnCall((name) => raw.headers.get(name) ?? undefined) || !isSharedCall(new URL(raw.url).pathname))
      return next()
    return replies.serve(raw, networkKey(context))
  })
  const fileApp = new Hono()
  fileRoutes(fileApp, { resumable, folder: resolve(config.dataDir, 'tmp'), contextOf })
  site.route('/', fileApp)
  site.use('/api/*', timeLimit)
  site.use('/api/*', compress())
  site.route('/', oauthRedirectRoute({ contextOf }))
  site.route('/', docsRoutes(contract, version))
  site.route('/', api)
  site.all('/api/*', () => {
    throw errors.request.notFound()
  })
  site.use('/view/*', rateLimit(networkKey, { perSecond: 100, burst: 600 }), timeLimit)
  site.route('/', viewRoutes({ pageImages: parts.pageImages, contextOf: context }))
  site.route('/', tableRoutes({ tables: parts.tables, contextOf: context }))
  site.get('/download/:token', async (request) =>
    serveDownload(await contextOf(request), request.req.param('token'), request.req.raw),
  )
  site.get('/download/export/:token', async (request) =>
    serveExport(await contextOf(request), request.req.param('token'), request.req.raw),
  )
  site.get('/download/backup/:token', async (request) =>
    serveBackup(await contextOf(request), request.req.param('token'), request.req.raw, parts.backups),
  )
  for (const path of ['/feed/*', '/sitemap.xml', '/sitemap/*', '/unsubscribe'])
    site.use(path, rateLimit(networkKey, { perSecond: 5, burst: 60 }), timeLimit)
  site.route('/', adFrameRoutes({ contextOf: context }))
  site.route('/', feedRoutes({ contextOf: context }))
  site.route('/', sitemapRoutes({ contextOf: context }))
  site.route('/', unsubscribeRoutes({ contextOf: context }))
  const read = async (path: string) => {
    const picture = await site.request(path)
    return picture.ok ? new Uint8Array(await picture.arrayBuffer()) : undefined
  }
  site.route('/', robotsRoutes({ settings }))
  site.route('/', manifestRoutes({ settings, read }))
  site.route('/', offlineRoutes({ settings }))
  site.on(['GET', 'HEAD'], '*', timeLimit, async (context) => {
    const file = files?.(context.req.raw)
    if (file) return file
    if (!pages) throw errors.request.notFound()
    return pages.serve(context.req.raw, originOf(context).network)
  })
  site.notFound((context) => toErrorResponse(errors.request.notFound(), context))
  return site
}
