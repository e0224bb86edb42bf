import { useState } from 'react'
import { passkeys, secondFactor } from '#shared/contract/account-security.ts'
import type { Reply } from '#shared/endpoint.ts'
import { formatTime } from '#shared/format.ts'
import { AddPasskey } from '#web/features/users/security/passkeys/add-passkey.tsx'
import { RenameDialog } from '#web/features/users/security/passkeys/rename-dialog.tsx'
import { usePasskeyObstacle } from '#web/features/users/security/passkeys/obstacle.ts'
import { QueryCard } from '#web/features/users/security/query-card.tsx'
import { RecoveryCodesDialog } from '#web/features/users/security/two-step/recovery-codes-dialog.tsx'
import { SecurityRow } from '#web/features/users/security/security-row.tsx'
import { securityChanged, useSecurityStatus } from '#web/features/users/security/security-status.ts'
import { useAction } from '#web/features/users/security/use-action.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { Confirm } from '#web/ui/overlay/confirm.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

type Passkey = Reply<typeof passkeys.list>['passkey'][number]

/** The passkeys of the member. */
export function PasskeysCard() {
  const obstacle = usePasskeyObstacle()
  const list = useQuery('passkeys', async () => (await api(passkeys.list)).passkey)
  const changed = () => {
    list.refetch()
    securityChanged()
  }
  return (
    <QueryCard title="通行密钥" query={list} renderAside={() => !obstacle && <AddPasskey onAdded={changed} />}>
      {(rows) => (
        <div className="space-y-4">
          <p className="text-sm text-muted">
            用指纹、面容或锁屏密码登录，不用输入用户名和密码，也不怕钓鱼网站。可以给每台设备各添加一个。
          </p>
          {obstacle && <Notice>{obstacle}</Notice>}
          {rows.length > 0 && (
            <ul className="divide-y divide-line border-y border-line">
              {rows.map((row) => (
                <PasskeyRow key={row.id} passkey={row} onChanged={changed} />
              ))}
            </ul>
          )}
          {rows.length > 0 && <AsSecondFactor />}
        </div>
      )}
    </QueryCard>
  )
}

function PasskeyRow({ passkey, onChanged }: { passkey: Passkey; onChanged: () => void }) {
  const { id, name, synced, cloned, created_at, used_at } = passkey
  const [renaming, setRenaming] = useState(false)
  const remove = async () => {
    try {
      await api(passkeys.delete, { id })
      toast('已删除通行密钥')
      onChanged()
    } catch (error) {
      toast(errorMessage(error, '删除失败，请稍后重试'), 'danger')
    }
  }
  const times = [
    synced ? '多台设备同步' : '',
    created_at === null ? '' : `添加于 ${formatTime(created_at)}`,
    used_at === null ? '没有用过' : `最近使用 ${formatTime(used_at)}`,
  ]
  return (
    <SecurityRow
      title={
        <>
          {name}
          {cloned && (
            <span className="rounded-sm bg-danger-soft px-1.5 py-0.5 text-xs font-normal text-danger">
              可能被复制过，已停用，请删除
            </span>
          )}
        </>
      }
      text={times.filter(Boolean).join(' · ')}
    >
      <Button size="sm" onClick={() => setRenaming(true)} aria-label={`给${name}改名`}>
        改名
      </Button>
      <Confirm
        title={`删除“${name}”？`}
        description="删除后，不能再用它登录。设备里保存的那一份，请在设备的密码管理里删除。"
        action="删除"
        danger
        onConfirm={remove}
        renderTrigger={(open) => (
          <Button size="sm" onClick={open} aria-label={`删除${name}`}>
            删除
          </Button>
        )}
      />
      {renaming && <RenameDialog id={id} name={name} onRenamed={onChanged} onClose={() => setRenaming(false)} />}
    </SecurityRow>
  )
}

/** Whether a passkey is asked for after the password too. */
function AsSecondFactor() {
  const { data } = useSecurityStatus()
  const [codes, setCodes] = useState<string[]>([])
  const change = useAction(async () => {
    const enable = !data?.passkey
    const { recovery_code } = await api(secondFactor.setPasskey, { enable })
    setCodes(recovery_code)
    securityChanged()
    toast(enable ? '用密码登录时也会要求通行密钥' : '用密码登录时不再要求通行密钥')
  })
  return (
    <>
      <label className="flex min-h-8 cursor-pointer items-center gap-2 text-sm">
        <input
          type="checkbox"
          checked={data?.passkey ?? false}
          disabled={data === undefined || change.busy}
          onChange={change.run}
          className="size-4 accent-accent"
        />
        用密码登录时，也要求通行密钥（两步验证）
      </label>
      {codes.length > 0 && <RecoveryCodesDialog codes={codes} onClose={() => setCodes([])} />}
    </>
  )
}
