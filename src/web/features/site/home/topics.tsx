import { Section } from '#web/features/documents/home/section.tsx'
import type { TopicCard } from '#web/features/topics/topic-card.ts'
import { TopicGrid } from '#web/features/topics/topic-grid.tsx'
import { cx } from '#web/ui/class-names.ts'

/** The first topics; nothing where none is published. */
export function HomeTopics({ topics }: { topics: TopicCard[] }) {
  if (topics.length === 0) return null
  return (
    <Section title="专题" more="/topic" className="mb-10">
      <TopicGrid isFirst topics={topics} className={layouts[topics.length] ?? 'grid-cols-2 lg:grid-cols-4'} />
    </Section>
  )
}

/** Where there are few, they have more room; a single one has its cover beside the text. */
const layouts: Record<number, string | undefined> = {
  1: cx(
    'sm:[&>li>a]:grid sm:[&>li>a]:grid-cols-[18rem_minmax(0,1fr)] sm:[&>li>a]:grid-rows-[auto_auto_1fr] sm:[&>li>a]:gap-x-2 sm:[&>li>a]:pb-0',
    'sm:[&_a>:first-child]:row-span-full sm:[&_a>b]:mt-5 sm:[&_a>b]:text-lg',
  ),
  2: 'grid-cols-2 lg:grid-cols-3',
  3: 'grid-cols-2 sm:grid-cols-3 max-sm:[&>li:first-child]:col-span-2',
}
