import { OrderType } from '#shared/enums.ts'
import { useLoginLink } from '#web/domain/login-link.ts'
import { usePriceText } from '#web/domain/prices.ts'
import { useCreateOrder } from '#web/features/orders/use-create-order.ts'
import { useIntent } from '#web/lib/login-intent.ts'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

interface BuyToReadProps {
  document: { id: number; title: string; price: number }
}

/** For a document that is read online alone: makes the order, after the login if that comes between. */
export function BuyToRead({ document: { id, title, price } }: BuyToReadProps) {
  const signedIn = isSignedIn(useSession())
  const login = useLoginLink({ asked: 'buy', id, why: `登录后即可购买《${title}》，在线阅读全文` })
  const { busy, create } = useCreateOrder(() => toast('现在不用付款了'))
  const buy = () => create({ order_type: OrderType.Document, product_id: id })
  useIntent(signedIn, 'buy', id, buy)
  const words = `购买后在线阅读（${usePriceText()(price)}）`
  if (!signedIn) {
    return (
      <ButtonLink {...login} variant="primary" size="lg">
        {words}
      </ButtonLink>
    )
  }
  return (
    <Button variant="primary" size="lg" busy={busy} onClick={buy}>
      {words}
    </Button>
  )
}
