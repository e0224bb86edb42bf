import { PaymentMethod } from './enums.ts'

/** The methods that bring money; with the others credits are paid, or nothing. */
export const moneyMethods: readonly PaymentMethod[] = [
  PaymentMethod.WeChatPay,
  PaymentMethod.Alipay,
  PaymentMethod.ThirdParty,
  PaymentMethod.BankCard,
  PaymentMethod.Cash,
  PaymentMethod.Other,
]

/** `method` is 0 while nothing was paid. */
export function isMoneyMethod(method: number): boolean {
  return moneyMethods.some((candidate) => candidate === method)
}
