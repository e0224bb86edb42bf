import { Card, Empty, Flex, Typography } from 'antd'
import { useState } from 'react'
import { Link, useRevalidator } from 'react-router'
import { contract } from '#shared/contract/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import { About } from '#web/admin/dashboard/about.tsx'
import { Block } from '#web/admin/dashboard/block.tsx'
import { Commands } from '#web/admin/dashboard/commands.tsx'
import '#web/admin/dashboard/dashboard.css'
import { DeviceBlock } from '#web/admin/dashboard/device.tsx'
import { Figures } from '#web/admin/dashboard/figures.tsx'
import { PendingBlock } from '#web/admin/dashboard/pending.tsx'
import { ReleaseBlock } from '#web/admin/dashboard/release.tsx'
import { reasonOf } from '#web/admin/engine/feedback.ts'
import { useMay } from '#web/admin/engine/gate.ts'
import { Environment } from '#web/admin/environment.tsx'
import { menuFor } from '#web/admin/menu.tsx'
import { pageExists } from '#web/admin/registry.ts'
import { api } from '#web/lib/api.ts'
import { useSession } from '#web/lib/session.ts'

type Stats = Reply<typeof contract.stats.get>
type Count = Extract<keyof Stats, `${string}_count`>

const everyone: [Count, string][] = [
  ['document_count', '文档'],
  ['article_count', '文章'],
  ['user_count', '用户'],
]
const holders: [Count, string][] = [
  ['category_count', '分类'],
  ['comment_count', '评论'],
  ['report_count', '举报'],
  ['banner_count', '横幅'],
  ['friendlink_count', '友情链接'],
]

export async function loadDashboard(): Promise<{ stats?: Stats; problem?: string }> {
  try {
    return { stats: await api(contract.stats.get) }
  } catch (error) {
    return { problem: reasonOf(error) }
  }
}

/** Every part asks for itself and is shown to those who may see it. */
export function Dashboard({ stats, problem }: { stats?: Stats; problem?: string }) {
  const { revalidate } = useRevalidator()
  const may = useMay()
  const sees = may.hold('ConfigAPI/GetStats')
  const answer = { data: stats, problem, retry: () => void revalidate() }
  return (
    <Flex vertical gap={16}>
      <header className="wd-head">
        <Greeting />
        <Commands />
      </header>
      {may.call(contract.stats.waiting) && <PendingBlock />}
      {may.call(contract.stats.trend) && <Figures />}
      <Block title="网站内容" answer={answer} rows={2}>
        {(stats) => (
          <dl className="wd-today">
            {[...everyone, ...(sees ? holders : [])].map(([key, label]) => (
              <div key={key}>
                <dt>{label}</dt>
                <dd className="wd-number">{stats[key].toLocaleString()}</dd>
              </div>
            ))}
          </dl>
        )}
      </Block>
      {may.call(contract.machine.device) && <DeviceBlock />}
      {may.call(contract.environment.envs) && <Environment />}
      <div className="wd-columns">
        {sees && (
          <Block title="系统" answer={answer}>
            {(stats) => <About stats={stats} />}
          </Block>
        )}
        {may.call(contract.machine.release) && <ReleaseBlock />}
      </div>
      <Card size="small" title={<h2 className="wa-block-title">快捷入口</h2>}>
        <QuickLinks />
      </Card>
    </Flex>
  )
}

function Greeting() {
  const { user } = useSession()
  const [hour] = useState(() => new Date().getHours())
  return (
    <Typography.Title level={2} className="wa-greeting wd-greeting">
      {greeting(hour)}，{user.realname || user.username}
    </Typography.Title>
  )
}

function QuickLinks() {
  const may = useMay()
  const groups = menuFor((page) => pageExists(page) && may.open(page))
  if (groups.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有可以打开的页面" />
  return (
    <Flex vertical gap={12}>
      {groups.map(({ key, title, pages }) => (
        <div key={key} className="wa-links">
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
