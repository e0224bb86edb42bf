import { useState } from 'react'
import { documents } from '#shared/contract/documents.ts'
import { type Audience, audienceProblem, everyone, toInput } from '#web/features/documents/visibility/audience.ts'
import { AudienceFields } from '#web/features/documents/visibility/audience-fields.tsx'
import { api, errorMessage } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

interface SetVisibilityDialogProps {
  ids: readonly number[]
  open: boolean
  onOpenChange: (open: boolean) => void
  onChanged: () => void
}

/** The visibility of several documents. */
export function SetVisibilityDialog({ ids, open, onOpenChange, onChanged }: SetVisibilityDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={`修改 ${ids.length} 份文档的可见范围`}>
      {open && (
        <ChangeForm
          ids={ids}
          onCancel={() => onOpenChange(false)}
          onChanged={() => {
            onOpenChange(false)
            onChanged()
          }}
        />
      )}
    </Dialog>
  )
}

interface ChangeFormProps extends Pick<SetVisibilityDialogProps, 'ids' | 'onChanged'> {
  onCancel: () => void
}

function ChangeForm({ ids, onCancel, onChanged }: ChangeFormProps) {
  const [audience, setAudience] = useState<Audience>(everyone)
  const [isSent, setIsSent] = useState(false)
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setIsSent(true)
    if (audienceProblem(audience) !== '') return
    setBusy(true)
    try {
      await api(documents.setVisibility, { id: [...ids], ...toInput(audience) })
      toast('可见范围已修改')
      onChanged()
    } catch (error) {
      setProblem(errorMessage(error, '没有修改，请稍后重试'))
      setBusy(false)
    }
  }
  return (
    <div className="mt-4 space-y-4">
      <AudienceFields value={audience} onChange={setAudience} problem={isSent ? audienceProblem(audience) : ''} />
      {problem && <Notice tone="danger">{problem}</Notice>}
      <div className="flex justify-end gap-3">
        <Button onClick={onCancel} disabled={busy}>
          取消
        </Button>
        <Button variant="primary" busy={busy} onClick={() => void save()}>
          保存
        </Button>
      </div>
    </div>
  )
}
