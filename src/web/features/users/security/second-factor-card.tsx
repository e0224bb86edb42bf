import { useState } from 'react'
import { secondFactor } from '#shared/contract/account-security.ts'
import type { Reply } from '#shared/endpoint.ts'
import { formatTime } from '#shared/format.ts'
import { QueryCard } from '#web/features/users/security/query-card.tsx'
import { RecoveryCodesDialog } from '#web/features/users/security/two-step/recovery-codes-dialog.tsx'
import { SecurityRow } from '#web/features/users/security/security-row.tsx'
import {
  securityChanged,
  type SecurityStatus,
  useSecurityStatus,
} from '#web/features/users/security/security-status.ts'
import { TotpDialog } from '#web/features/users/security/two-step/totp-dialog.tsx'
import { useAction } from '#web/features/users/security/use-action.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { Confirm } from '#web/ui/overlay/confirm.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

/** Two-step verification and its recovery codes. */
export function SecondFactorCard() {
  const status = useSecurityStatus()
  const [codes, setCodes] = useState<string[]>([])
  return (
    <>
      <QueryCard
        title="两步验证"
        query={status}
        renderAside={({ enabled }) => (
          <span className={enabled ? 'text-sm text-accent' : 'text-sm text-muted'}>
            {enabled ? '已开启' : '未开启'}
          </span>
        )}
      >
        {(data) => (
          <div className="space-y-4">
            <Demand {...data} />
            <p className="text-sm text-muted">
              开启后，登录时除了密码，还要输入手机上验证器显示的验证码，别人知道了密码也进不来。修改密码、邮箱等重要操作也会再验证一次。
            </p>
            <ul className="divide-y divide-line border-y border-line">
              <Authenticator isBound={data.totp} onCodes={setCodes} />
              {data.enabled && <RecoveryCodes left={data.recovery_count} onCodes={setCodes} />}
            </ul>
          </div>
        )}
      </QueryCard>
      {codes.length > 0 && <RecoveryCodesDialog codes={codes} onClose={() => setCodes([])} />}
    </>
  )
}

/** What the site wants of its staff. */
function Demand({ owed, due_at }: Pick<SecurityStatus, 'owed' | 'due_at'>) {
  if (owed) return <Notice tone="danger">网站要求管理人员开启两步验证。开启之前，其他功能都不能使用。</Notice>
  return due_at === null ? null : (
    <Notice tone="warning">
      网站要求管理人员开启两步验证，请在 {formatTime(due_at)} 之前开启，否则到时只能使用本页。
    </Notice>
  )
}

interface GetsCodes {
  onCodes: (codes: string[]) => void
}

function Authenticator({ isBound, onCodes }: GetsCodes & { isBound: boolean }) {
  const [setup, setSetup] = useState<Reply<typeof secondFactor.begin>>()
  const begin = useAction(async () => setSetup(await api(secondFactor.begin)))
  const confirmed = (codes: string[]) => {
    setSetup(undefined)
    toast(isBound ? '已换成新的验证器' : '两步验证已开启')
    securityChanged()
    onCodes(codes)
  }
  const remove = async () => {
    try {
      await api(secondFactor.remove)
      toast('已停用验证器')
      securityChanged()
    } catch (error) {
      toast(errorMessage(error, '操作失败，请稍后重试'), 'danger')
    }
  }
  return (
    <SecurityRow
      title="验证器 App"
      text={
        isBound ? '已绑定。登录时输入它显示的六位验证码。' : '如微信小程序“腾讯身份验证器”、Google Authenticator 等'
      }
    >
      <Button size="sm" variant={isBound ? 'plain' : 'primary'} busy={begin.busy} onClick={begin.run}>
        {isBound ? '更换' : '绑定'}
      </Button>
      {isBound && (
        <Confirm
          title="停用验证器？"
          description="停用后，登录时不再询问验证码。"
          action="停用"
          danger
          onConfirm={remove}
          renderTrigger={(open) => (
            <Button size="sm" onClick={open}>
              停用
            </Button>
          )}
        />
      )}
      {setup && <TotpDialog {...setup} onConfirmed={confirmed} onClose={() => setSetup(undefined)} />}
    </SecurityRow>
  )
}

function RecoveryCodes({ left, onCodes }: GetsCodes & { left: number }) {
  const renew = async () => {
    try {
      onCodes((await api(secondFactor.renewRecoveryCodes)).recovery_code)
      securityChanged()
    } catch (error) {
      toast(errorMessage(error, '操作失败，请稍后重试'), 'danger')
    }
  }
  return (
    <SecurityRow
      title="恢复码"
      text={`还有 ${left} 个没有用过${left < 4 ? '，请重新生成' : ''}。手机丢失时，用它登录。`}
    >
      <Confirm
        title="重新生成恢复码？"
        description="原来的恢复码全部作废。"
        action="重新生成"
        onConfirm={renew}
        renderTrigger={(open) => (
          <Button size="sm" onClick={open}>
            重新生成
          </Button>
        )}
      />
    </SecurityRow>
  )
}
