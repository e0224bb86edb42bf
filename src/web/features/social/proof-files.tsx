import { Paperclip, X } from 'lucide-react'
import { useId, useState } from 'react'
import { maxProofs } from '#shared/contract/reports.ts'
import { formatSize } from '#shared/format.ts'
import { sendProof } from '#web/features/social/send-proof.ts'
import { errorMessage } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/feedback/spinner.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'

export interface Proof {
  id: number
  name: string
  size: number
}

interface ProofFilesProps {
  proofs: readonly Proof[]
  onChange: (change: (before: readonly Proof[]) => readonly Proof[]) => void
}

/** Files that prove a claim, each uploaded as soon as it is chosen. */
export function ProofFiles({ proofs, onChange }: ProofFilesProps) {
  const inputId = useId()
  const [sending, setSending] = useState('')
  const [problem, setProblem] = useState('')
  const send = async (files: readonly File[]) => {
    setProblem(files.length > maxProofs - proofs.length ? `最多 ${maxProofs} 个文件，多出的没有上传` : '')
    for (const file of files.slice(0, maxProofs - proofs.length)) {
      setSending(file.name)
      try {
        const id = await sendProof(file)
        onChange((before) => [...before, { id, name: file.name, size: file.size }])
      } catch (error) {
        setProblem(`${file.name}：${errorMessage(error, '上传没有成功，请稍后重试')}`)
      }
    }
    setSending('')
  }
  return (
    <div>
      <p className="mb-1.5 text-sm font-medium">证明文件</p>
      <ul className="space-y-1.5">
        {proofs.map(({ id, name, size }) => (
          <li key={id} className="flex items-center gap-2 rounded-md border border-line pl-3 text-sm">
            <span className="min-w-0 flex-1 truncate">{name}</span>
            <span className="shrink-0 text-muted tabular-nums">{formatSize(size)}</span>
            <IconButton
              label={`去掉 ${name}`}
              onClick={() => onChange((before) => before.filter((one) => one.id !== id))}
            >
              <X size={16} aria-hidden />
            </IconButton>
          </li>
        ))}
        {sending && (
          <li className="flex min-h-10 items-center gap-2 px-3 text-sm text-muted">
            <Spinner />
            <span className="min-w-0 truncate">正在上传 {sending}</span>
          </li>
        )}
      </ul>
      {proofs.length < maxProofs && !sending && (
        <div className="not-first:mt-1.5">
          <input
            id={inputId}
            type="file"
            multiple
            accept="image/jpeg,image/png,image/gif,image/webp,image/bmp,application/pdf"
            className="sr-only"
            tabIndex={-1}
            aria-label="选择证明文件"
            onChange={({ target }) => {
              void send([...(target.files ?? [])])
              target.value = ''
            }}
          />
          <Button onClick={() => document.getElementById(inputId)?.click()}>
            <Paperclip size={15} aria-hidden />
            添加文件
          </Button>
        </div>
      )}
      <p aria-live="polite" className={problem ? 'mt-1.5 text-sm text-danger' : 'mt-1.5 text-sm text-muted'}>
        {problem || `图片或 PDF，每个不超过 10 MB，最多 ${maxProofs} 个。只有处理举报的管理人员能看到。`}
      </p>
    </div>
  )
}
