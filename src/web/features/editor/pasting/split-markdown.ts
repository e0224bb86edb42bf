const minPartLength = 3000

/**
 * Splits a long Markdown text: parsing takes quadratic time. The parts begin at a paragraph or a heading, never inside
 * code, a formula, a list or a quote.
 */
export function splitMarkdown(text: string): string[] {
  const parts: string[] = []
  let part: string[] = []
  let length = 0
  let fence = ''
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(```|~~~|\$\$)/.exec(line)?.[1] ?? ''
    if (length >= minPartLength && fence === '' && part.at(-1)?.trim() === '' && beginsBlock.test(line)) {
      parts.push(part.join('\n'))
      part = []
      length = 0
    }
    const isWhole = mark === '$$' && /\$\$.+\$\$/.test(line)
    if (fence === '') fence = isWhole ? '' : mark
    else if (mark === fence || (fence === '$$' && line.includes('$$'))) fence = ''
    part.push(line)
    length += line.length + 1
  }
  return [...parts, part.join('\n')]
}

const beginsBlock = /^(#{1,6} |[\p{L}“《（])/u
