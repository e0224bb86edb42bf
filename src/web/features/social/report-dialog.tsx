import { useState, type FormEvent } from 'react'
import { reports } from '#shared/contract/reports.ts'
import { allCodes } from '#shared/codes.ts'
import { ReportReason, reportReasonLabels } from '#shared/enums.ts'
import { type Proof, ProofFiles } from '#web/features/social/proof-files.tsx'
import { api, errorMessage } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { TextField } from '#web/ui/forms/input.tsx'
import { TextArea } from '#web/ui/forms/textarea.tsx'
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
      {open && <ReportForm id={id} onDone={() => onOpenChange(false)} onReported={onReported} />}
    </Dialog>
  )
}

const { Copyright, Other } = ReportReason

function ReportForm({ id, onDone, onReported }: { id: number; onDone: () => void; onReported: () => void }) {
  const [reason, setReason] = useState<ReportReason>()
  const [content, setContent] = useState('')
  const [contact, setContact] = useState('')
  const [proofs, setProofs] = useState<readonly Proof[]>([])
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const isCopyright = reason === Copyright
  const needsContent = isCopyright || reason === Other
  const report = async (reason: ReportReason) => {
    setBusy(true)
    try {
      const claim = isCopyright ? { contact, proof: proofs.map((proof) => proof.id) } : {}
      await api(reports.create, { document_id: id, reason, content, ...claim })
      toast('举报已提交，感谢您的反馈，处理结果会出现在“我的举报”里')
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
    else if (needsContent && content.trim() === '') setProblem('请说明情况，方便管理人员核实')
    else if (isCopyright && contact.trim() === '') setProblem('请留下联系方式，方便我们核实版权')
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
              className="size-4 shrink-0 accent-accent"
            />
            {reportReasonLabels[value]}
          </label>
        ))}
      </fieldset>
      {reason !== undefined && (
        <div className="mt-4 space-y-4">
          <TextArea
            label={needsContent ? '说明' : '说明（可以不填）'}
            name="content"
            value={content}
            onChange={setContent}
            help={isCopyright ? '请写明您是哪部作品的权利人，以及文档侵犯了什么权利' : undefined}
            maxLength={1000}
          />
          {isCopyright && (
            <>
              <TextField
                label="联系方式"
                name="contact"
                value={contact}
                onChange={setContact}
                help="邮箱或电话，只有处理举报的管理人员能看到"
                maxLength={100}
              />
              <ProofFiles proofs={proofs} onChange={setProofs} />
            </>
          )}
        </div>
      )}
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
