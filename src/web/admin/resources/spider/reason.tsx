import { Typography } from 'antd'
import type { SpiderUrl } from '#shared/contract/spider.ts'
import { dash, TwoLines } from '#web/admin/cells.tsx'
import { failureText, statusText } from '#web/admin/resources/spider/words.ts'

/** Why a row failed, or waits, in words; what else is known below. */
export function Reason({ row }: { row: Pick<SpiderUrl, 'reason' | 'detail' | 'http_status'> }) {
  const { reason, detail, http_status } = row
  if (!reason) return dash
  const more = [statusText(http_status), detail].filter(Boolean).join('，')
  return (
    <TwoLines
      primary={failureText(reason)}
      secondary={more && <Typography.Text type="secondary">{more}</Typography.Text>}
    />
  )
}
