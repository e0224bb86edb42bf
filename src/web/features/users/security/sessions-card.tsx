import { secondFactor } from '#shared/contract/account-security.ts'
import { sessions } from '#shared/contract/users.ts'
import { DeviceList } from '#web/features/users/security/device-list.tsx'
import { QueryCard } from '#web/features/users/security/query-card.tsx'
import { securityChanged, useSecurityStatus } from '#web/features/users/security/security-status.ts'
import { useAction } from '#web/features/users/security/use-action.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'
import { Button } from '#web/ui/button.tsx'
import { Confirm } from '#web/ui/overlay/confirm.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

/** Where the member is logged in. */
export function SessionsCard() {
  const list = useQuery('sessions', async () => (await api(sessions.list)).session)
  const endOthers = async () => {
    try {
      await api(sessions.endOthers)
      toast('其他设备都已退出')
      list.refetch()
    } catch (error) {
      toast(errorMessage(error, '操作失败，请稍后重试'), 'danger')
    }
  }
  return (
    <QueryCard
      title="登录的设备"
      query={list}
      renderAside={(devices) =>
        devices.length > 1 && (
          <Confirm
            title="让其他设备都退出？"
            description="除了当前这台，其他设备都需要重新登录才能继续使用。"
            action="全部退出"
            danger
            onConfirm={endOthers}
            renderTrigger={(open) => (
              <Button size="sm" onClick={open}>
                其他设备全部退出
              </Button>
            )}
          />
        )
      }
    >
      {(devices) => (
        <div className="space-y-4">
          <DeviceList devices={devices} onEnded={list.refetch} />
          <NewDeviceMails />
        </div>
      )}
    </QueryCard>
  )
}

function NewDeviceMails() {
  const { data } = useSecurityStatus()
  const change = useAction(async () => {
    await api(secondFactor.setMails, { enable: !data?.mails_new_devices })
    securityChanged()
  })
  return (
    <label className="flex min-h-8 cursor-pointer items-center gap-2 text-sm">
      <input
        type="checkbox"
        checked={data?.mails_new_devices ?? false}
        disabled={data === undefined || change.busy}
        onChange={change.run}
        className="size-4 accent-accent"
      />
      在新的设备或网络登录时，发邮件提醒我{data?.email === '' && '（请先填写邮箱）'}
    </label>
  )
}
