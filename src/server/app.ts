import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { resolve } from 'node:path'
import { type Context, Hono } from 'hono'
import { compress } from 'hono/compress'
import { cors } from 'hono/cors'
import { contract } from '#shared/contract/contract.ts'
import { errors } from '#shared/errors.ts'
import { isOpenSite } from '#shared/settings.ts'
import { throttle } from './concurrency/throttle.ts'
import type { Config } from './config.ts'
import { anonymous, type Ctx, type Origin } from './context.ts'
import { openConverter } from './convert/open-converter.ts'
import type { OpenDatabase } from './db/open.ts'
import { eventBus } from './events.ts'
import { openFulltext } from './fulltext/open.ts'
import { smtpMail } from './gateways/mail.ts'
import { docsRoutes } from './http/api/api-docs.ts'
import { toAppError, toErrorResponse } from './http/api/errors.ts'
import { rateLimit, timeLimit } from './http/api/limits.ts'
import { mount } from './http/api/mount.ts'
import type { FileServer } from './http/files/static-files.ts'
import { isPageRequest, toFailurePage } from './http/pages/failure-page.ts'
import { openPageCache } from './http/pages/page-cache.ts'
import type { Web } from './http/pages/render.ts'
import { type CachedPages, serveCached } from './http/pages/serve-cached.ts'
import { addressResolver } from './http/server/client-address.ts'
import { toNetwork } from './http/server/network.ts'
import { requestLog, requestLogger } from './http/server/request-log.ts'
import { securityHeaders } from './http/server/security-headers.ts'
import { health } from './http/site/health.ts'
import { manifestRoutes } from './http/site/manifest.ts'
import { openMetrics } from './http/site/metrics/metrics.ts'
import { offlineRoutes } from './http/site/offline.ts'
import { robotsRoutes } from './http/site/robots.ts'
import { startWorkers, type Worker } from './jobs/worker.ts'
import { loadKeys } from './keys.ts'
import type { Logger } from './log.ts'
import { findViewer } from './modules/access/access.viewer.ts'
import { resumableUploads } from './modules/attachments/uploads/resumable.ts'
import { fileRoutes, tusHeaders, tusPath } from './modules/attachments/uploads/uploads.routes.ts'
import { makePictureCookie } from './modules/auth/sessions.ts'
import { openAuditTrail } from './modules/audit/audit.log.ts'
import { openSanitizer } from './modules/articles/articles.sanitizer.ts'
import { rememberDeliveries } from './modules/mail/delivered.ts'
import { documentsOfRendition } from './modules/documents/documents.observer.ts'
import { openProgressWatcher } from './modules/documents/documents.watcher.ts'
import { viewRoutes } from './modules/documents/reader/view.routes.ts'
import { serveDownload } from './modules/downloads/file.ts'
import { feedRoutes } from './modules/feeds/feeds.routes.ts'
import { sitemapRoutes } from './modules/feeds/sitemap.ts'
import { noticeRoutes } from './modules/orders/paying/notices.ts'
import type { ConversionDeps } from './modules/renditions/convert.ts'
import { openPageImages } from './modules/renditions/page-images.ts'
import { resumeConversions } from './modules/renditions/renditions.jobs.ts'
import { enqueueIndexingByContent } from './modules/search/index-documents.ts'
import { enqueueIndexCheck, enqueueIndexing } from './modules/search/indexing.ts'
import { recordSearch } from './modules/search/records.ts'
import { adFrameRoutes } from './modules/site/ad-frame.ts'
import { encryptStoredSecrets } from './modules/settings/secret-settings.ts'
import { settingsStore } from './modules/settings/settings.store.ts'
import { openDailyCounters } from './modules/stats/daily-counters.ts'
import { openViewCounter } from './modules/stats/view-counter.ts'
import { startHeartbeat } from './modules/system/workers.ts'
import { serveExport } from './modules/privacy/export/file.ts'
import { encryptStoredIdentities } from './modules/users/identity/encrypt-stored.ts'
import { jobQueues } from './queues.ts'
import { apiHandlers } from './routes.ts'
import { openCipher } from './secrets/secret-key.ts'
import { sweepTemp } from './storage/disk.ts'
import { openStorage } from './storage/open.ts'
import { version } from './version.ts'

export interface App {
  fetch(request: Request, env?: Env): Response | Promise<Response>
  /** Answers at once from the page cache; says whether it did. */
  serveCached: CachedPages['toNode']
  /** A context for work that no request asked for: jobs and the command line. */
  context(): Promise<Ctx>
  work(): Worker
  /** From now on the site reports that it is stopping. */
  drain(): void
  /** Closes what the app has opened: converters, storage, index. The database is its caller's. */
  close(): Promise<void>
}

