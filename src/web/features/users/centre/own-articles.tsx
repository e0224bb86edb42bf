import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { articles, type Article } from '#shared/contract/articles.ts'
import { ApiError } from '#shared/errors.ts'
import { OwnArticleRow } from '#web/features/users/centre/own-article-row.tsx'
import { refreshUser } from '#web/lib/account.ts'
import { api } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast.tsx'

/** One's own articles, to look after. */
export function OwnArticles({ rows }: { rows: Article[] }) {
  const { revalidate } = useRevalidator()
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [doomed, setDoomed] = useState<Article[]>([])
  const selected = rows.filter(({ id }) => chosen.has(id))
  const choose = (ids: number[], isChosen: boolean) =>
    setChosen(new Set(isChosen ? [...chosen, ...ids] : [...chosen].filter((id) => !ids.includes(id))))
  const chooseAll = (isChosen: boolean) =>
    choose(
      rows.map(({ id }) => id),
      isChosen,
    )
  return (
    <>
      <div className="flex min-h-12 items-center gap-3 border-b border-line text-sm">
        <label className="flex items-center gap-2.5">
          <input
            type="checkbox"
            checked={selected.length === rows.length}
            onChange={(event) => chooseAll(event.target.checked)}
            className="size-4.5 accent-accent"
          />
          全选
        </label>
        {selected.length > 0 && (
          <Button size="sm" onClick={() => setDoomed(selected)}>
            删除选中的 {selected.length} 篇
          </Button>
        )}
      </div>
      <table className="w-full text-left text-sm max-md:block">
        <thead className="max-md:sr-only">
          <tr className="border-b border-line text-muted [&>th]:py-2.5 [&>th]:pr-4 [&>th]:font-normal [&>th]:whitespace-nowrap">
            <th>
              <span className="sr-only">选择</span>
            </th>
            <th className="w-full">标题</th>
            <th>浏览</th>
            <th>评论</th>
            <th>收藏</th>
            <th>发布</th>
            <th>
              <span className="sr-only">操作</span>
            </th>
          </tr>
        </thead>
        <tbody className="max-md:block">
          {rows.map((row) => (
            <OwnArticleRow
              key={row.id}
              article={row}
              isChosen={chosen.has(row.id)}
              onChoose={(isChosen) => choose([row.id], isChosen)}
              onDelete={() => setDoomed([row])}
            />
          ))}
        </tbody>
      </table>
      <DeleteDialog doomed={doomed} onClose={() => setDoomed([])} onDeleted={() => void revalidate()} />
    </>
  )
}

interface DeleteDialogProps {
  doomed: Article[]
  onClose: () => void
  onDeleted: () => void
}

function DeleteDialog({ doomed, onClose, onDeleted }: DeleteDialogProps) {
  const [busy, setBusy] = useState(false)
  const [first] = doomed
  const remove = async () => {
    setBusy(true)
    try {
      await api(articles.delete, { id: doomed.map(({ id }) => id) })
      toast('已移到回收站')
      void refreshUser().catch(() => undefined)
    } catch (error) {
      toast(error instanceof ApiError ? error.message : '删除没有成功，请稍后重试', 'danger')
    } finally {
      setBusy(false)
      onClose()
      onDeleted()
    }
  }
  return (
    <Dialog
      open={doomed.length > 0}
      onOpenChange={() => !busy && onClose()}
      title={doomed.length > 1 ? `删除选中的 ${doomed.length} 篇文章？` : '删除这篇文章？'}
      description={`${doomed.length > 1 ? '它们' : `“${first?.title ?? ''}”`}会移到回收站，其他人不能再看到；需要恢复时请联系管理员。`}
    >
      <div className="mt-6 flex justify-end gap-3">
        <Button onClick={onClose} disabled={busy}>
          取消
        </Button>
        <Button look="danger" busy={busy} onClick={() => void remove()}>
          删除
        </Button>
      </div>
    </Dialog>
  )
}
