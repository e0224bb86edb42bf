import { throttle } from './concurrency/throttle.ts'
import type { Ctx } from './context.ts'
import type { EventBus } from './events.ts'
import { JobPriority } from './jobs/queue.ts'
import type { PageCache } from './http/pages/page-cache.ts'
import type { ProgressWatcher } from './modules/documents/documents.watcher.ts'
import { requestEarly } from './modules/renditions/request.ts'
import { enqueueIndexingByContent } from './modules/search/index-documents.ts'
import { enqueueIndexing } from './modules/search/indexing.ts'
import { recordSearch } from './modules/search/records.ts'
import type { SettingsStore } from './modules/settings/settings.store.ts'

/** Throttles the invalidation of the page cache while documents change all the time. */
const invalidateMs = 700

interface Listening {
  context: () => Promise<Ctx>
  store: SettingsStore
  progressWatcher: ProgressWatcher
  caches: readonly PageCache[]
}

/** What happens in this process after the events of others: caches are invalidated, the index follows. */
export function listen(events: EventBus, { context, store, progressWatcher, caches }: Listening): void {
  events.on('settings.changed', () => store.refresh())
  events.on('file.uploaded', async ({ userId: owner, ...content }) =>
    requestEarly(await context(), content, { priority: JobPriority.Upload, owner }),
  )
  events.on('document.changed', () => progressWatcher.poll())
  events.on('rendition.changed', () => progressWatcher.poll())
  events.on('document.changed', async ({ ids }) => enqueueIndexing(await context(), 'document', ids))
  events.on('article.changed', async ({ ids }) => enqueueIndexing(await context(), 'article', ids))
  events.on('rendition.changed', async ({ hash }) => enqueueIndexingByContent(await context(), hash))
  events.on('search.answered', async (searched) => recordSearch(await context(), searched))
  const invalidateCaches = () => {
    for (const cache of caches) cache.invalidate()
  }
  events.on('settings.changed', invalidateCaches)
  const invalidateAll = () => {
    invalidateCaches()
    store.invalidate()
  }
  events.on('site.changed', invalidateAll)
  const invalidateSoon = throttle(invalidateMs, invalidateAll)
  events.on('document.changed', invalidateSoon)
  events.on('article.changed', invalidateSoon)
  events.on('collection.changed', invalidateSoon)
}
