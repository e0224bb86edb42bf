import { Card, Empty, Flex, Typography } from 'antd'
import { useState } from 'react'
import { Link, useRevalidator } from 'react-router'
import { contract } from '#shared/contract/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import { About } from '#web/admin/dashboard/about.tsx'
import { BackupCard } from '#web/admin/dashboard/backup.tsx'
import { ChecklistButton, ChecklistCard, useChecklist } from '#web/admin/dashboard/checklist/checklist.tsx'
import { DashboardCard } from '#web/admin/dashboard/dashboard-card.tsx'
import { Commands } from '#web/admin/dashboard/commands.tsx'
import styles from '#web/admin/dashboard/dashboard.module.css'
import { CrawlerCard } from '#web/admin/dashboard/crawler.tsx'
import { IncomeCard } from '#web/admin/dashboard/income.tsx'
import { ServerStatusCard } from '#web/admin/dashboard/server-status.tsx'
import { Trends } from '#web/admin/dashboard/trends.tsx'
import { PendingCard } from '#web/admin/dashboard/pending.tsx'
import { ReleaseCard } from '#web/admin/dashboard/release.tsx'
import { usePermissions } from '#web/admin/engine/use-permissions.ts'
import { EnvironmentCard } from '#web/admin/dashboard/environment.tsx'
import { filterMenu } from '#web/admin/menu.tsx'
import { api } from '#web/lib/api.ts'
import { useSession } from '#web/lib/session.ts'

type Stats = Reply<typeof contract.stats.get>
type Count = Extract<keyof Stats, `${string}_count`>

const publicCounts: [Count, string][] = [
  ['document_count', '文档'],
  ['article_count', '文章'],
  ['user_count', '用户'],
]
/** Only with the permission for statistics. */
const staffCounts: [Count, string][] = [
  ['category_count', '分类'],
  ['comment_count', '评论'],
  ['report_count', '举报'],
  ['banner_count', '横幅'],
  ['friendlink_count', '友情链接'],
]

export async function loadDashboard(): Promise<{ stats?: Stats; error?: unknown }> {
  try {
    return { stats: await api(contract.stats.get) }
  } catch (error) {
    return { error }
  }
}

/** Each card is shown to users who may call its endpoint. */
export function Dashboard({ stats, error }: { stats?: Stats; error?: unknown }) {
  const { revalidate } = useRevalidator()
  const { canCall, has } = usePermissions()
  const seesAll = has('ConfigAPI/GetStats')
  const query = { data: stats, error, refetch: () => void revalidate() }
  const checklist = useChecklist()
  return (
    <Flex vertical gap={16}>
      <header className={styles.head}>
        <Greeting />
        <Flex gap={8} wrap>
          <ChecklistButton query={checklist} />
          <Commands />
        </Flex>
      </header>
      <ChecklistCard query={checklist} />
      {canCall(contract.stats.pending) && <PendingCard />}
      {canCall(contract.orders.sums) && <IncomeCard />}
      {canCall(contract.spiderDocuments.today) && <CrawlerCard />}
      {canCall(contract.stats.trend) && <Trends />}
      <DashboardCard title="网站内容" query={query} rows={2}>
        {(stats) => (
          <dl className={styles.numbers}>
            {[...publicCounts, ...(seesAll ? staffCounts : [])].map(([key, label]) => (
              <div key={key}>
                <dt>{label}</dt>
                <dd className={styles.number}>{stats[key].toLocaleString()}</dd>
              </div>
            ))}
          </dl>
        )}
      </DashboardCard>
      {canCall(contract.machine.device) && <ServerStatusCard />}
      {canCall(contract.environment.workers) && <EnvironmentCard />}
      {canCall(contract.backups.list) && <BackupCard />}
      <div className={styles.columns}>
        {seesAll && (
          <DashboardCard title="系统" query={query}>
            {(stats) => <About stats={stats} />}
          </DashboardCard>
        )}
        {canCall(contract.settings.update) && <ReleaseCard />}
      </div>
      <Card size="small" title={<h2 className={styles.cardTitle}>快捷入口</h2>}>
        <QuickLinks />
      </Card>
    </Flex>
  )
}

function Greeting() {
  const { user } = useSession()
  const [hour] = useState(() => new Date().getHours())
  return (
    <h2 className={styles.greeting}>
      {greeting(hour)}，{user.realname || user.username}
    </h2>
  )
}

function QuickLinks() {
  const { canOpen } = usePermissions()
  const groups = filterMenu(canOpen)
  if (groups.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有可以打开的页面" />
  return (
    <Flex vertical gap={12}>
      {groups.map(({ key, title, pages }) => (
        <div key={key} className={styles.links}>
          <Typography.Text type="secondary">{title}</Typography.Text>
          <Flex wrap gap="4px 16px">
            {pages.map(([path, label]) => (
              <Link key={path} to={path}>
                {label}
              </Link>
            ))}
          </Flex>
        </div>
      ))}
    </Flex>
  )
}

function greeting(hour: number): string {
  if (hour < 6) return '夜深了'
  if (hour < 12) return '早上好'
  return hour < 18 ? '下午好' : '晚上好'
}
