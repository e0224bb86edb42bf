import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Call } from '#shared/client.ts'
import { spiderDocuments, spiderSources } from '#shared/contract/spider.ts'
import { SpiderPublish, SpiderSourceState } from '#shared/spider.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { createUploadClient } from '../e2e/upload-client.ts'
import { processTreeUsage } from './process-tree.ts'
import { benchPassword, startBenchSite } from './site.ts'

/**
 * Crawls a library of another process without pauses: pages and files a second, the memory of the server and all it starts
 * beside what it takes idle, and how long readers wait for a document's page and the home page beside how long they do
 * idle. `--pages 1000 --files 100` for a shorter run; `--publish` publishes and converts the files as well.
 */

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '10000' },
    files: { type: 'string', default: '1000' },
    publish: { type: 'boolean', default: false },
  },
})
const maxGrowthMb = 100
const maxSlowdown = 1.5
/** Long enough for the heap to become as large as the same reading makes it. */
const idleMs = 60_000
const converterRestMs = 330_000
const agent = new Agent({ keepAlive: true })

interface Library {
  origin: string
  pages: number
  files: number
}

interface Phase {
  readings: Record<string, number[]>
  residentMb: number[]
  cpuMs: number
}

const library = fork(join(import.meta.dirname, 'spider-library.ts'), {
  env: { ...process.env, LIBRARY_PAGES: values.pages, LIBRARY_FILES: values.files },
})
const [served] = (await once(library, 'message')) as [Library]
const site = await startBenchSite()
try {
  await site.configure({
    'security.enable_captcha_login': 'false',
    'security.upload_count_every_day': '0',
    'spider.enable': 'true',
    'spider.delay_ms': '0',
    'spider.private_hosts': new URL(served.origin).host,
  })
  const owner = await createUploadClient(site.url, { username: 'admin', password: benchPassword })
  const [read] = await owner.publish(['一份文档.pdf', makePdf({ title: '一份文档', pages: 20 })])
  await owner.waitUntilFinished([read?.id ?? 0])
  const paths = { 'document page': `/document/${read?.uuid}`, 'home page': '/' }
  // What the first requests build stays built; the converter's processes, kept for five minutes, are not a part of idle.
  await measure(paths, sleep(3000))
  await sleep(converterRestMs)
  await measure(paths, sleep(3000))

  const idle = await measure(paths, sleep(idleMs))
  const startedAt = performance.now()
  const crawling = await measure(paths, crawl(owner.call))
  const seconds = (performance.now() - startedAt) / 1000
  await report(await owner.call(spiderDocuments.list, { size: 1 }), { idle, crawling, seconds })
} finally {
  site.stop()
  library.kill('SIGKILL')
}

async function crawl(call: Call): Promise<void> {
  const { id } = await call(spiderSources.create, {
    name: '小城文库',
    start: [`${served.origin}/`],
    depth: 20,
    max_pages: 100_000,
    publish: values.publish ? SpiderPublish.Now : SpiderPublish.Manual,
  })
  await call(spiderSources.start, { id: [id] })
  for (;;) {
    await sleep(1000)
    const { state, downloaded, failed, published } = await call(spiderSources.get, { id })
    const isDone = state === SpiderSourceState.Idle && downloaded + published + failed >= served.files
    if (isDone) return
  }
}

/** Reads pages, one at a time, and the memory of the server until the work has ended. */
async function measure(paths: Record<string, string>, work: Promise<void>): Promise<Phase> {
  const phase: Phase = { readings: {}, residentMb: [], cpuMs: 0 }
  const pid = site.process().pid ?? 0
  const cpuBefore = processTreeUsage(pid).cpuMs
  const state = { isOver: false }
  const ended = work.finally(() => (state.isOver = true))
  const sampling = setInterval(() => phase.residentMb.push(processTreeUsage(pid).residentMb), 500)
  while (!state.isOver) {
    for (const [name, path] of Object.entries(paths)) {
      ;(phase.readings[name] ??= []).push(await timeRequest(path))
      await sleep(20)
    }
  }
  clearInterval(sampling)
  await ended
  phase.cpuMs = processTreeUsage(pid).cpuMs - cpuBefore
  return phase
}

function timeRequest(path: string): Promise<number> {
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    get(site.url + path, { agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode}`))
      response.resume().on('end', () => resolve(performance.now() - startedAt))
    }).on('error', reject)
  })
}

async function report(
  { count }: { count: Record<string, number> },
  { idle, crawling, seconds }: { idle: Phase; crawling: Phase; seconds: number },
): Promise<void> {
  library.send('report')
  const [log] = (await once(library, 'message')) as [{ requests: number; most: number }]
  const { pages, files } = served
  const growth = max(crawling.residentMb) - max(idle.residentMb)
  console.log(`${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}`)
  console.log(
    `  ${pages} pages and ${files} files in ${seconds.toFixed(0)} s, ${log.requests} requests, ${log.most} at once`,
  )
  console.log(`  ${(pages / seconds).toFixed(1)} pages and ${(files / seconds).toFixed(1)} files a second`)
  console.log(`  CPU time of the server ${(crawling.cpuMs / 1000 / seconds).toFixed(2)} cores`)
  console.log(`  documents by status ${JSON.stringify(count)}`)
  console.log(
    `  memory with children: idle ${median(idle.residentMb)} MB in the median, ${max(idle.residentMb)} MB at most; ` +
      `crawling ${median(crawling.residentMb)} MB, ${max(crawling.residentMb)} MB at most: +${growth} MB (bar +${maxGrowthMb})`,
  )
  const slowdowns = Object.entries(crawling.readings).map(([name, times]) => {
    const before = idle.readings[name] ?? []
    const ratio = median(times) / median(before)
    console.log(
      `  ${name.padEnd(14)} median ${ms(median(before))} → ${ms(median(times))}, ×${ratio.toFixed(2)} (bar ×${maxSlowdown}); ` +
        `95th percentile ${ms(percentile(before, 0.95))} → ${ms(percentile(times, 0.95))}`,
    )
    return ratio
  })
  process.exitCode = growth <= maxGrowthMb && max(slowdowns) <= maxSlowdown && log.most === 1 ? 0 : 1
}

function median(numbers: readonly number[]): number {
  return percentile(numbers, 0.5)
}

function percentile(numbers: readonly number[], share: number): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * share)] ?? 0
}

function max(numbers: readonly number[]): number {
  return numbers.reduce((most, number) => Math.max(most, number), 0)
}

function ms(time: number): string {
  return `${time.toFixed(1)} ms`
}
