import { useState } from 'react'
import type { Reply } from '#shared/endpoint.ts'
import { sessions } from '#shared/contract/users.ts'
import { describeDevice } from '#shared/device.ts'
import { formatTime } from '#shared/format.ts'
import { SecurityRow } from '#web/features/users/security/security-row.tsx'
import { api, errorMessage } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Confirm } from '#web/ui/overlay/confirm.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

type Device = Reply<typeof sessions.list>['session'][number]

const firstCount = 10

/** The member's sessions; all but the current one can be ended. */
export function DeviceList({ devices, onEnded }: { devices: Device[]; onEnded: () => void }) {
  const [all, setAll] = useState(false)
  const current = devices.filter(({ current }) => current)
  const sorted = [...current, ...devices.filter((device) => !device.current)]
  const shown = all ? sorted : sorted.slice(0, firstCount)
  return (
    <>
      <ul className="divide-y divide-line border-y border-line">
        {shown.map((device) => (
          <SecurityRow
            key={device.id}
            title={
              <>
                {describeDevice(device.user_agent)}
                {device.current && (
                  <span className="rounded-sm bg-accent-soft px-1.5 py-0.5 text-xs font-normal text-accent">
                    当前设备
                  </span>
                )}
              </>
            }
            text={<span className="tabular-nums">{describeUse(device)}</span>}
          >
            {!device.current && <EndButton device={device} onEnded={onEnded} />}
          </SecurityRow>
        ))}
      </ul>
      {shown.length < devices.length && (
        <Button size="sm" onClick={() => setAll(true)}>
          显示全部 {devices.length} 台
        </Button>
      )}
    </>
  )
}

function describeUse({ place, way, factor, seen_at }: Device): string {
  const ways = [wayLabels[way], way === 'passkey' ? undefined : factorLabels[factor]].filter(Boolean).join(' + ')
  const parts = [place, seen_at === null ? '' : `最近使用 ${formatTime(seen_at)}`, ways && `以${ways}登录`]
  return parts.filter(Boolean).join(' · ')
}

const wayLabels: Record<string, string | undefined> = {
  password: '密码',
  email: '邮箱验证码',
  mobile: '手机验证码',
  oauth: '第三方账号',
  passkey: '通行密钥',
  command: '命令行',
}

const factorLabels: Record<string, string | undefined> = {
  totp: '验证器',
  recovery: '恢复码',
  passkey: '通行密钥',
}

function EndButton({ device, onEnded }: { device: Device; onEnded: () => void }) {
  const end = async () => {
    try {
      await api(sessions.end, { id: [device.id] })
      toast('该设备已退出')
      onEnded()
    } catch (error) {
      toast(errorMessage(error, '操作失败，请稍后重试'), 'danger')
    }
  }
  return (
    <Confirm
      title="让此设备退出？"
      description={`${describeDevice(device.user_agent)}（${device.place}）需要重新登录才能继续使用。`}
      action="让此设备退出"
      danger
      onConfirm={end}
      renderTrigger={(open) => (
        <Button size="sm" onClick={open}>
          让此设备退出
        </Button>
      )}
    />
  )
}
