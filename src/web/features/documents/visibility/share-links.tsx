import { Copy } from 'lucide-react'
import { useState } from 'react'
import { documentShares, type Share } from '#shared/contract/document-shares.ts'
import { formatTime } from '#shared/format.ts'
import { NewShareForm } from '#web/features/documents/visibility/new-share-form.tsx'
import { api, errorMessage } from '#web/lib/api.ts'
import { copyText } from '#web/lib/browser/copy-text.ts'
import { useQuery } from '#web/lib/use-query.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Confirm } from '#web/ui/overlay/confirm.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

/** The share links of a document: made, copied and ended at once, whether or not the form around them is saved. */
export function ShareLinks({ documentId }: { documentId: number }) {
  const [isAdding, setIsAdding] = useState(false)
  const { data, error, refetch } = useQuery(documentId, () => api(documentShares.list, { document_id: documentId }))
  return (
    <section aria-label="分享链接" className="rounded-md border border-line p-4">
      <div className="flex items-center justify-between gap-3">
        <h3 className="text-sm font-medium">分享链接</h3>
        {!isAdding && (
          <Button size="sm" onClick={() => setIsAdding(true)}>
            新建链接
          </Button>
        )}
      </div>
      {isAdding && (
        <NewShareForm
          documentId={documentId}
          onCancel={() => setIsAdding(false)}
          onCreated={() => {
            setIsAdding(false)
            refetch()
          }}
        />
      )}
      {error ? (
        <ErrorState message={errorMessage(error, '链接没有加载成功')} retry={refetch} />
      ) : data ? (
        <List shares={data.share} onChanged={refetch} />
      ) : (
        <SkeletonRows count={2} />
      )}
    </section>
  )
}

function List({ shares, onChanged }: { shares: readonly Share[]; onChanged: () => void }) {
  if (shares.length === 0) return <p className="mt-3 text-sm text-muted">还没有链接。新建一个，把它发给要看的人。</p>
  return (
    <ul className="mt-2 divide-y divide-line">
      {shares.map((share) => (
        <Item key={share.id} share={share} onChanged={onChanged} />
      ))}
    </ul>
  )
}

function Item({ share, onChanged }: { share: Share; onChanged: () => void }) {
  const path = `/share/${share.token}`
  const copy = async () => {
    const isCopied = await copyText(new URL(path, location.origin).href)
    toast(isCopied ? '链接已复制' : '没有复制成功，请手动选中链接复制', isCopied ? 'success' : 'danger')
  }
  const end = async () => {
    try {
      await api(documentShares.end, { id: [share.id] })
      toast('链接已失效')
      onChanged()
    } catch (error) {
      toast(errorMessage(error, '没有成功，请稍后重试'), 'danger')
    }
  }
  return (
    <li className="py-2.5 text-sm">
      <p className={share.is_ended ? 'break-all text-muted line-through' : 'break-all select-all'}>{path}</p>
      <div className="mt-1 flex flex-wrap items-center justify-between gap-x-3">
        <p className="text-muted tabular-nums">{describe(share).join(' · ')}</p>
        {!share.is_ended && (
          <span className="-mr-2 flex">
            <Button variant="quiet" size="sm" onClick={() => void copy()}>
              <Copy size={14} aria-hidden />
              复制
            </Button>
            <Confirm
              renderTrigger={(open) => (
                <Button variant="quiet" size="sm" onClick={open}>
                  使失效
                </Button>
              )}
              title="使这个链接失效？"
              description="有这个链接的人从下一次操作起不能再看到文档，不能恢复。"
              action="使失效"
              danger
              onConfirm={end}
            />
          </span>
        )}
      </div>
    </li>
  )
}

function describe({ is_ended, ends_at, has_password, is_limited, downloads_left, download_count }: Share): string[] {
  return [
    is_ended ? '已失效' : ends_at === null ? '长期有效' : `${formatTime(ends_at)} 截止`,
    has_password && '有密码',
    is_limited ? `还能下载 ${downloads_left} 次` : '下载不限次数',
    `已下载 ${download_count} 次`,
  ].filter((fact) => fact !== false)
}
