import { Alert, Button, Card, Skeleton } from 'antd'
import type { ReactNode } from 'react'
import styles from '#web/admin/dashboard/dashboard.module.css'
import { getErrorMessage } from '#web/admin/engine/feedback.ts'
import type { QueryLike } from '#web/admin/engine/query-state.tsx'

interface DashboardCardProps<T> {
  title: string
  query: QueryLike<T>
  extra?: ReactNode
  /** How many lines the content will need. */
  rows?: number
  children: (data: T) => ReactNode
}

/** Each card loads by itself: one that fails leaves the others as they are. */
export function DashboardCard<T>({ title, query, extra, rows, children }: DashboardCardProps<T>) {
  return (
    <Card size="small" title={<h2 className={styles.cardTitle}>{title}</h2>} extra={extra}>
      <CardContent query={query} rows={rows}>
        {children}
      </CardContent>
    </Card>
  )
}

export function CardContent<T>({
  query,
  rows = 3,
  children,
}: Pick<DashboardCardProps<T>, 'query' | 'rows' | 'children'>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <LoadAlert error={query.error} onRetry={query.refetch} />
  return <Skeleton active title={false} paragraph={{ rows }} />
}

interface LoadAlertProps {
  title?: string
  error: unknown
  onRetry: () => void
}

export function LoadAlert({ title = '加载失败', error, onRetry }: LoadAlertProps) {
  return (
    <Alert
      type="warning"
      showIcon
      title={title}
      description={getErrorMessage(error)}
      action={
        <Button size="small" onClick={onRetry}>
          重试
        </Button>
      }
    />
  )
}
