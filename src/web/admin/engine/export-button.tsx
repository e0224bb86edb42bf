import { DownloadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import type { ListQuery } from '#web/admin/engine/listing.ts'
import type { FileEndpoint } from '#web/admin/resource.ts'
import { api } from '#web/lib/api.ts'
import { saveFile } from '#web/lib/browser/save-file.ts'

/** Downloads all rows of the filtered list. */
export function ExportButton({ endpoint, query: { wd, filters } }: { endpoint: FileEndpoint; query: ListQuery }) {
  const { busy, run } = useTask()
  const { showError } = useFeedback()
  const download = () =>
    run(async () => {
      try {
        saveFile(await api(endpoint, { wd, ...filters }))
      } catch (error) {
        showError('导出', error)
      }
    })
  return (
    <Button icon={<DownloadOutlined />} loading={busy} onClick={() => void download()}>
      导出 CSV
    </Button>
  )
}
