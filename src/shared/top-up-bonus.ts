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
    if (!match) return { problem: `充值赠送：看不懂“${entry}”，请写成 500+50，表示一次充值满 500 积分另送 50` }
    const [from, bonus] = [Number(match[1]), Number(match[2])]
    if (steps.some((step) => step.from === from)) return { problem: `充值赠送：满 ${from} 积分写了两次` }
    steps.push({ from, bonus })
  }
  return { steps: steps.toSorted((a, b) => a.from - b.from) }
}

/** What a top-up brings beyond what is paid for; nothing while an entry is wrong. */
export function topUpBonus(credits: number, entries: readonly string[]): number {
  const parsed = parseTopUpBonus(entries)
  return 'steps' in parsed ? (parsed.steps.findLast(({ from }) => credits >= from)?.bonus ?? 0) : 0
}
