import { Button, Result, Skeleton } from 'antd'
import type { ReactNode } from 'react'

interface WaitingProps<T> {
  answer: { data?: T; problem?: string; retry: () => void }
  children: (data: T) => ReactNode
}

/** Skeleton, then the thing; or why not, and another try. */
export function Waiting<T>({ answer, children }: WaitingProps<T>) {
  if (answer.data !== undefined) return children(answer.data)
  if (answer.problem) return <Failed reason={answer.problem} onRetry={answer.retry} />
  return <Skeleton active paragraph={{ rows: 8 }} />
}

export function Failed({
  title = '加载失败',
  reason,
  onRetry,
}: {
  title?: string
  reason: string
  onRetry: () => void
}) {
  return (
    <Result
      status="warning"
      title={title}
      subTitle={reason}
      extra={
        <Button type="primary" onClick={onRetry}>
          重试
        </Button>
      }
    />
  )
}
