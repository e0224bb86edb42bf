/** Whatever turns the reading direction of what stands after it, and what nobody can see or type. */
const unwanted = /[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu
/** No script needs more on one letter; hundreds of them reach over the lines above and below. */
const marks = /([\p{M}\p{Cf}]{8})[\p{M}\p{Cf}]+/gu
const blankLetters = /[\u115f\u1160\u3164\uffa0\u2800]/gu
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u

/** A title or a word as it is kept: one line of what people can see. Empty if there is nothing to see. */
export function plainLine(written: string): string {
  const line = written
    .replace(/[^\S\ufeff]+/gu, ' ')
    .replace(unwanted, '')
    .replace(marks, '$1')
    .trim()
  return visible.test(line.replace(blankLetters, '')) ? line : ''
}
