import { useState } from 'react'
import { notifications } from '#shared/contract/notifications.ts'
import { notificationKindLabels } from '#shared/notification-kinds.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

/** For the recipient of a mail, who need not be logged in: what would end, and the buttons that end it. */
export function UnsubscribeForm({ token }: { token: string }) {
  const { data, error, isLoading, refetch } = useQuery(token, () => api(notifications.subscription, { token }))
  const [state, setState] = useState<'asking' | 'busy' | 'done'>('asking')
  if (isLoading) return <SkeletonRows count={3} />
  if (!data) return <ErrorState message={errorMessage(error, '退订页面没有加载成功')} retry={refetch} />
  const end = async (all: boolean) => {
    setState('busy')
    try {
      await api(notifications.unsubscribe, { token, all })
      setState('done')
    } catch (failure) {
      setState('asking')
      toast(errorMessage(failure, '退订没有成功，请稍后重试'), 'danger')
    }
  }
  if (state === 'done')
    return <output className="block">已经退订，不会再收到这类邮件。登录后可以在“我的通知”里重新开启。</output>
  return (
    <>
      <p>{data.username}，退订后不再收到这些邮件：</p>
      <ul className="mt-3 list-disc space-y-1 pl-5 text-sm text-muted">
        {data.kind.map((kind) => (
          <li key={kind}>{notificationKindLabels[kind]}</li>
        ))}
      </ul>
      <div className="mt-6 space-y-3">
        <Button variant="primary" size="lg" wide busy={state === 'busy'} onClick={() => void end(false)}>
          退订这些邮件
        </Button>
        <Button size="lg" wide busy={state === 'busy'} onClick={() => void end(true)}>
          退订全部通知邮件
        </Button>
      </div>
    </>
  )
}
