import type { PayClient } from '#server/gateways/pay/pay-provider.ts'

/** What the buyer sits at; a mini program tells by its code instead. */
export function toPayClient(userAgent: string): Exclude<PayClient, 'mini-program'> {
  if (/MicroMessenger/i.test(userAgent)) return 'wechat-browser'
  return /Mobile|Android|iPhone|iPad/i.test(userAgent) ? 'phone' : 'desktop'
}
