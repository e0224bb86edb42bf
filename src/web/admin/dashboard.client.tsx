import { Card, Col, Descriptions, Empty, Flex, Row, Statistic, Typography } from 'antd'
import { useState } from 'react'
import { Link, useRevalidator } from 'react-router'
import { contract } from '#shared/contract/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import { reasonOf } from '#web/admin/engine/feedback.ts'
import { useMay } from '#web/admin/engine/gate.ts'
import { Failed } from '#web/admin/engine/states.tsx'
import { Environment } from '#web/admin/environment.tsx'
import { menuFor } from '#web/admin/menu.tsx'
import { pageExists } from '#web/admin/registry.ts'
import { api } from '#web/lib/api.ts'
import { useSession } from '#web/lib/session.ts'

type Stats = Reply<typeof contract.stats.get>

const everyone: [keyof Stats, string][] = [
  ['document_count', '文档'],
  ['article_count', '文章'],
  ['user_count', '用户'],
]
const holders: [keyof Stats, string][] = [
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

export function Dashboard({ stats, problem }: { stats?: Stats; problem?: string }) {
  const { revalidate } = useRevalidator()
  const { user } = useSession()
  const may = useMay()
  const [hour] = useState(() => new Date().getHours())
  return (
    <Flex vertical gap={16}>
      <Typography.Title level={4} className="wa-greeting">
        {greeting(hour)}，{user.realname || user.username}
      </Typography.Title>
      {stats ? (
        <Row gutter={[16, 16]}>
          {[...everyone, ...(may.hold('ConfigAPI/GetStats') ? holders : [])].map(([key, label]) => (
            <Col key={key} xs={12} sm={8} lg={6}>
              <Card size="small">
                <Statistic title={label} value={stats[key]} />
              </Card>
            </Col>
          ))}
        </Row>
      ) : (
        <Failed title="统计加载失败" reason={problem ?? ''} onRetry={() => void revalidate()} />
      )}
      <Card size="small" title="快捷入口">
        <QuickLinks />
      </Card>
      {stats?.version && (
        <Card size="small" title="系统">
          <Descriptions
            column={{ xs: 1, md: 3 }}
            items={[
              { key: 'version', label: '版本', children: stats.version },
              { key: 'os', label: '系统', children: stats.os },
              { key: 'api', label: '接口文档', children: <a href="/api/docs">/api/docs</a> },
            ]}
          />
        </Card>
      )}
      {may.call(contract.environment.envs) && <Environment />}
    </Flex>
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
