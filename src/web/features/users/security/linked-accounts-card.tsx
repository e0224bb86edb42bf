import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { oauth } from '#shared/contract/oauth.ts'
import type { Reply } from '#shared/endpoint.ts'
import type { OauthType } from '#shared/enums.ts'
import { formatTime } from '#shared/format.ts'
import { OauthMark } from '#web/features/users/oauth/oauth-mark.tsx'
import { ScanPanel } from '#web/features/users/oauth/scan-panel.tsx'
import { api, errorMessage } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Confirm } from '#web/ui/overlay/confirm.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

type Binding = Reply<typeof oauth.own>['oauth'][number]
type Offer = Reply<typeof oauth.configs>[number]

/** The accounts of other sites that the member logs in with. Absent where the site offers none. */
export function LinkedAccountsCard() {
  const { data, error, refetch } = useQuery('linked', async () => {
    const [own, offers] = await Promise.all([api(oauth.own), api(oauth.configs)])
    return { ...own, offers: offers.filter(({ type }) => own.oauth.every((bound) => bound.type !== type)) }
  })
  if (error !== undefined)
    return (
      <Card title="第三方账号">
        <Notice tone="danger">{errorMessage(error, '没有加载成功，请检查网络')}</Notice>
        <Button className="mt-3" onClick={refetch}>
          重试
        </Button>
      </Card>
    )
  if (data && data.oauth.length + data.offers.length === 0) return null
  return (
    <Card title="第三方账号">
      {data ? (
        <>
          {!data.has_password && (
            <div className="mb-4">
              <Notice>
                您还没有设置密码，只能用第三方账号登录。
                <Link to="/me/password" className="underline">
                  设置密码
                </Link>
              </Notice>
            </div>
          )}
          <ul className="divide-y divide-line">
            {data.oauth.map((binding) => (
              <BoundRow key={binding.type} binding={binding} onChanged={refetch} />
            ))}
            {data.offers.map((offer) => (
              <OfferRow key={offer.type} offer={offer} onChanged={refetch} />
            ))}
          </ul>
        </>
      ) : (
        <Skeleton className="h-24" />
      )}
    </Card>
  )
}

function BoundRow({ binding, onChanged }: { binding: Binding; onChanged: () => void }) {
  const { type, title, name, created_at } = binding
  const unbind = async () => {
    try {
      await api(oauth.unbind, { type })
      toast('已解除绑定')
      onChanged()
    } catch (error) {
      toast(errorMessage(error, '操作失败，请稍后重试'), 'danger')
    }
  }
  const detail = [name, created_at !== null && `${formatTime(created_at)} 绑定`].filter(Boolean).join(' · ')
  return (
    <Row type={type} title={title} detail={detail}>
      <Confirm
        title={`解除绑定${title}？`}
        description={`以后不能再用这个${title}账号登录，可以重新绑定。`}
        action="解除绑定"
        danger
        onConfirm={unbind}
        renderTrigger={(open) => (
          <Button size="sm" onClick={open} className="shrink-0" aria-label={`解除绑定${title}`}>
            解除绑定
          </Button>
        )}
      />
    </Row>
  )
}

function OfferRow({ offer, onChanged }: { offer: Offer; onChanged: () => void }) {
  const { type, title, icon } = offer
  const [busy, setBusy] = useState(false)
  const [isScanning, setScanning] = useState(false)
  const leave = async () => {
    setBusy(true)
    try {
      const { authorize_url } = await api(oauth.authorize, { type, redirect: '/me/security' })
      location.assign(authorize_url)
    } catch (error) {
      setBusy(false)
      toast(errorMessage(error, '操作失败，请稍后重试'), 'danger')
    }
  }
  const finishScan = () => {
    setScanning(false)
    toast('绑定成功')
    onChanged()
  }
  return (
    <Row type={type} icon={icon} title={title} detail="没有绑定">
      <Button
        size="sm"
        busy={busy}
        onClick={() => (type === 'wechatmp' ? setScanning(true) : void leave())}
        className="shrink-0"
        aria-label={`绑定${title}`}
      >
        绑定
      </Button>
      <Dialog open={isScanning} onOpenChange={setScanning} title={`绑定${title}`}>
        <div className="mt-4">{isScanning && <ScanPanel intent="bind" onConfirmed={finishScan} />}</div>
      </Dialog>
    </Row>
  )
}

interface RowProps {
  type: OauthType
  icon?: string
  title: string
  detail: string
  children: ReactNode
}

function Row({ type, icon = '', title, detail, children }: RowProps) {
  return (
    <li className="flex items-center gap-3 py-3">
      <OauthMark {...{ type, icon }} />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{title}</p>
        <p className="mt-0.5 truncate text-sm text-muted">{detail}</p>
      </div>
      {children}
    </li>
  )
}
