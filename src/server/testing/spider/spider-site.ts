import { onTestFinished } from 'vitest'
import type { CallInput } from '#shared/endpoint.ts'
import { spiderSources } from '#shared/contract/spider.ts'
import { SpiderDocumentStatus, type SpiderFailure, SpiderSourceState, type SpiderUrlStatus } from '#shared/spider.ts'
import { type DocumentSite, openDocumentSite } from '../document-site.ts'

/** A site whose crawler is switched on and may reach the web servers of the tests, without pauses between requests. */
export interface SpiderSite extends DocumentSite {
  /** Makes a source and starts it. It is deleted after the test. */
  start(rule: SourceInput): Promise<number>
  /** Works until the source has ended and nothing of it is under way; pauses that hosts ask for pass at once. */
  finish(source: number): Promise<void>
  /** Starts a source and works until it has ended. */
  crawl(rule: SourceInput): Promise<Crawled>
  /** What is stored of a source. */
  look(source: number): Promise<Crawled>
}

type SourceInput = Partial<CallInput<typeof spiderSources.create>> & { start: string[] }

export interface Crawled {
  source: number
  /** By path and query; by the whole address on other hosts. */
  urls: Record<string, { status: SpiderUrlStatus; reason: SpiderFailure | ''; title: string }>
  documents: Record<string, CrawledDocument>
}

export interface CrawledDocument {
  status: SpiderDocumentStatus
  reason: SpiderFailure | ''
  title: string
  name: string
  ext: string
  document_id: number
}

const { PendingDownload, Downloaded, DownloadFailed, Published, PublishFailed } = SpiderDocumentStatus
const settled: ReadonlySet<SpiderDocumentStatus> = new Set([
  PendingDownload,
  Downloaded,
  DownloadFailed,
  Published,
  PublishFailed,
])
const hourMs = 60 * 60_000
const maxRounds = 60

export async function openSpiderSite(...options: Parameters<typeof openDocumentSite>): Promise<SpiderSite> {
  const site = await openDocumentSite(...options)
  await site.configure({
    'system.domain': 'https://library.example',
    'spider.enable': 'true',
    'spider.delay_ms': '0',
    'spider.private_hosts': '127.0.0.1',
  })
  const { call } = site.root
  let count = 0

  const isFinished = async (id: number) => {
    const { state } = await call(spiderSources.get, { id })
    const { documents } = await look(id)
    return state === SpiderSourceState.Idle && Object.values(documents).every(({ status }) => settled.has(status))
  }

  const start: SpiderSite['start'] = async (rule) => {
    const { id } = await call(spiderSources.create, { name: `采集源 ${(count += 1)}`, ...rule })
    onTestFinished(async () => void (await call(spiderSources.delete, { id: [id] })))
    await call(spiderSources.start, { id: [id] })
    return id
  }

  const finish: SpiderSite['finish'] = async (id) => {
    for (let round = 0; round < maxRounds; round++) {
      await site.runDueJobs()
      if (await isFinished(id)) return
      site.advanceClock(hourMs)
    }
    throw new Error(`the source has not ended: ${JSON.stringify(await look(id), null, 2)}`)
  }

  const look: SpiderSite['look'] = async (source) => {
    const urls = await site.db.selectFrom('spider_url').selectAll().where('source_id', '=', source).execute()
    const documents = await site.db.selectFrom('spider_document').selectAll().where('source_id', '=', source).execute()
    const origin = urls.find(({ depth }) => depth === 0)?.origin ?? ''
    const nameOf = (url: string) => url.replace(origin, '')
    return {
      source,
      urls: Object.fromEntries(urls.map(({ url, status, reason, title }) => [nameOf(url), { status, reason, title }])),
      documents: Object.fromEntries(
        documents.map(({ url, status, reason, title, name, ext, document_id }) => [
          nameOf(url),
          { status, reason, title, name, ext, document_id },
        ]),
      ),
    }
  }

  return {
    ...site,
    start,
    finish,
    look,
    async crawl(rule) {
      const id = await start(rule)
      await finish(id)
      return look(id)
    },
  }
}
