import { useRevalidator } from 'react-router'
import { articleDrafts, type DraftItem } from '#shared/contract/article-drafts.ts'
import { formatTime } from '#shared/format.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Confirm } from '#web/ui/overlay/confirm.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

/** The member's drafts on the server, the latest first. */
export function OwnDrafts({ drafts }: { drafts: readonly DraftItem[] }) {
  const { revalidate } = useRevalidator()
  const remove = async (id: number) => {
    try {
      await api(articleDrafts.delete, { id: [id] })
      toast('草稿已删除')
    } catch (error) {
      toast(errorMessage(error, '没有删除成功，请稍后重试'), 'danger')
    }
    await revalidate()
  }
  return (
    <Card title={`草稿（${drafts.length}）`}>
      <ul className="divide-y divide-line">
        {drafts.map((draft) => {
          const title = draft.title || draft.summary || '还没有标题'
          return (
            <li key={draft.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
              <div className="min-w-0 flex-1 basis-60">
                <p className="truncate font-title font-medium">{title}</p>
                <p className="mt-1 text-sm text-muted tabular-nums">
                  {draft.article_id > 0 ? '修改已有的文章' : '新文章'}
                  {draft.updated_at !== null && ` · ${formatTime(draft.updated_at)} 保存`}
                </p>
              </div>
              <div className="flex gap-1 max-sm:-ml-3">
                <ButtonLink to={`/post?draft=${draft.id}`} variant="quiet" size="sm">
                  继续写<span className="sr-only">“{title}”</span>
                </ButtonLink>
                <Confirm
                  title="删除这份草稿？"
                  description={`“${title}”没有发布过的内容会丢失，不能找回。`}
                  action="删除"
                  danger
                  onConfirm={() => remove(draft.id)}
                  renderTrigger={(open) => (
                    <Button variant="quiet" size="sm" onClick={open}>
                      删除<span className="sr-only">草稿“{title}”</span>
                    </Button>
                  )}
                />
              </div>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
