import { useState } from 'react'
import { useNavigate } from 'react-router'
import { orders } from '#shared/contract/orders.ts'
import type { CallInput } from '#shared/endpoint.ts'
import { OrderStatus } from '#shared/enums.ts'
import { orderPath } from '#web/domain/orders.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { toast } from '#web/ui/overlay/toast.tsx'

type NewOrder = CallInput<typeof orders.create>

/** Makes an order and opens the page where it is paid. What costs nothing needs no order: `onFree` is called instead. */
export function useCreateOrder(onFree: () => void) {
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const create = async (order: NewOrder, { replace = false } = {}) => {
    setBusy(true)
    try {
      const { order_no, status } = await api(orders.create, order)
      if (status === OrderStatus.Paid) onFree()
      else await navigate(orderPath({ order_no }), { replace })
    } catch (error) {
      toast(errorMessage(error, '下单没有成功，请稍后重试'), 'danger')
    } finally {
      setBusy(false)
    }
  }
  return { busy, create: (order: NewOrder, options?: { replace?: boolean }) => void create(order, options) }
}
