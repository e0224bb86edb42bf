import { errors } from '#shared/errors.ts'

/** Bidirectional controls, which change the reading direction of what follows, and control characters. */
const controls = /(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069\ufff9-\ufffb\ufeff]/gu
const lineEnds = /\r\n?|[\u2028\u2029\u0085\v\f]/gu
/** No script needs more combining marks on a letter; hundreds of them cover the lines above and below. */
const excessMarks = /([\p{M}\p{Cf}]{8})[\p{M}\p{Cf}]+/gu
const blankCharacters = /[\u115f\u1160\u3164\uffa0\u2800]/gu
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u

/** Plain text with at most one empty line in a row; the empty string if no character is visible. */
export function cleanComment(content: string): string {
  const text = content
    .replace(lineEnds, '\n')
    .replaceAll('\t', ' ')
    .replace(controls, '')
    .replace(excessMarks, '$1')
    .replace(/ +\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return visible.test(text.replace(blankCharacters, '')) ? text : ''
}

/** As `cleanComment`, but throws if there is no text. */
export function requireContent(content: string): string {
  const text = cleanComment(content)
  if (!text) throw errors.request.invalid('请输入评论内容')
  return text
}
