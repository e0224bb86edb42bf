import { Button, Flex } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import { useMay } from '#web/admin/engine/gate.ts'
import { api } from '#web/lib/api.ts'

/** What an owner does to the whole site. Nothing of it harms: there is nothing to ask. */
export function Commands() {
  const may = useMay()
  return (
    <Flex gap={8} wrap>
      {may.call(contract.sitemaps.renew) && <Command label="更新站点地图" work={renewSitemap} />}
      {may.call(contract.documents.reindex) && <Command label="重建搜索索引" work={reindex} />}
    </Flex>
  )
}

async function renewSitemap(): Promise<string> {
  const { total } = await api(contract.sitemaps.renew)
  return `站点地图已更新，共 ${total.toLocaleString()} 个地址`
}

async function reindex(): Promise<string> {
  await api(contract.documents.reindex)
  return '搜索索引正在后台重建，期间搜索照常可用'
}

function Command({ label, work }: { label: string; work: () => Promise<string> }) {
  const { done, failed } = useFeedback()
  const { busy, run } = useTask()
  const go = () =>
    run(async () => {
      try {
        done(await work())
      } catch (error) {
        failed(label, error)
      }
    })
  return (
    <Button loading={busy} onClick={() => void go()}>
      {label}
    </Button>
  )
}
