import { Button, Flex } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import { usePermissions } from '#web/admin/engine/use-permissions.ts'
import { api } from '#web/lib/api.ts'

/** Commands for the whole site. None of them does harm, so none asks for confirmation. */
export function Commands() {
  const { canCall } = usePermissions()
  return (
    <Flex gap={8} wrap>
      {canCall(contract.sitemaps.check) && <Command label="更新站点地图" work={renewSitemap} />}
      {canCall(contract.searches.reindex) && <Command label="重建搜索索引" work={reindex} />}
    </Flex>
  )
}

async function renewSitemap(): Promise<string> {
  const { total } = await api(contract.sitemaps.check)
  return `站点地图已更新，共 ${total.toLocaleString()} 个地址`
}

async function reindex(): Promise<string> {
  await api(contract.searches.reindex)
  return '搜索索引正在后台重建，期间搜索照常可用'
}

function Command({ label, work }: { label: string; work: () => Promise<string> }) {
  const { showSuccess, showError } = useFeedback()
  const { busy, run } = useTask()
  const execute = () =>
    run(async () => {
      try {
        showSuccess(await work())
      } catch (error) {
        showError(label, error)
      }
    })
  return (
    <Button loading={busy} onClick={() => void execute()}>
      {label}
    </Button>
  )
}
