import { contract } from '#shared/contract/contract.ts'
import type { ReviewQueue } from '#shared/contract/review.ts'
import { maxIds } from '#shared/fields.ts'
import { api } from '#web/lib/api.ts'
import { currentSession, hasPermission } from '#web/lib/session.ts'
import { createStore, useStore } from '#web/lib/store.ts'

/** What is reviewed, how much of it waits, and who may review it. */

export type ReviewedContent = 'document' | 'article' | 'comment'

interface QueueSource {
  requires: Parameters<typeof hasPermission>[1]
  /** Loads the queue of one author, or of all. */
  load: (after: number, userId?: number) => Promise<ReviewQueue>
}

export const queueSources: Record<ReviewedContent, QueueSource> = {
  document: {
    requires: 'DocumentAPI/CheckDocument',
    load: (after, user_id) => api(contract.documents.reviewQueue, { after, user_id }),
  },
  article: {
    requires: 'ArticleAPI/CheckArticles',
    load: (after, user_id) => api(contract.articles.reviewQueue, { after, user_id }),
  },
  comment: {
    requires: 'CommentAPI/CheckComment',
    load: (after, user_id) => api(contract.comments.reviewQueue, { after, user_id }),
  },
}

type Queues = Partial<Record<ReviewedContent, ReviewQueue>>
type Counts = Partial<Record<ReviewedContent, number>>

const none: Counts = {}
const store = createStore(() => none)

/** All that waits of an author, the oldest first, in batches that one request can decide. */
export async function loadWaiting(content: ReviewedContent, userId: number): Promise<number[][]> {
  const ids: number[] = []
  for (;;) {
    const { id, total } = await queueSources[content].load(ids.at(-1) ?? 0, userId)
    ids.push(...id)
    // The total is of what comes after the last one that is known.
    if (id.length === 0 || id.length >= total) break
  }
  const batches = Math.ceil(ids.length / maxIds)
  return Array.from({ length: batches }, (_, index) => ids.slice(index * maxIds, (index + 1) * maxIds))
}

/** As last loaded, less what has been decided since: the menu and the desk show the same. */
export function usePendingCounts(): Counts {
  return useStore(store, none)
}

export function setPendingCount(content: ReviewedContent, count: number): void {
  if (store.get()[content] !== count) store.set({ ...store.get(), [content]: count })
}

/** The queues of what the viewer may review. */
export async function loadQueues(): Promise<Queues> {
  const session = currentSession()
  const allowed = reviewedContents.filter((content) => hasPermission(session, queueSources[content].requires))
  const loaded = await Promise.all(
    allowed.map(async (content) => [content, await queueSources[content].load(0)] as const),
  )
  store.set(Object.fromEntries(loaded.map(([content, { total }]) => [content, total])))
  return Object.fromEntries(loaded)
}

export const reviewedContents: readonly ReviewedContent[] = ['document', 'article', 'comment']
