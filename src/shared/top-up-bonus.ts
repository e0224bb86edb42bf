/** The largest top-up in one order, in credits. */
export const maxTopUp = 10_000_000

/** From so many credits on, a top-up brings so many more. */
export interface TopUpBonus {
  from: number
  bonus: number
}

/** The steps from the smallest to the largest, or a sentence about the entry that is wrong. */
export function parseTopUpBonus(entries: readonly string[]): { steps: TopUpBonus[] } | { problem: string } {
  const steps: TopUpBonus[] = []
  for (const entry of entries) {
    const match = /^([1-9]\d{0,8})\s*[+＋]\s*([1-9]\d{0,8})$/.exec(entry.trim())
    if (!match) return { problem: `看不懂“${entry}”，请写成 500+50，表示一次充值满 500 另送 50` }
    const [from, bonus] = [Number(match[1]), Number(match[2])]
    if (steps.some((step) => step.from === from)) return { problem: `满 ${from} 写了两次` }
    steps.push({ from, bonus })
  }
  return { steps: steps.toSorted((a, b) => a.from - b.from) }
}

/** What is wrong with the steps. */
export function findBonusProblem(entries: readonly string[]): string | undefined {
  const parsed = parseTopUpBonus(entries)
  return 'problem' in parsed ? parsed.problem : undefined
}

/** What is wrong with the amounts to choose from. */
export function findAmountProblem(entries: readonly string[]): string | undefined {
  const wrong = entries.find((entry) => !/^[1-9]\d{0,7}$/.test(entry) || Number(entry) > maxTopUp)
  return wrong === undefined ? undefined : `“${wrong}”不是 ${maxTopUp} 以内的正整数，请写成 50,100,500 这样的数量`
}

/** What a top-up brings beyond what is paid for; nothing while an entry is wrong. */
export function topUpBonus(credits: number, entries: readonly string[]): number {
  const parsed = parseTopUpBonus(entries)
  return 'steps' in parsed ? (parsed.steps.findLast(({ from }) => credits >= from)?.bonus ?? 0) : 0
}
