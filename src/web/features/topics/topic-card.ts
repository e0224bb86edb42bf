import type { Reply } from '#shared/endpoint.ts'
import type { topics } from '#shared/contract/topics.ts'
import { type CoverTile, toCoverTile } from '#web/features/documents/browse/document-summary.ts'

/** The fields of a topic that lists show: the page carries no others. */
export interface TopicCard {
  id: number
  title: string
  summary: string
  cover: string
  count: number
  /** In place of a cover picture. */
  documents: CoverTile[]
}

const maxSummaryLength = 100

export function toTopicCard(topic: Reply<typeof topics.published>['topic'][number]): TopicCard {
  const { id, title, summary, cover, count, document } = topic
  return {
    id,
    title,
    summary: summary.slice(0, maxSummaryLength).toWellFormed(),
    cover,
    count,
    documents: document.map(toCoverTile),
  }
}
