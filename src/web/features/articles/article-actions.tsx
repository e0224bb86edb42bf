import { ReviewStatus } from '#shared/enums.ts'
import { Check, Pencil, Star, StarOff, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { articles } from '#shared/contract/articles.ts'
import { articleRejectReasons } from '#shared/review-reasons.ts'
import type { Rights } from '#web/features/articles/article-rights.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Confirm } from '#web/ui/overlay/confirm.tsx'
import { ReasonDialog } from '#web/ui/overlay/reason-dialog.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

interface ArticleActionsProps {
  article: { id: number; identifier: string; status: ReviewStatus; recommend_at: number | null; reject_reason: string }
  rights: Rights
  onChanged: () => void
}

const maxReasonLength = 2048

/** The actions of the author and the staff. */
export function ArticleActions({ article, rights, onChanged }: ArticleActionsProps) {
  const { id, identifier, status, recommend_at } = article
  const navigate = useNavigate()
  const [busy, setBusy] = useState('')
  const [isRejecting, setIsRejecting] = useState(false)
  const perform = async (name: string, action: () => Promise<unknown>, done: string): Promise<boolean> => {
    setBusy(name)
    try {
      await action()
      toast(done)
      return true
    } catch (error) {
      toast(errorMessage(error, '没有成功，请稍后重试'), 'danger')
      return false
    } finally {
      setBusy('')
    }
  }
  const change = async (name: string, action: () => Promise<unknown>, done: string) => {
    const isDone = await perform(name, action, done)
    if (isDone) onChanged()
    return isDone
  }
  const recommend = () =>
    change(
      'recommend',
      () => api(articles.recommend, { article_id: [id], is_recommend: recommend_at === null }),
      recommend_at === null ? '已推荐' : '已取消推荐',
    )
  const approve = () =>
    change('approve', () => api(articles.review, { article_id: [id], status: ReviewStatus.Approved }), '已通过')
  const reject = (reason: string) =>
    change(
      'reject',
      () => api(articles.review, { article_id: [id], status: ReviewStatus.Rejected, reject_reason: reason }),
      '已设为未通过',
    )
  const remove = async () => {
    const isGone = await perform('delete', () => api(articles.delete, { id: [id] }), '已移到回收站')
    if (isGone) await navigate(rights.own ? '/me/article' : '/article', { replace: true })
  }
  return (
    <>
      {rights.check && status !== ReviewStatus.Approved && (
        <Button variant="quiet" size="sm" busy={busy === 'approve'} onClick={() => void approve()}>
          <Check size={15} aria-hidden />
          通过
        </Button>
      )}
      {rights.check && status !== ReviewStatus.Rejected && (
        <Button variant="quiet" size="sm" onClick={() => setIsRejecting(true)}>
          <X size={15} aria-hidden />
          不通过
        </Button>
      )}
      {rights.recommend && status === ReviewStatus.Approved && (
        <Button variant="quiet" size="sm" busy={busy === 'recommend'} onClick={() => void recommend()}>
          {recommend_at === null ? <Star size={15} aria-hidden /> : <StarOff size={15} aria-hidden />}
          {recommend_at === null ? '推荐' : '取消推荐'}
        </Button>
      )}
      {rights.edit && (
        <ButtonLink variant="quiet" size="sm" to={`/post?${new URLSearchParams({ identifier })}`}>
          <Pencil size={15} aria-hidden />
          编辑
        </ButtonLink>
      )}
      {rights.delete && (
        <Confirm
          title="删除这篇文章？"
          description="文章会移到回收站，其他人不能再看到它。"
          action="删除"
          danger
          onConfirm={remove}
          renderTrigger={(open) => (
            <Button variant="quiet" size="sm" onClick={open}>
              <Trash2 size={15} aria-hidden />
              删除
            </Button>
          )}
        />
      )}
      {isRejecting && (
        <ReasonDialog
          title="不通过这篇文章"
          action="不通过"
          help="作者会看到这段话，修改后可以重新提交审核。"
          missing="请写明原因，作者会看到"
          maxLength={maxReasonLength}
          initial={article.reject_reason}
          suggestions={articleRejectReasons}
          busy={busy === 'reject'}
          onSubmit={async (reason) => {
            if (await reject(reason)) setIsRejecting(false)
          }}
          onClose={() => setIsRejecting(false)}
        />
      )}
    </>
  )
}
