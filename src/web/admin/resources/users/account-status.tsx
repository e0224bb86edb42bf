import { Tag } from 'antd'
import type { User } from '#shared/contract/user.ts'
import { RecordStatus, recordStatusLabels } from '#shared/enums.ts'
import { formatTime } from '#shared/format.ts'

/** Whether an account is disabled, or deleted by its owner, or about to be. */
export function StatusTag({ user }: { user: User }) {
  return (
    <Tag color={colorOf(user)} variant="filled" title={titleOf(user)}>
      {describeStatus(user)}
    </Tag>
  )
}

export function describeStatus({ status, deletion_at, deleted_at }: User): string {
  if (deleted_at !== null) return '已注销'
  if (status === RecordStatus.Normal && deletion_at !== null) return '注销中'
  return recordStatusLabels[status]
}

function colorOf({ status, deletion_at, deleted_at }: User): string | undefined {
  if (deleted_at !== null) return undefined
  if (status === RecordStatus.Disabled) return 'red'
  return deletion_at === null ? undefined : 'orange'
}

function titleOf({ deletion_at, deleted_at }: User): string | undefined {
  if (deleted_at !== null) return `${formatTime(deleted_at)} 注销`
  return deletion_at === null ? undefined : `将于 ${formatTime(deletion_at)} 注销`
}
