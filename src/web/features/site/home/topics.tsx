import { Section } from '#web/features/documents/home/section.tsx'
import type { TopicCard } from '#web/features/topics/topic-card.ts'
import { TopicGrid } from '#web/features/topics/topic-grid.tsx'

/** The first topics; nothing where none is published. */
export function HomeTopics({ topics }: { topics: TopicCard[] }) {
  if (topics.length === 0) return null
  return (
    <Section title="专题" more="/topic" className="mb-10">
      <TopicGrid isFirst topics={topics} className="grid-cols-2 lg:grid-cols-4" />
    </Section>
  )
}
