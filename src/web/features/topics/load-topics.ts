import { type PublishedEntry, topics } from '#shared/contract/topics.ts'
import { toCoverTile } from '#web/features/documents/browse/document-summary.ts'
import { toTopicCard } from '#web/features/topics/topic-card.ts'
import type { EntryItem } from '#web/features/topics/topic-entries.tsx'
import { type LoadArgs, notFound } from '#web/lib/load.ts'
import { parsePage } from '#web/ui/navigation/pagination.tsx'

export const topicsPerPage = 24

export async function loadTopics({ api, url }: LoadArgs) {
  const { total, topic } = await api(topics.published, { page: parsePage(url.searchParams), size: topicsPerPage })
  return { total, topics: topic.map(toTopicCard), renderedAnonymously: import.meta.env.SSR }
}

export async function loadTopic({ api, params: { id = '' } }: LoadArgs) {
  if (!/^[1-9]\d{0,14}$/.test(id)) throw notFound('专题不存在')
  const { entries, ...topic } = await api(topics.read, { id: Number(id) })
  return { ...topic, entries: entries.flatMap(toItem), renderedAnonymously: import.meta.env.SSR }
}

function toItem({ note, document, article }: PublishedEntry): EntryItem[] {
  if (document) return [{ note, by: document.username, document: toCoverTile(document) }]
  if (!article) return []
  const { identifier, title, cover, description, author } = article
  return [
    { note, by: author, article: { identifier, title, cover, description: description.slice(0, 100).toWellFormed() } },
  ]
}
