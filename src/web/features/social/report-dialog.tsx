import { useState, type FormEvent } from 'react'
import { reports } from '#shared/contract/reports.ts'
import { allCodes } from '#shared/codes.ts'
import { ReportReason, reportReasonLabels } from '#shared/enums.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

interface ReportDialogProps {
  id: number
  open: boolean
  onOpenChange: (open: boolean) => void
  onReported: () => void
}

export function ReportDialog({ id, open, onOpenChange, onReported }: ReportDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="举报这份文档"
      description="请选择原因。管理人员会核实并处理，不会告诉上传者是谁举报的。每份文档只能举报一次。"
    >
      {open && <Reasons id={id} onDone={() => onOpenChange(false)} onReported={onReported} />}
    </Dialog>
  )
}

function Reasons({ id, onDone, onReported }: { id: number; onDone: () => void; onReported: () => void }) {
  const [reason, setReason] = useState<ReportReason>()
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const report = async (reason: ReportReason) => {
    setBusy(true)
    try {
      await api(reports.create, { document_id: id, reason })
      toast('举报已提交，感谢您的反馈，我们会尽快核实')
      onReported()
      onDone()
    } catch (error) {
      setProblem(errorMessage(error, '举报没有成功，请稍后重试'))
    } finally {
      setBusy(false)
    }
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    if (reason === undefined) setProblem('请选择举报原因')
    else void report(reason)
  }
  return (
    <form onSubmit={onSubmit} className="mt-4">
      <fieldset className="grid grid-cols-2 gap-2">
        <legend className="sr-only">举报原因</legend>
        {allCodes(ReportReason).map((value) => (
          <label
            key={value}
            className="flex min-h-11 cursor-pointer items-center gap-2.5 rounded-md border border-line px-3 text-sm hover:border-edge has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              type="radio"
              name="reason"
              value={value}
              checked={reason === value}
              onChange={() => {
                setReason(value)
                setProblem('')
              }}
              className="size-4 accent-accent"
            />
            {reportReasonLabels[value]}
          </label>
        ))}
      </fieldset>
      {problem && (
        <div className="mt-4">
          <Notice tone="danger">{problem}</Notice>
        </div>
      )}
      <div className="mt-6 flex justify-end gap-3">
        <Button onClick={onDone}>取消</Button>
        <Button type="submit" variant="primary" busy={busy}>
          提交举报
        </Button>
      </div>
    </form>
  )
}
