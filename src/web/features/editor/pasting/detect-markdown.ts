/** Whether a plain text is Markdown, by a score: a single list marker or asterisk is not enough, a heading or a fence nearly is. */
export function looksLikeMarkdown(text: string): boolean {
  const lines = text.split('\n', maxLines)
  let score = 0
  for (const [mark, weight] of lineMarks) score += weight * Math.min(2, count(lines, mark))
  if (isTable(lines)) score += threshold
  const words = withoutFences(lines).join('\n')
  for (const [mark, weight] of wordMarks) if (mark.test(words)) score += weight
  return score >= threshold
}

const threshold = 2
const maxLines = 2000

const lineMarks: [RegExp, number][] = [
  [/^#{1,6} \S/, 1],
  [/^(```|~~~)[\w+#-]*\s*$/, 1],
  [/^\s{0,8}[-*+] \[[ xX]\] \S/, 1],
  [/^\s{0,8}([-*+]|\d{1,3}[.)]) \S/, 0.75],
  [/^> ?\S/, 0.75],
  [/^\$\$\s*$/, 1],
]

const wordMarks: [RegExp, number][] = [
  [/!\[[^\]\n]*\]\([^\s)]+\)/, 2],
  [/(?<!!)\[[^\]\n]+\]\((https?:|\/|#|mailto:)[^\s)]*\)/, 2],
  [/\*\*[^\s*][^*\n]*\*\*/, 1],
  [/(?<!`)`[^`\n]+`(?!`)/, 1],
  [/~~[^\s~][^~\n]*~~/, 1],
  [/^#{1,3} \S.*\n\s*\n\S/m, 1],
]

function count(lines: string[], mark: RegExp): number {
  return lines.filter((line) => mark.test(line)).length
}

function isTable(lines: string[]): boolean {
  return lines.some((line, at) => /^\s*\|?[ :|-]*-[ :|-]*\|[ :|-]*$/.test(line) && (lines[at - 1] ?? '').includes('|'))
}

/** Code in fences does not count. */
function withoutFences(lines: string[]): string[] {
  let inside = false
  return lines.filter((line) => {
    const isFence = /^(```|~~~)/.test(line)
    if (isFence) inside = !inside
    return !inside && !isFence
  })
}
