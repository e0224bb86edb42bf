import { Tag, Tooltip, Typography } from 'antd'
import { type ReviewStatus, reviewStatusLabels } from '#shared/enums.ts'
import { Pair } from '#web/admin/cells.tsx'

const colors: Record<number, string> = { 0: 'gold', 1: 'green', 2: 'volcano' }

/** How an article or a comment stands; why it was refused on the line below, in full on hover. */
export function ReviewTag({ status, reason = '' }: { status: number; reason?: string }) {
  const word = (
    <Tag color={colors[status]} variant="filled">
      {reviewStatusLabels[status as ReviewStatus]}
    </Tag>
  )
  if (status !== 2 || !reason) return word
  return (
    <Tooltip title={reason}>
      <span>
        <Pair
          first={word}
          second={
            <Typography.Text type="secondary" ellipsis className="wa-reason">
              {reason}
            </Typography.Text>
          }
        />
      </span>
    </Tooltip>
  )
}

/** For actions that bring something to a state: not where it stands there already. */
export function unlessAlready(status: ReviewStatus) {
  return (row: { status: number }) => (row.status === status ? `已经是“${reviewStatusLabels[status]}”` : undefined)
}
