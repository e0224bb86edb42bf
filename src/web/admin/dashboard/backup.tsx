import { Flex, Typography } from 'antd'
import { Link } from 'react-router'
import { contract } from '#shared/contract/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import { formatSize, formatTime } from '#shared/format.ts'
import { DashboardCard } from '#web/admin/dashboard/dashboard-card.tsx'
import { api } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'

type Backups = Reply<typeof contract.backups.list>

/** The last good backup, and what became of the latest. */
export function BackupCard() {
  const query = useQuery('backups', () => api(contract.backups.list))
  return (
    <DashboardCard title="备份" query={query} rows={2} extra={<Link to="/admin/config/backup">备份设置</Link>}>
      {(backups) => (
        <Flex vertical gap={4}>
          {describe(backups).map(({ text, type }) => (
            <Typography.Text key={text} {...(type && { type })}>
              {text}
            </Typography.Text>
          ))}
        </Flex>
      )}
    </DashboardCard>
  )
}

function describe({ backup, last_good_at }: Backups): { text: string; type?: 'secondary' | 'danger' }[] {
  const [latest] = backup
  const good = backup.find(({ state }) => state === 'done')
  const last = last_good_at === null ? '还没有成功的备份' : `上一份完好的备份：${formatTime(last_good_at)}`
  return [
    last_good_at === null ? { text: last, type: 'danger' } : { text: last },
    ...(good && good.finished_at === last_good_at
      ? [{ text: `已从头到尾核对，${formatSize(good.size)}，在 ${good.host}`, type: 'secondary' } as const]
      : []),
    ...(latest?.state === 'failed' ? [{ text: `最近一次没有成功：${latest.error}`, type: 'danger' } as const] : []),
    ...(latest?.state === 'running' || latest?.state === 'waiting'
      ? [{ text: `正在备份${latest.note && `：${latest.note}`}`, type: 'secondary' } as const]
      : []),
  ]
}
