import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate, useRevalidator, useSearchParams } from 'react-router'
import { orders, type PayInstruction } from '#shared/contract/orders.ts'
import type * as z from 'zod/mini'
import { PaymentMethod } from '#shared/enums.ts'
import { orderPath } from '#web/domain/orders.ts'
import { payInsideWeChat } from '#web/features/orders/pay/wechat-bridge.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { perTab } from '#web/lib/browser/storage.ts'
import { toast } from '#web/ui/overlay/toast.tsx'

export type PayStep = z.output<typeof PayInstruction> & { method: PaymentMethod }

/** The order for whose payment this tab has left the site. */
const awayKey = 'wendou-paying'

/**
 * The payment of a pending order: the step that the buyer has to take, if one was begun. A buyer who comes back from a provider
 * is not believed: `isConfirming` until the server, which asks the provider, says that the order is paid, or the buyer wants
 * to pay again.
 */
export function usePayment({ order_no }: { order_no: string }) {
  const { revalidate } = useRevalidator()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const [busy, setBusy] = useState(false)
  const [step, setStep] = useState<PayStep>()
  const [isConfirming, setIsConfirming] = useState(() => isBack(query, order_no))

  const check = () => void api(orders.check, { order_no }).catch(() => undefined)
  const checkIfBack = useEffectEvent(() => isConfirming && check())
  useEffect(() => void checkIfBack(), [])
  const follow = async ({ kind, content, text, parameters = {} }: Omit<PayStep, 'method'>, method: PaymentMethod) => {
    if (kind === 'redirect') {
      perTab.write(awayKey, order_no)
      setIsConfirming(true)
      location.assign(content)
    } else if (kind === 'jsapi') {
      const isDone = await payInsideWeChat(parameters)
      setIsConfirming(isDone)
      if (isDone) check()
    } else {
      setStep({ kind, content, text, method })
    }
  }
  const pay = async (method: PaymentMethod, codes: { downcode?: string; wechat_code?: string }) => {
    setBusy(true)
    try {
      const { extra } = await api(orders.pay, { order_no, payment_type: method, ...codes })
      if (extra) await follow(extra, method)
      else await revalidate()
    } catch (error) {
      toast(errorMessage(error, '没有支付成功，请稍后重试'), 'danger')
      await revalidate()
    } finally {
      setBusy(false)
    }
  }
  // WeChat has told the tab who pays. The code is good once: it leaves the address before a reload could bring it again.
  const wechatCode = useRef(wechatCodeOf(query, order_no))
  useEffect(() => {
    const code = wechatCode.current
    if (!code) return
    wechatCode.current = ''
    perTab.remove(awayKey)
    void navigate(orderPath({ order_no }), { replace: true, preventScrollReset: true })
    void pay(PaymentMethod.WeChatPay, { wechat_code: code })
  })
  const startAgain = () => {
    perTab.remove(awayKey)
    setIsConfirming(false)
    setStep(undefined)
    if (query.size > 1) void navigate(orderPath({ order_no }), { replace: true, preventScrollReset: true })
  }
  return {
    busy,
    step,
    isConfirming,
    pay: (method: PaymentMethod, downcode = '') => void pay(method, { downcode }),
    startAgain,
  }
}

/** Providers add their own words to the address, or the tab remembers that it has left. */
function isBack(query: URLSearchParams, orderNo: string): boolean {
  if (wechatCodeOf(query, orderNo)) return false
  return [...query.keys()].some((key) => key !== 'order_no') || perTab.read(awayKey) === orderNo
}

/** What WeChat sent the buyer back with to pay; empty for anybody else. */
function wechatCodeOf(query: URLSearchParams, orderNo: string): string {
  return query.get('state') === orderNo ? (query.get('code') ?? '') : ''
}
