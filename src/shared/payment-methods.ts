import { PaymentMethod, paymentMethodLabels } from './enums.ts'

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

/** What the site knows of each method: the only place. */
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
export const offlineMethods = methodsWith('offline')

/** `method` is 0 while nothing was paid. */
export function isMoneyMethod(method: number): boolean {
  return moneyMethods.some((candidate) => candidate === method)
}

/** Empty for 0. */
export function methodTitle(method: number): string {
  const labels: Record<number, string | undefined> = paymentMethodLabels
  return labels[method] ?? ''
}

function methodsWith(fact: keyof MethodFacts): readonly PaymentMethod[] {
  return Object.values(PaymentMethod).filter((method) => paymentMethods[method][fact] !== undefined)
}
