import { Typography } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import { Legend, LineChart, type Series } from '#web/admin/charts/line-chart.tsx'
import { DashboardCard } from '#web/admin/dashboard/dashboard-card.tsx'
import styles from '#web/admin/dashboard/dashboard.module.css'
import { api } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'

type Day = Reply<typeof contract.stats.trend>['day'][number]
type Metric = Exclude<keyof Day, 'day'>

const metrics: readonly [key: Metric, label: string][] = [
  ['view', '浏览'],
  ['visitor', '访客'],
  ['upload', '上传'],
  ['download', '下载'],
  ['register', '注册'],
  ['search', '搜索'],
  ['converted', '转换完成'],
  ['failed', '转换失败'],
]

interface Chart {
  title: string
  lines: readonly [key: Metric, label: string, tone: Series['tone']][]
}

const charts: readonly Chart[] = [
  {
    title: '访问',
    lines: [
      ['view', '浏览', 'accent'],
      ['visitor', '访客', 'second'],
    ],
  },
  { title: '上传', lines: [['upload', '上传', 'accent']] },
  { title: '下载', lines: [['download', '下载', 'accent']] },
  { title: '注册', lines: [['register', '注册', 'accent']] },
  { title: '搜索', lines: [['search', '搜索', 'accent']] },
  {
    title: '转换',
    lines: [
      ['converted', '完成', 'accent'],
      ['failed', '失败', 'danger'],
    ],
  },
]

/** Today beside yesterday, and the last thirty days. */
export function Trends() {
  const query = useQuery('trend', () => api(contract.stats.trend))
  return (
    <>
      <DashboardCard title="今日数据" query={query} rows={2}>
        {({ day: days }) => <Today today={days.at(-1)} yesterday={days.at(-2)} />}
      </DashboardCard>
      <DashboardCard title="近 30 天" query={query} rows={8}>
        {({ day: days }) => (
          <div className={styles.charts}>
            {charts.map((chart) => (
              <TrendChart key={chart.title} chart={chart} days={days} />
            ))}
          </div>
        )}
      </DashboardCard>
    </>
  )
}

function Today({ today, yesterday }: { today: Day | undefined; yesterday: Day | undefined }) {
  return (
    <dl className={styles.numbers}>
      {metrics.map(([key, label]) => (
        <div key={key}>
          <dt>{label}</dt>
          <dd>
            <span className={styles.number}>{(today?.[key] ?? 0).toLocaleString()}</span>
            <Typography.Text type="secondary">昨天 {(yesterday?.[key] ?? 0).toLocaleString()}</Typography.Text>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function TrendChart({ chart: { title, lines }, days }: { chart: Chart; days: readonly Day[] }) {
  const series = lines.map(([key, label, tone]) => ({ label, tone, values: days.map((day) => day[key]) }))
  const total = series[0]?.values.reduce((sum, value) => sum + value, 0) ?? 0
  return (
    <section className={styles.chart}>
      <div className={styles.chartHead}>
        <h3>{title}</h3>
        {series.length > 1 ? <Legend series={series} /> : null}
        <Typography.Text type="secondary">
          {series.length > 1 && series[0]?.label}共 {total.toLocaleString()}
        </Typography.Text>
      </div>
      <LineChart title={`近 30 天${title}`} days={days.map(({ day }) => day)} series={series} />
    </section>
  )
}
