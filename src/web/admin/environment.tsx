import { Card, Table, Tag, Typography } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import { dash, Pair } from '#web/admin/cells.tsx'
import { useAnswer } from '#web/admin/engine/answer.ts'
import { Waiting } from '#web/admin/engine/states.tsx'
import { api } from '#web/lib/api.ts'

type Tool = Reply<typeof contract.environment.envs>['envs'][number]

/** The programs that conversions need: which of them are there, and what is lost without the others. */
export function Environment() {
  const answer = useAnswer(() => api(contract.environment.envs))
  return (
    <Card size="small" title="转换环境">
      <Waiting answer={answer}>
        {({ envs }) => (
          <Table<Tool>
            rowKey="name"
            size="small"
            pagination={false}
            dataSource={envs}
            scroll={{ x: 'max-content' }}
            columns={[
              { key: 'name', title: '程序', render: (_, { name, cmd }) => <Pair first={name} second={cmd} /> },
              { key: 'state', title: '状态', width: 100, render: (_, tool) => <State tool={tool} /> },
              { key: 'version', title: '版本', render: (_, { version, error }) => version || said(error) },
              { key: 'use', title: '用途', dataIndex: 'description' },
            ]}
          />
        )}
      </Waiting>
    </Card>
  )
}

function State({ tool: { is_installed, is_required } }: { tool: Tool }) {
  if (is_installed) {
    return (
      <Tag color="green" variant="filled">
        已安装
      </Tag>
    )
  }
  return (
    <Tag color={is_required ? 'red' : 'gold'} variant="filled">
      {is_required ? '缺少' : '未安装'}
    </Tag>
  )
}

function said(error: string) {
  return error ? <Typography.Text type="danger">{error}</Typography.Text> : dash
}
