import { Progress, Typography } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import { formatSize } from '#shared/format.ts'
import { DashboardCard, LoadAlert } from '#web/admin/dashboard/dashboard-card.tsx'
import styles from '#web/admin/dashboard/dashboard.module.css'
import { usePolling } from '#web/admin/dashboard/use-polling.ts'
import { api } from '#web/lib/api.ts'

type Device = Reply<typeof contract.machine.device>

const polling = { intervalMs: 5000, retryMs: 30_000 }
/** Percentages from which a gauge warns and alarms. */
const [warningLevel, dangerLevel] = [80, 92]

export function ServerStatusCard() {
  const query = usePolling(() => api(contract.machine.device), polling)
  const { data, error, refetch } = query
  return (
    <DashboardCard title="服务器状态" query={query} extra={data && !error && <PollingNote />}>
      {(device) => (
        <>
          {error !== undefined && <LoadAlert title="暂时无法更新，每 30 秒重试一次" error={error} onRetry={refetch} />}
          <Gauges device={device} />
        </>
      )}
    </DashboardCard>
  )
}

function PollingNote() {
  return <Typography.Text type="secondary">每 5 秒更新</Typography.Text>
}

function Gauges({ device: { cpu, memory, disk } }: { device: Device }) {
  return (
    <ul className={styles.gauges}>
      <Gauge name="处理器" percent={cpu.percent} summary={`${cpu.cores} 核`} detail={cpu.model_name} />
      <Gauge
        name="内存"
        percent={memory.percent}
        summary={`${formatSize(memory.used)} / ${formatSize(memory.total)}`}
        detail={`可用 ${formatSize(memory.available)}`}
      />
      {disk.map(({ disk_name, used, free, percent }) => (
        <Gauge
          key={disk_name}
          name={disk_name === '/' ? '系统盘' : '数据盘'}
          percent={percent}
          summary={`可用 ${formatSize(free)}`}
          detail={`已用 ${formatSize(used)}，${disk_name}`}
        />
      ))}
    </ul>
  )
}

interface GaugeProps {
  name: string
  percent: number
  summary: string
  detail: string
}

function Gauge({ name, percent, summary, detail }: GaugeProps) {
  return (
    <li>
      <Progress
        type="dashboard"
        size={104}
        percent={percent}
        strokeColor={toColor(percent)}
        railColor="var(--sunken)"
        format={renderPercent}
        aria-label={`${name}已用`}
      />
      <b>{name}</b>
      <span>{summary}</span>
      <span className={styles.gaugeDetail}>{detail}</span>
    </li>
  )
}

function renderPercent(percent = 0) {
  return <span className={styles.gaugeValue}>{percent.toFixed(percent < 10 ? 1 : 0)}%</span>
}

function toColor(percent: number): string {
  if (percent >= dangerLevel) return 'var(--danger)'
  return percent >= warningLevel ? 'var(--warning)' : 'var(--accent)'
}
