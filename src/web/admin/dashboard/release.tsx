import { Alert, Button, Flex, Select, Typography } from 'antd'
import { useState } from 'react'
import { contract } from '#shared/contract/contract.ts'
import type { Ask, Reply } from '#shared/endpoint.ts'
import { formatTime } from '#shared/format.ts'
import { Block } from '#web/admin/dashboard/block.tsx'
import { isNewer } from '#web/admin/dashboard/versions.ts'
import { useAnswer } from '#web/admin/engine/answer.ts'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import { api } from '#web/lib/api.ts'

type Release = Reply<typeof contract.machine.release>
type Source = Ask<typeof contract.machine.setReleaseSource>['source']

const sources: { value: Source; label: string }[] = [
  { value: 'auto', label: '自动' },
  { value: 'gitee', label: 'Gitee' },
  { value: 'github', label: 'GitHub' },
  { value: 'none', label: '不检查' },
]

export function ReleaseBlock() {
  const [round, setRound] = useState(0)
  const answer = useAnswer(() => api(contract.machine.release), round)
  return (
    <Block title="新版本" answer={answer} rows={3}>
      {(release) => <ReleaseCard release={release} onChange={() => setRound(round + 1)} />}
    </Block>
  )
}

interface ReleaseProps {
  release: Release
  onChange: () => void
}

function ReleaseCard({ release, onChange }: ReleaseProps) {
  if (release.repository === '') {
    return (
      <Typography.Text type="secondary">
        未设置发布仓库，不会检查新版本。需要时用环境变量 RELEASE_REPOSITORY 设置，写成“所有者/名称”。
      </Typography.Text>
    )
  }
  return (
    <Flex vertical gap={12}>
      <News release={release} onChange={onChange} />
      <Search release={release} onChange={onChange} />
    </Flex>
  )
}

function News({ release, onChange }: ReleaseProps) {
  const { failed } = useFeedback()
  const { busy, run } = useTask()
  const { tag_name, name, body, release_at, current, ignore, checked_at } = release
  if (!isNewer(tag_name, current) || ignore === tag_name) {
    const words = checked_at ? `已是最新版本 ${current}` : `当前版本 ${current}，还没有检查过新版本`
    return (
      <span>
        {words}
        {ignore !== '' && ignore === tag_name && (
          <Typography.Text type="secondary">（已忽略 {tag_name}）</Typography.Text>
        )}
      </span>
    )
  }
  const pass = () =>
    run(async () => {
      try {
        await api(contract.machine.ignoreRelease, { tag_name })
        onChange()
      } catch (error) {
        failed('忽略版本', error)
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
          <Button size="small" loading={busy} onClick={() => void pass()}>
            忽略此版本
          </Button>
        }
      />
      {body && <textarea className="wd-text" rows={8} readOnly aria-label="版本说明" value={body} />}
    </>
  )
}

function Search({ release: { source, repository, checked_at }, onChange }: ReleaseProps) {
  const { done, failed } = useFeedback()
  const { busy, run } = useTask()
  const attempt = (what: string, work: () => Promise<void>) =>
    run(async () => {
      try {
        await work()
        onChange()
      } catch (error) {
        failed(what, error)
      }
    })
  const check = () =>
    attempt('检查新版本', async () => {
      const { tag_name, current } = await api(contract.machine.checkRelease)
      done(isNewer(tag_name, current) ? `有新版本 ${tag_name}` : '已是最新版本')
    })
  const choose = (chosen: Source) =>
    attempt('修改来源', async () => {
      await api(contract.machine.setReleaseSource, { source: chosen })
    })
  return (
    <>
      <Flex gap={8} wrap>
        <Select<Source>
          className="wd-source"
          aria-label="检查新版本的来源"
          value={sources.find(({ value }) => value === source)?.value}
          options={sources}
          disabled={busy}
          onChange={(chosen) => void choose(chosen)}
        />
        <Button loading={busy} disabled={source === 'none'} onClick={() => void check()}>
          检查新版本
        </Button>
      </Flex>
      <Typography.Text type="secondary" className="wd-note">
        仓库 {repository}
        {checked_at ? `，上次检查 ${formatTime(checked_at)}` : ''}
      </Typography.Text>
    </>
  )
}
