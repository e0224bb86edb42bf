import { contract } from '#shared/contract/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import { Legend, LineChart, type Series } from '#web/admin/charts/line-chart.tsx'
import type { Period } from '#web/admin/statistics/period-picker.tsx'
import { formatCount, numberColumn, Section } from '#web/admin/statistics/section.tsx'
import styles from '#web/admin/statistics/statistics.module.css'
import { api } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'

type Day = Reply<typeof contract.stats.funnel>['day'][number]
type Step = Exclude<keyof Day, 'day'>

const steps: readonly [step: Step, label: string, tone: Series['tone']][] = [
  ['view', '浏览', 'accent'],
  ['visitor', '访客', 'second'],
  ['read', '阅读', 'accent'],
  ['ordered', '下单', 'accent'],
  ['paid', '支付', 'second'],
]
/** The charts: steps of one size share a scale. */
const charts = [
  ['访问', steps.slice(0, 2)],
  ['阅读', steps.slice(2, 3)],
  ['订单', steps.slice(3)],
] as const

/** From visits to payments, each step by day. */
export function Funnel({ period }: { period: Period }) {
  const query = useQuery(JSON.stringify(period), () => api(contract.stats.funnel, period))
  return (
    <Section
      title="从访问到付款"
      query={query}
      rows={({ day }) => (day.some((row) => steps.some(([step]) => row[step] > 0)) ? day.toReversed() : [])}
      rowKey={({ day }) => day}
      totals={({ day }) =>
        steps.map(([step, label]) => [label, formatCount(day.reduce((sum, row) => sum + row[step], 0))])
      }
      columns={[
        { title: '日期', text: ({ day }) => day },
        ...steps.map(([step, label]) => numberColumn<Day>(label, (day) => day[step])),
      ]}
      note="每一步都计入它发生的那一天，互不推算：今天付款的人可能昨天下单。访客按天去重，多天相加时同一个人会算几次。下单和支付不含后台充值、看广告所得和试运行；删除了的未支付订单不再计入。"
      empty="这段时间没有访问，也没有订单，可以换一段更长的时间"
    >
      {({ day: days }) =>
        charts.map(([title, lines]) => {
          const series = lines.map(([step, label, tone]) => ({ label, tone, values: days.map((day) => day[step]) }))
          return (
            <section key={title}>
              <div className={styles.chartHead}>
                <h3>{title}</h3>
                {series.length > 1 && <Legend series={series} />}
              </div>
              <LineChart title={`每天的${title}`} days={days.map(({ day }) => day)} series={series} />
            </section>
          )
        })
      }
    </Section>
  )
}
