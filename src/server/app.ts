import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { resolve } from 'node:path'
import { type Context, Hono } from 'hono'
import { compress } from 'hono/compress'
import { cors } from 'hono/cors'
import { contract } from '#shared/contract/contract.ts'
import { errors } from '#shared/errors.ts'
import { mountModules } from './routes.ts'
import { atMostEvery } from './concurrency/throttle.ts'
import type { Config } from './config.ts'
import { anonymous, type Ctx, type Origin } from './context.ts'
import { openConverter } from './convert/open-converter.ts'
import type { OpenDatabase } from './db/open.ts'
import { eventBus } from './events.ts'
import { smtpMail } from './gateways/mail.ts'
import { apiDocs, docsPolicy } from './http/api/api-docs.ts'
import { clientAddress } from './http/server/client-address.ts'
import { declared, toResponse } from './http/api/errors.ts'
import type { FileServer } from './http/files/static-files.ts'
import { securityHeaders } from './http/server/security-headers.ts'
import { health } from './http/site/health.ts'
import { keptPages, type KeptPages } from './http/pages/serve-cached.ts'
import { jsonLimit, rateLimit, timeLimit } from './http/api/limits.ts'
import { manifestRoutes } from './http/site/manifest.ts'
import { offlineRoutes } from './http/site/offline.ts'
import { openApi } from './http/api/openapi.ts'
import { openMetrics } from './http/site/metrics/metrics.ts'
import { requestLog, requestNote } from './http/server/request-log.ts'
import { robotsRoutes } from './http/site/robots.ts'
import { pages, type Web } from './http/pages/page-cache.ts'
import { startWorkers, type Worker } from './jobs/worker.ts'
import { loadKeys } from './keys.ts'
import { lanesOf } from './queues.ts'
import type { Logger } from './log.ts'
import { networkOf } from './http/server/network.ts'
import { enqueueCheck, enqueueFiling } from './modules/search/indexing.ts'
import { openSearch } from './fulltext/open.ts'
import { sweepTemp } from './storage/disk.ts'
import { openStorage } from './storage/open.ts'
import { viewerOf } from './modules/access/access.viewer.ts'
import { resumableUploads } from './modules/attachments/uploads/resumable.ts'
import { fileRoutes, tusHeaders, tusPath } from './modules/attachments/uploads/uploads.routes.ts'
import { beginConversions } from './modules/documents/documents.jobs.ts'
import { enqueueIndexingOf } from './modules/search/index-documents.ts'
import { watchOf } from './modules/documents/documents.watcher.ts'
import { openPictures } from './modules/renditions/page-images.ts'
import { viewRoutes } from './modules/documents/reader/view.routes.ts'
import { serveDownload } from './modules/downloads/file.ts'
import { recordSearch } from './modules/search/records.ts'
import { feedRoutes } from './modules/feeds/feeds.routes.ts'
import { sitemapRoutes } from './modules/feeds/sitemap.ts'
import { settingsStore } from './modules/settings/settings.store.ts'
import { openTallies } from './modules/stats/daily-counters.ts'
import { version } from './version.ts'

