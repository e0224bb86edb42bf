/** Whether two texts differ by at most `max` typing errors: a wrong, missing or additional character, or two swapped ones. */
export function isWithin(max: number, a: string, b: string): boolean {
  const [from, to] = [Array.from(a), Array.from(b)]
  if (Math.abs(from.length - to.length) > max) return false
  // Damerau-Levenshtein distance (optimal string alignment).
  const rows = [Array.from({ length: to.length + 1 }, (_, index) => index)]
  const cell = (row: number, column: number) => rows[row]?.[column] ?? Infinity
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    rows.push(row)
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1]
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      row.push(
        Math.min(
          cell(i - 1, j - 1) + (isSame ? 0 : 1),
          cell(i - 1, j) + 1,
          cell(i, j - 1) + 1,
          isSwapped ? cell(i - 2, j - 2) + 1 : Infinity,
        ),
      )
    }
  }
  return cell(from.length, to.length) <= max
}

/** With fewer characters than this, one of them too many says nothing: of 区块链 and 区块 neither is an error. */
const minWithAdditional = 4

/** The part of a longer text that differs from these characters by one typing error; one of the same length first. */
export function findNear(text: string, typed: string): string | undefined {
  const characters = Array.from(text)
  const length = Array.from(typed).length
  const lengths = [length, length + 1, ...(length >= minWithAdditional ? [length - 1] : [])]
  for (const size of lengths)
    for (let from = 0; from + size <= characters.length; from++) {
      const part = characters.slice(from, from + size).join('')
      if (part !== typed && !part.includes(' ') && isWithin(1, part, typed)) return part
    }
  return undefined
}
