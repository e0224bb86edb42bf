import type { SpiderSource } from '#shared/contract/spider.ts'
import { SpiderUrlStatus } from '#shared/spider.ts'

export function toUrlCounts(byStatus: ReadonlyMap<number, number>): SpiderSource['url_count'] {
  const count = (status: SpiderUrlStatus) => byStatus.get(status) ?? 0
  return {
    pending: count(SpiderUrlStatus.Pending),
    crawling: count(SpiderUrlStatus.Crawling),
    done: count(SpiderUrlStatus.Done),
    failed: count(SpiderUrlStatus.Failed),
  }
}
