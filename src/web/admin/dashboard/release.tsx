import { Alert, Button, Flex, Select, Typography } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import type { CallInput, Reply } from '#shared/endpoint.ts'
import { formatTime } from '#shared/format.ts'
import { DashboardCard } from '#web/admin/dashboard/dashboard-card.tsx'
import styles from '#web/admin/dashboard/dashboard.module.css'
import { isNewer } from '#web/admin/dashboard/versions.ts'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import { api } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'

type Release = Reply<typeof contract.machine.release>
type Source = CallInput<typeof contract.machine.setReleaseSource>['source']

const sources: { value: Source; label: string }[] = [
  { value: 'auto', label: '自动' },
  { value: 'gitee', label: 'Gitee' },
  { value: 'github', label: 'GitHub' },
  { value: 'none', label: '不检查' },
]

export function ReleaseCard() {
  const query = useQuery('release', () => api(contract.machine.release))
  return (
    <DashboardCard title="新版本" query={query}>
      {(release) => <ReleaseDetails release={release} onChange={query.refetch} />}
    </DashboardCard>
  )
}

interface ReleaseProps {
  release: Release
  onChange: () => void
}

function ReleaseDetails({ release, onChange }: ReleaseProps) {
  if (release.repository === '') return <Typography.Text type="secondary">{release.body}</Typography.Text>
  return (
    <Flex vertical gap={12}>
      <UpdateNotice release={release} onChange={onChange} />
      <UpdateCheck release={release} onChange={onChange} />
    </Flex>
  )
}

function UpdateNotice({ release, onChange }: ReleaseProps) {
  const { showError } = useFeedback()
  const { busy, run } = useTask()
  const { tag_name, name, body, release_at, current, ignore, checked_at } = release
  if (!isNewer(tag_name, current) || ignore === tag_name) {
    const text = checked_at ? `已是最新版本 ${current}` : `当前版本 ${current}，还没有检查过新版本`
    return (
      <span>
        {text}
        {ignore !== '' && ignore === tag_name && (
          <Typography.Text type="secondary">（已忽略 {tag_name}）</Typography.Text>
        )}
      </span>
    )
  }
  const ignoreUpdate = () =>
    run(async () => {
      try {
        await api(contract.machine.ignoreRelease, { tag_name })
        onChange()
      } catch (error) {
        showError('忽略版本', error)
      }
    })
  return (
    <>
      <Alert
        type="info"
        showIcon
        title={`有新版本 ${tag_name}`}
        description={[name, release_at && formatTime(release_at), `当前 ${current}`].filter(Boolean).join(' · ')}
        action={
          <Button size="small" loading={busy} onClick={() => void ignoreUpdate()}>
            忽略此版本
          </Button>
        }
      />
      {body && <textarea className={styles.plainText} rows={8} readOnly aria-label="版本说明" value={body} />}
    </>
  )
}

function UpdateCheck({ release: { source, repository, checked_at }, onChange }: ReleaseProps) {
  const { showSuccess, showError } = useFeedback()
  const { busy, run } = useTask()
  const attempt = (label: string, work: () => Promise<void>) =>
    run(async () => {
      try {
        await work()
        onChange()
      } catch (error) {
        showError(label, error)
      }
    })
  const check = () =>
    attempt('检查新版本', async () => {
      const { tag_name, current } = await api(contract.machine.checkRelease)
      showSuccess(isNewer(tag_name, current) ? `有新版本 ${tag_name}` : '已是最新版本')
    })
  const changeSource = (selected: Source) =>
    attempt('修改来源', async () => {
      await api(contract.machine.setReleaseSource, { source: selected })
    })
  return (
    <>
      <Flex gap={8} wrap>
        <Select<Source>
          className={styles.source}
          aria-label="检查新版本的来源"
          value={sources.find(({ value }) => value === source)?.value}
          options={sources}
          disabled={busy}
          onChange={(selected) => void changeSource(selected)}
        />
        <Button loading={busy} disabled={source === 'none'} onClick={() => void check()}>
          检查新版本
        </Button>
      </Flex>
      <Typography.Text type="secondary" className={styles.note}>
        仓库 {repository}
        {checked_at ? `，上次检查 ${formatTime(checked_at)}` : ''}
      </Typography.Text>
    </>
  )
}
