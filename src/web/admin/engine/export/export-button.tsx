import { DownloadOutlined } from '@ant-design/icons'
import { Button, Tooltip } from 'antd'
import { useRef, useState } from 'react'
import { formatTime } from '#shared/format.ts'
import { loadAllRows } from '#web/admin/engine/listing/all-rows.ts'
import { saveCsv } from '#web/admin/engine/export/save-csv.ts'
import { cellText, headerText } from '#web/admin/engine/export/cell-text.ts'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import { type Listing, pageLoader } from '#web/admin/engine/listing/listing.ts'
import { ProgressDialog } from '#web/admin/engine/progress-dialog.tsx'
import type { AnyColumn, FileEndpoint, Resource, Row } from '#web/admin/resource.ts'
import { api } from '#web/lib/api.ts'
import { saveFile } from '#web/lib/browser/save-file.ts'

interface ExportButtonProps {
  resource: Resource
  listing: Listing
  columns: AnyColumn[]
  /** Exports the list on the server, where it has such an endpoint. */
  endpoint?: FileEndpoint
}

const maxRows = 50_000

/** Downloads all rows of the filtered list, with the columns that are shown. */
export function ExportButton({ resource, listing: { query }, columns, endpoint }: ExportButtonProps) {
  const { busy, run } = useTask()
  const { showError, showWarning } = useFeedback()
  const [progress, setProgress] = useState<{ done: number; total: number }>()
  const stop = useRef<AbortController>(undefined)
  const exportPages = async () => {
    const controller = new AbortController()
    stop.current = controller
    let matching = 0
    const loadPage = pageLoader(resource, query)
    const rows = await loadAllRows(
      async (page) => {
        const loaded = await loadPage(page)
        matching = loaded.total
        return loaded
      },
      { limit: maxRows, signal: controller.signal, onProgress: (done, total) => setProgress({ done, total }) },
    )
    const toCells = (row: Row) => Promise.all(columns.map((column) => cellText(column, row)))
    const lines = [columns.map(headerText), ...(await Promise.all(rows.map(toCells)))]
    const name = `${resource.title}-${formatTime(Date.now()).slice(0, 10).replaceAll('-', '')}.csv`
    saveCsv(name, lines)
    if (matching > maxRows) showWarning(`只导出了前 ${maxRows.toLocaleString('zh-CN')} 条，请缩小筛选范围后分几次导出`)
  }
  const exportFile = async (file: FileEndpoint) => {
    saveFile(await api(file, { wd: query.wd, ...query.filters }))
  }
  const download = () =>
    run(async () => {
      try {
        await (endpoint ? exportFile(endpoint) : exportPages())
      } catch (error) {
        if (!stop.current?.signal.aborted) showError('导出', error)
      } finally {
        setProgress(undefined)
      }
    })
  return (
    <>
      <Tooltip title="导出 CSV">
        <Button icon={<DownloadOutlined />} aria-label="导出 CSV" loading={busy} onClick={() => void download()} />
      </Tooltip>
      {progress && progress.done < progress.total && (
        <ProgressDialog title="正在导出" {...progress} onStop={() => stop.current?.abort()} />
      )}
    </>
  )
}
