import { Check, Crown } from 'lucide-react'
import { useLocation, useNavigate } from 'react-router'
import { OrderType, type VipCard } from '#shared/enums.ts'
import { loginPath } from '#web/domain/guard-rules.ts'
import { formatYuan } from '#shared/prices.ts'
import { useSite } from '#web/domain/site.ts'
import { useCreateOrder } from '#web/features/orders/use-create-order.ts'
import { vipOffers, type VipOffer } from '#web/features/orders/vip/vip-offers.ts'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

/** The cards of the site, each with its price and what it brings. */
export function VipOfferCards() {
  const { vip, download } = useSite().settings
  return (
    <ul className="grid gap-5 md:grid-cols-3">
      {vipOffers(vip, { readsOnline: download.enable_paid_reading }).map((offer) => (
        <li key={offer.title} className="flex flex-col rounded-lg border border-line bg-surface p-6">
          <OfferFacts offer={offer} />
          <div className="mt-6">
            <JoinButton card={offer.card} title={offer.title} />
          </div>
        </li>
      ))}
    </ul>
  )
}

function OfferFacts({ offer: { title, price, originalPrice, monthlyPrice, benefits } }: { offer: VipOffer }) {
  return (
    <>
      <h2 className="flex items-center gap-2 text-lg">
        <Crown size={20} className="text-warning" aria-hidden />
        VIP {title}
      </h2>
      <p className="mt-4 flex flex-wrap items-baseline gap-x-2.5 tabular-nums">
        <span className="text-3xl font-semibold">
          <span className="text-lg">¥</span>
          {formatYuan(price)}
        </span>
        {originalPrice > 0 && (
          <del className="text-sm text-muted">
            <span className="sr-only">原价 </span>¥{formatYuan(originalPrice)}
          </del>
        )}
      </p>
      <p className="mt-1 min-h-5 text-sm text-muted tabular-nums max-md:empty:hidden">
        {monthlyPrice > 0 && `平均每月 ¥${formatYuan(monthlyPrice)}`}
      </p>
      <ul className="mt-4 flex-1 space-y-2.5 text-sm">
        {benefits.map((benefit) => (
          <li key={benefit} className="flex gap-2">
            <Check size={16} className="mt-0.5 shrink-0 text-success" aria-hidden />
            {benefit}
          </li>
        ))}
      </ul>
    </>
  )
}

function JoinButton({ card, title }: { card: VipCard; title: string }) {
  const session = useSession()
  const location = useLocation()
  const navigate = useNavigate()
  const { busy, create } = useCreateOrder(() => {
    toast('已经开通')
    void navigate('/me/vip')
  })
  if (!isSignedIn(session)) {
    return (
      <ButtonLink to={loginPath(location)} variant="primary" wide>
        登录后开通{title}
      </ButtonLink>
    )
  }
  return (
    <Button variant="primary" wide busy={busy} onClick={() => create({ order_type: OrderType.Vip, product_id: card })}>
      {`${session.user.is_vip ? '续费' : '开通'}${title}`}
    </Button>
  )
}
