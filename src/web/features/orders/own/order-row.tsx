import { Link, useRevalidator } from 'react-router'
import { orders, type Order } from '#shared/contract/orders.ts'
import { OrderStatus, orderTypeLabels } from '#shared/enums.ts'
import { formatTime } from '#shared/format.ts'
import { orderPath, receiptPath } from '#web/domain/orders.ts'
import { useCreditName } from '#web/domain/site.ts'
import { CloseOrderButton } from '#web/features/orders/close-order-button.tsx'
import { MethodIcon } from '#web/features/orders/method-icon.tsx'
import { orderState } from '#web/features/orders/order-state.ts'
import { CopyNumber } from '#web/features/orders/own/copy-number.tsx'
import { OrderStatusLabel } from '#web/features/orders/order-status-label.tsx'
import { isMoneyMethod } from '#shared/payment-methods.ts'
import { methodText, paidText, refundedText, withdrawnLine } from '#shared/order-texts.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { Confirm } from '#web/ui/overlay/confirm.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

/** One of the member's orders, with what can be done with it. */
export function OrderRow({ order, now }: { order: Order; now: number }) {
  const creditName = useCreditName()
  const { product_name, order_type, order_no, created_at } = order
  const state = orderState(order, now)
  const refunded = refundedText(order, creditName)
  // Only money needs its method named: credits and codes say themselves what they are.
  const method = isMoneyMethod(order.payment_type) ? methodText(order, creditName) : ''
  const withdrawn = withdrawnLine(order, creditName)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-4 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-72">
        <p className="flex items-start gap-2">
          <Link to={receiptPath(order)} className="line-clamp-2 min-w-0 font-medium hover:text-accent">
            {product_name}
          </Link>
          <span className="mt-0.5 shrink-0">
            <OrderStatusLabel order={order} state={state} />
          </span>
        </p>
        <p className="mt-1.5 flex flex-wrap gap-x-3 gap-y-1 text-sm text-muted tabular-nums">
          <span>{orderTypeLabels[order_type]}</span>
          <CopyNumber number={order_no} />
          {created_at !== null && <span>{formatTime(created_at)}</span>}
        </p>
        {state === 'late' && (
          <p className="mt-1.5 text-sm text-danger">已收到付款，但订单已关闭，管理人员会为您处理或退款</p>
        )}
      </div>
      <div className="whitespace-nowrap tabular-nums md:text-right">
        <p className="font-medium">{paidText(order, creditName)}</p>
        {method && (
          <p className="text-sm text-muted">
            <MethodIcon order={order} />
            {method}
          </p>
        )}
        {refunded && <p className="text-sm text-muted">已退 {refunded}</p>}
        {withdrawn && <p className="text-sm text-muted">{withdrawn}</p>}
      </div>
      <div
        className={cx(
          'flex items-center gap-1 max-md:basis-full md:min-w-44 md:justify-end',
          // The text of a quiet button begins where the lines above do.
          state !== 'pending' && 'max-md:-ml-3',
        )}
      >
        {state === 'pending' && (
          <ButtonLink to={orderPath(order)} variant="primary" size="sm">
            去支付
          </ButtonLink>
        )}
        {(state === 'pending' || state === 'claimed') && <CloseOrderButton order={order} size="sm" />}
        {order.status !== OrderStatus.Pending && (
          <>
            <ButtonLink to={receiptPath(order)} variant="quiet" size="sm">
              {order.status === OrderStatus.Paid ? '收据' : '详情'}
            </ButtonLink>
            <RemoveButton order={order} />
          </>
        )}
      </div>
    </li>
  )
}

/** From the list alone: the order stays an entry of the site's books. */
function RemoveButton({ order: { id, product_name } }: { order: Order }) {
  const { revalidate } = useRevalidator()
  const remove = async () => {
    try {
      await api(orders.delete, { id: [id] })
      toast('已从列表里去掉')
    } catch (error) {
      toast(errorMessage(error, '没有成功，请稍后重试'), 'danger')
    }
    await revalidate()
  }
  return (
    <Confirm
      title="从列表里去掉这个订单？"
      description={`“${product_name}”不再出现在您的订单里。已经买到的东西不受影响。`}
      action="去掉"
      danger
      onConfirm={remove}
      renderTrigger={(open) => (
        <Button variant="quiet" size="sm" onClick={open} aria-label={`删除“${product_name}”`}>
          删除
        </Button>
      )}
    />
  )
}
