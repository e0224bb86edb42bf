import { Tag } from 'antd'
import type { SpiderUrl } from '#shared/contract/spider.ts'
import { TwoLines } from '#web/admin/cells.tsx'
import { failureText, statusText } from '#web/admin/resources/spider/words.ts'

interface StatusCellProps {
  label: string
  color: string
  row: Pick<SpiderUrl, 'reason' | 'detail' | 'http_status'>
}

/** The status; below it why the row failed or waits, in words, and what else is known. */
export function StatusCell({ label, color, row: { reason, detail, http_status } }: StatusCellProps) {
  const more = reason ? [failureText(reason), statusText(http_status), detail].filter(Boolean).join('；') : ''
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
