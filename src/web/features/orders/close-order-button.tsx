import { useRevalidator } from 'react-router'
import { orders } from '#shared/contract/orders.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Confirm } from '#web/ui/overlay/confirm.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

interface CloseOrderButtonProps {
  order: { order_no: string; product_name: string }
  size?: 'sm' | 'md'
}

/** Asks before it closes: a payment that is under way would come too late. */
export function CloseOrderButton({ order: { order_no, product_name }, size = 'md' }: CloseOrderButtonProps) {
  const { revalidate } = useRevalidator()
  const close = async () => {
    try {
      await api(orders.close, { order_no })
      toast('订单已关闭')
    } catch (error) {
      toast(errorMessage(error, '没有关闭成功，请稍后重试'), 'danger')
    }
    await revalidate()
  }
  return (
    <Confirm
      title="关闭这个订单？"
      description={`“${product_name}”的订单关闭后不能再支付。如果您已经付款，请不要关闭，稍等片刻就会看到结果。`}
      action="关闭订单"
      danger
      onConfirm={close}
      renderTrigger={(open) => (
        <Button variant="quiet" size={size} onClick={open} aria-label={`关闭订单“${product_name}”`}>
          关闭订单
        </Button>
      )}
    />
  )
}
