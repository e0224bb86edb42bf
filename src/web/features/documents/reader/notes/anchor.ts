/** Where marked text stands: lines of a page's text layer and positions in them. The end is not included. */
export interface TextRange {
  start_line: number
  start_char: number
  end_line: number
  end_char: number
}

export interface PageLine {
  line: number
  text: string
}

/** The part of one line that a range covers. */
export interface LinePart {
  line: number
  from: number
  to: number
}

export function partsOf(lines: readonly PageLine[], range: TextRange): LinePart[] {
  return lines
    .filter(({ line }) => line >= range.start_line && line <= range.end_line)
    .map(({ line, text }) => ({
      line,
      from: line === range.start_line ? Math.min(range.start_char, text.length) : 0,
      to: line === range.end_line ? Math.min(range.end_char, text.length) : text.length,
    }))
    .filter(({ from, to }) => to > from)
}

/** The text of a range, line by line. */
export function textOf(lines: readonly PageLine[], range: TextRange): string {
  const byLine = new Map(lines.map(({ line, text }) => [line, text]))
  return partsOf(lines, range)
    .map(({ line, from, to }) => byLine.get(line)?.slice(from, to) ?? '')
    .join('\n')
}

/**
 * Where a quotation stands on a page now. After a new conversion lines may begin elsewhere: then its text is searched, and
 * of several places the nearest to the former one counts. Undefined if the page does not have it any more.
 */
export function locate(lines: readonly PageLine[], mark: TextRange & { quote: string }): TextRange | undefined {
  const wanted = condense(mark.quote)
  if (wanted === '') return undefined
  if (condense(textOf(lines, mark)) === wanted) return mark
  const letters = lines.flatMap(({ line, text }) =>
    Array.from({ length: text.length }, (_, char) => ({ letter: text.charAt(char), line, char })),
  )
  const dense = letters.filter(({ letter }) => condense(letter) !== '')
  const text = dense.map(({ letter }) => letter).join('')
  const before = dense.findIndex(
    ({ line, char }) => line > mark.start_line || (line === mark.start_line && char >= mark.start_char),
  )
  const expected = before === -1 ? text.length : before
  const starts = occurrences(text, wanted).toSorted((a, b) => Math.abs(a - expected) - Math.abs(b - expected))
  const [start] = starts
  if (start === undefined) return undefined
  const [first, last] = [dense[start], dense[start + wanted.length - 1]]
  if (!first || !last) return undefined
  return { start_line: first.line, start_char: first.char, end_line: last.line, end_char: last.char + 1 }
}

/** Without what a conversion may set differently. */
function condense(text: string): string {
  return text.replace(/\s+/g, '')
}

function occurrences(text: string, wanted: string): number[] {
  const starts: number[] = []
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) starts.push(at)
  return starts
}