/** What the HTTP server knows about a request beside the request itself. */
export interface Env {
  incoming?: Pick<IncomingMessage, 'socket'>
}

export interface Parts {
  config: Config
  database: OpenDatabase
  log: Logger
  now?: () => number
  web?: Web
  files?: FileServer
}

/** Throttles the invalidation of the page cache while documents change all the time. */
const invalidateMs = 700

/** How long an idle worker sleeps before it looks for jobs that another process has enqueued. */
const idleMs = 500

/** The composition root: everything that is shared by requests is created here, or by what is created here. */
export async function createApp({ config, database, log, now = Date.now, web, files }: Parts): Promise<App> {
  const { db } = database
  const keys = await loadKeys(db)
  const cipher = openCipher(config)
  await encryptStoredSecrets(db, cipher)
  await encryptStoredIdentities(db, cipher)
  const storage = await openStorage(config.storageUrl, { dataDir: config.dataDir })
  const converter = openConverter({
    workDir: resolve(config.dataDir, 'convert'),
    documentFolders: ['storage', 'cache/storage', 'convert'].map((name) => resolve(config.dataDir, name)),
    processes: config.convertProcesses,
    allowUnsandboxed: config.unsandboxed,
  })
  const conversion: ConversionDeps = {
    pageImages: openPageImages(resolve(config.dataDir, 'cache/pages')),
    observer: documentsOfRendition,
    workDir: resolve(config.dataDir, 'convert/jobs'),
  }
  await sweepTemp(config.dataDir)
  const resumable = resumableUploads(tusPath, {
    db,
    storage,
    dataDir: config.dataDir,
    remote: config.storageUrl !== '',
  })
  const store = settingsStore(db, { cipher, log })
  const events = eventBus(log)
  const dailyCounters = openDailyCounters({ db, events, keys, log, now })
  const progressWatcher = openProgressWatcher(db)
  const viewCounter = openViewCounter(now)
  const sanitizer = openSanitizer()
  const mail = rememberDeliveries(smtpMail, { db, now })
  const releases = { repository: config.releaseRepository }
  const search = await openFulltext({
    databaseUrl: database.url,
    dataDir: config.dataDir,
    onEmptied: () => {
      context()
        .then((ctx) => enqueueIndexCheck(ctx))
        .catch((error: unknown) => log.error({ error }, 'the index is not filled again'))
    },
  })
  const addressOf = addressResolver(config.trustProxy)
  let isDraining = false

  const nowhere: Origin = { ip: '', network: '', userAgent: '' }
  const contextFor = async (token: string, origin: Origin): Promise<Ctx> => ({
    db,
    keys,
    cipher,
    log,
    now,
    origin,
    mail,
    storage,
    converter,
    search,
    emit: events.emit,
    id: () => randomBytes(16).toString('base64url'),
    settings: await store.current(),
    viewer: token ? await findViewer({ db, keys, now }, token) : anonymous,
  })

  const context = () => contextFor('', nowhere)

  const originOf = ({ req, env }: Pick<Context<{ Bindings: Env }>, 'req' | 'env'>): Origin => {
    const ip = addressOf(env?.incoming?.socket.remoteAddress ?? '', req.header('x-forwarded-for'))
    return { ip, network: toNetwork(ip), userAgent: req.header('user-agent') ?? '' }
  }
  const contextOf = async (request: Context) => {
    const ctx = await contextFor(bearerToken(request), originOf(request))
    if (ctx.viewer.sessionId > 0 && (!isOpenSite(ctx.settings) || proofPaths.test(request.req.path)))
      request.header('set-cookie', makePictureCookie(ctx, ctx.viewer.sessionId))
    return ctx
  }

  const api = new Hono()
  api.onError((error, context) => toErrorResponse(toAppError(error, requestId(context), log), context))
  const handlers = apiHandlers({
    resumable,
    machine: { dataDir: config.dataDir, releases },
    viewCounter,
    sanitizer,
    progressWatcher,
  })
  mount(api, contract, handlers, { contextOf, openAuditTrail })

  const metrics = openMetrics({ db, log, now, version, config, settings: () => store.current() })
  const pages =
    web &&
    openPageCache(metrics.countRenders(web), {
      fetch: (request) => api.fetch(request),
      settings: () => store.current(),
      peekSettings: store.peek,
    })
  const cached = serveCached(pages, requestLogger(log, metrics.observe))
  events.on('settings.changed', () => store.refresh())
  events.on('document.changed', () => progressWatcher.poll())
  events.on('rendition.changed', () => progressWatcher.poll())
  events.on('document.changed', async ({ ids }) => enqueueIndexing(await context(), 'document', ids))
  events.on('article.changed', async ({ ids }) => enqueueIndexing(await context(), 'article', ids))
  events.on('rendition.changed', async ({ hash }) => enqueueIndexingByContent(await context(), hash))
  events.on('search.answered', async (searched) => recordSearch(await context(), searched))
  events.on('settings.changed', () => pages?.invalidate())
  const invalidatePages = () => {
    pages?.invalidate()
    store.invalidate()
  }
  events.on('site.changed', invalidatePages)
  const invalidateSoon = throttle(invalidateMs, invalidatePages)
  events.on('document.changed', invalidateSoon)
  events.on('article.changed', invalidateSoon)

  const site = new Hono<{ Bindings: Env; Variables: { requestId: string } }>()
  site.onError((thrown, context) => {
    const error = toAppError(thrown, requestId(context), log)
    return isPageRequest(context) ? toFailurePage(error, context) : toErrorResponse(error, context)
  })
  site.use(requestLog(log, metrics.observe))
  site.use(securityHeaders)
  site.route(
    '/',
    health(db, () => isDraining),
  )
  site.route('/', metrics.routes)
  // Providers are not limited, and need neither a session nor an open site.
  site.route('/', noticeRoutes({ contextOf: context }))
  site.use('/api/*', cors({ origin: '*', exposeHeaders: ['x-request-id', ...tusHeaders] }))
  const networkKey = (context: Context) => originOf(context).network
  site.use('/api/*', rateLimit(networkKey, { perSecond: 50, burst: 400 }))
  // Each answer tells a little of the pages beyond the preview: guessing must be slow. Marks on a page that is read do not.
  const limitFinding = rateLimit(networkKey, { perSecond: 3, burst: 60 })
  site.use('/api/v1/document/find', (context, next) =>
    /^[1-9]\d*$/.test(context.req.queries('page')?.join() ?? '') ? next() : limitFinding(context, next),
  )
  site.use('/api/v1/document/search', rateLimit(networkKey, { perSecond: 5, burst: 250 }))
  const fileApp = new Hono()
  fileRoutes(fileApp, { resumable, folder: resolve(config.dataDir, 'tmp'), contextOf })
  site.route('/', fileApp)
  site.use('/api/*', timeLimit)
  site.use('/api/*', compress())
  site.route('/', docsRoutes(contract, version))
  site.route('/', api)
  site.all('/api/*', () => {
    throw errors.request.notFound()
  })
  site.use('/view/*', rateLimit(networkKey, { perSecond: 100, burst: 600 }), timeLimit)
  site.route('/', viewRoutes({ pageImages: conversion.pageImages, contextOf: context }))
  site.get('/download/:token', async (request) =>
    serveDownload(await contextOf(request), request.req.param('token'), request.req.raw),
  )
  site.get('/download/export/:token', async (request) =>
    serveExport(await contextOf(request), request.req.param('token'), request.req.raw),
  )
  for (const path of ['/feed/*', '/sitemap.xml', '/sitemap/*'])
    site.use(path, rateLimit(networkKey, { perSecond: 5, burst: 60 }), timeLimit)
  site.route('/', adFrameRoutes({ contextOf: context }))
  site.route('/', feedRoutes({ contextOf: context }))
  site.route('/', sitemapRoutes({ contextOf: context }))
  const settings = () => store.current()
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

  return {
    serveCached: cached.toNode,
    fetch: (request, env = {}) => cached.toRequest(request) ?? site.fetch(request, env),
    context,
    work() {
      const queues = jobQueues({ resumable, releases, conversion, processes: config.convertProcesses })
      const worker = startWorkers(queues, { context, idleMs })
      const heartbeat = startHeartbeat(context)
      const stopWaking = events.on('job.waiting', worker.wake)
      context()
        .then((ctx) => Promise.all([resumeConversions(ctx, conversion), enqueueIndexCheck(ctx)]))
        .catch((error: unknown) => log.error({ error }, 'conversions not resumed'))
      return {
        wake: worker.wake,
        async stop() {
          stopWaking()
          await Promise.all([worker.stop(), heartbeat.stop()])
        },
      }
    },
    drain() {
      isDraining = true
      progressWatcher.close()
    },
    async close() {
      await dailyCounters.close()
      await Promise.all([converter.close(), sanitizer.close(), storage.close(), search.close()])
    },
  }
}

/** Their replies name pictures of payments, which a browser gets by the cookie alone. */
const proofPaths = /^\/api\/v1\/(?:order|upload\/order|attachment)(?:\/|$)/

function bearerToken({ req }: Context): string {
  return /^bearer\s+(\S+)$/i.exec(req.header('authorization') ?? '')?.[1] ?? ''
}

/** Unset for calls that server rendering makes in process. */
function requestId(context: Context): string {
  return context.get('requestId') ?? ''
}
