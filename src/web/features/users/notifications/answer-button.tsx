import { MessageSquareReply } from 'lucide-react'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { type Notification, notifications } from '#shared/contract/notifications.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { ReasonDialog } from '#web/ui/overlay/reason-dialog.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

/** Answers a refusal or a restriction: the member's words go, with the case, to the staff who decided and the owner. */
export function AnswerButton({ notification: { id, title, excerpt } }: { notification: Notification }) {
  const [isOpen, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const { revalidate } = useRevalidator()
  const submit = async (content: string) => {
    setBusy(true)
    try {
      await api(notifications.answer, { id, content })
      setOpen(false)
      toast('已转给处理的人和站长')
      await revalidate()
    } catch (error) {
      toast(errorMessage(error, '没有提交成功，请稍后重试'), 'danger')
    }
    setBusy(false)
  }
  return (
    <>
      <IconButton label={`有异议：${title}`} onClick={() => setOpen(true)}>
        <MessageSquareReply size={18} aria-hidden />
      </IconButton>
      {isOpen && (
        <ReasonDialog
          title="提出异议"
          action="提交"
          help={`将连同这件事一起转给处理的人和站长：${[title, excerpt].filter(Boolean).join('，')}。每件事只能提一次。`}
          missing="请写下您的理由"
          maxLength={1000}
          initial=""
          suggestions={[]}
          busy={busy}
          onSubmit={submit}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
