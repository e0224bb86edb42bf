import { useState } from 'react'
import { Link } from 'react-router'
import { ownMobile } from '#shared/contract/code-sign-in.ts'
import type { Reply } from '#shared/endpoint.ts'
import { maskMobile } from '#shared/mobile.ts'
import { refreshUser } from '#web/domain/account.ts'
import { useSite } from '#web/domain/site.ts'
import { BindMobileForm } from '#web/features/users/security/mobile/bind-mobile-form.tsx'
import { UnbindMobileForm } from '#web/features/users/security/mobile/unbind-mobile-form.tsx'
import { api } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

type Own = Reply<typeof ownMobile.get>

/** The bound mobile number. */
export function MobileCard() {
  const { enable_sms } = useSite().settings.system
  const { data, error, refetch } = useQuery('own-mobile', () => api(ownMobile.get), { enabled: enable_sms })
  if (!enable_sms) return null
  return (
    <Card title="手机号">
      {data ? (
        <Bound key={data.mobile} own={data} onChanged={refetch} />
      ) : error ? (
        <ErrorState message={error instanceof Error ? error.message : '加载失败'} retry={refetch} />
      ) : (
        <SkeletonRows count={2} />
      )}
    </Card>
  )
}

function Bound({ own, onChanged }: { own: Own; onChanged: () => void }) {
  const [form, setForm] = useState<'none' | 'bind' | 'unbind'>('none')
  const close = () => setForm('none')
  const finish = (message: string) => {
    toast(message)
    close()
    onChanged()
    void refreshUser().catch(() => undefined)
  }
  if (form === 'bind') return <BindMobileForm own={own} onBound={() => finish('手机号已绑定')} onCancel={close} />
  if (form === 'unbind') return <UnbindMobileForm own={own} onUnbound={() => finish('手机号已解绑')} onCancel={close} />
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p>
          {own.mobile ? (
            <>
              已绑定 <strong className="tabular-nums">{maskMobile(own.mobile)}</strong>
            </>
          ) : (
            '还没有绑定手机号'
          )}
        </p>
        <div className="flex gap-2">
          {own.can_unbind && (
            <Button size="sm" onClick={() => setForm('unbind')}>
              解绑
            </Button>
          )}
          <Button size="sm" onClick={() => setForm('bind')}>
            {own.mobile ? '更换手机号' : '绑定手机号'}
          </Button>
        </div>
      </div>
      <p className="text-sm text-muted">绑定后可以用手机号登录和找回密码。号码停用前，请先更换或解绑。</p>
      {own.mobile && !own.has_password && (
        <p className="text-sm text-muted">
          您还没有密码，短信验证码是您的登录方式。
          <Link to="/findpassword-mobile" className="text-accent hover:underline">
            设置密码
          </Link>
        </p>
      )}
    </div>
  )
}
