import { App, Button, Flex } from 'antd'
import { useState } from 'react'
import { contract } from '#shared/contract/contract.ts'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import { usePermissions } from '#web/admin/engine/use-permissions.ts'
import type { Decision } from '#web/admin/review/desk-state.ts'
import { loadWaiting } from '#web/admin/review/pending-counts.ts'
import { punishAuthor, type PunishmentChoice, RejectDialog } from '#web/admin/review/reject-dialog.tsx'
import type { ReviewItem, ReviewKind } from '#web/admin/review/review-kinds.tsx'
import { api } from '#web/lib/api.ts'

interface AuthorActionsProps {
  kind: ReviewKind
  contributor: ReviewItem['contributor']
  /** After what changes the queue. */
  onDecided: () => void
}

/** The actions by which a reviewer decides about an author rather than about one item. */
export function AuthorActions({ kind, contributor, onDecided }: AuthorActionsProps) {
  const { id, username, waiting } = contributor
  const [isTrusted, setTrusted] = useState(contributor.is_trusted)
  const [isRejecting, setRejecting] = useState(false)
  const { canCall } = usePermissions()
  const { modal } = App.useApp()
  const { busy, run } = useTask()
  const { showSuccess, showError } = useFeedback()
  const count = `${waiting} ${kind.measure}${kind.label}`

  const attempt = (label: string, request: () => Promise<void>) =>
    run(async () => {
      try {
        await request()
      } catch (error) {
        showError(label, error)
      }
    })
  const decideAll = (decision: Decision, reason = '', punishment?: PunishmentChoice) =>
    attempt(decision === 'approve' ? '全部通过' : '全部不通过', async () => {
      const batches = await loadWaiting(kind.key, id)
      for (const ids of batches) await kind.decideAll(ids, decision, reason)
      if (punishment) await punishAuthor(id, reason, punishment)
      showSuccess(
        `${batches.flat().length} ${kind.measure}${kind.label}已${decision === 'approve' ? '通过' : '设为不通过'}`,
      )
      onDecided()
    })
  const setTrust = (is_trusted: boolean) =>
    attempt(is_trusted ? '信任作者' : '取消信任', async () => {
      await api(contract.users.trust, { id, is_trusted })
      setTrusted(is_trusted)
      showSuccess(is_trusted ? `${username} 以后发布不用审核` : `${username} 以后发布要审核`)
    })
  const confirmApproval = () =>
    modal.confirm({
      title: `通过 ${username} 等待审核的 ${count}？`,
      content: '包括您还没有看过的。通过以后可以逐项禁用。',
      okText: '全部通过',
      onOk: () => decideAll('approve'),
    })
  const confirmTrust = () =>
    modal.confirm({
      title: `信任 ${username}？`,
      content: '以后发布的文档、文章和评论都不用审核，直到取消信任。已经在等待的还要审核。',
      okText: '信任',
      onOk: () => setTrust(true),
    })
  return (
    <Flex gap={8} wrap>
      {waiting > 1 && (
        <>
          <Button size="small" disabled={busy} onClick={confirmApproval}>
            全部通过（{waiting}）
          </Button>
          <Button size="small" danger disabled={busy} onClick={() => setRejecting(true)}>
            全部不通过（{waiting}）
          </Button>
        </>
      )}
      {canCall(contract.users.trust) && (
        <Button size="small" disabled={busy} onClick={isTrusted ? () => void setTrust(false) : confirmTrust}>
          {isTrusted ? '取消信任' : '信任作者'}
        </Button>
      )}
      {isRejecting && (
        <RejectDialog
          kind={kind}
          title={`${username} 的 ${count}`}
          authorId={id}
          onClose={() => setRejecting(false)}
          onReject={(reason, punishment) => {
            setRejecting(false)
            void decideAll('reject', reason, punishment)
          }}
        />
      )}
    </Flex>
  )
}
