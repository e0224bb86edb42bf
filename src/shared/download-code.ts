/** Digits and letters without those that look alike (0 O, 1 I L). Their number is a prime, which the check relies on. */
export const codeAlphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'

/** The last character checks the others. */
const codeLength = 16

/** Random characters with their check character, in groups of four. */
export function createDownloadCode(randomIndex: (below: number) => number): string {
  const random = Array.from({ length: codeLength - 1 }, () => codeAlphabet[randomIndex(codeAlphabet.length)]).join('')
  const last = Array.from(codeAlphabet).find((candidate) => isConsistent(random + candidate)) ?? ''
  return (random + last).replaceAll(/.{4}(?=.)/g, '$&-')
}

/** The 16 characters of what was typed, however it was grouped; undefined if there is a mistake in it. */
export function readDownloadCode(typed: string): string | undefined {
  const code = typed
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[\s\p{Dash}]/gu, '')
  return code.length === codeLength && isConsistent(code) ? code : undefined
}

/**
 * The sum of the characters, each times its place, is 0 modulo the prime: one other character changes it, and so does the
 * exchange of two different ones.
 */
function isConsistent(code: string): boolean {
  const values = Array.from(code, (character) => codeAlphabet.indexOf(character))
  if (values.includes(-1)) return false
  return values.reduce((sum, value, index) => sum + value * (index + 1), 0) % codeAlphabet.length === 0
}
