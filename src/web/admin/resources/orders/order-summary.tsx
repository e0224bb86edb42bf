import { Typography } from 'antd'
import { Link } from 'react-router'
import { contract } from '#shared/contract/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import { formatYuan } from '#shared/prices.ts'
import { LineChart } from '#web/admin/charts/line-chart.tsx'
import { CardContent } from '#web/admin/dashboard/dashboard-card.tsx'
import type { SummaryProps } from '#web/admin/resource.ts'
import { lastDays, sumMethods, toDailyIncome } from '#web/admin/resources/orders/income.ts'
import styles from '#web/admin/resources/orders/orders.module.css'
import { useCreditName } from '#web/domain/site.ts'
import { api } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'

/** The sums of what is filtered, what waits for staff, and the income by day: of the filtered days, or the last thirty. */
export function OrderSummary({ reply, filters }: SummaryProps<Reply<typeof contract.orders.list>>) {
  const credit = useCreditName()
  const [first, last] = toPeriod(filters['paid_at'])
  return (
    <div className={styles.summary}>
      <div>
        <dl className={styles.totals}>
          <div>
            <dt>筛选出的收入</dt>
            <dd>¥{formatYuan(reply.money)}</dd>
          </div>
          <div>
            <dt>支付的{credit}</dt>
            <dd>{reply.credits.toLocaleString('zh-CN')}</dd>
          </div>
        </dl>
        <Typography.Text type="secondary">已减去退款</Typography.Text>
        <nav className={styles.quick} aria-label="快捷筛选">
          <Link to="?is_claimed=1">待确认付款</Link>
          <Link to="?has_surplus=1">多收款</Link>
          <Link to="/admin/order/difference?is_handled=0">对账差异</Link>
        </nav>
      </div>
      <IncomeChart key={reply.money} first={first} last={last} />
    </div>
  )
}

function IncomeChart({ first, last }: { first: string; last: string }) {
  const query = useQuery(`${first} ${last}`, () => api(contract.orders.sums, { paid_at: [first, last] }))
  return (
    <section>
      <CardContent query={query} rows={4}>
        {({ day }) => {
          const { days, values } = toDailyIncome(day, first, last)
          return (
            <>
              <div className={styles.chartHead}>
                <h3>每日收入（元）</h3>
                <Typography.Text type="secondary">
                  {sumMethods(day)
                    .map(({ label, money }) => `${label} ¥${formatYuan(money)}`)
                    .join('，') || '这段时间没有收入'}
                </Typography.Text>
              </div>
              <LineChart title="每日收入（元）" days={days} series={[{ label: '收入', tone: 'accent', values }]} />
            </>
          )
        }}
      </CardContent>
    </section>
  )
}

function toPeriod(filter: unknown): [string, string] {
  const [first, last]: unknown[] = Array.isArray(filter) ? filter : []
  if (typeof first === 'string' && typeof last === 'string') return [first, last]
  return lastDays(30)
}