export interface App {
  fetch(request: Request, env?: Env): Response | Promise<Response>
  /** Answers at once if a kept page does; says whether it did. */
  kept: KeptPages['toNode']
  /** A context for work that no request asked for: jobs and the command line. */
  context(): Promise<Ctx>
  work(): Worker
  /** From now on the site says that it is going away. */
  drain(): void
  /** Ends what the app has opened: converters and the storage. The database is its caller's. */
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

/** While documents change without end, pages are kept for so long. With what other processes add, it is under a second. */
const renewMs = 700

/** How long a worker with nothing to do waits before it looks for jobs that another process has left. */
const restMs = 500

/** The composition root: everything is put together here, and only here. */
export async function createApp({ config, database, log, now = Date.now, web, files }: Parts): Promise<App> {
  const { db } = database
  const keys = await loadKeys(db)
  const storage = await openStorage(config.storageUrl, { dataDir: config.dataDir })
  const converter = openConverter({
    folder: resolve(config.dataDir, 'convert'),
    documents: ['storage', 'cache/storage', 'convert'].map((name) => resolve(config.dataDir, name)),
    processes: config.convertProcesses,
    unsandboxed: config.unsandboxed,
  })
  const workshop = {
    pictures: openPictures(resolve(config.dataDir, 'cache/pages')),
    folder: resolve(config.dataDir, 'convert/jobs'),
  }
  await sweepTemp(config.dataDir)
  const resumable = resumableUploads(tusPath, {
    db,
    storage,
    dataDir: config.dataDir,
    remote: config.storageUrl !== '',
  })
  const store = settingsStore(db)
  const events = eventBus(log)
  const tallies = openTallies({ db, events, keys, log, now })
  const releases = { repository: config.releaseRepository }
  const search = await openSearch({
    databaseUrl: database.url,
    dataDir: config.dataDir,
    onEmptied: () => {
      context()
        .then((ctx) => enqueueCheck(ctx))
        .catch((error: unknown) => log.error({ error }, 'the index is not filled again'))
    },
  })
  const addressOf = clientAddress(config.trustProxy)
  let draining = false

  const nowhere: Origin = { ip: '', network: '', userAgent: '' }
  const contextFor = async (token: string, origin: Origin): Promise<Ctx> => ({
    db,
    keys,
    log,
    now,
    origin,
    mail: smtpMail,
    storage,
    converter,
    search,
    emit: events.emit,
    id: () => randomBytes(16).toString('base64url'),
    settings: await store.current(),
    viewer: token ? await viewerOf({ db, keys, now }, token) : anonymous,
  })

  const context = () => contextFor('', nowhere)

  const originOf = ({ req, env }: Pick<Context<{ Bindings: Env }>, 'req' | 'env'>): Origin => {
    const ip = addressOf(env?.incoming?.socket.remoteAddress ?? '', req.header('x-forwarded-for'))
    return { ip, network: networkOf(ip), userAgent: req.header('user-agent') ?? '' }
  }
  const requestContext = (request: Context) => contextFor(bearer(request), originOf(request))

  const api = new Hono()
  api.onError((error, context) => toResponse(declared(error, requestId(context), log), context))

  mountModules(api, { contextOf: requestContext, resumable, machine: { dataDir: config.dataDir, releases } })

  const metrics = openMetrics({ db, log, now, version, config, settings: () => store.current() })
  const html =
    web &&
    pages(metrics.counted(web), {
      fetch: (request) => api.fetch(request),
      settings: () => store.current(),
      knownSettings: store.known,
    })
  const kept = keptPages(html, requestNote(log, metrics.observe))
  events.on('settings.changed', () => store.refresh())
  events.on('document.changed', () => watchOf(db).look())
  events.on('rendition.changed', () => watchOf(db).look())
  events.on('document.changed', async ({ ids }) => enqueueFiling(await context(), 'document', ids))
  events.on('article.changed', async ({ ids }) => enqueueFiling(await context(), 'article', ids))
  events.on('rendition.changed', async ({ hash }) => enqueueIndexingOf(await context(), hash))
  events.on('search.answered', async (searched) => recordSearch(await context(), searched))
  events.on('settings.changed', () => html?.forget())
  const renewPages = () => {
    html?.forget()
    store.outdate()
  }
  events.on('site.changed', renewPages)
  const renewSoon = atMostEvery(renewMs, renewPages)
  events.on('document.changed', renewSoon)
  events.on('article.changed', renewSoon)

  // Hardly anybody asks for these: they are made when somebody does.
  let specification: ReturnType<typeof openApi> | undefined
  let documentation: string | undefined

  const site = new Hono<{ Bindings: Env; Variables: { requestId: string } }>()
  site.onError((error, context) => toResponse(declared(error, requestId(context), log), context))
  site.use(requestLog(log, metrics.observe))
  site.use(securityHeaders)
  site.route(
    '/',
    health(db, () => draining),
  )
  site.route('/', metrics.routes)
  site.use('/api/*', cors({ origin: '*', exposeHeaders: ['x-request-id', ...tusHeaders] }))
  site.use(
    '/api/*',
    rateLimit((context) => originOf(context).network, { perSecond: 50, burst: 400 }),
  )
  const fileApp = new Hono()
  fileRoutes(fileApp, { resumable, folder: resolve(config.dataDir, 'tmp'), contextOf: requestContext })
  site.route('/', fileApp)
  site.use('/api/*', jsonLimit)
  site.use('/api/*', timeLimit)
  site.use('/api/*', compress())
  site.get('/api/v1/openapi.json', (context) => context.json((specification ??= openApi(contract, version))))
  site.get('/api/docs', (context) =>
    context.html((documentation ??= apiDocs(contract, version)), 200, { 'content-security-policy': docsPolicy }),
  )
  site.route('/', api)
  site.all('/api/*', () => {
    throw errors.request.notFound()
  })
  site.use(
    '/view/*',
    rateLimit((context) => originOf(context).network, { perSecond: 100, burst: 600 }),
    timeLimit,
  )
  site.route('/', viewRoutes({ pictures: workshop.pictures, contextOf: () => contextFor('', nowhere) }))
  site.get('/download/:token', async (context) =>
    serveDownload(await requestContext(context), context.req.param('token'), context.req.raw),
  )
  for (const path of ['/feed/*', '/sitemap.xml', '/sitemap/*'])
    site.use(
      path,
      rateLimit((context) => originOf(context).network, { perSecond: 5, burst: 60 }),
      timeLimit,
    )
  // What everybody may see, whoever asks.
  site.route('/', feedRoutes({ contextOf: context }))
  site.route('/', sitemapRoutes({ contextOf: context }))
  const current = () => store.current()
  const read = async (path: string) => {
    const picture = await site.request(path)
    return picture.ok ? new Uint8Array(await picture.arrayBuffer()) : undefined
  }
  site.route('/', robotsRoutes({ settings: current }))
  site.route('/', manifestRoutes({ settings: current, read }))
  site.route('/', offlineRoutes({ settings: current }))
  site.on(['GET', 'HEAD'], '*', timeLimit, async (context) => {
    const file = files?.(context.req.raw)
    if (file) return file
    if (!html) throw errors.request.notFound()
    return html.answer(context.req.raw, originOf(context).network)
  })
  site.notFound((context) => toResponse(errors.request.notFound(), context))

  return {
    kept: kept.toNode,
    fetch: (request, env = {}) => kept.toRequest(request) ?? site.fetch(request, env),
    context,
    work() {
      const lanes = lanesOf({ resumable, releases, workshop, processes: config.convertProcesses })
      const worker = startWorkers(lanes, { context, restMs })
      events.on('job.waiting', worker.wake)
      context()
        .then((ctx) => Promise.all([beginConversions(ctx, workshop), enqueueCheck(ctx)]))
        .catch((error: unknown) => log.error({ error }, 'conversions not resumed'))
      return worker
    },
    drain() {
      draining = true
      watchOf(db).close()
    },
    async close() {
      await tallies.close()
      await Promise.all([converter.close(), storage.close(), search.close()])
    },
  }
}

function bearer({ req }: Context): string {
  return /^bearer\s+(\S+)$/i.exec(req.header('authorization') ?? '')?.[1] ?? ''
}

/** Unset for calls that server rendering makes in process. */
function requestId(context: Context): string {
  return context.get('requestId') ?? ''
}
