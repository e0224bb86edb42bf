/** Prices in credits and in fen. Everything is a whole number, and divided without floating point. */

/** What is paid in money for credits, at least one fen. What costs nothing is not paid in money. */
export function creditsToFen(credits: number, creditsPerYuan: number): number {
  return Math.max(1, multiplyAndDivideUp(credits, 100, creditsPerYuan))
}

/** The credits that a price in money costs: the next whole number of them. */
export function fenToCredits(fen: number, creditsPerYuan: number): number {
  return multiplyAndDivideUp(fen, creditsPerYuan, 100)
}

export function formatYuan(fen: number): string {
  return toYuanText(fen)
}

/** The units that amounts of money are kept in. People read and write yuan. */
export const moneyUnits = {
  fen: { title: '分', perYuan: 100, decimals: 2, tooFine: '最多两位小数，如 19.90：不到一分的钱收不了' },
  /** The unit for what costs less than a fen, such as a short message. */
  li: { title: '厘', perYuan: 1000, decimals: 3, tooFine: '最多三位小数，如 0.045' },
} as const
export type MoneyUnit = keyof typeof moneyUnits

/** The typed amount, in the unit that it is kept in, or what is wrong with it. Nothing is rounded. */
export function parseYuan(text: string, unit: MoneyUnit = 'fen'): { amount: number } | { problem: string } {
  const { decimals, tooFine } = moneyUnits[unit]
  const match = /^(\d{1,9})(?:\.(\d*))?$/.exec(text.trim())
  if (!match) return { problem: '请输入金额，如 19.90，不带逗号和单位' }
  const [, yuan = '', fraction = ''] = match
  if (fraction.length > decimals) return { problem: tooFine }
  return { amount: Number(yuan + fraction.padEnd(decimals, '0')) }
}

/** The amount as `parseYuan` reads it: two decimals, and more only where they say something. */
export function toYuanText(amount: number, unit: MoneyUnit = 'fen'): string {
  const { perYuan, decimals } = moneyUnits[unit]
  const text = `${Math.floor(amount / perYuan)}.${String(amount % perYuan).padStart(decimals, '0')}`
  return decimals > 2 ? text.replace(/0$/, '') : text
}

/** Beside a price in credits: what would be paid for it in money. */
export function yuanHint(credits: number, creditsPerYuan: number): string {
  return `（${formatYuan(credits > 0 ? creditsToFen(credits, creditsPerYuan) : 0)} 元）`
}

/** The part of a price that VIP members pay, in percent: nothing for 0, all of it for 100. */
export function discountedPrice(price: number, percent: number): number {
  return multiplyAndDivideUp(price, percent, 100)
}

/** What an author gets of the credits paid for a document. */
export function authorShare(paid: number, { percent, fee }: { percent: number; fee: number }): number {
  const product = paid * percent
  return Math.max(0, (product - (product % 100)) / 100 - fee)
}

function multiplyAndDivideUp(amount: number, factor: number, divisor: number): number {
  const product = amount * factor
  if (!Number.isSafeInteger(amount) || amount < 0 || !Number.isSafeInteger(product)) throw new RangeError(`${amount}`)
  const rest = product % divisor
  return (product - rest) / divisor + (rest > 0 ? 1 : 0)
}
