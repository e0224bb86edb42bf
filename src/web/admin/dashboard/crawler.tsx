import { Flex } from 'antd'
import { Link } from 'react-router'
import { contract } from '#shared/contract/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import { formatSize, formatTime } from '#shared/format.ts'
import { DashboardCard } from '#web/admin/dashboard/dashboard-card.tsx'
import styles from '#web/admin/dashboard/dashboard.module.css'
import { usePolling } from '#web/admin/dashboard/use-polling.ts'
import { usePermissions } from '#web/admin/engine/use-permissions.ts'
import { failedDocumentStatuses } from '#web/admin/resources/spider/words.ts'
import { api } from '#web/lib/api.ts'

const documentPage = '/admin/spider/document'
const sourcePage = '/admin/spider/source'
const failedQuery = failedDocumentStatuses.map((status) => `status=${status}`).join('&')
const intervalMs = 20_000

type Today = Reply<typeof contract.spiderDocuments.today>

/** What the crawler has done today. Not shown on a site that does not crawl, nor before that is known. */
export function CrawlerCard() {
  const query = usePolling(() => api(contract.spiderDocuments.today), { intervalMs, retryMs: intervalMs })
  const { data, error } = query
  const isShown = data ? data.is_used : Boolean(error)
  if (!isShown) return null
  return (
    <DashboardCard title="今天的采集" query={query} rows={2} extra={<Extra />}>
      {(today) => (
        <>
          <dl className={styles.numbers}>
            <Count label="发现" count={today.found} />
            <Count label="下载" count={today.downloaded} />
            <Count label="发布" count={today.published} />
            <Count label="失败" count={today.failed} to={`${documentPage}?${failedQuery}`} />
            <div>
              <dt>流量</dt>
              <dd className={styles.number}>{formatSize(today.bytes)}</dd>
            </div>
          </dl>
          <p className={styles.note}>{describeRuns(today)}</p>
        </>
      )}
    </DashboardCard>
  )
}

function Extra() {
  const { canOpen } = usePermissions()
  return (
    <Flex gap={16}>
      {canOpen(sourcePage) && <Link to={sourcePage}>采集源</Link>}
      <Link to={documentPage}>采集文档</Link>
    </Flex>
  )
}

function Count({ label, count, to }: { label: string; count: number; to?: string }) {
  const number = count.toLocaleString('zh-CN')
  return (
    <div>
      <dt>{label}</dt>
      <dd className={styles.number}>
        {to && count > 0 ? (
          <Link to={to} className={styles.failed}>
            {number}
          </Link>
        ) : (
          number
        )}
      </dd>
    </div>
  )
}

function describeRuns({ running, next_run_at }: Today): string {
  const now = running > 0 ? `${running.toLocaleString('zh-CN')} 个采集源正在运行` : '没有采集源在运行'
  return next_run_at === null ? now : `${now}，下次定时运行：${formatTime(next_run_at)}`
}
