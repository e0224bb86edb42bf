const enough = 3000

/**
 * A long Markdown text in parts that mean the same one after the other: reading one takes time by the square of its
 * length. They are parted where a paragraph or a heading begins, never inside code, a formula, a list or a quote.
 */
export function markdownParts(text: string): string[] {
  const parts: string[] = []
  let part: string[] = []
  let length = 0
  let fence = ''
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(```|~~~|\$\$)/.exec(line)?.[1] ?? ''
    if (length >= enough && fence === '' && part.at(-1)?.trim() === '' && beginsBlock.test(line)) {
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
