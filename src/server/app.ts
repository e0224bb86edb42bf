import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { type Context, Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import { contract } from '#shared/contract/contract.ts'
import { isOpenSite } from '#shared/settings.ts'
import type { Config } from './config.ts'
import { anonymous, type Cookies, type Ctx, type Origin } from './context.ts'
import { openConverter } from './convert/open-converter.ts'
import type { OpenDatabase } from './db/open.ts'
import { eventBus } from './events.ts'
import { openFulltext } from './fulltext/open.ts'
import { smtpMail } from './gateways/mail.ts'
import { toAppError, toErrorResponse } from './http/api/errors.ts'
import { mount } from './http/api/mount.ts'
import { sharedReplies, shareKeyHeader } from './http/api/shared-replies.ts'
import type { FileServer } from './http/files/static-files.ts'
import { openPageCache } from './http/pages/page-cache.ts'
import { openRenderBudget } from './http/pages/render-budget.ts'
import { pageSource, type Web } from './http/pages/render.ts'
import { type CachedPages, serveCached } from './http/pages/serve-cached.ts'
import { addressResolver } from './http/server/client-address.ts'
import { toNetwork } from './http/server/network.ts'
import { createRequestId, requestId, requestLogger } from './http/server/request-log.ts'
import { health } from './http/site/health.ts'
import { openMetrics } from './http/site/metrics/metrics.ts'
import { startWorkers, type Worker } from './jobs/worker.ts'
import { loadKeys } from './keys.ts'
import type { Logger } from './log.ts'
import { findViewer } from './modules/access/access.viewer.ts'
import { resumableUploads } from './modules/attachments/uploads/resumable.ts'
import { tusPath } from './modules/attachments/uploads/uploads.routes.ts'
import { encryptTotpSecretsAnew } from './modules/auth/second-factor/account-security.ts'
import { findShares } from './modules/documents/visibility/share-keys.ts'
import { makePictureCookie } from './modules/auth/sessions.ts'
import { openAuditTrail } from './modules/audit/audit.log.ts'
import { openSanitizer } from './modules/articles/articles.sanitizer.ts'
import { rememberDeliveries } from './modules/mail/delivered.ts'
import { openTableCache } from './modules/documents/reader/table/table-cache.ts'
import { openUnreadCounter } from './modules/notifications/unread-counter.ts'
import { documentsOfRendition } from './modules/documents/documents.observer.ts'
import { openProgressWatcher } from './modules/documents/documents.watcher.ts'
import type { ConversionDeps } from './modules/renditions/convert.ts'
import { usualHeadStartMs } from './modules/renditions/early-preview.ts'
import { openPageImages } from './modules/renditions/page-images.ts'
import { resumeConversions } from './modules/renditions/renditions.jobs.ts'
import { enqueueIndexCheck } from './modules/search/indexing.ts'
import { encryptStoredSecrets } from './modules/settings/secret-settings.ts'
import { settingsStore } from './modules/settings/settings.store.ts'
import type { SpiderDeps } from './modules/spider/crawl/deps.ts'
import { openExtractor } from './modules/spider/extract/extractor.ts'
import { openDailyCounters } from './modules/stats/daily-counters.ts'
import { openViewCounter } from './modules/stats/view-counter.ts'
import { startHeartbeat } from './modules/system/workers.ts'
import { encryptStoredIdentities } from './modules/users/identity/encrypt-stored.ts'
import { listen } from './listeners.ts'
import { jobQueues } from './queues.ts'
import { apiHandlers } from './routes.ts'
import { keyFile, openCipher } from './secrets/secret-key.ts'
import { corsHeaders, createSite, type Env } from './site.ts'
import { sweepTemp } from './storage/disk.ts'
import { tempFolder } from './storage/key.ts'
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

export interface Parts {
  config: Config
  database: OpenDatabase
  log: Logger
  now?: () => number
  web?: Web
  files?: FileServer
  /** None in tests: nobody reads there while the rest is converted. */
  headStartMs?: number
}

/** How long an idle worker sleeps before it looks for jobs that another process has enqueued. */
const idleMs = 500

/** The composition root: everything that is shared by requests is created here, or by what is created here. */
export async function createApp({
  config,
  database,
  log,
  now = Date.now,
  web,
  files,
  headStartMs = usualHeadStartMs,
}: Parts): Promise<App> {
  const { db } = database
  const keys = await loadKeys(db)
  const cipher = openCipher(config)
  await encryptStoredSecrets(db, cipher)
  await encryptTotpSecretsAnew(db, cipher)
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
    headStartMs,
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
  const unreadCounter = openUnreadCounter({ events, now })
  const tables = openTableCache()
  const sanitizer = openSanitizer()
  const extractor = openExtractor()
  const spider: SpiderDeps = { extractor, sanitizer, folder: resolve(config.dataDir, tempFolder) }
  const mail = rememberDeliveries(smtpMail, { db, now })
  const backups = { database, folder: resolve(config.dataDir, 'backups') }
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
  const contextFor = async (token: string, origin: Origin): Promise<Ctx> => {
    const settings = await store.current()
    return {
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
      settings,
      viewer: token ? await findViewer({ db, keys, now, settings }, token) : anonymous,
    }
  }

  const context = () => contextFor('', nowhere)

  const originOf = ({ req, env }: Pick<Context<{ Bindings: Env }>, 'req' | 'env'>): Origin => {
    const ip = addressOf(env?.incoming?.socket.remoteAddress ?? '', req.header('x-forwarded-for'))
    return { ip, network: toNetwork(ip), userAgent: req.header('user-agent') ?? '' }
  }
  const contextOf = async (request: Context) => {
    const ctx = await contextFor(bearerToken(request), originOf(request))
    const shareKeys = request.req.header(shareKeyHeader)
    if (shareKeys) ctx.viewer = { ...ctx.viewer, shares: await findShares(ctx, shareKeys) }
    if (ctx.viewer.sessionId > 0 && (!isOpenSite(ctx.settings) || proofPaths.test(request.req.path)))
      request.header('set-cookie', makePictureCookie(ctx, ctx.viewer.sessionId))
    return { ...ctx, cookies: cookiesOf(request) }
  }

  const api = new Hono()
  api.onError((error, context) => {
    // An error is told with the number by which the log has it, also by a call in process, for one caller or for many.
    return toErrorResponse(toAppError(error, requestId(context) || createRequestId(), log), context)
  })
  const handlers = apiHandlers({
    resumable,
    machine: { dataDir: config.dataDir, releases },
    backups,
    place: { timeZone: config.timeZone, keyFile: config.secretKeys.length > 0 ? '' : keyFile(config.dataDir) },
    viewCounter,
    sanitizer,
    extractor,
    progressWatcher,
    unreadCounter,
    tables,
  })
  mount(api, contract, handlers, { contextOf, openAuditTrail })

  const metrics = openMetrics({ db, log, now, version, config, settings: () => store.current() })
  const fetchAsVisitor = (request: Request) => api.fetch(request)
  const cacheOptions = {
    budget: openRenderBudget({ msPerSecond: 400, burstMs: 4000 }),
    settings: () => store.current(),
    peekSettings: store.peek,
  }
  const pages = web && openPageCache(metrics.countMade('page', pageSource(web, fetchAsVisitor)), cacheOptions)
  const replySource = sharedReplies(contract, { fetch: fetchAsVisitor, headers: corsHeaders })
  const replies = web && !web.dev ? openPageCache(metrics.countMade('reply', replySource), cacheOptions) : undefined
  const cached = serveCached({ pages, replies }, requestLogger(log, metrics.observe))
  listen(events, { context, store, progressWatcher, caches: [pages, replies].filter((cache) => cache !== undefined) })
  const site = createSite({
    api,
    config,
    log,
    pages,
    replies,
    files,
    metrics,
    resumable,
    pageImages: conversion.pageImages,
    tables,
    backups,
    settings: () => store.current(),
    context,
    contextOf,
    originOf,
    health: health(db, () => isDraining),
  })

  return {
    serveCached: cached.toNode,
    fetch: (request, env = {}) => cached.toRequest(request) ?? site.fetch(request, env),
    context,
    work() {
      const queues = jobQueues({ resumable, releases, backups, conversion, spider, processes: config.convertProcesses })
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
      await Promise.all([converter.close(), sanitizer.close(), extractor.close(), storage.close(), search.close()])
    },
  }
}

/** Their replies name pictures of payments, which a browser gets by the cookie alone. */
const proofPaths = /^\/api\/v1\/(?:order|upload\/order|attachment)(?:\/|$)/

function bearerToken({ req }: Context): string {
  return /^bearer\s+(\S+)$/i.exec(req.header('authorization') ?? '')?.[1] ?? ''
}

function cookiesOf(request: Context): Cookies {
  return {
    get: (name) => getCookie(request, name),
    set: (header) => request.header('set-cookie', header, { append: true }),
  }
}
