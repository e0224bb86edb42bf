import { Link } from 'react-router'
import { Cover } from '#web/features/documents/cover.tsx'
import type { TopicCard } from '#web/features/topics/topic-card.ts'
import { topicPath } from '#web/domain/paths.ts'
import { cx } from '#web/ui/class-names.ts'

interface TopicGridProps {
  topics: TopicCard[]
  className: string
  /** It is in the first screen of the page. */
  isFirst?: boolean
}

/** Topics with their covers. */
export function TopicGrid({ topics, className, isFirst = false }: TopicGridProps) {
  return (
    <ul className={cx('grid gap-4 md:gap-5', gridClass, className)}>
      {topics.map((topic) => (
        <li key={topic.id}>
          <Link discover="none" to={topicPath(topic)}>
            <TopicCover topic={topic} isFirst={isFirst} />
            <b>{topic.title}</b>
            <small>{topic.count > 0 ? `${topic.count} 项` : '暂无内容'}</small>
            {topic.summary && <p>{topic.summary}</p>}
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** On the list rather than on each item, which keeps the HTML small. */
const gridClass = cx(
  '[&>li]:min-w-0 [&>li>a]:relative [&>li>a]:block [&>li>a]:h-full [&>li>a]:overflow-hidden [&>li>a]:rounded-lg [&>li>a]:border [&>li>a]:border-line [&>li>a]:bg-surface [&>li>a]:pb-4 [&>li>a]:hover:border-accent',
  '[&_a>b]:mx-4 [&_a>b]:mt-3 [&_a>b]:line-clamp-2 [&_a>b]:font-title [&_a>b]:leading-snug [&_a>b]:font-semibold [&_a:hover>b]:text-accent',
  '[&_a>small]:mx-4 [&_a>small]:mt-1 [&_a>small]:block [&_a>small]:text-xs [&_a>small]:text-muted [&_a>small]:tabular-nums',
  '[&_p]:mx-4 [&_p]:mt-1.5 [&_p]:line-clamp-2 [&_p]:text-sm [&_p]:text-muted [&_p]:max-sm:hidden',
)

/** The picture that staff chose, or the covers of the first documents side by side. */
function TopicCover({ topic, isFirst = false }: { topic: Omit<TopicCard, 'summary'>; isFirst?: boolean }) {
  const { cover, title, documents } = topic
  const frame = 'aspect-video w-full bg-sunken'
  if (cover)
    return (
      <img
        src={cover}
        alt=""
        width={480}
        height={270}
        loading={isFirst ? undefined : 'lazy'}
        decoding="async"
        className={cx(frame, 'object-cover')}
      />
    )
  if (documents.length === 0) {
    const [initial = ''] = title
    return (
      <span aria-hidden className={cx(frame, 'flex items-center justify-center text-4xl text-muted')}>
        {initial}
      </span>
    )
  }
  return (
    <span aria-hidden className={cx(frame, 'flex items-center justify-center gap-[3%] overflow-hidden')}>
      {documents.map((document) => (
        <span key={document.uuid} className="w-[27%] shrink-0">
          <Cover document={document} isFirst={isFirst} />
        </span>
      ))}
    </span>
  )
}
