import { Alert, Table, Typography } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import { dash, TwoLines } from '#web/admin/cells.tsx'
import { DashboardCard } from '#web/admin/dashboard/dashboard-card.tsx'
import styles from '#web/admin/dashboard/dashboard.module.css'
import { usePolling } from '#web/admin/dashboard/use-polling.ts'
import { api } from '#web/lib/api.ts'

type Worker = Reply<typeof contract.environment.workers>['worker'][number]
type Tool = Worker['tool'][number]

const intervalMs = 20_000

/** The processes that do the background work, and the programs that they convert with. */
export function EnvironmentCard() {
  const query = usePolling(() => api(contract.environment.workers), { intervalMs, retryMs: intervalMs })
  return (
    <DashboardCard title="转换环境" query={query} rows={8}>
      {({ worker }) => {
        const groups = groupByTools(worker)
        if (groups.length === 0) return <p className={styles.workers}>没有工作进程在运行，不知道有哪些转换程序。</p>
        return groups.map((workers) => <ToolsOfWorkers key={JSON.stringify(workers[0]?.tool)} workers={workers} />)
      }}
    </DashboardCard>
  )
}

/** Workers on one machine have found the same programs, and are shown together. */
function ToolsOfWorkers({ workers }: { workers: readonly Worker[] }) {
  const tools = workers[0]?.tool ?? []
  const hosts = [...new Set(workers.map(({ host }) => host))].join('、')
  return (
    <>
      <p className={styles.workers}>
        {workers.length} 个工作进程，在 {hosts}
        {tools.length === 0 && '，正在检查有哪些转换程序…'}
      </p>
      {tools.length > 0 && (
        <>
          <MissingTools tools={tools.filter(needsAttention)} />
          <Table<Tool>
            rowKey="name"
            size="small"
            pagination={false}
            dataSource={[...tools]}
            columns={[
              { key: 'name', title: '程序', render: (_, { name, cmd }) => <TwoLines primary={name} secondary={cmd} /> },
              { key: 'state', title: '状态', width: 80, render: (_, tool) => <State tool={tool} /> },
              { key: 'version', title: '版本', render: (_, tool) => <Version tool={tool} /> },
              { key: 'use', title: '用途', dataIndex: 'description', responsive: ['md'] },
            ]}
          />
        </>
      )}
    </>
  )
}

function groupByTools(workers: readonly Worker[]): Worker[][] {
  return [...Map.groupBy(workers, ({ tool }) => JSON.stringify(tool)).values()]
}

/** Package names on Debian and Ubuntu; other systems use similar ones. */
const packages: Record<string, string | undefined> = {
  LibreOffice: 'libreoffice',
  中文字体: 'fontconfig fonts-noto-cjk',
  安全隔离: 'bubblewrap',
  '7-Zip': '7zip',
  Poppler: 'poppler-utils',
}

function MissingTools({ tools }: { tools: readonly Tool[] }) {
  if (tools.length === 0) return null
  const missingPackages = tools.flatMap(({ name }) => packages[name] ?? [])
  return (
    <Alert
      className={styles.missingTools}
      showIcon
      type={tools.some(({ is_required, is_installed }) => is_required && !is_installed) ? 'error' : 'warning'}
      title={`需要留意：${tools.map(({ name }) => name).join('、')}`}
      description={
        missingPackages.length > 0 && (
          <>
            在 Debian 或 Ubuntu 上以 root 运行{' '}
            <Typography.Text code copyable>
              {`apt install ${missingPackages.join(' ')}`}
            </Typography.Text>
            ，一两分钟后这里会更新；等待中的文档会自动继续转换。
          </>
        )
      }
    />
  )
}

function needsAttention({ is_installed, error }: Tool): boolean {
  return !is_installed || error !== ''
}

/** In the site's own colours, which have enough contrast. */
function State({ tool: { is_installed, is_required, error } }: { tool: Tool }) {
  if (is_installed && error === '') return <span className={styles.toolInstalled}>已安装</span>
  if (is_installed) return <span className={styles.toolIncomplete}>不完整</span>
  if (is_required) return <span className={styles.toolMissing}>缺少</span>
  return <span className={styles.toolIncomplete}>未安装</span>
}

function Version({ tool: { version, error, is_installed } }: { tool: Tool }) {
  const warning = error && <Typography.Text type={is_installed ? 'warning' : 'danger'}>{error}</Typography.Text>
  if (version && warning) return <TwoLines primary={version} secondary={warning} />
  return version || warning || dash
}
