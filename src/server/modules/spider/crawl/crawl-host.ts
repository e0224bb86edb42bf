import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { ContentType } from '#shared/enums.ts'
import { noAnswer, SpiderDocumentStatus, SpiderUrlStatus } from '#shared/spider.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { dayStart } from '#server/days.ts'
import { enqueue, type JobKind } from '#server/jobs.ts'
import { holdHost } from '../fetch/hold-host.ts'
import { claimHost, extendHost, getReadyAt, type HostLease, releaseHost } from '../fetch/hosts.ts'
import { addToday } from '../spider.counts.ts'
import { isDayFull } from '../spider.enabled.ts'
import { writeLog } from '../spider.log.ts'
import { moveSpiderDocuments, moveUrls } from '../spider.status.ts'
import type { SpiderDeps } from './deps.ts'
import { downloadArticle } from './download-article.ts'
import { downloadFile } from './download-file.ts'
import { internalFailure, toFailure } from './failures.ts'
import { findNextDueAt, openPicker } from './pick.ts'
import { readPage } from './read-page.ts'
import { readSitemap } from './read-sitemap.ts'
import { recordFailure } from './record-failure.ts'
import { finishRun } from './runs.ts'
import type { Work } from './work.ts'

/** Then other hosts have their turn. */
const sliceMs = 10_000
/** A host that is not ready sooner gives its place to another. */
const patienceMs = 2000
/** At least, until a host that is held, or has no place, is looked at again. */
const busyMs = 5000
/** A crawl takes at most a third of the thread that also answers people, however fast its host is. */
const restPerWork = 2
const maxRestMs = 500
/** Rows that one process after another has not survived are given up. */
const maxInterruptions = 10

/** Requests what is due of one web server, one after another: it has one connection, over all processes. */
export async function crawlHost(ctx: Ctx, deps: SpiderDeps, origin: string, signal: AbortSignal): Promise<void> {
  if (!ctx.settings.spider.enable) return
  const lease = await claimHost(ctx, origin)
  if (!lease) return enqueue(ctx, 'spider.crawl-host', { origin }, { runAt: ctx.now() + (await getPause(ctx)) })
  const held = holdHost(ctx, lease)
  let runAt: number | undefined
  try {
    await putBack(held.ctx, origin)
    runAt = await crawlSlice(held.ctx, deps, { lease, signal: AbortSignal.any([signal, held.lost]) })
  } catch (error) {
    if (!held.lost.aborted) throw error
  } finally {
    held.end()
    // A worker that stops in order leaves nothing to the next one, and leaves alone what another one is at work on.
    if (signal.aborted && (await extendHost(ctx, lease))) await putBack(ctx, origin, { isCounted: false })
    await releaseHost(ctx, lease)
  }
  // The worker, which is stopping, puts the job back as it was.
  signal.throwIfAborted()
  if (held.lost.aborted) runAt = ctx.now() + busyMs
  if (runAt !== undefined) await enqueue(ctx, 'spider.crawl-host', { origin }, { runAt })
}

interface Slice {
  lease: HostLease
  signal: AbortSignal
}

/** Gives the time at which there will be more to do, undefined when nothing is known to be. */
async function crawlSlice(ctx: Ctx, deps: SpiderDeps, { lease, signal }: Slice): Promise<number | undefined> {
  const { origin } = lease
  const startedAt = performance.now()
  const pick = openPicker(origin)
  const sources = new Set<number>()
  try {
    while (!signal.aborted) {
      const readyAt = await getReadyAt(ctx, origin)
      if (readyAt > ctx.now() + patienceMs) return readyAt
      if (performance.now() - startedAt > sliceMs) return ctx.now() + ((await areOthersWaiting(ctx)) ? 2 * busyMs : 0)
      if (await isDayFull(ctx)) return dayStart(ctx.now(), -1)
      const work = await pick(ctx)
      if (!work) return await findNextDueAt(ctx, origin)
      sources.add(work.row.source_id)
      const before = performance.eventLoopUtilization()
      await handle(ctx, deps, work, { lease, signal })
      const busy = performance.eventLoopUtilization(before).active
      await setTimeout(Math.min(busy * restPerWork, maxRestMs), undefined, { signal }).catch(() => {})
    }
    return undefined
  } finally {
    if (!signal.aborted) for (const id of sources) await finishRun(ctx, id)
  }
}

