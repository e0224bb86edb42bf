import { Alert, Table, Typography } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import { dash, Pair } from '#web/admin/cells.tsx'
import { Block } from '#web/admin/dashboard/block.tsx'
import { useAnswer } from '#web/admin/engine/answer.ts'
import { api } from '#web/lib/api.ts'

type Tool = Reply<typeof contract.environment.envs>['envs'][number]

/** The programs that conversions need: which of them are there, what is lost without the others, and how to get them. */
export function Environment() {
  const answer = useAnswer(() => api(contract.environment.envs))
  return (
    <Block title="转换环境" answer={answer} rows={8}>
      {({ envs }) => (
        <>
          <Missing tools={envs.filter(isMissed)} />
          <Table<Tool>
            rowKey="name"
            size="small"
            pagination={false}
            dataSource={envs}
            columns={[
              { key: 'name', title: '程序', render: (_, { name, cmd }) => <Pair first={name} second={cmd} /> },
              { key: 'state', title: '状态', width: 80, render: (_, tool) => <State tool={tool} /> },
              { key: 'version', title: '版本', render: (_, tool) => <Version tool={tool} /> },
              { key: 'use', title: '用途', dataIndex: 'description', responsive: ['md'] },
            ]}
          />
        </>
      )}
    </Block>
  )
}

/** How each is installed on Debian and Ubuntu; elsewhere the packages have much the same names. */
const packages: Record<string, string | undefined> = {
  LibreOffice: 'libreoffice',
  中文字体: 'fontconfig fonts-noto-cjk',
  安全隔离: 'bubblewrap',
  '7-Zip': '7zip',
  Poppler: 'poppler-utils',
}

function Missing({ tools }: { tools: readonly Tool[] }) {
  if (tools.length === 0) return null
  const wanted = tools.flatMap(({ name }) => packages[name] ?? [])
  return (
    <Alert
      className="wd-missing"
      showIcon
      type={tools.some(({ is_required, is_installed }) => is_required && !is_installed) ? 'error' : 'warning'}
      title={`需要留意：${tools.map(({ name }) => name).join('、')}`}
      description={
        wanted.length > 0 && (
          <>
            在 Debian 或 Ubuntu 上以 root 运行{' '}
            <Typography.Text code copyable>
              {`apt install ${wanted.join(' ')}`}
            </Typography.Text>
            ，一分钟后刷新本页；等待中的文档会自动继续转换。
          </>
        )
      }
    />
  )
}

function isMissed({ is_installed, error }: Tool): boolean {
  return !is_installed || error !== ''
}

/** In the site's own colours, which are made to be read. */
function State({ tool: { is_installed, is_required, error } }: { tool: Tool }) {
  if (is_installed && error === '') return <span className="wd-state wd-state-there">已安装</span>
  if (is_installed) return <span className="wd-state wd-state-poor">不完整</span>
  const look = is_required ? 'wd-state wd-state-missing' : 'wd-state wd-state-poor'
  return <span className={look}>{is_required ? '缺少' : '未安装'}</span>
}

function Version({ tool: { version, error, is_installed } }: { tool: Tool }) {
  const trouble = error && <Typography.Text type={is_installed ? 'warning' : 'danger'}>{error}</Typography.Text>
  if (version && trouble) return <Pair first={version} second={trouble} />
  return version || trouble || dash
}
