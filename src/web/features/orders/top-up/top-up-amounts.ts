import { maxTopUp } from '#shared/top-up-bonus.ts'

/** The amounts that the owner offers, smallest first; what is no amount is left out. */
export function offeredAmounts(texts: readonly string[]): number[] {
  const amounts = texts.map(parseAmount).filter((amount) => amount > 0)
  return [...new Set(amounts)].toSorted((a, b) => a - b)
}

/** A whole number of credits that may be bought at once; 0 if the text is none. */
export function parseAmount(text: string): number {
  const amount = /^\s*\d{1,9}\s*$/.test(text) ? Number(text) : 0
  return amount <= maxTopUp ? amount : 0
}
