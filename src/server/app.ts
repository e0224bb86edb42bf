import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type Context, Hono } from 'hono'
import { compress } from 'hono/compress'
import { cors } from 'hono/cors'
import { client } from '#shared/client.ts'
import { contract } from '#shared/contract/contract.ts'
import { errors } from '#shared/errors.ts'
import type { Config } from './config.ts'
import { anonymous, type Ctx, type Origin } from './context.ts'
import type { OpenDatabase } from './db/open.ts'
import { eventBus } from './events.ts'
import { smtpMail } from './gateways/mail.ts'
import { apiDocs, docsPolicy } from './http/api-docs.ts'
import { clientAddress } from './http/client-address.ts'
import { declared, toResponse } from './http/errors.ts'
import type { FileServer } from './http/files.ts'
import { securityHeaders } from './http/headers.ts'
import { jsonLimit, rateLimit, timeLimit } from './http/limits.ts'
import { mount } from './http/mount.ts'
import { openApi } from './http/openapi.ts'
import { pages, type Web } from './http/ssr.ts'
import { startWorker, type Worker } from './jobs/worker.ts'
import { loadKeys } from './keys.ts'
import type { Logger } from './log.ts'
import { networkOf } from './network.ts'
import { viewerOf } from './modules/access/access.viewer.ts'
import { groupRoutes } from './modules/access/groups.routes.ts'
import { permissionRoutes } from './modules/access/permissions.routes.ts'
import { punishmentRoutes } from './modules/access/punishments.routes.ts'
import { advertisementRoutes, categoryRoutes, friendlinkRoutes, navigationRoutes } from './modules/site/site.routes.ts'
import { sitemap } from './modules/site/sitemap.ts'
import { settingsStore } from './modules/system/settings.store.ts'
import { settingsRoutes, statsRoutes } from './modules/system/system.routes.ts'
import { version } from './modules/system/version.ts'
import { userJobs, userSchedules } from './modules/users/users.jobs.ts'
import { sessionRoutes, userRoutes } from './modules/users/users.routes.ts'

export interface App {
  fetch(request: Request, env?: Env): Response | Promise<Response>
  /** A context for work that no request asked for: jobs and the command line. */
  context(): Promise<Ctx>
  work(): Worker
  /** From now on the site says that it is going away. */
  drain(): void
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

/** The composition root: everything is put together here, and only here. */
export async function createApp({ config, database, log, now = Date.now, web, files }: Parts): Promise<App> {
  const { db } = database
  const keys = await loadKeys(db)
  const store = settingsStore(db)
  const events = eventBus(log)
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
    emit: events.emit,
    id: () => randomBytes(16).toString('base64url'),
    settings: await store.current(),
    viewer: token ? await viewerOf({ db, keys, now }, token) : anonymous,
  })

  const originOf = ({ req, env }: Pick<Context<{ Bindings: Env }>, 'req' | 'env'>): Origin => {
    const ip = addressOf(env?.incoming?.socket.remoteAddress ?? '', req.header('x-forwarded-for'))
    return { ip, network: networkOf(ip), userAgent: req.header('user-agent') ?? '' }
  }
  const requestContext = (request: Context) => contextFor(bearer(request), originOf(request))

  const api = new Hono()
  api.onError((error, context) => toResponse(declared(error, requestId(context), log), context))
  mount(api, contract.settings, settingsRoutes, requestContext)
  mount(api, contract.stats, statsRoutes, requestContext)
  mount(api, contract.groups, groupRoutes, requestContext)
  mount(api, contract.permissions, permissionRoutes, requestContext)
  mount(api, contract.punishments, punishmentRoutes, requestContext)
  mount(api, contract.users, userRoutes, requestContext)
  mount(api, contract.sessions, sessionRoutes, requestContext)
  mount(api, contract.navigations, navigationRoutes, requestContext)
  mount(api, contract.friendlinks, friendlinkRoutes, requestContext)
  mount(api, contract.advertisements, advertisementRoutes, requestContext)
  mount(api, contract.categories, categoryRoutes, requestContext)

  const inProcess = client({ fetch: (request) => api.fetch(request), origin: 'http://localhost' })
  const html = web && pages(web, { api: inProcess, settings: () => store.current() })
  events.on('settings.changed', () => store.refresh())
  events.on('settings.changed', () => html?.forget())
  events.on('site.changed', () => html?.forget())

  const specification = openApi(contract, version)
  const documentation = apiDocs(contract, version)

  const site = new Hono<{ Bindings: Env; Variables: { requestId: string } }>()
  site.onError((error, context) => toResponse(declared(error, requestId(context), log), context))
  site.use(async (context, next) => {
    const started = performance.now()
    const id = randomBytes(9).toString('base64url')
    context.set('requestId', id)
    await next()
    context.header('x-request-id', id)
    const { method, path } = context.req
    log.info({ id, method, path, status: context.res.status, ms: Math.round(performance.now() - started) }, 'request')
  })
  site.use(securityHeaders)
  site.get('/healthz', (context) => context.json({ status: 'ok' }))
  site.get('/readyz', async (context) => {
    const reachable = await db
      .selectFrom('migration')
      .select('name')
      .limit(1)
      .execute()
      .then(
        () => true,
        () => false,
      )
    const ready = reachable && !draining
    return context.json({ status: ready ? 'ok' : draining ? 'stopping' : 'database unreachable' }, ready ? 200 : 503)
  })
  site.use('/api/*', cors({ origin: '*', exposeHeaders: ['x-request-id'] }))
  site.use(
    '/api/*',
    rateLimit((context) => originOf(context).network, { perSecond: 50, burst: 400 }),
  )
  site.use('/api/*', jsonLimit)
  site.use('/api/*', timeLimit)
  site.use('/api/*', compress())
  site.get('/api/v1/openapi.json', (context) => context.json(specification))
  site.get('/api/docs', (context) => context.html(documentation, 200, { 'content-security-policy': docsPolicy }))
  site.route('/', api)
  site.all('/api/*', () => {
    throw errors.request.notFound()
  })
  site.get('/sitemap.xml', async (context) => {
    const xml = await sitemap(await requestContext(context), new URL(context.req.url).origin)
    if (!xml) return context.notFound()
    return context.body(xml, 200, { 'content-type': 'application/xml; charset=utf-8' })
  })
  site.on(['GET', 'HEAD'], '*', timeLimit, async (context) => {
    const file = files?.(context.req.raw)
    if (file) return file
    if (!html) throw errors.request.notFound()
    return html.answer(context.req.raw, originOf(context).network)
  })
  site.notFound((context) => toResponse(errors.request.notFound(), context))

  return {
    fetch: (request, env = {}) => site.fetch(request, env),
    context: () => contextFor('', nowhere),
    work: () =>
      startWorker({
        handlers: { ...userJobs },
        schedules: [...userSchedules],
        context: () => contextFor('', nowhere),
        concurrency: 1,
        restMs: 1000,
      }),
    drain() {
      draining = true
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
