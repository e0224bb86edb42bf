import { Tag } from 'antd'
import type { SpiderUrl } from '#shared/contract/spider.ts'
import { formatTime } from '#shared/format.ts'
import { TwoLines } from '#web/admin/cells.tsx'
import { failureText, statusText } from '#web/admin/resources/spider/words.ts'

interface StatusCellProps {
  label: string
  color: string
  row: Pick<SpiderUrl, 'url' | 'reason' | 'detail' | 'http_status'> & { due_at?: number | null }
}

/** The status; below it why the row failed or waits, in words, and what else is known. */
export function StatusCell({ label, color, row }: StatusCellProps) {
  const { url, reason, detail, http_status, due_at } = row
  const facts = [
    failureText(reason),
    statusText(http_status),
    detail !== url && detail,
    due_at && `${formatTime(due_at)} 再试`,
  ]
  const more = reason ? facts.filter(Boolean).join('；') : ''
  return (
    <TwoLines
      primary={
        <Tag color={color} variant="filled">
          {label}
        </Tag>
      }
      secondary={more}
    />
  )
}
