import { errors } from '#shared/errors.ts'

/** Whatever turns the reading direction of what stands after it, and what nobody can see or type. */
const unwanted = /(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069\ufff9-\ufffb\ufeff]/gu
const lineEnds = /\r\n?|[\u2028\u2029\u0085\v\f]/gu
/** No script needs more on one letter; hundreds of them reach over the lines above and below. */
const marks = /([\p{M}\p{Cf}]{8})[\p{M}\p{Cf}]+/gu
const blankLetters = /[\u115f\u1160\u3164\uffa0\u2800]/gu
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u

/** What somebody wrote as it is kept: text in lines, at most one of them empty at a time. Empty if there is nothing to see. */
export function cleanComment(written: string): string {
  const text = written
    .replace(lineEnds, '\n')
    .replaceAll('\t', ' ')
    .replace(unwanted, '')
    .replace(marks, '$1')
    .replace(/ +\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return visible.test(text.replace(blankLetters, '')) ? text : ''
}

/** The same, where something has to be said. */
export function writtenText(written: string): string {
  const text = cleanComment(written)
  if (!text) throw errors.request.invalid('请输入评论内容')
  return text
}
