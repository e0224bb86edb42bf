/** Whether a plain text was written in Markdown. One list mark or one star proves nothing; a heading or a fence nearly does. */
export function looksLikeMarkdown(text: string): boolean {
  const lines = text.split('\n', mostLines)
  let score = 0
  for (const [mark, weight] of lineMarks) score += weight * Math.min(2, count(lines, mark))
  if (isTable(lines)) score += enough
  const words = withoutFences(lines).join('\n')
  for (const [mark, weight] of wordMarks) if (mark.test(words)) score += weight
  return score >= enough
}

const enough = 2
const mostLines = 2000

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

/** What stands in a fence is code, and no sign of anything. */
function withoutFences(lines: string[]): string[] {
  let inside = false
  return lines.filter((line) => {
    const isFence = /^(```|~~~)/.test(line)
    if (isFence) inside = !inside
    return !inside && !isFence
  })
}
