/** Yuan as text, the only form in which amounts of money are converted: never by floating point. */
const yuanPattern = /^(0|[1-9]\d{0,9})(?:\.(\d{1,2}))?$/

/** Undefined for anything but digits with at most two decimals: no sign, no exponent, no spaces. */
export function yuanToFen(yuan: string): number | undefined {
  const match = yuanPattern.exec(yuan)
  return match ? Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')) : undefined
}

export function fenToYuan(fen: number): string {
  if (!Number.isSafeInteger(fen) || fen < 0) throw new RangeError(`${fen} fen`)
  return `${Math.floor(fen / 100)}.${String(fen % 100).padStart(2, '0')}`
}
