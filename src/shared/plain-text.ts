/** Control characters, bidirectional overrides and other invisible characters. */
const invisible = /[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu
/** Hundreds of combining marks on a letter cover the lines above and below (Zalgo text); no script needs more than 8. */
const stackedMarks = /([\p{M}\p{Cf}]{8})[\p{M}\p{Cf}]+/gu
const blankLetters = /[\u115f\u1160\u3164\uffa0\u2800]/gu
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u

/** Normalizes a title or a keyword to one line of visible text; empty if nothing of it is visible. */
export function plainLine(text: string): string {
  const line = text
    .replace(/[^\S\ufeff]+/gu, ' ')
    .replace(invisible, '')
    .replace(stackedMarks, '$1')
    .trim()
  return visible.test(line.replace(blankLetters, '')) ? line : ''
}
