import { DownloadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { FileReply } from '#shared/fields.ts'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import type { ListQuery } from '#web/admin/engine/listing.ts'
import type { FileEndpoint } from '#web/admin/resource.ts'
import { api } from '#web/lib/api.ts'

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

function saveFile({ name, body }: FileReply): void {
  if (!(body instanceof Blob)) return
  const url = URL.createObjectURL(body)
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  URL.revokeObjectURL(url)
}
