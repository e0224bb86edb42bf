import { useState } from 'react'
import { type Article, articles } from '#shared/contract/articles.ts'
import { ReviewStatus } from '#shared/enums.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { TextArea } from '#web/ui/forms/textarea.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

const maxReasonLength = 2048

type Decision = typeof ReviewStatus.Approved | typeof ReviewStatus.Rejected

/** Approves or rejects the saved article, with the reason for its author. */
export function ReviewPanel({ article, onDone }: { article: Article; onDone: () => void }) {
  const [reason, setReason] = useState(article.reject_reason)
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState<Decision>()
  const check = async (status: Decision) => {
    const isRejected = status === ReviewStatus.Rejected
    const missing = isRejected && reason.trim() === '' ? '请写明原因，作者会看到' : ''
    setProblem(missing)
    if (missing || busy !== undefined) return
    setBusy(status)
    try {
      await api(articles.review, {
        article_id: [article.id],
        status,
        reject_reason: isRejected ? reason.trim().slice(0, maxReasonLength) : '',
      })
      toast(isRejected ? '已设为不通过' : '已通过')
      onDone()
    } catch (error) {
      setProblem(errorMessage(error, '出错了，请稍后重试'))
    } finally {
      setBusy(undefined)
    }
  }
  return (
    <section aria-label="审核" className="space-y-3 border-b border-line pb-5">
      <h2 className="text-base">审核</h2>
      <TextArea
        label="不通过的原因"
        name="reject_reason"
        value={reason}
        onChange={(text) => {
          setReason(text)
          setProblem('')
        }}
        onBlur={() => {}}
        error={problem}
        rows={2}
      />
      <div className="grid grid-cols-2 gap-3">
        <Button
          busy={busy === ReviewStatus.Approved}
          disabled={busy === ReviewStatus.Rejected}
          onClick={() => void check(ReviewStatus.Approved)}
        >
          通过
        </Button>
        <Button
          variant="danger"
          busy={busy === ReviewStatus.Rejected}
          disabled={busy === ReviewStatus.Approved}
          onClick={() => void check(ReviewStatus.Rejected)}
        >
          不通过
        </Button>
      </div>
      <p className="text-xs text-muted">审核的是已保存的内容；改过的地方请先保存。</p>
    </section>
  )
}
