import { Drawer, Empty, Tag, Typography } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import type { SpiderDocument, SpiderLog, SpiderUrl } from '#shared/contract/spider.ts'
import { formatSize } from '#shared/format.ts'
import { type SpiderLogEvent, spiderLogLabels } from '#shared/spider.ts'
import { ExternalLink, Timestamp } from '#web/admin/cells.tsx'
import { QueryState } from '#web/admin/engine/query-state.tsx'
import type { PanelProps } from '#web/admin/resource.ts'
import styles from '#web/admin/resources/spider/spider.module.css'
import { durationText, failureText, statusText } from '#web/admin/resources/spider/words.ts'
import { api } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'

export function UrlLogDrawer({ row, onClose }: PanelProps<SpiderUrl>) {
  return (
    <LogDrawer id={row.id} url={row.url} load={() => api(contract.spiderUrls.log, { id: row.id })} onClose={onClose} />
  )
}

export function DocumentLogDrawer({ row, onClose }: PanelProps<SpiderDocument>) {
  const load = () => api(contract.spiderDocuments.log, { id: row.id })
  return <LogDrawer id={row.id} url={row.url} load={load} onClose={onClose} />
}

interface LogDrawerProps {
  id: number
  url: string
  load: () => Promise<{ log: SpiderLog[] }>
  onClose: () => void
}

/** What happened at an address, the newest first. */
function LogDrawer({ id, url, load, onClose }: LogDrawerProps) {
  const query = useQuery(id, load)
  return (
    <Drawer open title="采集日志" size={600} onClose={onClose}>
      <p className={styles.logAddress}>
        <ExternalLink href={url} />
      </p>
      <QueryState query={query}>
        {({ log }) =>
          log.length === 0 ? (
            <Empty
              image={Empty.PRESENTED_IMAGE_SIMPLE}
              description="还没有日志：这个网址还没有采集过，或日志已过保留期"
            />
          ) : (
            <ol className={styles.log}>
              {log.map((entry) => (
                <li key={entry.id}>
                  <LogEntry entry={entry} url={url} />
                </li>
              ))}
            </ol>
          )
        }
      </QueryState>
    </Drawer>
  )
}

const logColors: Partial<Record<SpiderLogEvent, string>> = {
  failed: 'red',
  postponed: 'gold',
  downloaded: 'cyan',
  published: 'green',
}

function LogEntry({ entry, url }: { entry: SpiderLog; url: string }) {
  const { http_status, bytes, duration_ms, detail, event, reason, created_at } = entry
  const facts = [
    statusText(http_status),
    bytes > 0 && formatSize(bytes),
    duration_ms > 0 && durationText(duration_ms),
  ].filter(Boolean)
  return (
    <>
      <p className={styles.logHead}>
        <Tag color={logColors[event] ?? 'default'} variant="filled">
          {spiderLogLabels[event]}
        </Tag>
        <Timestamp at={created_at} />
      </p>
      {reason && <p className={styles.logReason}>{failureText(reason)}</p>}
      {facts.length > 0 && <Typography.Text type="secondary">{facts.join('，')}</Typography.Text>}
      {detail && detail !== url && <p className={styles.logDetail}>{detail}</p>}
    </>
  )
}