/** Requests one address. What goes wrong with it is written down, and does not keep the others waiting. */
async function handle(ctx: Ctx, deps: SpiderDeps, work: Work, { lease, signal }: Slice): Promise<void> {
  const request = { lease, delayMs: work.source.rule.delay * 1000, signal }
  try {
    if (work.row.source_id !== work.source.id)
      return await recordFailure(ctx, work, {
        reason: 'source_missing',
        status: noAnswer,
        detail: '',
        isTemporary: false,
      })
    if (!(await start(ctx, work))) return
    if (work.kind === 'url') await (work.row.is_sitemap ? readSitemap : readPage)(ctx, deps, work, request)
    else if (work.row.target === ContentType.Article) await downloadArticle(ctx, deps, work, request)
    else await downloadFile(ctx, deps, work, request)
  } catch (error) {
    if (signal.aborted) return
    const failure = toFailure(error)
    if (!failure) ctx.log.error({ error, url: work.row.url }, 'not crawled')
    await recordFailure(ctx, work, failure ?? internalFailure(error))
  }
}

/** False when staff have deleted it or changed its status in the meantime. */
async function start(ctx: Ctx, { kind, row }: Work): Promise<boolean> {
  if (kind === 'check') return true
  const moved =
    kind === 'url' ? await moveUrls(ctx, [row.id], 'start') : await moveSpiderDocuments(ctx, [row.id], 'startDownload')
  return moved.length > 0
}

/** Until a host is looked at again that another worker holds, or for which there is no place: the longer the more hosts wait. */
async function getPause(ctx: Ctx): Promise<number> {
  const { waiting } = await ctx.db
    .selectFrom('job')
    .select((eb) => eb.fn.countAll<number>().as('waiting'))
    .where('kind', '=', 'spider.crawl-host' satisfies JobKind)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return Math.max(busyMs, waiting * 1000)
}

/** Hosts for which there is no place. */
async function areOthersWaiting(ctx: Ctx): Promise<boolean> {
  const now = ctx.now()
  const { busy } = await ctx.db
    .selectFrom('spider_host')
    .select((eb) => eb.fn.countAll<number>().as('busy'))
    .where('busy_until', '>', now)
    .executeTakeFirstOrThrow()
  if (busy < ctx.settings.spider.concurrency) return false
  const waiting = await ctx.db
    .selectFrom('job')
    .select('id')
    .where('kind', '=', 'spider.crawl-host' satisfies JobKind)
    .where('state', '=', 'waiting')
    .where('run_at', '<=', now + busyMs)
    .limit(1)
    .executeTakeFirst()
  return waiting !== undefined
}

/** What a process has left that was killed: with the lease of the host, no other one is at work on it. */
async function putBack(ctx: Ctx, origin: string, { isCounted = true } = {}): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const urls = await ctx.db
      .selectFrom('spider_url')
      .select('id')
      .where('origin', '=', origin)
      .where('status', '=', SpiderUrlStatus.Crawling)
      .execute()
    for (const { id } of urls) {
      const isLost = isCounted && (await noteInterruption(ctx, { url_id: id }))
      await moveUrls(ctx, [id], isLost ? 'fail' : 'postpone', isLost ? interrupted : {})
    }
    const documents = await ctx.db
      .selectFrom('spider_document')
      .select('id')
      .where('origin', '=', origin)
      .where('status', '=', SpiderDocumentStatus.Downloading)
      .execute()
    for (const { id } of documents) {
      const isLost = isCounted && (await noteInterruption(ctx, { spider_document_id: id }))
      await moveSpiderDocuments(ctx, [id], isLost ? 'failDownload' : 'postponeDownload', isLost ? interrupted : {})
    }
  })
}

const interrupted = { reason: 'internal', detail: '处理它的进程一再中断' } as const

/**
 * True when nothing but interruptions has happened to it for too long. They are counted in the log, not as tries: a process
 * that is killed says nothing about the other site.
 */
async function noteInterruption(
  ctx: Ctx,
  address: { url_id: number } | { spider_document_id: number },
): Promise<boolean> {
  const last = await ctx.db
    .selectFrom('spider_log')
    .select('event')
    .where((eb) => eb.and(address))
    .orderBy('id', 'desc')
    .limit(maxInterruptions)
    .execute()
  const isLost = last.length === maxInterruptions && last.every(({ event }) => event === 'interrupted')
  await writeLog(ctx, { ...address, ...(isLost ? { event: 'failed', ...interrupted } : { event: 'interrupted' }) })
  if (isLost) await addToday(ctx, { failed: 1 })
  return isLost
}
