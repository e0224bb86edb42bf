import { useEffect, useEffectEvent, useRef } from 'react'
import { useRevalidator } from 'react-router'
import { orders, type Order } from '#shared/contract/orders.ts'
import { OrderStatus } from '#shared/enums.ts'
import { refreshUser } from '#web/domain/account.ts'
import { nextPollMs } from '#web/features/orders/order-state.ts'
import { api } from '#web/lib/api.ts'
import { serverNow, type ServerTime } from '#web/lib/countdown.ts'

/** Asks for the state of the order again and again, and loads the page anew when it has changed. Another order is another page. */
export function useLiveOrder(order: Order, time: ServerTime): void {
  const { revalidate } = useRevalidator()
  useRefreshWhenPaid(order)
  const { order_no, status, has_surplus, claimed_at } = order
  const ask = useEffectEvent(async () => {
    const latest = await api(orders.status, { order_no }).catch(() => undefined)
    const isChanged = latest && (latest.status !== status || latest.has_surplus !== has_surplus)
    // Staff may have refused what the buyer said.
    if (isChanged || (latest && claimed_at !== null)) await revalidate()
  })
  const delay = useEffectEvent(() =>
    nextPollMs(order, { isVisible: document.visibilityState === 'visible', now: serverNow(time, Date.now()) }),
  )
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const plan = () => {
      const ms = delay()
      if (!isOver && ms !== undefined) timer = setTimeout(() => void ask().finally(plan), ms)
    }
    const askWhenSeen = () => {
      if (document.visibilityState !== 'visible' || delay() === undefined) return
      clearTimeout(timer)
      void ask().finally(plan)
    }
    plan()
    document.addEventListener('visibilitychange', askWhenSeen)
    return () => {
      isOver = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', askWhenSeen)
    }
  }, [])
}

/** A payment changes the balance, and perhaps who is a VIP. */
function useRefreshWhenPaid({ status }: Order): void {
  const last = useRef(status)
  useEffect(() => {
    if (status === OrderStatus.Paid && last.current !== status) void refreshUser().catch(() => undefined)
    last.current = status
  }, [status])
}
