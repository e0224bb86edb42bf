const wide = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\u3000-\\u303f\\uff00-\\uffef“”‘’…—'
const endsWide = new RegExp(`[${wide}]$`, 'u')
const startsWide = new RegExp(`^[${wide}]`, 'u')
const hyphenated = /\p{L}{2,}-$/u
const startsLower = /^\p{Ll}/u

/** What stands between two lines of a paragraph: nothing between Chinese characters, a blank between words. */
export function lineJoint(before: string, after: string): '' | ' ' {
  if (before === '' || after === '') return ''
  if (endsWide.test(before) && startsWide.test(after)) return ''
  // Nor after a hyphen, nor beside a Chinese comma or bracket, whatever follows.
  return /\S[-/\u3000-\u303f\uff00-\uffef]$/u.test(before) || /^[\u3000-\u303f\uff00-\uffef]/u.test(after) ? '' : ' '
}

/**
 * The lines of a paragraph as one text. A word that was divided at the end of a line is whole again; `known` is text of the
 * same document, which tells `multi-junction` from `amor-phous`.
 */
export function joinLines(lines: readonly string[], known: string): string {
  let text = ''
  for (const line of lines) {
    if (text.endsWith('\u00ad')) text = text.slice(0, -1) + line
    else if (hyphenated.test(text) && startsLower.test(line)) text = joinDivided(text, line, known)
    else text += lineJoint(text, line) + line
  }
  return text.replaceAll('\u00ad', '')
}

function joinDivided(before: string, after: string, known: string): string {
  const start = /[\p{L}\p{N}]+-$/u.exec(before)?.[0] ?? ''
  const end = /^\p{L}+/u.exec(after)?.[0] ?? ''
  return (known.includes(start + end) ? before : before.slice(0, -1)) + after
}
