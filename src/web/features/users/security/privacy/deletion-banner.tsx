import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { formatTime } from '#shared/format.ts'
import { cancelDeletion } from '#web/features/users/security/privacy/cancel-deletion.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'

/** Above all pages of a member whose account waits for its deletion. */
export function DeletionBanner({ dueAt }: { dueAt: number }) {
  const [busy, setBusy] = useState(false)
  const { revalidate } = useRevalidator()
  const cancel = async () => {
    setBusy(true)
    if (await cancelDeletion()) await revalidate()
    setBusy(false)
  }
  return (
    <Notice tone="warning">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-60">您申请了注销账号，它将在 {formatTime(dueAt)} 之后删除。</p>
        <Button size="sm" busy={busy} onClick={() => void cancel()}>
          取消注销
        </Button>
      </div>
    </Notice>
  )
}
