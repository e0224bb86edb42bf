import { Button, Result, Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { getErrorMessage } from '#web/admin/engine/feedback.ts'
import type { QueryResult } from '#web/lib/use-query.ts'

/** What is shown of a query needs no more than this; loaders give it, too. */
export type QueryLike<T> = Pick<QueryResult<T>, 'data' | 'error' | 'refetch'>

interface QueryStateProps<T> {
  query: QueryLike<T>
  children: (data: T) => ReactNode
}

/** A skeleton while the query loads, then its data; or the error and a retry button. */
export function QueryState<T>({ query, children }: QueryStateProps<T>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <LoadError error={query.error} onRetry={query.refetch} />
  return <Skeleton active paragraph={{ rows: 8 }} />
}

export function LoadError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <Result
      status="warning"
      title="加载失败"
      subTitle={getErrorMessage(error)}
      extra={
        <Button type="primary" onClick={onRetry}>
          重试
        </Button>
      }
    />
  )
}
