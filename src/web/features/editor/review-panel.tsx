import { useState } from 'react'
import { type Article, articles } from '#shared/contract/articles.ts'
import { ApiError } from '#shared/errors.ts'
import { api } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { TextArea } from '#web/ui/textarea.tsx'
import { toast } from '#web/ui/toast.tsx'

const longest = 2048

/** The judgement on an article as it stands on the server, with the reason its author will read. */
export function ReviewPanel({ article, onDone }: { article: Article; onDone: () => void }) {
  const [reason, setReason] = useState(article.reject_reason)
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState<number>()
  const check = async (status: 1 | 2) => {
    const wrong = status === 2 && reason.trim() === '' ? '请写明原因，作者会看到' : ''
    setProblem(wrong)
    if (wrong || busy !== undefined) return
    setBusy(status)
    try {
      await api(articles.check, {
        article_id: [article.id],
        status,
        reject_reason: status === 2 ? reason.trim().slice(0, longest) : '',
      })
      toast(status === 1 ? '已通过' : '已设为不通过')
      onDone()
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : '出错了，请稍后重试')
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
        <Button busy={busy === 1} disabled={busy === 2} onClick={() => void check(1)}>
          通过
        </Button>
        <Button look="danger" busy={busy === 2} disabled={busy === 1} onClick={() => void check(2)}>
          不通过
        </Button>
      </div>
      <p className="text-xs text-muted">审核的是已保存的内容；改过的地方请先保存。</p>
    </section>
  )
}
