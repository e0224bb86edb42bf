/** Real names and identity numbers: which are valid, and how they are shown to anyone but their owner. */

const realnamePattern = /^(?=.*\p{L})[\p{L}\p{M}·•.' -]{2,20}$/u
const identityPattern = /^\d{17}[\dX]$/
const mark = '*'

export function isRealname(text: string): boolean {
  return realnamePattern.test(text)
}

/** 18 digits of GB 11643: with a date of birth that has been, and the check character of ISO 7064 MOD 11-2. */
export function isIdentityNumber(text: string, now = Date.now()): boolean {
  return identityPattern.test(text) && wasBorn(text.slice(6, 14), now) && text.at(-1) === checkCharacter(text)
}

function wasBorn(digits: string, now: number): boolean {
  const [year, month, day] = [digits.slice(0, 4), digits.slice(4, 6), digits.slice(6)].map(Number) as [
    number,
    number,
    number,
  ]
  const birth = new Date(Date.UTC(year, month - 1, day))
  const exists = birth.getUTCMonth() === month - 1 && birth.getUTCDate() === day
  // A day more, for time zones before UTC.
  return exists && year >= 1900 && birth.getTime() <= now + 86_400_000
}

function checkCharacter(text: string): string {
  const remainder = Array.from(text.slice(0, 17)).reduce((value, digit) => ((value + Number(digit)) * 2) % 11, 0)
  const check = (12 - remainder) % 11
  return check === 10 ? 'X' : String(check)
}

/** 王** */
export function maskRealname(text: string): string {
  const [first = '', ...others] = Array.from(text)
  return first && first + mark.repeat(Math.max(1, others.length))
}

/** 1101**********1234 */
export function maskIdentity(text: string): string {
  const shown = text.length > 8 ? 4 : 0
  return text.slice(0, shown) + mark.repeat(text.length - 2 * shown) + text.slice(text.length - shown)
}

/** What a form sends back that was filled with a mask. */
export function isMasked(text: string): boolean {
  return text.includes(mark)
}
