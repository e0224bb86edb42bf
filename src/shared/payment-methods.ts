import { PaymentMethod, paymentMethodLabels } from './enums.ts'
import type { Settings } from './settings.ts'

/** The providers that a site can be connected to. */
export const payProviderNames = ['wechat', 'alipay', 'third'] as const
export type PayProviderName = (typeof payProviderNames)[number]

interface MethodFacts {
  /** It brings money; with the others credits are paid, or nothing. */
  isMoney?: true
  provider?: PayProviderName
  /** Paid outside the site, and confirmed by staff: what its settings are called. */
  offline?: 'bank_card' | 'cash' | 'other'
}

/** The facts that the site knows of each method; no other place has them. */
export const paymentMethods: Record<PaymentMethod, MethodFacts> = {
  [PaymentMethod.WeChatPay]: { isMoney: true, provider: 'wechat' },
  [PaymentMethod.Alipay]: { isMoney: true, provider: 'alipay' },
  [PaymentMethod.BankCard]: { isMoney: true, offline: 'bank_card' },
  [PaymentMethod.Cash]: { isMoney: true, offline: 'cash' },
  [PaymentMethod.Credits]: {},
  [PaymentMethod.SystemTopUp]: {},
  [PaymentMethod.Other]: { isMoney: true, offline: 'other' },
  [PaymentMethod.ThirdParty]: { isMoney: true, provider: 'third' },
  [PaymentMethod.DownloadCode]: {},
  [PaymentMethod.Advertisement]: {},
  [PaymentMethod.Trial]: {},
}

export const moneyMethods = methodsWith('isMoney')
/** Somebody bought something by them: the others are gifts of the site, or try it out. */
export const purchaseMethods = [...moneyMethods, PaymentMethod.Credits, PaymentMethod.DownloadCode]
export const offlineMethods = methodsWith('offline')

/** `method` is 0 while nothing was paid. */
export function isMoneyMethod(method: number): boolean {
  return moneyMethods.some((candidate) => candidate === method)
}

/** The owner's names and icons for the methods that have no name of their own. */
type OwnersWords = Pick<Settings['pay'], 'third_title' | 'third_icon' | 'third_channel' | 'other_title' | 'other_icon'>

/** Empty for 0. `credits` is the owner's word for them. */
export function methodTitle(method: number, pay: OwnersWords, credits = ''): string {
  const labels: Record<number, string | undefined> = {
    ...paymentMethodLabels,
    ...(credits && { [PaymentMethod.Credits]: `${credits}支付` }),
    ...(pay.third_channel && { [PaymentMethod.ThirdParty]: channelTitles[pay.third_channel] }),
    ...(pay.third_title && { [PaymentMethod.ThirdParty]: pay.third_title }),
    ...(pay.other_title && { [PaymentMethod.Other]: pay.other_title }),
  }
  return labels[method] ?? ''
}

/** The address of a picture, or nothing. */
export function methodIcon(method: number, pay: OwnersWords): string {
  if (method === PaymentMethod.ThirdParty) return pay.third_icon
  return method === PaymentMethod.Other ? pay.other_icon : ''
}

/** The titles of the third party, by channel, where buyers are sent to it for that channel alone. */
const channelTitles: Record<string, string> = {
  alipay: '支付宝',
  wxpay: '微信支付',
  qqpay: 'QQ 钱包',
  bank: '网银',
}

/** The path, below the site's domain, where a provider reports what was paid. */
export function notifyPath(provider: string): string {
  return `/api/v1/pay/notify/${provider}`
}

function methodsWith(fact: keyof MethodFacts): readonly PaymentMethod[] {
  return Object.values(PaymentMethod).filter((method) => paymentMethods[method][fact] !== undefined)
}
