import { Alert, Button, Card, Skeleton } from 'antd'
import type { ReactNode } from 'react'

interface Answered<T> {
  data?: T
  problem?: string
  retry: () => void
}

interface BlockProps<T> {
  title: string
  answer: Answered<T>
  extra?: ReactNode
  /** How much room the answer will need. */
  rows?: number
  children: (data: T) => ReactNode
}

/** A part of the dashboard that stands for itself: what another one could not learn does not empty it. */
export function Block<T>({ title, answer, extra, rows = 3, children }: BlockProps<T>) {
  return (
    <Card size="small" title={<h2 className="wa-block-title">{title}</h2>} extra={extra}>
      <Answer answer={answer} rows={rows}>
        {children}
      </Answer>
    </Card>
  )
}

export function Answer<T>({ answer, rows = 3, children }: Pick<BlockProps<T>, 'answer' | 'rows' | 'children'>) {
  if (answer.data !== undefined) return children(answer.data)
  if (answer.problem) return <Trouble reason={answer.problem} retry={answer.retry} />
  return <Skeleton active title={false} paragraph={{ rows }} />
}

export function Trouble({ title = '加载失败', reason, retry }: { title?: string; reason: string; retry: () => void }) {
  return (
    <Alert
      type="warning"
      showIcon
      title={title}
      description={reason}
      action={
        <Button size="small" onClick={retry}>
          重试
        </Button>
      }
    />
  )
}
