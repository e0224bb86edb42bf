import { useRevalidator, useSearchParams } from 'react-router'
import type { Reply } from '#shared/endpoint.ts'
import { sessions } from '#shared/contract/users.ts'
import { formatTime } from '#shared/format.ts'
import { describeDevice } from '#shared/device.ts'
import { api } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Confirm } from '#web/ui/overlay/confirm.tsx'
import { parsePage, Pagination } from '#web/ui/navigation/pagination.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

type Device = Reply<typeof sessions.list>['session'][number]

const pageSize = 10

/** The member's sessions; all but the current one can be ended. */
export function DeviceList({ devices }: { devices: Device[] }) {
  const [query] = useSearchParams()
  const first = (parsePage(query) - 1) * pageSize
  return (
    <>
      <ul className="divide-y divide-line">
        {devices.slice(first, first + pageSize).map((device) => (
          <li key={device.id} className="flex items-center justify-between gap-4 py-3">
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-x-2 font-medium">
                {describeDevice(device.user_agent)}
                {device.current && (
                  <span className="rounded-sm bg-accent-soft px-1.5 py-0.5 text-xs font-normal text-accent">
                    当前设备
                  </span>
                )}
              </p>
              <p className="mt-0.5 text-sm text-muted tabular-nums">
                {device.ip}
                {device.seen_at !== null && ` · 最近使用 ${formatTime(device.seen_at)}`}
              </p>
            </div>
            {!device.current && <EndButton device={device} />}
          </li>
        ))}
      </ul>
      <Pagination total={devices.length} size={pageSize} />
    </>
  )
}

function EndButton({ device }: { device: Device }) {
  const { revalidate } = useRevalidator()
  const end = async () => {
    try {
      await api(sessions.end, { id: [device.id] })
      toast('该设备已退出')
      await revalidate()
    } catch (error) {
      toast(error instanceof Error ? error.message : '操作失败，请稍后重试', 'danger')
    }
  }
  return (
    <Confirm
      title="让此设备退出？"
      description={`${describeDevice(device.user_agent)}（${device.ip}）需要重新登录才能继续使用。`}
      action="让此设备退出"
      danger
      onConfirm={end}
      renderTrigger={(open) => (
        <Button size="sm" onClick={open} className="shrink-0">
          让此设备退出
        </Button>
      )}
    />
  )
}
