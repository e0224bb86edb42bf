/** Credits and money: amounts are whole credits and whole fen, rounded up, never by floating point of yuan. */

/** What so many credits cost, at least a fen; `exchange` credits are one yuan. */
export function creditsToFen(credits: number, exchange: number): number {
  return Math.max(1, Math.ceil((credits * 100) / exchange))
}

export function fenToCredits(fen: number, exchange: number): number {
  return Math.ceil((fen * exchange) / 100)
}

/** `percent` is what is paid: 80 is 8 折, 100 the whole price, 0 nothing. */
export function discounted(credits: number, percent: number): number {
  return Math.ceil((credits * percent) / 100)
}

/** What the author gets of a sale. */
export function authorShare(
  amount: number,
  { author_percent, author_fee }: { author_percent: number; author_fee: number },
): number {
  return Math.max(0, Math.floor((amount * author_percent) / 100) - author_fee)
}

const bonusStep = /^(\d{1,9})\+(\d{1,9})$/

/** Steps like `500+50`: the highest that a top-up reaches. */
export function findBonus(steps: readonly string[], credits: number): number {
  return steps
    .map((step) => bonusStep.exec(step.trim()))
    .map((match) => ({ from: Number(match?.[1] ?? Infinity), bonus: Number(match?.[2] ?? 0) }))
    .filter(({ from }) => from <= credits)
    .reduce((best, step) => (step.from >= best.from ? step : best), { from: 0, bonus: 0 }).bonus
}
