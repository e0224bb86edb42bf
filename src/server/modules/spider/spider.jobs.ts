import type { JobHandlers, JobSchedule } from '#server/jobs.ts'
import { crawlHost } from './crawl/crawl-host.ts'
import type { SpiderDeps } from './crawl/deps.ts'
import { tick } from './crawl/tick.ts'
import { removeAbandoned } from './fetch/fetch-file.ts'
import { publishDocument } from './publish/publish-document.ts'
import { purgeLogs } from './spider.log.ts'

export function spiderJobs(deps: SpiderDeps) {
  return {
    'spider.crawl-host': (ctx, { origin }, { signal }) => crawlHost(ctx, deps, origin, signal),
    'spider.publish': (ctx, { document }, run) => publishDocument(ctx, deps, { id: document, run }),
    async 'spider.tick'(ctx) {
      await tick(ctx)
      await removeAbandoned(deps.folder)
    },
    'spider.purge-logs': purgeLogs,
  } satisfies Partial<JobHandlers>
}

export const spiderSchedules: JobSchedule[] = [
  { kind: 'spider.tick', everyMs: 60_000 },
  { kind: 'spider.purge-logs', everyMs: 24 * 60 * 60_000 },
]
