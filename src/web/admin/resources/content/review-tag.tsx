import { Tag, Tooltip, Typography } from 'antd'
import { ReviewStatus, reviewStatusLabels } from '#shared/enums.ts'
import { TwoLines } from '#web/admin/cells.tsx'

const colors: Record<ReviewStatus, string> = {
  [ReviewStatus.Pending]: 'gold',
  [ReviewStatus.Approved]: 'green',
  [ReviewStatus.Rejected]: 'volcano',
}

/** The review status of an article or a comment; the reason of a rejection below, in full on hover. */
export function ReviewTag({ status, reason = '' }: { status: ReviewStatus; reason?: string }) {
  const tag = (
    <Tag color={colors[status]} variant="filled">
      {reviewStatusLabels[status]}
    </Tag>
  )
  if (status !== ReviewStatus.Rejected || !reason) return tag
  return (
    <Tooltip title={reason}>
      <span>
        <TwoLines
          primary={tag}
          secondary={
            <Typography.Text type="secondary" ellipsis style={{ display: 'block', maxWidth: 150, fontSize: 12 }}>
              {reason}
            </Typography.Text>
          }
        />
      </span>
    </Tooltip>
  )
}

/** Disables an action on rows that have its status already. */
export function unlessAlready(status: ReviewStatus) {
  return (row: { status: ReviewStatus }) =>
    row.status === status ? `已经是“${reviewStatusLabels[status]}”` : undefined
}
