import type { ReactNode } from 'react'
import { errorMessage } from '#web/lib/api.ts'
import type { QueryResult } from '#web/lib/use-query.ts'
import { Card } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'

interface QueryCardProps<T> {
  title: string
  query: QueryResult<T>
  renderAside?: (data: T) => ReactNode
  children: (data: T) => ReactNode
}

/** A card that loads what it shows, and says so while it does, or if it cannot. */
export function QueryCard<T>({
  title,
  query: { data, error, isLoading, refetch },
  renderAside,
  children,
}: QueryCardProps<T>) {
  if (data !== undefined)
    return (
      <Card title={title} aside={renderAside?.(data)}>
        {children(data)}
      </Card>
    )
  return (
    <Card title={title}>
      {error === undefined ? (
        <SkeletonRows count={3} />
      ) : (
        <ErrorState message={errorMessage(error, '加载失败，请稍后重试')} retry={refetch} busy={isLoading} />
      )}
    </Card>
  )
}
