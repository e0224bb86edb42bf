import { CheckCircleFilled, CloseCircleFilled, SyncOutlined } from '@ant-design/icons'
import { Alert, App, Button, Empty, Flex, Typography } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import type { Backup } from '#shared/contract/backups.ts'
import { formatSize, formatTime } from '#shared/format.ts'
import styles from '#web/admin/backups/backups.module.css'
import { usePolling } from '#web/admin/dashboard/use-polling.ts'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import { LoadError } from '#web/admin/engine/query-state.tsx'
import { usePermissions } from '#web/admin/engine/use-permissions.ts'
import { api } from '#web/lib/api.ts'

const pollMs = 3000

/** Makes backups and lists them, above the settings of their schedule. */
export function BackupPanel() {
  const query = usePolling(() => api(contract.backups.list), { intervalMs: pollMs, retryMs: pollMs })
  const { canCall } = usePermissions()
  const attempt = useAttempt(query.refetch)
  if (!canCall(contract.backups.list))
    return (
      <Alert
        type="info"
        showIcon
        title="备份里有密码的散列和签名密钥，只有超级管理员能制作和下载。"
        className={styles.gap}
      />
    )
  if (!query.data) return query.error ? <LoadError error={query.error} onRetry={query.refetch} /> : null
  const { backup, last_good_at, folder } = query.data
  const isPending = backup.some(({ state }) => state === 'waiting' || state === 'running')
  return (
    <section className={styles.panel} aria-label="备份">
      <Flex wrap align="center" justify="space-between" gap={12}>
        <p className={styles.last}>
          {last_good_at === null ? '还没有成功的备份。' : `上一份完好的备份：${formatTime(last_good_at)}`}
        </p>
        <Button
          type="primary"
          loading={attempt.busy}
          disabled={isPending}
          onClick={() => void attempt.run('备份', () => api(contract.backups.create))}
        >
          {isPending ? '正在备份' : '现在备份'}
        </Button>
      </Flex>
      <p className={styles.note}>
        一份备份里有整个网站：数据库、设置和全部文件，做好后从头到尾核对一遍。它放在运行后台任务的服务器上（{folder}
        ），请下载或复制到另一台机器，并另外保管 secret.key。恢复在服务器上进行：
        <Typography.Text code copyable>
          npm run cli -- restore 文件
        </Typography.Text>
      </p>
      {backup.length === 0 ? (
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有备份，点“现在备份”做第一份" />
      ) : (
        <ul className={styles.list}>
          {backup.map((row) => (
            <BackupItem key={row.id} backup={row} onChange={query.refetch} />
          ))}
        </ul>
      )}
    </section>
  )
}

function BackupItem({ backup, onChange }: { backup: Backup; onChange: () => void }) {
  const { modal } = App.useApp()
  const { busy, run } = useAttempt(onChange)
  const { id, state, path, host, is_here, is_scheduled, created_at, size } = backup
  const time = created_at === null ? '' : formatTime(created_at)
  const download = () =>
    run('下载', async () => {
      const { link } = await api(contract.backups.link, { id })
      location.assign(link)
    })
  const remove = () =>
    modal.confirm({
      title: `删除 ${time} 的备份？`,
      content: removalWarning(backup),
      okText: '删除',
      okButtonProps: { danger: true },
      onOk: () => run('删除', () => api(contract.backups.delete, { id: [id] })),
    })
  return (
    <li className={styles.item}>
      <StateIcon state={state} />
      <div className={styles.text}>
        <p className={styles.title}>
          {time}
          {is_scheduled ? '（自动）' : ''}
          {state === 'done' && ` · ${formatSize(size)}`}
        </p>
        <p className={styles.detail}>{describe(backup)}</p>
        {state === 'done' && (
          <p className={styles.detail}>
            在 {host}：<Typography.Text copyable>{path}</Typography.Text>
          </p>
        )}
      </div>
      <Flex gap={8}>
        {is_here && (
          <Button size="small" loading={busy} aria-label={`下载 ${time} 的备份`} onClick={() => void download()}>
            下载
          </Button>
        )}
        {(state === 'done' || state === 'failed') && (
          <Button size="small" danger disabled={busy} aria-label={`删除 ${time} 的备份`} onClick={remove}>
            删除
          </Button>
        )}
      </Flex>
    </li>
  )
}

function StateIcon({ state }: Pick<Backup, 'state'>) {
  if (state === 'done') return <CheckCircleFilled className={styles.done} aria-label="完好" />
  if (state === 'failed') return <CloseCircleFilled className={styles.failed} aria-label="失败" />
  return <SyncOutlined spin className={styles.pending} aria-label="进行中" />
}

function describe({ state, note, error, rows, files, missing, altered }: Backup): string {
  if (state === 'waiting') return '等待后台任务开始'
  if (state === 'running') return note || '正在备份数据库'
  if (state === 'failed') return error
  const lacking =
    missing + altered > 0
      ? `。注意：网站本身有 ${missing} 个文件丢失、${altered} 个文件内容改变，请在服务器上运行 npm run cli -- check`
      : ''
  return `已核对：${rows.toLocaleString('zh-CN')} 行，${files.toLocaleString('zh-CN')} 个文件${lacking}`
}

function removalWarning({ state, is_here, host, path }: Backup): string {
  if (state === 'failed') return '只是去掉这条记录。'
  return is_here
    ? '文件会从服务器上删除，不能恢复。'
    : `文件在 ${host} 上（${path}），不在这台服务器上：这里只去掉记录，文件要到那里删除。`
}

function useAttempt(onDone: () => void) {
  const { showError } = useFeedback()
  const { busy, run } = useTask()
  const attempt = (label: string, work: () => Promise<unknown>) =>
    run(async () => {
      try {
        await work()
      } catch (error) {
        showError(label, error)
      }
      onDone()
    })
  return { busy, run: attempt }
}
