import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { resolve } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import type { ServerBuild } from 'react-router'
import { AppError } from '#shared/errors.ts'
import { type App, createApp } from './app.ts'
import { halfRestored, isHalfRestored } from './backup/target.ts'
import { type Config, ConfigError, configHelp, readConfig } from './config.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './db/open.ts'
import { explainFailure } from './explain-failure.ts'
import { gracefulShutdown } from './http/server/shutdown.ts'
import { fileServer } from './http/files/static-files.ts'
import { listen, reservePort } from './http/server/listen.ts'
import { endSlowRequests } from './http/server/slow-requests.ts'
import { builtWeb, liveWeb } from './http/pages/web.ts'
import type { Worker } from './jobs/worker.ts'
import { type Logger, openLog } from './log.ts'
import { uploadPath } from './modules/attachments/uploads/uploads.routes.ts'
import { getBuild } from './modules/system/build.ts'
import { seed, type SeedResult } from './seed.ts'

const root = resolve(import.meta.dirname, '../..')
const requestGraceMs = 7000
const shutdownTimeoutMs = 9500

if (process.argv.includes('--help')) {
  console.log(configHelp())
} else {
  main().catch((error: unknown) => {
    console.error(explain(error))
    process.exit(1)
  })
}

async function main(): Promise<void> {
  process.umask(0o077)
  const config = await withRepository(readConfig(process.env))
  const log = openLog(config.logLevel)
  process.on('uncaughtExceptionMonitor', (error) => log.fatal({ error }, 'crashed'))
  // Before anything is created: the folder may be meant for the site that has the port.
  if (config.role !== 'worker') await reservePort({ port: config.port, host: config.host || undefined })
  prepareDataDir(config)
  const database = openDatabase(config.databaseUrl)
  if (await isHalfRestored(database)) throw new ConfigError(halfRestored)
  await migrate(database)

  const web = config.role === 'worker' ? undefined : await loadWeb(config)
  const app = await createApp({ config, database, log, ...web })
  const password = config.adminPassword || randomBytes(9).toString('base64url')
  const { administrator } = await seedSite(app, password)
  if (administrator && !config.adminPassword) {
    console.log(`管理员账号 admin，密码 ${password}（只显示这一次，请登录后修改）`)
  }

  const siteListener: RequestListener = getRequestListener((request, env) => app.fetch(request, env))
  const listener: RequestListener = (request, response) => {
    if (!app.serveCached(request, response)) siteListener(request, response)
  }
  let stopListening: (() => Promise<void>) | undefined
  let worker: Worker | undefined
  const stop = createShutdown({
    app,
    log,
    first: [() => stopListening?.(), () => worker?.stop(), () => web?.close?.()],
    last: async () => {
      // It still writes its buffered counters into the database.
      await app.close()
      await database.db.destroy()
    },
  })
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.on('SIGHUP', stop)
  if (config.role !== 'worker') stopListening = await serve(config, web?.middleware?.(listener) ?? listener)
  if (config.role !== 'web') worker = app.work()
}

/** Updates come from where the program came from, unless a setting names another source. */
async function withRepository(config: Config): Promise<Config> {
  return { ...config, releaseRepository: config.releaseRepository || (await getBuild()).repository }
}

async function seedSite(app: App, adminPassword: string): Promise<SeedResult> {
  try {
    return await seed(await app.context(), { adminPassword })
  } catch (error) {
    throw error instanceof AppError ? new ConfigError(`ADMIN_PASSWORD 不能用：${error.message}`) : error
  }
}

interface LoadedWeb {
  web: ReturnType<typeof builtWeb>
  files?: ReturnType<typeof fileServer>
  middleware?: (next: RequestListener) => RequestListener
  close?: () => Promise<void>
}

async function loadWeb({ dev, apiBaseUrl }: Config): Promise<LoadedWeb> {
  if (dev) return loadLiveWeb(apiBaseUrl)
  const entry = resolve(root, 'build/server/index.js')
  if (!existsSync(entry)) throw new ConfigError('网页部分还没有构建，请用 npm start 启动')
  const build: ServerBuild = await import(entry)
  const folder = resolve(root, 'build/client')
  return { web: { ...builtWeb(build, folder), apiBaseUrl }, files: fileServer(folder) }
}

async function loadLiveWeb(apiBaseUrl: string): Promise<LoadedWeb> {
  const { createServer: createVite } = await import('vite')
  const vite = await createVite({ root, server: { middlewareMode: true }, appType: 'custom' })
  const load = () => vite.ssrLoadModule('virtual:react-router/server-build') as Promise<ServerBuild>
  return {
    web: { ...liveWeb(load), apiBaseUrl },
    middleware: (next) => (request, response) => vite.middlewares(request, response, () => next(request, response)),
    close: () => vite.close(),
  }
}

/** Other users of the machine have no business in it: it holds keys, addresses and documents that are not public. */
function prepareDataDir({ dataDir }: Config): void {
  try {
    mkdirSync(dataDir, { recursive: true })
  } catch {
    throw new ConfigError(`数据目录 ${dataDir} 无法创建，请检查权限，或用 DATA_DIR 指定其他目录`)
  }
  const isOpen = () => (statSync(dataDir).mode & 0o007) !== 0
  if (!isOpen()) return
  try {
    chmodSync(dataDir, 0o700)
  } catch {
    // It belongs to another user, or to a disk without permissions.
  }
  console.log(
    isOpen()
      ? `数据目录 ${dataDir} 对本机的其他用户开放，请改为只有运行网站的用户可以打开`
      : `数据目录 ${dataDir} 原来对本机的其他用户开放，已改为只有运行网站的用户可以打开`,
  )
}

/** Serves requests until the returned function is called, which lets running requests finish. */
async function serve({ host, port }: Config, listener: RequestListener): Promise<() => Promise<void>> {
  const server = createServer({ headersTimeout: 20_000, keepAliveTimeout: 10_000 }, listener)
  endSlowRequests(server, (path) => path.startsWith(uploadPath))
  const stop = gracefulShutdown(server, requestGraceMs)
  const { port: actual, close } = await listen(server, { port, host: host || undefined })
  console.log(`文豆已启动：http://localhost:${actual}/`)
  return async () => void (await Promise.all([close(), stop()]))
}

interface ShutdownSteps {
  app: App
  log: Logger
  /** Run at once, in parallel. */
  first: (() => Promise<void> | undefined)[]
  /** Runs when nothing uses the database any more. */
  last: () => Promise<void>
}

function createShutdown({ app, log, first, last }: ShutdownSteps): () => void {
  let isStopping = false
  return () => {
    if (isStopping) return
    isStopping = true
    app.drain()
    setTimeout(() => process.exit(0), shutdownTimeoutMs).unref()
    Promise.all(first.map(async (step) => step()))
      .then(last)
      .then(() => process.exit(0))
      .catch((error: unknown) => {
        log.error({ error }, 'stop')
        process.exit(1)
      })
  }
}

/** A message for faults that the owner can fix; other errors with their stack. */
function explain(error: unknown): string {
  if (error instanceof ConfigError) return `无法启动：${error.message}`
  const { code, syscall, message, stack, port } = error as Partial<NodeJS.ErrnoException & { port: number }>
  if (code === 'EADDRINUSE') return `无法启动：端口 ${port} 已被占用，请停掉占用它的程序，或用 PORT 换一个端口`
  if (code === 'EACCES' && syscall === 'listen')
    return '无法启动：没有权限监听这个端口，请用 PORT 换一个 1024 以上的端口'
  return `无法启动：${explainFailure(error) ?? stack ?? message ?? String(error)}`
}
