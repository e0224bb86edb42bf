import { Typography } from 'antd'
import { useRef, useState } from 'react'
import { getErrorMessage } from '#web/admin/engine/feedback.ts'
import { ProgressDialog } from '#web/admin/engine/progress-dialog.tsx'
import { type BulkProgress, runInBatches } from '#web/admin/engine/selection/bulk-run.ts'
import { type AnyCallAction, toRowsInput } from '#web/admin/engine/use-actions.ts'
import type { Row } from '#web/admin/resource.ts'
import { api } from '#web/lib/api.ts'

interface Run extends BulkProgress {
  title: string
  isOver: boolean
}

/** Takes actions on more rows than fit into one request. `onDone` gets the rows that are left. */
export function useBulkRun(onDone: (left: Row[]) => void) {
  const [run, setRun] = useState<Run>()
  const controller = useRef<AbortController>(undefined)
  const start = async (action: AnyCallAction, input: Record<string, unknown>, rows: Row[]) => {
    const { signal } = (controller.current = new AbortController())
    const title = `批量${action.label}`
    const result = await runInBatches(rows, {
      send: async (batch) => countSkipped(await api(action.endpoint, { ...input, ...toRowsInput(action, batch) })),
      signal,
      onProgress: (progress) => setRun({ ...progress, title, isOver: false }),
    })
    setRun({ ...result, title, isOver: true })
  }
  const close = () => {
    setRun(undefined)
    if (run) onDone([...run.failed, ...run.untried])
  }
  return { start, run, stop: () => controller.current?.abort(), close }
}

interface BulkRunDialogProps {
  run: Run
  onStop: () => void
  onClose: () => void
}

export function BulkRunDialog({ run, onStop, onClose }: BulkRunDialogProps) {
  const { title, total, done, skipped, failed, untried, error, isOver } = run
  const tried = done + skipped + failed.length
  if (!isOver) return <ProgressDialog title={title} done={tried} total={total} onStop={onStop} />
  return (
    <ProgressDialog title={title} done={tried} total={total} onClose={onClose}>
      <p>
        成功 {format(done)} 条{skipped > 0 && `，${format(skipped)} 条的状态不允许，已跳过`}
        {failed.length > 0 && `，失败 ${format(failed.length)} 条`}
        {untried.length > 0 && `，未处理 ${format(untried.length)} 条`}
      </p>
      {failed.length + untried.length > 0 && (
        <Typography.Paragraph type="secondary">
          {error !== undefined && `${getErrorMessage(error)}。`}没有完成的仍然选中，可以再试。
        </Typography.Paragraph>
      )}
    </ProgressDialog>
  )
}

/** Endpoints that skip rows say how many. */
function countSkipped(reply: unknown): number {
  const isCounted = typeof reply === 'object' && reply !== null && 'skipped' in reply
  return isCounted && typeof reply.skipped === 'number' ? reply.skipped : 0
}

function format(count: number): string {
  return count.toLocaleString('zh-CN')
}
