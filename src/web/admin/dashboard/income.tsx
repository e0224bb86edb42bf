import { Typography } from 'antd'
import { Link } from 'react-router'
import { contract } from '#shared/contract/contract.ts'
import { formatYuan } from '#shared/prices.ts'
import { LineChart } from '#web/admin/charts/line-chart.tsx'
import { DashboardCard } from '#web/admin/dashboard/dashboard-card.tsx'
import styles from '#web/admin/dashboard/dashboard.module.css'
import { lastDays, sumMethods, toDailyIncome } from '#web/admin/resources/orders/income.ts'
import { api } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'

/** What was paid in money, less refunds: today, in thirty days, and by which methods. */
export function IncomeCard() {
  const [first, today] = lastDays(30)
  const query = useQuery('income', () => api(contract.orders.sums, { paid_at: [first, today] }))
  return (
    <DashboardCard title="收入" query={query} rows={4} extra={<Link to="/admin/order">查看订单</Link>}>
      {({ day: sums }) => {
        const { days, values } = toDailyIncome(sums, first, today)
        const methods = sumMethods(sums)
        const ofToday = sumMethods(sums.filter(({ day }) => day === today))
        return (
          <div className={styles.income}>
            <dl className={styles.numbers}>
              <Amount label="今天" fen={total(ofToday)} />
              <Amount label="近 30 天" fen={total(methods)} />
              {methods.map(({ label, money }) => (
                <Amount key={label} label={label} fen={money} />
              ))}
            </dl>
            {methods.length > 0 ? (
              <LineChart
                title="近 30 天收入（元）"
                days={days}
                series={[{ label: '收入（元）', tone: 'accent', values }]}
              />
            ) : (
              <Typography.Text type="secondary">近 30 天没有收入</Typography.Text>
            )}
          </div>
        )
      }}
    </DashboardCard>
  )
}

function Amount({ label, fen }: { label: string; fen: number }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className={styles.number}>¥{formatYuan(fen)}</dd>
    </div>
  )
}

function total(methods: readonly { money: number }[]): number {
  return methods.reduce((sum, { money }) => sum + money, 0)
}
