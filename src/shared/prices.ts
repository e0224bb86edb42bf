/** Prices in credits and in fen. Everything is a whole number, and divided without floating point. */

/** What is paid in money for credits, at least one fen. What costs nothing is not paid in money. */
export function creditsToFen(credits: number, creditsPerYuan: number): number {
  return Math.max(1, multiplyAndDivideUp(credits, 100, creditsPerYuan))
}

/** What a price in money costs in credits: the next whole number of them. */
export function fenToCredits(fen: number, creditsPerYuan: number): number {
  return multiplyAndDivideUp(fen, creditsPerYuan, 100)
}

export function formatYuan(fen: number): string {
  return `${Math.floor(fen / 100)}.${String(fen % 100).padStart(2, '0')}`
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
