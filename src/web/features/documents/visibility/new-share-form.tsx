import { useState } from 'react'
import { documentShares } from '#shared/contract/document-shares.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { TextField } from '#web/ui/forms/input.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

interface NewShareFormProps {
  documentId: number
  onCancel: () => void
  onCreated: () => void
}

/** Not a form element: it stands in the form of the document. */
export function NewShareForm({ documentId, onCancel, onCreated }: NewShareFormProps) {
  const [endsAt, setEndsAt] = useState('')
  const [password, setPassword] = useState('')
  const [downloads, setDownloads] = useState('')
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const create = async () => {
    if (!/^\d{0,6}$/.test(downloads)) return setProblem('下载次数请填整数，不限请留空')
    setBusy(true)
    try {
      await api(documentShares.create, {
        document_id: documentId,
        password,
        ends_at: endsAt === '' ? null : new Date(endsAt).getTime(),
        ...(downloads !== '' && { downloads: Number(downloads) }),
      })
      toast('链接已生成')
      onCreated()
    } catch (error) {
      setProblem(errorMessage(error, '没有生成，请稍后重试'))
      setBusy(false)
    }
  }
  return (
    <fieldset aria-label="新建链接" className="mt-3 min-w-0 space-y-3">
      <TextField label="截止时间" type="datetime-local" value={endsAt} onChange={setEndsAt} help="留空为长期有效" />
      <div className="grid grid-cols-2 gap-4">
        <TextField
          label="密码"
          value={password}
          onChange={setPassword}
          maxLength={64}
          autoComplete="off"
          help="留空不需要密码"
        />
        <TextField
          label="下载次数"
          value={downloads}
          onChange={setDownloads}
          inputMode="numeric"
          maxLength={6}
          help="留空不限，0 为只能阅读"
        />
      </div>
      {problem && <Notice tone="danger">{problem}</Notice>}
      <div className="flex justify-end gap-3">
        <Button size="sm" onClick={onCancel} disabled={busy}>
          取消
        </Button>
        <Button size="sm" variant="primary" busy={busy} onClick={() => void create()}>
          生成链接
        </Button>
      </div>
    </fieldset>
  )
}
