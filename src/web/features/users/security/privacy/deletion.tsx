import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { privacy } from '#shared/contract/privacy.ts'
import { formatTime } from '#shared/format.ts'
import { cancelDeletion } from '#web/features/users/security/privacy/cancel-deletion.ts'
import { DeletionDialog } from '#web/features/users/security/privacy/deletion-dialog.tsx'
import { refreshUser } from '#web/domain/account.ts'
import { api } from '#web/lib/api.ts'
import { useSession } from '#web/lib/session.ts'
import { useQuery } from '#web/lib/use-query.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'

/** Where a member has the account deleted, or cancels that. */
export function DeletionPart() {
  const { user } = useSession()
  // The banner above the page cancels it too.
  const { data, error, isLoading, refetch } = useQuery(`deletion ${user.deletion_at}`, () => api(privacy.deletion))
  const { revalidate } = useRevalidator()
  const [open, setOpen] = useState(false)
  const changed = async () => {
    setOpen(false)
    await refreshUser()
    refetch()
    await revalidate()
  }
  return (
    <section aria-labelledby="deletion-title">
      <h3 id="deletion-title" className="font-medium">
        注销账号
      </h3>
      {!data && !error && <SkeletonRows count={1} />}
      {!data && error !== undefined && <ErrorState message="没有加载成功" retry={refetch} busy={isLoading} />}
      {data && (
        <>
          <p className="mt-1 text-sm text-muted">
            {data.due_at === null
              ? data.obstacle || '永久删除您的账号和个人资料，删除后无法恢复。建议先导出数据。'
              : `您的账号将在 ${formatTime(data.due_at)} 之后删除${data.keep_content ? '，公开的文档和文章会保留' : ''}。`}
          </p>
          {data.due_at !== null && <CancelButton onCancelled={changed} />}
          {data.due_at === null && data.obstacle === '' && (
            <Button className="mt-4" onClick={() => setOpen(true)}>
              注销账号
            </Button>
          )}
          {open && <DeletionDialog preview={data} onClose={() => setOpen(false)} onRequested={changed} />}
        </>
      )}
    </section>
  )
}

function CancelButton({ onCancelled }: { onCancelled: () => Promise<void> }) {
  const [busy, setBusy] = useState(false)
  const cancel = async () => {
    setBusy(true)
    if (await cancelDeletion()) await onCancelled()
    setBusy(false)
  }
  return (
    <Button className="mt-4" busy={busy} onClick={() => void cancel()}>
      取消注销
    </Button>
  )
}
