import { Result } from 'antd'
import { Link, useRevalidator } from 'react-router'
import type { ReviewQueue } from '#shared/contract/review.ts'
import { Desk } from '#web/admin/review/desk.tsx'
import {
  loadQueues,
  type ReviewedContent,
  reviewedContents,
  usePendingCounts,
} from '#web/admin/review/pending-counts.ts'
import { reviewKinds } from '#web/admin/review/review-kinds.tsx'
import styles from '#web/admin/review/review.module.css'

interface LoadedQueues {
  /** Of what the viewer may review. */
  queues: Partial<Record<ReviewedContent, ReviewQueue>>
  current: ReviewedContent | undefined
  at: number
}

/** Without a choice in the address, the first kind of which something waits. */
export async function loadReview(url: URL): Promise<LoadedQueues> {
  const queues = await loadQueues()
  const allowed = reviewedContents.filter((content) => queues[content])
  const wanted = allowed.find((content) => content === url.searchParams.get('kind'))
  const waiting = allowed.find((content) => queues[content]?.total)
  return { queues, current: wanted ?? waiting ?? allowed[0], at: Date.now() }
}

export function ReviewDesk({ queues, current, at }: LoadedQueues) {
  const { revalidate } = useRevalidator()
  const counts = usePendingCounts()
  const queue = current && queues[current]
  if (!queue) return <Result status="403" title="没有权限" subTitle="您没有审核的权限，需要时请联系管理员。" />
  return (
    <div className={styles.page}>
      <nav className={styles.kinds} aria-label="审核的内容">
        {reviewedContents
          .filter((content) => queues[content])
          .map((content) => (
            <Link key={content} to={`?kind=${content}`} aria-current={content === current ? 'page' : undefined}>
              {reviewKinds[content].label} <span>{counts[content] ?? 0}</span>
            </Link>
          ))}
      </nav>
      <Desk key={`${current} ${at}`} kind={reviewKinds[current]} queue={queue} onReload={() => void revalidate()} />
    </div>
  )
}
